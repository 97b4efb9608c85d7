/* SPDX-License-Identifier: MIT
 * A device for the tests of grade: it runs a C function on the buffers, and can fault, hit guard
 * zones, refuse to measure or break, whatever `fake` says; and a compiler whose results `fake`
 * holds. Nothing is compiled or simulated.
 */
#ifndef WARPBOOK_TEST_GRADE_FAKE_H
#define WARPBOOK_TEST_GRADE_FAKE_H

#include "cases.h"
#include "cubin_fixture.h"
#include "grader.h"

enum { FAKE_NEVER = -1 };

struct fake {
    void (*kernel)(struct wb_device_case *c); /* what a launch does */
    struct wb_fault fault;                    /* of the case `fault_at`, */
    int fault_at;                             /* FAKE_NEVER: no fault */
    int fault_job;                            /* only in the job of this number; 0: in each */
    bool fault_when_measured;
    int guard_hit; /* of buffer `guard_buffer` in every case */
    unsigned guard_buffer;
    struct wb_counters attempt, reference;
    const char *not_measured, *output;
    bool broken;               /* run fails with a status */
    bool forgets;              /* returns without a fault before all cases are done */
    int jobs;                  /* that were run, */
    enum wb_schedule schedule; /* and the order of the last one */
    uint64_t schedule_seed;
    bool on_gpu; /* it says that it is one */
    struct wb_build_result built, built_reference;
    bool no_compiler; /* wb_build fails with a status */
};
extern struct fake fake;
extern const struct wb_device fake_device;
extern const struct wb_device_info fake_info;

/* A right `scale` kernel, no faults, no counters. */
void fake_reset(void);
/* Grades kernels.cubin with the fake device; the attempt is called "my.cu". */
void fake_grade(struct wb_result *out, struct wb_arena *arena, const struct wb_lesson *lesson);

float *fake_floats(const struct wb_device_case *c, unsigned buffer);
int *fake_ints(const struct wb_device_case *c, unsigned buffer);
int fake_int_arg(const struct wb_device_case *c, unsigned arg);

/* Kernels and their oracles. */
void fake_scale(struct wb_device_case *c);
void oracle_scale(struct wb_case *c);

/* One task `scale(in, out, n)`: sizes wb_sizes_1d, blocks of 64, and one criterion WB_CORRECT. */
extern const struct wb_lesson scale_lesson;
/* The same with other tables; the caller keeps them. */
struct wb_lesson lesson_of(const struct wb_task *task, const struct wb_criterion *criteria,
                           unsigned criterion_count);

/* The finding of this kind; fails the test if there is none. */
const struct wb_finding *find(const struct wb_result *result, enum wb_reason kind);
void assert_contains(const char *text, const char *part);

#endif
