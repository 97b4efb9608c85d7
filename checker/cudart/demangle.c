/* SPDX-License-Identifier: MIT
 * See demangle.h.
 */
#include "demangle.h"

#include <dlfcn.h>
#include <string.h>

typedef char *demangler(const char *name, char *buffer, size_t *size, int *status);

static demangler *find_demangler(void)
{
    static const char name[] = "__cxa_demangle";
    void *found = dlsym(RTLD_DEFAULT, name);
    void *library = found ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library) {
        found = dlsym(library, name);
    }
    demangler *function = NULL;
    memcpy(&function, &found, sizeof function); /* ISO C has no cast for this */
    return function;
}

char *wb_demangle(const char *name)
{
    static demangler *demangle;
    static int looked;
    int failed;
    if (!looked) {
        demangle = find_demangler();
        looked = 1;
    }
    char *plain =
        demangle && strncmp(name, "_Z", 2) == 0 ? demangle(name, NULL, NULL, &failed) : NULL;
    return plain ? plain : strdup(name);
}

/* Where the parameter list starts: the first '(' outside of <...> that does not open the
 * "(anonymous namespace)" of a name. The end of the text if there is none. */
static const char *parameters(const char *text)
{
    static const char anonymous[] = "(anonymous";
    int depth = 0;
    for (; *text; text++) {
        depth += *text == '<';
        depth -= *text == '>';
        if (*text == '(' && depth == 0 && strncmp(text, anonymous, sizeof anonymous - 1) != 0) {
            break;
        }
    }
    return text;
}

/* Behind the last space outside of <...> and (...): there the name begins, a template's result type
 * stands before it. */
static const char *name_start(const char *text, const char *end)
{
    const char *start = text;
    int depth = 0;
    for (; text < end; text++) {
        depth += *text == '<' || *text == '(';
        depth -= *text == '>' || *text == ')';
        if (*text == ' ' && depth == 0) {
            start = text + 1;
        }
    }
    return start;
}

char *wb_demangle_short(const char *name)
{
    char *whole = wb_demangle(name);
    if (whole) {
        const char *end = parameters(whole);
        const char *start = name_start(whole, end);
        size_t length = (size_t)(end - start);
        memmove(whole, start, length);
        whole[length] = '\0';
    }
    return whole;
}
