/* SPDX-License-Identifier: MIT
 * grader: what the steps of one grading share. wb_grade compiles (compile.c), then for each task
 * checks the results (correctness.c, races.c) and takes counters (measure.c); criteria.c turns all
 * that into points.
 */
#ifndef WARPBOOK_GRADE_GRADER_H
#define WARPBOOK_GRADE_GRADER_H

#include <warpbook/grade.h>

/* What the trials of a host function say about one criterion. */
struct wb_trial {
    enum wb_reason reason; /* NONE: passed */
    char *message;
};

struct wb_task_state {
    enum wb_reason reason;         /* why the task is not right; NONE: it is */
    char *message;                 /* one or two sentences, right or wrong */
    bool stopped;                  /* by a fault: there is nothing to measure */
    bool not_run;                  /* its plan is no good: there was no launch */
    enum wb_reason measured_fault; /* that stopped the measured launch only */
    char *measured_message;
    struct wb_host_result *calls; /* host functions: one for each size */
    size_t call_count;
    struct wb_trial trials[WB_CRITERION_KIND_COUNT]; /* of the kinds that are decided so */
};

struct wb_grader {
    struct wb_result *result;
    struct wb_arena *arena; /* of the result */
    const struct wb_lesson *lesson;
    const struct wb_grade_options *options;
    struct wb_task_state *tasks; /* as lesson->tasks */
    const struct wb_task *task;  /* that is worked on: findings are about it; NULL: none */
    size_t finding_capacity;
    struct wb_bytes object; /* the attempt with its host code; empty if no task needs it */
    struct wb_host *host;   /* made from it when it is first called */
};

/* Fills *grader and all of *out that is known before anything ran. */
void wb_grader_init(struct wb_grader *grader, struct wb_result *out, struct wb_arena *arena,
                    const struct wb_lesson *lesson, const struct wb_grade_options *options);

/* Adds a finding; `file` is translated by wb_grader_file. advice NULL: the reason's own. */
void wb_grader_find(struct wb_grader *grader, enum wb_reason kind, const char *file, unsigned line,
                    const char *advice, const char *format, ...) WB_PRINTF(6, 7);
/* The attempt as the user named it, whatever path nvcc saw it under; other files stay. */
char *wb_grader_file(const struct wb_grader *grader, const char *file);
/* True if it is the attempt (not a header). */
bool wb_grader_own_file(const struct wb_grader *grader, const char *file);

/* Ends the grading with verdict ERROR and the sentence; criteria that have no verdict are not
 * reached. Always false. */
bool wb_grader_error(struct wb_grader *grader, enum wb_reason reason, const char *format, ...)
    WB_PRINTF(3, 4);
/* Gives every criterion of the lesson verdict SKIPPED and this message. */
void wb_grader_skip_all(struct wb_grader *grader, const char *message);

/* ---- the steps; false: the result is verdict ERROR ----------------------------------------- */

/* Compiles attempt and reference. *compiled false: the attempt does not compile, and the result
 * says so. `reference` is empty if there is none. */
bool wb_grader_compile(struct wb_grader *grader, bool *compiled, struct wb_bytes *attempt,
                       struct wb_bytes *reference);
/* Everything after the compiler: runs, measures and judges cubins. */
void wb_grade_cubins(struct wb_grader *grader, struct wb_bytes attempt, struct wb_bytes reference);

/* Runs a task at every size and judges the outputs. */
bool wb_grader_correctness(struct wb_grader *grader, unsigned task, struct wb_bytes cubin);
/* ---- running a task again (again.c) ---------------------------------------------------------- */

struct wb_again {
    struct wb_grader *grader;
    unsigned index; /* of the task */
    const struct wb_task *task;
    struct wb_bytes cubin;
    const struct wb_device *device; /* that of the check unless it is set otherwise */
    enum wb_schedule schedule;
    uint64_t seed;     /* of the schedule */
    double time_limit; /* seconds, of all launches */
    bool guard;
    struct wb_size *sizes; /* the same number of sizes and launches */
    struct wb_device_case *launches;
    size_t count;
};

void wb_again_init(struct wb_again *again, struct wb_grader *grader, unsigned task,
                   struct wb_bytes cubin);
/* `launches` are made in the scratch arena. False: an operation of ours failed. */
bool wb_again_run(struct wb_device_result *result, struct wb_again *again, struct wb_arena *scratch,
                  struct wb_status *status);

/* ---- the guard (guarded.c) ---------------------------------------------------------------------
 */

/* Findings and, unless there is one already, the reason of the task from what the guard found. */
void wb_grader_guard(struct wb_grader *grader, unsigned task, const struct wb_device_result *result,
                     const struct wb_size *sizes);
/* On a GPU whose code the embedded device can run: runs the task there, with the guard. */
void wb_grader_guard_gpu(struct wb_grader *grader, unsigned task, struct wb_bytes cubin);

/* Runs a task that is right in other orders of blocks, warps and lanes: races. */
bool wb_grader_races(struct wb_grader *grader, unsigned task, struct wb_bytes cubin);
/* One counted launch of the attempt and one of the reference. */
void wb_grader_measure(struct wb_grader *grader, unsigned task, struct wb_bytes attempt,
                       struct wb_bytes reference);
/* Verdict, points and message of every criterion, and the lines that lost points. */
void wb_grader_criteria(struct wb_grader *grader, const struct wb_cubin *cubin);
/* The questions; called by the criterion of kind WB_ANSWERS. */
void wb_grader_answers(struct wb_grader *grader, struct wb_criterion_result *result,
                       const struct wb_cubin *cubin);

/* Findings for the lines of the learner's file whose branches missed a criterion: those that split
 * warps; where branches are counted, those that only executed one as well. */
void wb_grader_find_branches(struct wb_grader *grader, const struct wb_criterion *criterion);
/* Findings for the lines whose loads of constants diverged; for the file where a device does not
 * count them by line. */
void wb_grader_find_constants(struct wb_grader *grader, const struct wb_criterion *criterion);
/* Findings for the three lines that cost the most of what a criterion counts; for the file if no
 * line is to blame. */
void wb_grader_find_cost(struct wb_grader *grader, const struct wb_criterion *criterion);
/* Findings for the three lines that lost the most lanes. */
void wb_grader_find_lanes(struct wb_grader *grader, const struct wb_criterion *criterion);

#endif
