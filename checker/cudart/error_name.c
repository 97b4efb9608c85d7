/* SPDX-License-Identifier: MIT
 * Names of error codes, for messages and for lists of failures (both of what this layer makes).
 */
#include <warpbook/cudart.h>

#include <string.h>

static const struct {
    const char *name;
    int error;
} errors[] = {
#define ERROR(name, value, text) {#name, value},
#include "error.def"
#undef ERROR
};

const char *wb_cudart_error_name(int error)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(errors); i++) {
        if (errors[i].error == error) {
            return errors[i].name;
        }
    }
    return "an unknown error";
}

int wb_cudart_error_find(const char *name)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(errors); i++) {
        if (strcmp(errors[i].name, name) == 0) {
            return errors[i].error;
        }
    }
    return -1;
}
