/* SPDX-License-Identifier: MIT
 * arrays: the memory that a call shares with its runner (plan.h), made and read by the parent.
 */
#ifndef WB_HOST_ARRAYS_H
#define WB_HOST_ARRAYS_H

#include "plan.h"

#include <warpbook/host.h>

struct wb_arrays {
    struct wb_plan *plan; /* the memory */
    uint64_t size;
    int fd; /* to be given to the runner */
};

/* Lays out the plan and copies the arrays in. */
bool wb_arrays_make(struct wb_arrays *out, const struct wb_host_call *call, const char *object,
                    bool on_gpu, struct wb_status *status);
/* After the runner has ended: bytes and guard findings go back to the call's buffers. */
void wb_arrays_read(const struct wb_arrays *arrays, const struct wb_host_call *call);
void wb_arrays_finish(struct wb_arrays *arrays);

/* "8 bytes past the end of `out`" if the offset in the memory lies near an array; else false. */
bool wb_arrays_near(char *text, size_t size, const struct wb_arrays *arrays,
                    const struct wb_host_call *call, uint64_t offset);

#endif
