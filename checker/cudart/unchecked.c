/* SPDX-License-Identifier: MIT
 * See unchecked.h. Only the first failure is told in full: later ones often follow from it. To give
 * another error an advice of its own, add a row to `advices`.
 */
#include "unchecked.h"

#include "log.h"

#include <warpbook/cudart.h>

#include <stdio.h>

/* What a launch or a call most likely did wrong, where the error says so. */
static const struct {
    enum cudaError error;
    bool launch; /* only of a launch */
    const char *advice;
} advices[] = {
    {cudaErrorInvalidValue, true,
     "A block has 1 to 1024 threads (z at most 64), a grid at least one block in each direction, "
     "and more than 48 KiB of dynamic shared memory want cudaFuncSetAttribute. After a launch, ask "
     "cudaGetLastError()."},
    {cudaErrorLaunchOutOfResources, true,
     "The kernel needs more registers than so large a block can have: launch smaller blocks. After "
     "a launch, ask cudaGetLastError()."},
    {cudaErrorInvalidResourceHandle, false,
     "The stream, event or other handle was never made, or is destroyed already."},
    {cudaErrorInvalidSymbol, false,
     "Give the variable itself, which is declared with __device__ or __constant__."},
    {cudaErrorMemoryAllocation, false,
     "Compare what the call returns with cudaSuccess, and do not use the pointer if it differs."},
};

static struct {
    const char *call; /* NULL: none */
    enum cudaError error;
    const struct wb_place *place;
    bool launch, planned;
    bool went_on;   /* afterwards the program copied, filled or launched */
    bool explained; /* see wb_unchecked_explained */
} first;
static const struct wb_call *explained; /* the last such call */
static unsigned long more;

void wb_unchecked_explained(void)
{
    explained = wb_call_current();
}

void wb_unchecked_add(const struct wb_call *call, enum cudaError error)
{
    if (first.call) {
        more++;
        return;
    }
    first.call = wb_call_name(call);
    first.error = error;
    first.place = wb_log_wanted() ? wb_call_place() : NULL;
    first.launch = wb_call_is_launch(call);
    first.planned = call->planned;
    first.went_on = false;
    first.explained = explained == call;
}

void wb_unchecked_next(const struct wb_call *call)
{
    explained = NULL;
    if (first.call && !first.went_on) {
        const char *name = wb_call_name(call);
        first.went_on = wb_call_is_launch(call) || wb_starts_with(name, "cudaMemcpy") ||
                        wb_starts_with(name, "cudaMemset");
    }
}

void wb_unchecked_forget(void)
{
    first.call = NULL;
    more = 0;
}

static const char *advice_for(enum cudaError error, bool launch)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(advices); i++) {
        if (advices[i].error == error && (launch || !advices[i].launch)) {
            return advices[i].advice;
        }
    }
    return NULL;
}

void wb_unchecked_report(int exit_code)
{
    char others[64] = "";
    if (!first.call || !wb_log_wanted() ||
        (exit_code != 0 && !first.launch && !first.went_on && !first.explained)) {
        return;
    }
    if (more) {
        snprintf(others, sizeof others, "; %lu later call%s failed, too", more,
                 more > 1 ? "s" : "");
    }
    bool refused = first.launch && !first.planned; /* the kernel never ran: the graver news */
    wb_log_finding(refused ? WB_REASON_LAUNCH_FAILED : WB_REASON_UNCHECKED_ERROR, first.place,
                   advice_for(first.error, first.launch), "%s failed with %s, and the program %s%s",
                   first.launch ? "the kernel launch" : first.call,
                   wb_cudart_error_name(first.error),
                   exit_code == 0 || first.launch || first.went_on ? "went on without asking for it"
                                                                   : "never asked what was wrong",
                   others);
}
