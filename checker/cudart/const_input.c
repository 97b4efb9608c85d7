/* SPDX-License-Identifier: MIT
 * See const_input.h. Only the types in the mangled name are known, so a kernel that is extern "C"
 * is not judged. Nor is an allocation to which anything else points that the kernel can reach:
 * other parameters, memory that parameters point to, variables of the module.
 */
#include "const_input.h"

#include "demangle.h"
#include "enter.h"
#include "heap.h"
#include "misuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMS = 64, MAX_TABLE = 1 << 20 /* bytes that are looked through for pointers */ };

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ';
}

/* "float const*": the pointer itself may not be followed by another one or a reference. */
static bool is_const_pointer(const char *start, const char *end)
{
    static const char const_star[] = " const*";
    const size_t tail = sizeof const_star - 1;
    while (end > start && is_space(end[-1])) {
        end--;
    }
    size_t length = (size_t)(end - start);
    return length > tail && strncmp(end - tail, const_star, tail) == 0 &&
           !memchr(start, '*', length - tail - 1) && !memchr(start, '(', length);
}

/* A bit for each parameter that is a pointer to const; *count of them all. 0: not known. */
static uint64_t const_pointers(unsigned *count, const char *mangled)
{
    char *whole = wb_demangle(mangled);
    const char *at = whole ? strrchr(whole, ')') : NULL;
    uint64_t found = 0;
    int depth = 0;
    *count = 0;
    if (at && at[1] == '\0' && whole && strcmp(whole, mangled) != 0) {
        const char *end = at; /* from the last parameter to the first */
        for (at--, depth = 0; at >= whole; at--) {
            depth += *at == ')' || *at == '>' || *at == ']';
            depth -= *at == '(' || *at == '<' || *at == '[';
            if ((*at == ',' && depth == 0) || depth < 0) {
                found = found << 1 | is_const_pointer(at + 1, end);
                end = at;
                ++*count;
            }
            if (depth < 0 || *count == MAX_PARAMS) {
                break;
            }
        }
    }
    free(whole);
    return found;
}

bool wb_const_input_any(const struct wb_kernel *kernel)
{
    unsigned count;
    return strstr(kernel->name, "PK") && const_pointers(&count, kernel->name) != 0 &&
           count == kernel->param_count;
}

/* ---- who else points there ------------------------------------------------------------------- */

static bool is_in(const struct wb_allocation *a, uint64_t address)
{
    return address - a->address < a->size;
}

static bool points_into(const struct wb_allocation *a, const uint8_t *bytes, size_t size)
{
    uint64_t value;
    for (size_t at = 0; at + sizeof value <= size; at += sizeof value) {
        memcpy(&value, bytes + at, sizeof value);
        if (is_in(a, value)) {
            return true;
        }
    }
    return false;
}

static uint64_t pointer_of(const struct wb_log_launch *launch, unsigned i)
{
    const struct wb_kernel_param *p = &launch->kernel->params[i];
    uint64_t value = 0;
    if (p->size == sizeof value && p->offset + sizeof value <= launch->launch->param_size) {
        memcpy(&value, (const uint8_t *)launch->launch->params + p->offset, sizeof value);
    }
    return value;
}

/* Can the kernel come to the allocation by another way than its pointers to const? */
static bool is_reached(const struct wb_allocation *a, const struct wb_log_launch *launch,
                       uint64_t consts)
{
    const struct wb_kernel *kernel = launch->kernel;
    for (unsigned i = 0; i < kernel->param_count; i++) {
        const struct wb_kernel_param *p = &kernel->params[i];
        const struct wb_allocation *table = wb_heap_find(pointer_of(launch, i));
        bool inside = p->offset + p->size <= launch->launch->param_size;
        if (!(consts >> i & 1) && inside &&
            points_into(a, (const uint8_t *)launch->launch->params + p->offset, p->size)) {
            return true;
        }
        if (table && table != a &&
            (table->size > MAX_TABLE || points_into(a, table->host, table->size))) {
            return true;
        }
    }
    for (const struct wb_allocation *v = wb_heap_next(NULL); v; v = wb_heap_next(v)) {
        if (v->kind == WB_MEMORY_VARIABLE && v->host &&
            (v->size > MAX_TABLE || points_into(a, v->host, v->size))) {
            return true;
        }
    }
    return false;
}

/* ---- telling --------------------------------------------------------------------------------- */

static void tell(const struct wb_log_launch *launch, const struct wb_allocation *a, unsigned number,
                 const struct wb_sim_touch *touch)
{
    struct wb_place where = {0};
    char what[400] = "the array";
    char *kernel = wb_demangle_short(launch->kernel->name);
    wb_kernel_line(&where.file, &where.line, launch->kernel, touch->pc);
    wb_misuse_describe(what, sizeof what, a->address);
    const struct wb_log_other other = {launch->place ? launch->place : wb_call_place(),
                                       "the kernel was launched here"};
    wb_log_finding_with(WB_REASON_INPUT_MODIFIED, &where, &other,
                        "Keep the new value in a variable of the thread, or write it to an array "
                        "of its own; if the kernel is meant to change its input, take the const "
                        "away.",
                        "the kernel %s changes its input: it writes to %s, which is its argument "
                        "%u, a pointer to const",
                        kernel ? kernel : launch->kernel->name, what, number);
    free(kernel);
}

static const struct wb_sim_touch *first_write(const struct wb_allocation *a,
                                              const struct wb_sim_touches *touches)
{
    for (size_t i = 0; i < touches->count; i++) {
        if (touches->items[i].how & WB_TOUCH_WRITE && is_in(a, touches->items[i].address)) {
            return &touches->items[i];
        }
    }
    return NULL;
}

void wb_const_input_check(const struct wb_log_launch *launch, const struct wb_sim_touches *touches)
{
    unsigned count;
    uint64_t consts = const_pointers(&count, launch->kernel->name);
    for (unsigned i = 0; count == launch->kernel->param_count && i < count; i++) {
        const struct wb_allocation *a =
            consts >> i & 1 ? wb_heap_find(pointer_of(launch, i)) : NULL;
        const struct wb_sim_touch *touch = a ? first_write(a, touches) : NULL;
        if (touch && !is_reached(a, launch, consts)) {
            tell(launch, a, i + 1, touch);
        }
    }
}
