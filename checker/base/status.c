/* SPDX-License-Identifier: MIT
 * Status of operations: code, sentence, place.
 */
#include <warpbook/base.h>

#include <stdio.h>

static const char *const code_text[] = {
#define X(name, text) [WB_##name] = text,
    WB_CODE_LIST(X)
#undef X
};

bool wb_status_set(struct wb_status *status, enum wb_code code, const char *place,
                   const char *format, ...)
{
    if (status) {
        va_list arguments;
        status->code = code;
        status->place = place;
        va_start(arguments, format);
        vsnprintf(status->message, sizeof status->message, format, arguments);
        va_end(arguments);
    }
    return code == WB_OK;
}

const char *wb_code_text(enum wb_code code)
{
    return (size_t)code < WB_ARRAY_LENGTH(code_text) ? code_text[code] : "unknown error";
}
