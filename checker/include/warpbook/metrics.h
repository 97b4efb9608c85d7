/* SPDX-License-Identifier: MIT
 * metrics: the counters of a kernel launch, one list for every device and report, and the reason
 * codes of findings. Names follow NVIDIA's smsp__sass_* and sm__* metrics without the prefix.
 */
#ifndef WARPBOOK_METRICS_H
#define WARPBOOK_METRICS_H

#include <warpbook/base.h>

/* X(ENUM, "name in JSON", "metric of CUPTI"). A GPU counts smsp__sass_* ones at each instruction,
 * the others (last in the list) only for a whole launch. IDC is the cache that loads of constants
 * go through: a load diverges if its lanes name several addresses, and is replayed for each but
 * one. */
#define WB_METRIC_LIST(X)                                                                          \
    X(BRANCH_UNIFORM, "branch_targets_uniform", "smsp__sass_branch_targets_threads_uniform")       \
    X(BRANCH_DIVERGENT, "branch_targets_divergent", "smsp__sass_branch_targets_threads_divergent") \
    X(INST, "inst_executed", "smsp__sass_inst_executed")                                           \
    X(THREAD_INST, "thread_inst_executed", "smsp__sass_thread_inst_executed")                      \
    X(THREAD_INST_PRED_ON, "thread_inst_executed_pred_on",                                         \
      "smsp__sass_thread_inst_executed_pred_on")                                                   \
    X(SHARED_WAVEFRONTS, "shared_wavefronts", "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared")   \
    X(SHARED_WAVEFRONTS_IDEAL, "shared_wavefronts_ideal",                                          \
      "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal")                                     \
    X(GLOBAL_SECTORS, "global_sectors", "smsp__sass_sectors_mem_global")                           \
    X(GLOBAL_SECTORS_IDEAL, "global_sectors_ideal", "smsp__sass_sectors_mem_global_ideal")         \
    X(LOCAL_SECTORS, "local_sectors", "smsp__sass_sectors_mem_local")                              \
    X(IDC_DIVERGENT, "idc_divergent_instructions", "sm__idc_divergent_instructions")               \
    X(IDC_REPLAYS, "idc_divergent_instruction_replays", "sm__idc_divergent_instruction_replays")

enum wb_metric {
#define X(name, json, cupti) WB_METRIC_##name,
    WB_METRIC_LIST(X)
#undef X
        WB_METRIC_COUNT,
    WB_SASS_METRIC_COUNT = WB_METRIC_IDC_DIVERGENT, /* those that a GPU counts by instruction */
};

extern const char *const wb_metric_name[WB_METRIC_COUNT];  /* JSON names */
extern const char *const wb_metric_cupti[WB_METRIC_COUNT]; /* CUPTI's names */

/* Counts of one instruction of one kernel, or of one source line, or of a whole launch. */
struct wb_counts {
    uint64_t v[WB_METRIC_COUNT];
};

struct wb_pc_counts {
    uint32_t pc;      /* byte offset in the kernel's code */
    unsigned line;    /* source line, 0 if unknown */
    const char *file; /* source file as nvcc saw it, NULL if unknown */
    struct wb_counts counts;
    const char *opcode; /* "LDS"; NULL where nobody asked for it */
};

/* The counters of one launch. `present` has bit WB_METRIC_x set for each metric the device gave:
 * one that is absent is not 0, it is unknown. `pcs` is sorted by pc. */
struct wb_counters {
    uint32_t present;
    uint32_t only_total; /* those of them that are unknown for single instructions and lines */
    struct wb_counts total;
    struct wb_pc_counts *pcs;
    size_t pc_count;
};

bool wb_counters_have(const struct wb_counters *counters, enum wb_metric metric);
/* 100 * uniform / (uniform + divergent); false when no branch was executed (then it is not 0 %). */
bool wb_branch_efficiency(double *percent, const struct wb_counts *counts);
/* Average predicated-on threads per warp instruction, 0..32; false when nothing was executed. */
bool wb_lanes(double *lanes, const struct wb_counts *counts);
void wb_counts_add(struct wb_counts *to, const struct wb_counts *from);

/* Sums the counts of instructions by (file, line), sorted by file, then line. pc is 0. */
struct wb_pc_counts *wb_counters_by_line(struct wb_arena *arena, size_t *count,
                                         const struct wb_counters *counters);

/* ---- reason codes of findings ------------------------------------------------------------- */

/* X(ENUM, "code", "what it is, for a beginner", "one next step") */
#define WB_REASON_LIST(X)                                                                          \
    X(NONE, "none", "nothing to report", "")                                                       \
    X(COMPILE_ERROR, "compile-error", "nvcc did not accept the file",                              \
      "Fix the first error; later ones often follow from it.")                                     \
    X(LAUNCH_FAILED, "launch-failed", "the kernel could not be launched",                          \
      "Check the kernel's name, its parameters and its launch bounds.")                            \
    X(WRONG_ANSWER, "wrong-answer", "an output element has the wrong value",                       \
      "Work out by hand what the named thread should write.")                                      \
    X(NOT_WRITTEN, "not-written", "an output element was never written",                           \
      "Check that some thread handles the named element.")                                         \
    X(NAN, "nan", "an output element is not a number (NaN)",                                       \
      "Look for 0/0, the logarithm of a negative number, or a value that was never set.")          \
    X(OUT_OF_BOUNDS, "out-of-bounds", "the kernel touched memory outside of an array",             \
      "Guard the access with the array's length.")                                                 \
    X(MISALIGNED, "misaligned", "an address is not a multiple of the size that is accessed",       \
      "Check casts to wider types and the offsets of hand-made partitions.")                       \
    X(UNINITIALISED_READ, "uninitialised-read", "memory was read before anything was written",     \
      "Write the place before it is read; if another thread writes it, put a barrier between.")    \
    X(RACE, "race", "a thread writes what another one uses, and nothing says which comes first",   \
      "Put a barrier between the two lines, or use an atomic.")                                    \
    X(BARRIER_DIVERGENCE, "barrier-divergence", "not all threads of the block reach a barrier",    \
      "Let every thread come to __syncthreads(): no `if` around it, no `return` before it.")       \
    X(BAD_SHUFFLE_MASK, "bad-shuffle-mask", "the mask is not that of the lanes that come",         \
      "Let all lanes of the mask come to this line, or name in the mask only those that do.")      \
    X(INACTIVE_LANE_READ, "inactive-lane-read",                                                    \
      "a value was taken from a lane that does not take part",                                     \
      "Let that lane come to the same shuffle, with a value that changes nothing.")                \
    X(DEADLOCK, "deadlock", "threads wait for each other for ever",                                \
      "Find the barrier or the lock that some threads never reach.")                               \
    X(TIMEOUT, "timeout", "the kernel did not end in time",                                        \
      "Check the loop's exit condition, and its step.")                                            \
    X(HOST_POINTER, "host-pointer", "the kernel was given an address of host memory",              \
      "Copy the data to the device and pass the device pointer.")                                  \
    X(COPY_KIND, "copy-kind", "a copy was given a kind that does not fit its pointers",            \
      "Either the kind is wrong, or the first two arguments are swapped: the destination comes "   \
      "first, then the source.")                                                                   \
    X(BAD_FREE, "bad-free", "memory was freed that cannot be freed so",                            \
      "Free each allocation once, with the call that belongs to the one that made it.")            \
    X(LEAK, "leak", "device memory was not freed", "Free it on every path, also after an error.")  \
    X(UNCHECKED_ERROR, "unchecked-error", "a failed CUDA call was ignored",                        \
      "Check every return code.")                                                                  \
    X(NO_LAUNCH, "no-launch", "no kernel did the work",                                            \
      "Launch the kernel, and copy back what it computed.")                                        \
    X(INPUT_MODIFIED, "input-modified", "the kernel changed its input",                            \
      "Write only to the output array.")                                                           \
    X(DIVERGENT_BRANCHES, "divergent-branches", "warps were split by branches",                    \
      "Make the condition the same for all 32 threads of a warp.")                                 \
    X(LOW_BRANCH_EFFICIENCY, "low-branch-efficiency", "too many branches split their warp",        \
      "Make the condition the same for all 32 threads of a warp.")                                 \
    X(LOW_LANE_EFFICIENCY, "low-lane-efficiency", "too many lanes sat idle",                       \
      "Give every lane of the warp the same work.")                                                \
    X(BANK_CONFLICTS, "bank-conflicts", "lanes of a warp wanted the same shared-memory bank",      \
      "Pad the array or change the order of the indices.")                                         \
    X(UNCOALESCED, "uncoalesced", "a warp's accesses are spread over too many sectors",            \
      "Let neighbouring threads use neighbouring elements.")                                       \
    X(SPILLS, "spills", "registers were spilled to local memory",                                  \
      "Use fewer live values, or index arrays with constants.")                                    \
    X(CONSTANT_DIVERGENCE, "constant-divergence", "lanes read different constant addresses",       \
      "Let all lanes of a warp read the same constant.")                                           \
    X(OVER_BUDGET, "over-budget", "the kernel used more than the lesson allows",                   \
      "Compare your instruction count with the budget.")                                           \
    X(CLUSTER_EXIT, "cluster-exit",                                                                \
      "memory of another block was used, and that block need not be there",                        \
      "Put cluster.sync() before the first access to it, and before the exit.")                    \
    X(CRASH, "crash", "the program that ran the kernel crashed",                                   \
      "Check pointers and array sizes.")                                                           \
    X(UNSUPPORTED, "unsupported", "the embedded device does not know an instruction",              \
      "Run the check on a machine with an NVIDIA GPU, and report the instruction.")                \
    X(TRAP, "trap", "the kernel stopped itself (assert or trap)",                                  \
      "Read the condition of the assert that failed.")                                             \
    X(CHECKER_ERROR, "checker-error", "the checker itself failed",                                 \
      "Run `" WB_PROGRAM " doctor`; your file is not to blame.")

enum wb_reason {
#define X(name, code, text, advice) WB_REASON_##name,
    WB_REASON_LIST(X)
#undef X
        WB_REASON_COUNT
};

/* Whom a race is between: what helps depends on it. Of those of one LINE nothing can be put between
 * the two accesses. Those further down need more. X(ENUM, "one next step"); NULL: that of
 * WB_REASON_RACE. */
#define WB_RACE_LIST(X)                                                                            \
    X(NONE, NULL)                                                                                  \
    X(LANES, "Put `__syncwarp()` between the two lines: lanes of a warp need not run in step. If " \
             "other warps use the place as well, it must be `__syncthreads()`.")                   \
    X(LANES_LINE, "If the place is for one thread alone, look at the index. If not, read into a "  \
                  "variable, then `__syncwarp()`, then write; or use an atomic.")                  \
    X(WARPS, "Put `__syncthreads()` between the two lines, where every thread of the block comes " \
             "by; in a loop, think of the next round as well.")                                    \
    X(WARPS_LINE, "If the place is for one thread alone, look at the index. If not, read into a "  \
                  "variable, then `__syncthreads()`, then write; or use an atomic.")               \
    X(CLUSTER, "Put `cluster.sync()` between the two lines: `__syncthreads()` waits for the "      \
               "threads of one block only.")                                                       \
    X(BLOCKS, "Blocks run in any order, and no `__syncthreads()` waits for another block: use an " \
              "atomic, or do the second step in a kernel launch of its own.")                      \
    X(BLOCKS_LINE, "If the place is for one thread alone, look at the index. If all change it, "   \
                   "use an atomic: blocks run in any order.")                                      \
    X(WRITES, "If the place is for one thread alone, look at the index. If not, let only one of "  \
              "them write, or use an atomic.")

enum wb_race {
#define X(name, advice) WB_RACE_##name,
    WB_RACE_LIST(X)
#undef X
        WB_RACE_COUNT
};

extern const char *const wb_race_advice[WB_RACE_COUNT];
extern const char *const wb_reason_code[WB_REASON_COUNT];
extern const char *const wb_reason_text[WB_REASON_COUNT];
extern const char *const wb_reason_advice[WB_REASON_COUNT];
/* WB_REASON_COUNT when the code is unknown. */
enum wb_reason wb_reason_find(const char *code);

#endif
