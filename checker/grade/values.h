/* SPDX-License-Identifier: MIT
 * values: elements of the four types, the comparison that decides right or wrong, and the pattern
 * that output arrays hold before a run.
 */
#ifndef WARPBOOK_GRADE_VALUES_H
#define WARPBOOK_GRADE_VALUES_H

#include <warpbook/grade.h>

enum { WB_VALUE_TEXT = 32 };

size_t wb_type_size(enum wb_type type);        /* bytes */
const char *wb_type_c_name(enum wb_type type); /* "float" */
bool wb_type_is_float(enum wb_type type);

double wb_value_get(enum wb_type type, const void *array, size_t index);
void wb_value_set(enum wb_type type, void *array, size_t index, double value);

/* got == want || |got - want| <= absolute + relative * |want|. A NaN is right only where a NaN is
 * wanted, and an infinity only where that infinity is. */
bool wb_value_right(double got, double want, double absolute, double relative);

/* Writes both with so few digits that they are still told apart. `type` decides the most. */
void wb_value_texts(char got[WB_VALUE_TEXT], char want[WB_VALUE_TEXT], enum wb_type type,
                    double got_value, double want_value);

/* A NaN for float and double, 2147243947 for ints; kernels do not write it by chance. */
void wb_unwritten_fill(void *array, size_t size);
bool wb_unwritten_at(enum wb_type type, const void *array, size_t index);

#endif
