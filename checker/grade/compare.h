/* SPDX-License-Identifier: MIT
 * compare: is one case right? Guard zones first, then inputs, then every output element.
 */
#ifndef WARPBOOK_GRADE_COMPARE_H
#define WARPBOOK_GRADE_COMPARE_H

#include "guess.h"

/* A case that ran to its end. */
struct wb_ran {
    const struct wb_task *task;
    const struct wb_device_case *launch; /* its buffers hold what the kernel left */
    struct wb_case given;                /* as the kernel got it */
    struct wb_case right;                /* as the oracle left it */
    const char *failure; /* host functions: which CUDA call failed, a sentence; "" or NULL */
};

struct wb_check {
    enum wb_reason reason; /* NONE: the case is right */
    unsigned param;        /* the array that is wrong */
    size_t wrong, count;   /* elements (wrong values only) */
    char *message;         /* whole sentences; the wrong elements on lines of their own */
    const char *advice;    /* one next step; NULL: that of the guess, or of the reason */
    struct wb_guess guess; /* the likely cause; all NULL if the pattern says nothing */
};

/* Texts of *out live in `arena`. */
void wb_check_case(struct wb_check *out, struct wb_arena *arena, const struct wb_ran *ran);

#endif
