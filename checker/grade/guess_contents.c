/* SPDX-License-Identifier: MIT
 * Guesses the cause of wrong elements from what they hold. One row per pattern in `contents`, the
 * most telling first; the first that fits is reported. A new pattern is a small function that is
 * true where it fits (it may write a detail that ends the sentence) and a row.
 */
#include "guess.h"

#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DETAIL = 160 };

static const struct wb_param *param_of(const struct wb_pattern *p)
{
    return &p->task->params[p->param];
}

static double got(const struct wb_pattern *p, size_t i)
{
    return wb_value_get(param_of(p)->type, p->got, i);
}

static double want(const struct wb_pattern *p, size_t i)
{
    return wb_value_get(param_of(p)->type, p->right->data[p->param], i);
}

static bool is_right(const struct wb_pattern *p, double a, double b)
{
    return wb_value_right(a, b, p->task->absolute, p->task->relative);
}

bool wb_tells_of_each(const struct wb_pattern *pattern, unsigned input)
{
    const struct wb_param *param = &pattern->task->params[input];
    return param->kind == WB_PARAM_IN && !wb_type_is_float(param->type) &&
           pattern->given->count[input] == pattern->count;
}

/* ---- all elements look alike -------------------------------------------------------------- */

static bool nothing_written(char detail[DETAIL], const struct wb_pattern *p)
{
    (void)detail;
    size_t i = 0;
    while (i < p->count && wb_unwritten_at(param_of(p)->type, p->got, i)) {
        i++;
    }
    return i == p->count && param_of(p)->kind == WB_PARAM_OUT;
}

static bool function_wrote_nothing(char detail[DETAIL], const struct wb_pattern *p)
{
    return p->task->function && nothing_written(detail, p);
}

static bool unchanged(char detail[DETAIL], const struct wb_pattern *p)
{
    (void)detail;
    return param_of(p)->kind == WB_PARAM_INOUT &&
           memcmp(p->got, p->given->data[p->param], p->count * wb_type_size(param_of(p)->type)) ==
               0;
}

static bool copy_of_input(char detail[DETAIL], const struct wb_pattern *p)
{
    size_t bytes = p->count * wb_type_size(param_of(p)->type);
    for (unsigned q = 0; q < p->task->param_count; q++) {
        const struct wb_param *other = &p->task->params[q];
        if (other->kind == WB_PARAM_IN && other->type == param_of(p)->type &&
            p->given->count[q] == p->count && memcmp(p->got, p->given->data[q], bytes) == 0) {
            snprintf(detail, DETAIL, "`%s`", other->name);
            return true;
        }
    }
    return false;
}

static bool all_the_same(const struct wb_pattern *p)
{
    size_t i = 1;
    while (i < p->count && (got(p, i) == got(p, 0) || (isnan(got(p, i)) && isnan(got(p, 0))))) {
        i++;
    }
    return i == p->count;
}

static bool all_zero(char detail[DETAIL], const struct wb_pattern *p)
{
    (void)detail;
    return got(p, 0) == 0 && all_the_same(p);
}

static bool one_value(char detail[DETAIL], const struct wb_pattern *p)
{
    char unused[WB_VALUE_TEXT], text[WB_VALUE_TEXT];
    wb_value_texts(text, unused, param_of(p)->type, got(p, 0), want(p, 0));
    snprintf(detail, DETAIL, "%s", text);
    return all_the_same(p);
}

/* ---- the right values in the wrong places ------------------------------------------------- */

/* Fits if each element has the value that belongs at `source`, where that lies in the array. */
static bool moved(const struct wb_pattern *p, size_t (*source)(const struct wb_pattern *, size_t))
{
    size_t checked = 0;
    for (size_t i = 0; i < p->count; i++) {
        size_t from = source(p, i);
        if (from >= p->count) {
            continue;
        }
        if (!is_right(p, got(p, i), want(p, from))) {
            return false;
        }
        checked += from != i;
    }
    return checked > p->count / 2;
}

static size_t next_element(const struct wb_pattern *p, size_t i)
{
    (void)p;
    return i + 1;
}

static size_t previous_element(const struct wb_pattern *p, size_t i)
{
    return i ? i - 1 : p->count;
}

static size_t partner(const struct wb_pattern *p, size_t i)
{
    (void)p;
    return i ^ 1;
}

static size_t mirrored(const struct wb_pattern *p, size_t i)
{
    return p->count - 1 - i;
}

/* The element that the same thread of the first block has. */
static size_t in_first_block(const struct wb_pattern *p, size_t i)
{
    struct wb_place place = wb_place_of(p->task, p->param, p->right->size, p->launch, p->count, i);
    if (place.launch_dimensions <= 1) {
        return place.launch_dimensions ? place.thread.x : i;
    }
    bool transposed = param_of(p)->transposed;
    size_t column = transposed ? place.thread.y : place.thread.x;
    size_t row = transposed ? place.thread.x : place.thread.y;
    return (place.thread.z * place.shape.y + row) * place.shape.x + column;
}

/* Row and column of an array with `size.x` columns, looked up with their roles swapped. */
static size_t swapped_axes(const struct wb_pattern *p, size_t i)
{
    size_t columns = p->right->size.x, rows = p->right->size.y;
    return i % rows * columns + i / rows;
}

static bool shifted_left(char detail[DETAIL], const struct wb_pattern *p)
{
    (void)detail;
    return moved(p, next_element);
}

static bool shifted_right(char detail[DETAIL], const struct wb_pattern *p)
{
    (void)detail;
    return moved(p, previous_element);
}

static bool pairs_swapped(char detail[DETAIL], const struct wb_pattern *p)
{
    (void)detail;
    return moved(p, partner);
}

static bool reversed(char detail[DETAIL], const struct wb_pattern *p)
{
    (void)detail;
    return moved(p, mirrored);
}

static bool first_block_repeated(char detail[DETAIL], const struct wb_pattern *p)
{
    (void)detail;
    return moved(p, in_first_block);
}

static bool transposed(char detail[DETAIL], const struct wb_pattern *p)
{
    (void)detail;
    return p->right->size.x > 1 && p->right->size.y > 1 &&
           p->count == (size_t)p->right->size.x * p->right->size.y && moved(p, swapped_axes);
}

/* ---- the right places, with a common error ------------------------------------------------ */

/* The largest finite value that is wanted, without its sign. */
static double largest(const struct wb_pattern *p)
{
    double most = 0;
    for (size_t i = 0; i < p->count; i++) {
        most = isfinite(want(p, i)) ? fmax(most, fabs(want(p, i))) : most;
    }
    return most;
}

/* Fits if got / want (`quotient`) or got - want is the same for all elements. */
static bool common(double *value, const struct wb_pattern *p, bool quotient)
{
    size_t used = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (quotient && want(p, i) == 0) {
            continue;
        }
        double here = quotient ? got(p, i) / want(p, i) : got(p, i) - want(p, i);
        if (!isfinite(here)) {
            return false;
        }
        if (used++ == 0) {
            *value = here;
        } else if (fabs(here - *value) > 1e-5 * (fabs(*value) + (quotient ? 0 : 1e-3))) {
            return false;
        }
    }
    return used > p->count / 2;
}

static bool scaled(char detail[DETAIL], const struct wb_pattern *p)
{
    double factor = 0;
    bool fits = common(&factor, p, true) && fabs(factor - 1) > 1e-4; /* else it is rounding */
    snprintf(detail, DETAIL, "%.5g", factor);
    return fits;
}

static bool displaced(char detail[DETAIL], const struct wb_pattern *p)
{
    double difference = 0;
    bool fits = common(&difference, p, false) && fabs(difference) > 1e-5 * largest(p);
    snprintf(detail, DETAIL, "%.5g", difference);
    return fits;
}

/* Distance from a value, not below 0, to the next one of its type. */
static double ulp(enum wb_type type, double value)
{
    return type == WB_F64 ? nextafter(value, INFINITY) - value
                          : (double)nextafterf((float)value, INFINITY) - value;
}

/* "3.25", "838", "more than 1,000" */
static void print_ulps(char text[WB_VALUE_TEXT], double ulps)
{
    snprintf(text, WB_VALUE_TEXT, ulps > 1000 ? "more than 1,000" : "%.*f", ulps < 100 ? 2 : 0,
             ulps);
}

/* The wrong ones are close, measured by themselves or, next to 0, by the largest. Says how far the
 * worst is. */
static bool nearly_right(char detail[DETAIL], const struct wb_pattern *p)
{
    const enum wb_type type = param_of(p)->type;
    const double least = 0x1p-20 * largest(p);
    double most = 0, allowed = 0; /* ulp */
    for (size_t i = 0; i < p->count && wb_type_is_float(type); i++) {
        if (!p->wrong[i]) {
            continue;
        }
        const double size = fabs(want(p, i)), difference = fabs(got(p, i) - want(p, i));
        if (!isfinite(size) || !(difference <= 0x1p-9 * size + least)) {
            return false; /* a NaN as well */
        }
        const double one = ulp(type, size);
        if (difference / one > most) {
            most = difference / one;
            allowed = (p->task->absolute + p->task->relative * size) / one;
        }
    }
    char error[WB_VALUE_TEXT], limit[WB_VALUE_TEXT];
    print_ulps(error, most);
    print_ulps(limit, allowed);
    snprintf(detail, DETAIL, "%s ulp, where %s are allowed (1 ulp: the step to the next %s)", error,
             limit, wb_type_c_name(type));
    return wb_type_is_float(type);
}

/* ---- some elements, by what was given ------------------------------------------------------- */

/* In an array that is updated in place, the wrong elements changed twice, three times ... as much
 * as they should: got = given + k * (want - given). */
static bool handled_again(char detail[DETAIL], const struct wb_pattern *p)
{
    const struct wb_param *param = param_of(p);
    double least = INFINITY, most = 0;
    for (size_t i = 0; param->kind == WB_PARAM_INOUT && i < p->count; i++) {
        const double given = wb_value_get(param->type, p->given->data[p->param], i);
        const double once = want(p, i) - given, times = round((got(p, i) - given) / once);
        if (!p->wrong[i]) {
            continue;
        }
        /* Each time adds what rounding may cost. */
        if (!(times >= 2 && times < 1e6) ||
            !wb_value_right(got(p, i), given + times * once,
                            times * p->task->absolute + 1e-5 * fabs(once), p->task->relative)) {
            return false; /* a NaN as well */
        }
        least = fmin(least, times);
        most = fmax(most, times);
    }
    snprintf(detail, DETAIL, most > least ? "%.0f to %.0f" : "%.0f", least, most);
    return most >= 2;
}

/* The first integer input with a number for each element of the output; `from` on. */
static unsigned number_of_each(const struct wb_pattern *p, unsigned from)
{
    while (from < p->task->param_count && !wb_tells_of_each(p, from)) {
        from++;
    }
    return from;
}

/* Fits if `p->given` has one number at all wrong elements, and they are most of those with it. */
static bool only_where(char detail[DETAIL], const struct wb_pattern *p, unsigned input)
{
    const struct wb_param *param = &p->task->params[input];
    const void *numbers = p->given->data[input];
    size_t first = 0, there = 0;
    while (!p->wrong[first]) {
        first++;
    }
    const double number = wb_value_get(param->type, numbers, first);
    for (size_t i = 0; i < p->count; i++) {
        bool same = wb_value_get(param->type, numbers, i) == number;
        if (p->wrong[i] && !same) {
            return false;
        }
        there += same;
    }
    snprintf(detail, DETAIL, "`%s` is %.0f", param->name, number);
    return p->wrong_count >= 4 && there < p->count && 2 * p->wrong_count >= there;
}

static bool one_kind(char detail[DETAIL], const struct wb_pattern *p)
{
    for (unsigned q = number_of_each(p, 0); q < p->task->param_count;
         q = number_of_each(p, q + 1)) {
        if (only_where(detail, p, q)) {
            return true;
        }
    }
    return false;
}

/* ---- the table ---------------------------------------------------------------------------- */

static const struct {
    unsigned least; /* elements that an array must have for this to mean anything */
    bool (*fits)(char detail[DETAIL], const struct wb_pattern *p);
    const char *cause; /* the sentence; the detail ends it, if there is one */
    const char *advice;
} contents[] = {
    {2, function_wrote_nothing,
     "Not one element was written: the line, or the copy back from the device, that should write "
     "them is perhaps missing, or it is not reached.",
     "Follow the function by hand up to the call or the line that writes the output."},
    {2, nothing_written,
     "Not one element was written: the condition in front of the store is perhaps the wrong way "
     "round, or the kernel returns before it.",
     "Follow thread 0 of block 0 by hand up to the line that writes the output."},
    {2, unchanged, "The array still holds its input: no thread stored a new value.",
     "Follow thread 0 of block 0 by hand up to the line that writes the array."},
    {2, copy_of_input, "The output is an unchanged copy of ",
     "Check what is computed between reading the input and writing the output."},
    {4, all_zero,
     "Every element is 0: it is perhaps not computed yet, or computed from what was never filled.",
     "Write the computed value instead of 0; check that all inputs are filled, and integer "
     "divisions such as 1 / 3."},
    {4, one_value, "Every element has the same value, ",
     "Check what is read of the input: is the index the same for all, or does a loop end too "
     "early?"},
    {4, pairs_swapped, "Even and odd elements have changed places.",
     "Check which index decides: the element's number, not the thread's."},
    {4, shifted_left, "Each element holds the value of the next one: off by one.",
     "Compare the index that is read with the index that is written."},
    {4, shifted_right, "Each element holds the value of the one before: off by one.",
     "Compare the index that is read with the index that is written."},
    {4, transposed, "Rows and columns have changed places.",
     "Element (row, column) lies at row * width + column; check both sides of the assignment."},
    {4, reversed, "The elements stand in reverse order.",
     "Check the sign in the index that is written."},
    {4, first_block_repeated, "Every block repeats the values of the first block.",
     "Add blockIdx * blockDim to threadIdx where the input is read."},
    {4, scaled, "Every element is the right one times ",
     "Look for the constant or the step that explains this factor."},
    {4, displaced, "Every element is off by the same amount, ",
     "Look for the constant that explains this difference."},
    {1, handled_again, "Elements were handled more than once; the times that each changed: ",
     "Give each element one thread and one turn: a loop over the elements steps by the threads of "
     "the whole grid, gridDim * blockDim."},
    {4, one_kind, "Only elements are wrong where ",
     "Work out by hand what the kernel does in this case with the first wrong element."},
    {1, nearly_right, "Every element is nearly right: the largest error is ",
     "Look for a fast approximation (`__expf`), a constant with few digits, or a needless "
     "rounding."},
};

void wb_guess_contents(struct wb_guess *out, struct wb_arena *arena, const struct wb_pattern *p)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(contents); i++) {
        char detail[DETAIL] = "";
        if (p->count >= contents[i].least && contents[i].fits(detail, p)) {
            out->cause =
                wb_arena_printf(arena, "%s%s%s", contents[i].cause, detail, *detail ? "." : "");
            out->advice = contents[i].advice;
            return;
        }
    }
}
