/* SPDX-License-Identifier: MIT
 * Elements as doubles: every value of the four types is one exactly. A further type is a further
 * row of `types` and a case in get and set.
 */
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *c_name;
    unsigned size;
    int digits; /* that tell any two values apart */
    bool is_float;
} types[] = {
    [WB_I32] = {"int", 4, 10, false},
    [WB_U32] = {"unsigned", 4, 10, false},
    [WB_F32] = {"float", 4, 9, true},
    [WB_F64] = {"double", 8, 17, true},
};

size_t wb_type_size(enum wb_type type)
{
    return types[type].size;
}

const char *wb_type_c_name(enum wb_type type)
{
    return types[type].c_name;
}

bool wb_type_is_float(enum wb_type type)
{
    return types[type].is_float;
}

double wb_value_get(enum wb_type type, const void *array, size_t index)
{
    switch (type) {
    case WB_I32:
        return ((const int32_t *)array)[index];
    case WB_U32:
        return ((const uint32_t *)array)[index];
    case WB_F32:
        return (double)((const float *)array)[index];
    case WB_F64:
        return ((const double *)array)[index];
    }
    return 0;
}

void wb_value_set(enum wb_type type, void *array, size_t index, double value)
{
    switch (type) {
    case WB_I32:
        ((int32_t *)array)[index] = (int32_t)value;
        break;
    case WB_U32:
        ((uint32_t *)array)[index] = (uint32_t)value;
        break;
    case WB_F32:
        ((float *)array)[index] = (float)value;
        break;
    case WB_F64:
        ((double *)array)[index] = value;
        break;
    }
}

bool wb_value_right(double got, double want, double absolute, double relative)
{
    if (got == want || (isnan(got) && isnan(want))) {
        return true;
    }
    /* An infinite `want` would make the allowed difference infinite too. */
    return isfinite(want) && fabs(got - want) <= absolute + relative * fabs(want);
}

void wb_value_texts(char got[WB_VALUE_TEXT], char want[WB_VALUE_TEXT], enum wb_type type,
                    double got_value, double want_value)
{
    int digits = types[type].is_float ? 6 : types[type].digits;
    do {
        snprintf(got, WB_VALUE_TEXT, isnan(got_value) ? "NaN" : "%.*g", digits, got_value);
        snprintf(want, WB_VALUE_TEXT, isnan(want_value) ? "NaN" : "%.*g", digits, want_value);
    } while (strcmp(got, want) == 0 && digits++ < types[type].digits);
}

/* As the upper half of a double this is a NaN too. */
static const uint32_t unwritten_word = 0x7FFC57AB;

void wb_unwritten_fill(void *array, size_t size)
{
    for (size_t i = 0; i + sizeof unwritten_word <= size; i += sizeof unwritten_word) {
        memcpy((char *)array + i, &unwritten_word, sizeof unwritten_word);
    }
}

bool wb_unwritten_at(enum wb_type type, const void *array, size_t index)
{
    const uint32_t words[2] = {unwritten_word, unwritten_word};
    size_t size = types[type].size;
    return memcmp((const char *)array + index * size, words, size) == 0;
}
