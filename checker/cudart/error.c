/* SPDX-License-Identifier: MIT
 * cudaGetErrorName and cudaGetErrorString: names and texts of error.def. They can be called at any
 * time, also when the runtime is in error; a program that calls them has looked at an error.
 */
#include "enter.h"

#define EXPORT __attribute__((visibility("default")))

struct words {
    const char *name, *text;
};

static struct words words_of(enum cudaError error)
{
    switch ((int)error) {
#define ERROR(name, value, text)                                                                   \
    case value:                                                                                    \
        return (struct words){#name, text};
#include "error.def"
#undef ERROR
    default:
        return (struct words){"unrecognized error code", "unrecognized error code"};
    }
}

static void note_look(const void *from)
{
    struct wb_call call;
    wb_lock(&call, from);
    wb_errors_seen();
    wb_unlock(&call);
}

EXPORT const char *cudaGetErrorName(enum cudaError error);
const char *cudaGetErrorName(enum cudaError error)
{
    note_look(WB_CALLER);
    return words_of(error).name;
}

EXPORT const char *cudaGetErrorString(enum cudaError error);
const char *cudaGetErrorString(enum cudaError error)
{
    note_look(WB_CALLER);
    return words_of(error).text;
}
