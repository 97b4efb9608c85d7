/* SPDX-License-Identifier: MIT
 * What the files of this layer share: a shared object on disk, and one call that was made.
 */
#ifndef WB_HOST_HOST_H
#define WB_HOST_HOST_H

#include "arrays.h"

#include <warpbook/proc.h>

struct wb_host {
    struct wb_arena *arena;
    char *folder; /* temporary: the object and the run logs lie in it */
    char *object, *runner;
    char *runtime, *trace, *drop; /* libraries: ours for the simulator, for the GPU, for both */
    const char *source;
    enum wb_device_kind kind;
    const char *toolkit_root;
};

/* One call on its way. */
struct wb_host_attempt {
    const struct wb_host_call *call;
    struct wb_host_result *result;
    struct wb_arrays arrays;
    char *log;
    double time_limit;
    struct wb_proc *proc;
};

/* Environment of the runner for one call. */
const char *const *wb_host_environment(const struct wb_host *host, const struct wb_host_call *call,
                                       const char *log);
/* Turns how the runner ended and what it said into the result's fault. False: we failed. */
bool wb_host_judge(struct wb_host_attempt *attempt, const struct wb_host *host,
                   const struct wb_proc_result *ended, struct wb_status *status);
/* The first of the return addresses that lies in the source file, as its line; 0: none does. */
unsigned wb_host_line(const struct wb_host *host, const uint64_t *frames, size_t count,
                      uint64_t base, uint64_t end);

#endif
