/* SPDX-License-Identifier: MIT
 * grade: what a lesson's check.c says (data first), and the grading that turns it, a .cu file and
 * a device into one result tree. Every report renders that tree.
 */
#ifndef WARPBOOK_GRADE_H
#define WARPBOOK_GRADE_H

#include <warpbook/base.h>
#include <warpbook/build.h>
#include <warpbook/device.h>
#include <warpbook/metrics.h>

/* ==== what check.c says ==================================================================== */

enum wb_type { WB_I32, WB_U32, WB_F32, WB_F64 };

/* The problem of one case: elements per dimension. Dimensions that a lesson does not use are 1. */
struct wb_size {
    unsigned x, y, z;
};

/* Seeded numbers: the same on every machine. */
struct wb_random {
    uint64_t state;
};
uint64_t wb_random_next(struct wb_random *random);
double wb_random_uniform(struct wb_random *random, double lo, double hi); /* [lo, hi) */
/* The generator of one array: depends on all of these and on nothing else. */
struct wb_random wb_random_for(uint64_t seed, unsigned task, struct wb_size size, unsigned param);

enum wb_param_kind {
    WB_PARAM_IN,    /* array, seeded; must be unchanged after the run */
    WB_PARAM_OUT,   /* array, filled with a pattern first; compared with the oracle's */
    WB_PARAM_INOUT, /* array, seeded; compared with the oracle's */
    WB_PARAM_SIZE_X,
    WB_PARAM_SIZE_Y,
    WB_PARAM_SIZE_Z, /* int: a dimension of the case */
    WB_PARAM_VALUE,  /* a number of `type`, always `lo` */
    WB_PARAM_NUMBER, /* a number of `type`, seeded; the oracle finds it in data[i], too */
    /* Rows that are no parameters; they may stand anywhere in the table. */
    WB_PARAM_SYMBOL, /* kernels: a __constant__ or __device__ variable, filled like IN first */
    WB_PARAM_RETURN, /* host functions: what is returned, compared like an OUT of one element */
    WB_PARAM_STATUS  /* host functions: the returned int says how it went, and 0 is success */
};

/* One parameter of the kernel or host function, in the order of its signature. */
struct wb_param {
    const char *name;
    enum wb_param_kind kind;
    enum wb_type type;
    double lo, hi;                        /* range of seeded values (integers: both ends) */
    size_t (*count)(struct wb_size size); /* elements; NULL: x * y * z */
    /* Seeds an array by hand where a uniform range will not do. */
    void (*fill)(void *data, size_t count, struct wb_size size, struct wb_random *random);
    bool transposed; /* a 2-D array with rows of size.y elements: only for messages */
};

/* Rows of a parameter table, for the usual cases:
 *   {WB_IN("in", WB_F32, 0.5, 2.0), WB_OUT("out", WB_F32), WB_N("n")} */
#define WB_IN(name_, type_, lo_, hi_)                                                              \
    .name = name_, .kind = WB_PARAM_IN, .type = type_, .lo = lo_, .hi = hi_
#define WB_INOUT(name_, type_, lo_, hi_)                                                           \
    .name = name_, .kind = WB_PARAM_INOUT, .type = type_, .lo = lo_, .hi = hi_
#define WB_OUT(name_, type_) .name = name_, .kind = WB_PARAM_OUT, .type = type_
#define WB_N(name_)          .name = name_, .kind = WB_PARAM_SIZE_X
#define WB_WIDTH(name_)      WB_N(name_)
#define WB_HEIGHT(name_)     .name = name_, .kind = WB_PARAM_SIZE_Y
#define WB_DEPTH(name_)      .name = name_, .kind = WB_PARAM_SIZE_Z
#define WB_VALUE(name_, type_, value_)                                                             \
    .name = name_, .kind = WB_PARAM_VALUE, .type = type_, .lo = value_
#define WB_NUMBER(name_, type_, lo_, hi_)                                                          \
    .name = name_, .kind = WB_PARAM_NUMBER, .type = type_, .lo = lo_, .hi = hi_
#define WB_SYMBOL(name_, type_, lo_, hi_)                                                          \
    .name = name_, .kind = WB_PARAM_SYMBOL, .type = type_, .lo = lo_, .hi = hi_
#define WB_RETURN(name_, type_) .name = name_, .kind = WB_PARAM_RETURN, .type = type_
#define WB_STATUS(name_)        .name = name_, .kind = WB_PARAM_STATUS, .type = WB_I32
/* A `dim3 *` to be filled: data[i] is unsigned[3] = x, y, z. */
#define WB_OUT_DIM3(name_)                                                                         \
    .name = name_, .kind = WB_PARAM_OUT, .type = WB_U32, .count = wb_count_dim3
size_t wb_count_dim3(struct wb_size size); /* 3 */

/* Sizes that find most mistakes: nothing, one, around a warp, primes, some blocks. */
enum { WB_SIZES_1D_COUNT = 9, WB_SIZES_2D_COUNT = 8, WB_SIZES_3D_COUNT = 6 };
extern const struct wb_size wb_sizes_1d[WB_SIZES_1D_COUNT];
extern const struct wb_size wb_sizes_2d[WB_SIZES_2D_COUNT];
extern const struct wb_size wb_sizes_3d[WB_SIZES_3D_COUNT];

/* What an oracle works on. data[i] belongs to params[i]: inputs as the kernel got them; outputs
 * to be filled with what is right (INOUT: the input values, to be changed in place). */
struct wb_case {
    struct wb_size size;
    void *data[WB_MAX_ARGS];
    size_t count[WB_MAX_ARGS];
};

/* One call of the CUDA runtime that is made to fail: the nth of this name, from 1. "launch" is any
 * way to launch a kernel. Where the function makes fewer such calls, there is nothing to fail. */
struct wb_failure {
    const char *call;
    unsigned nth;
};

/* What a lesson objects to in an answer. */
struct wb_objection {
    struct wb_str why;  /* whole sentences */
    const char *advice; /* one next step; NULL: the checker's own */
};

/* One graded kernel, or one graded host function.
 *
 * A host function is loaded from the learner's whole file as a shared object and called in a
 * process of its own for each size, on host arrays between guard zones; once more for each of
 * `failures`; and once with all launches dropped. The lesson of a host function:
 *
 *   static const struct wb_param params[] = {
 *       {WB_IN("in", WB_F32, -1, 1)}, {WB_OUT("out", WB_F32)}, {WB_N("n")},
 *       {WB_NUMBER("factor", WB_F32, 2, 3)}, {WB_STATUS("status")},
 *   };
 *   static const struct wb_failure failures[] = {{"cudaMalloc", 1}, {"cudaMalloc", 2},
 *                                                {"cudaMemcpy", 1}, {"launch", 1}};
 *   {.function = "scale_on_device", .params = params, .sizes = sizes, .oracle = oracle,
 *    .measured = {1000, 1, 1}, .failures = failures, ...}
 *
 * and of one that returns a number, or plans a launch:
 *
 *   {WB_NUMBER("x", WB_F32, -1, 1)}, {WB_IN("c", WB_F32, -1, 1)}, {WB_N("n")},
 *   {WB_RETURN("p", WB_F32)}         the oracle sets *(float *)c->data[3]
 *   {WB_WIDTH("w")}, {WB_HEIGHT("h")}, {WB_OUT_DIM3("grid")}, {WB_OUT_DIM3("block")}
 *                                    `accept` looks at the unsigned[3] in got->data[2] and [3]
 *
 * A kernel that reads `__constant__ float table[16]` has the row {WB_SYMBOL("table", WB_F32, 0, 1),
 * .count = sixteen} besides its parameters. */
struct wb_task {
    const char *kernel; /* extern "C" __global__; or `function`, below */
    const struct wb_param *params;
    unsigned param_count;
    const struct wb_size *sizes; /* correctness is checked at each */
    unsigned size_count;
    struct wb_size measured; /* counters are taken at this one, and its values are checked as
                                well; x = 0: this task is not measured. Host functions: calls are
                                made to fail and launches are dropped at this one */
    struct wb_dim3 block;    /* the grid covers the size, at least one block */
    /* Where covering is not the lesson's launch: sets grid, block and dynamic shared bytes. */
    void (*launch)(struct wb_device_case *launch, struct wb_size size);
    void (*oracle)(struct wb_case *c);
    /* right: a == b || fabs(a - b) <= absolute + relative * fabs(b) */
    double absolute, relative;
    const char *tolerance; /* why so much, in words, e.g. "expf: 2 ulp, logf: 1 ulp" */
    /* Instead of an oracle, where many answers are right: looks at what was written. If that is
     * not right it is false and has said why. */
    bool (*accept)(struct wb_objection *out, const struct wb_case *got);
    const char *function;              /* instead of `kernel`: extern "C" on the host */
    const struct wb_failure *failures; /* of a function with a WB_STATUS */
    unsigned failure_count;
    /* Of a kernel: a host function of the lesson, earlier in the list, with two WB_OUT_DIM3 whose
     * values for a size are grid and block of the launch. `block` is then the reference's. */
    const char *plan;
    /* Of a kernel whose threads exchange values: right values are not enough. All sizes are run
     * again in other orders of blocks, warps and lanes (on a GPU three times more); if only those
     * are wrong, WB_CORRECT fails with the reason `race`. What a right kernel computes must not
     * depend on the order by more than the tolerance. */
    bool schedules;
    const char *advice; /* one next step where elements are wrong and their pattern says nothing */
    bool remapped; /* which thread has which element is the exercise: messages name no thread */
};

/* A question of the chapter, answered by a __constant__ int or float in the exercise file. The
 * stub sets it to -1, which means "not answered yet" and is never the answer. */
struct wb_question {
    const char *symbol; /* name of the variable */
    enum wb_type type;
    double answer, tolerance;
    const char *hint; /* shown with a wrong answer; does not give it away */
};

/* X(ENUM, reason when failed) : how a criterion decides */
#define WB_CRITERION_LIST(X)                                                                       \
    X(CORRECT, WRONG_ANSWER) /* the outputs are right at every size; else the reason found */      \
    X(MAX_DIVERGENT, DIVERGENT_BRANCHES)            /* divergent branches <= limit */              \
    X(MIN_BRANCH_EFFICIENCY, LOW_BRANCH_EFFICIENCY) /* percent >= limit; no branch: full marks */  \
    X(MAX_BRANCHES, DIVERGENT_BRANCHES) /* uniform + divergent branches <= limit; if only uniform  \
                                           ones are too many the reason is OVER_BUDGET */          \
    X(MIN_LANES, LOW_LANE_EFFICIENCY)   /* lanes of 32 >= limit */                                 \
    X(MAX_CONSTANT_DIVERGENCE, CONSTANT_DIVERGENCE) /* loads of constants whose lanes name         \
                                                       several addresses <= limit */               \
    /* Instructions whose name is in the criterion's `opcodes`: those that warps execute, and what \
       they add up to over the threads that a predicate does not switch off. */                    \
    X(MAX_EXECUTED, OVER_BUDGET)                                                                   \
    X(MIN_EXECUTED, OVER_BUDGET)                                                                   \
    X(MAX_THREAD_EXECUTED, OVER_BUDGET)                                                            \
    X(MAX_GLOBAL_RATIO, UNCOALESCED)    /* sectors of global memory / ideal <= limit */            \
    X(MAX_GLOBAL_SECTORS, OVER_BUDGET)  /* sectors of 32 bytes that go to and from it */           \
    X(MAX_SHARED_RATIO, BANK_CONFLICTS) /* wavefronts of shared memory / ideal <= limit */         \
    X(MAX_LOCAL_SECTORS, SPILLS)        /* sectors of local memory <= limit */                     \
    X(MAX_REGISTERS, OVER_BUDGET)       /* of a thread */                                          \
    X(MAX_SHARED_BYTES, OVER_BUDGET)    /* of a block, static and dynamic */                       \
    X(ANSWERS, WRONG_ANSWER) /* the questions; points in proportion to the right ones */           \
    /* Host functions only: */                                                                     \
    X(ON_DEVICE, NO_LAUNCH) /* kernels did the work, by at least `limit` threads an element */     \
    X(NO_LEAK, LEAK)        /* what was allocated is freed, also after a failure */                \
    X(ERRORS_RETURNED, UNCHECKED_ERROR) /* each of `failures` makes the status other than 0 */

enum wb_criterion_kind {
#define X(name, reason) WB_##name,
    WB_CRITERION_LIST(X)
#undef X
        WB_CRITERION_KIND_COUNT
};

struct wb_criterion {
    const char *id;    /* stable, for scripts: "correct", "divergence" */
    const char *title; /* for people */
    enum wb_criterion_kind kind;
    unsigned task; /* index; ignored by WB_ANSWERS */
    double limit;
    int points;
    const char *advice;  /* next step at the lines where a counter missed the limit; NULL: the
                            checker's own */
    const char *opcodes; /* of WB_..._EXECUTED: names in SASS without modifiers, "ATOM ATOMG RED";
                            NULL: all instructions */
    const char *counted; /* of the same: what they are, in the plural: "atomic instructions" */
};

struct wb_lesson {
    const char *name; /* "07-warp-aligned-branch" */
    const struct wb_task *tasks;
    unsigned task_count;
    const struct wb_question *questions;
    unsigned question_count;
    const struct wb_criterion *criteria;
    unsigned criterion_count;
    unsigned
        compute_capability; /* 90: an older GPU skips the lesson and says why; 0: any will do */
};

/* Every check.c defines this one. */
extern const struct wb_lesson wb_lesson;

/* ==== the result tree ====================================================================== */

enum wb_verdict { WB_PASSED, WB_FAILED, WB_ERROR, WB_SKIPPED, WB_NOT_STARTED };
extern const char *const wb_verdict_name[]; /* "passed" ... as in the JSON */

struct wb_criterion_result {
    const char *id, *title;
    enum wb_verdict verdict; /* SKIPPED: not measured, or not reached after another failure */
    enum wb_reason reason;
    double points, max_points;
    char *message; /* one or two sentences */
};

struct wb_finding {
    enum wb_reason kind;
    char *file;    /* NULL if none */
    unsigned line; /* 0 if none */
    char *message;
    char *advice;     /* may be NULL */
    const char *task; /* the kernel or host function; NULL: the file, or its answers */
};

/* Counters of one kernel of one file. */
struct wb_measurement {
    const char *kernel;
    bool measured;
    char *not_measured; /* the sentence, if not; NULL: the lesson counts nothing here */
    struct wb_dim3 grid, block;
    unsigned dynamic_shared, registers, static_shared, local_bytes;
    struct wb_counters counters;
};

struct wb_result {
    const char *lesson; /* name */
    const char *title;
    char *attempt; /* path as the user gave it */
    struct wb_device_info device;
    enum wb_verdict verdict;
    enum wb_reason reason; /* of the first failed criterion, or of the error */
    char *message;         /* verdict ERROR, SKIPPED, NOT_STARTED: the sentence; else NULL */
    double points, max_points;
    struct wb_criterion_result *criteria;
    size_t criterion_count;
    struct wb_measurement *reference, *measured; /* one per task */
    size_t task_count;
    struct wb_finding *findings; /* results first, then lines by what they cost, answers last */
    size_t finding_count;
    struct wb_diagnostic *diagnostics; /* the compiler's, warnings included */
    size_t diagnostic_count;
    char *output; /* what the kernel printed, or NULL */
    uint64_t seed;
    double duration_ms;
};

/* ==== grading ============================================================================== */

struct wb_grade_options {
    const char *attempt;   /* path of the .cu file */
    const char *shown;     /* how to name it in messages; NULL: attempt */
    const char *reference; /* path of reference.cu; NULL: no comparison */
    const char *title;
    const struct wb_device *device;
    const struct wb_device_info *info;
    const struct wb_toolchain *toolchain;
    const char *cache_dir;
    const char *programs; /* build/checker: the programs that run host functions; may be NULL */
    bool thorough; /* all kernels run in many orders, not only those of tasks with `schedules` */
    uint64_t seed;
};

enum { WB_DEFAULT_SEED = 20260101 };

/* Grades one file. Never fails: what goes wrong on our side is verdict ERROR with the sentence. */
void wb_grade(struct wb_result *out, struct wb_arena *arena, const struct wb_lesson *lesson,
              const struct wb_grade_options *options);

/* "1,048,576": how every report writes a count. */
char *wb_count_text(struct wb_arena *arena, uint64_t count);

/* Whether a criterion holds a number of the counted launch against its limit. */
bool wb_criterion_counts(const struct wb_criterion *criterion);
/* How far the measured number is from the limit, in parts of the limit; negative: on the wrong side
 * of it. False if that cannot be said: nothing was counted, or the limit is 0. */
bool wb_criterion_room(double *room, const struct wb_criterion *criterion,
                       const struct wb_measurement *measured);

/* What a wrong attempt must get: its first line, `// expect: failed CRITERION REASON`. A
 * GPU does not see every bug where it happens: a second reason is what it finds instead. */
struct wb_expectation {
    enum wb_verdict verdict;
    char *criterion;
    enum wb_reason reason, reason_on_gpu;
};
bool wb_expectation_read(struct wb_expectation *out, struct wb_arena *arena, const char *path,
                         struct wb_status *status);
/* True if the named criterion (or, for verdict ERROR, the result) has that verdict and reason;
 * else *why says in one sentence what it got instead. */
bool wb_expectation_met(char **why, struct wb_arena *arena, const struct wb_expectation *expected,
                        const struct wb_result *result);

#endif
