/* SPDX-License-Identifier: MIT
 * guess: what the pattern of wrong elements says about the cause.
 */
#ifndef WARPBOOK_GRADE_GUESS_H
#define WARPBOOK_GRADE_GUESS_H

#include "cases.h"

struct wb_guess {
    const char *cause;   /* one or two sentences; NULL: no guess */
    const char *advice;  /* one next step */
    bool region;         /* it says where the wrong elements lie */
    struct wb_size size; /* that it was seen at; no elements: not at a single one */
};

/* One output array with wrong elements. */
struct wb_pattern {
    const struct wb_task *task;
    unsigned param;
    const struct wb_device_case *launch;
    const struct wb_case *given, *right;
    const void *got;
    size_t count;
    const uint8_t *wrong; /* 1 for each wrong element */
    size_t wrong_count;   /* at least 1 */
};

/* True of an input of integers that has one for each element of the output. */
bool wb_tells_of_each(const struct wb_pattern *pattern, unsigned input);

/* What the wrong elements hold, and where they lie. *out stays as it is if that says nothing. */
void wb_guess_contents(struct wb_guess *out, struct wb_arena *arena,
                       const struct wb_pattern *pattern);
void wb_guess_region(struct wb_guess *out, const struct wb_pattern *pattern);

/* One size that was checked. */
struct wb_size_check {
    struct wb_size size;
    bool right;
    struct wb_guess guess; /* if it is wrong */
    bool list;             /* the arrays have no rows: see wb_task_is_list */
};

/* The guess at the largest size that has one, and what the right sizes have in common if some are
 * right and some wrong. */
void wb_guess_sizes(struct wb_guess *out, struct wb_arena *arena, const struct wb_size_check *sizes,
                    size_t count);

#endif
