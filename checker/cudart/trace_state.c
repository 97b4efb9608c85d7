/* SPDX-License-Identifier: MIT
 * The state that the border (enter.c) and the log want to know, where the device is NVIDIA's: there
 * is no simulator, and no sticky error of ours.
 */
#include "trace.h"

#include "argument.h"
#include "crash.h"
#include "log.h"
#include "pending.h"
#include "runtime.h"

/* What kernels can do wrong, by the error that a later call returns. */
static const struct {
    enum cudaError error;
    enum wb_reason kind;
    const char *text;
} faults[] = {
    {cudaErrorIllegalAddress, WB_REASON_OUT_OF_BOUNDS,
     "a kernel touched memory outside of what it may use"},
    {cudaErrorMisalignedAddress, WB_REASON_MISALIGNED, "a kernel used a misaligned address"},
    {cudaErrorLaunchTimeout, WB_REASON_TIMEOUT, "a kernel did not end in time"},
    {cudaErrorAssert, WB_REASON_TRAP, "an assertion failed in a kernel"},
    {cudaErrorLaunchFailure, WB_REASON_CRASH, "a kernel was stopped by the GPU"},
    {cudaErrorIllegalInstruction, WB_REASON_CRASH, "a kernel was stopped by the GPU"},
};

struct wb_runtime *wb_runtime(void)
{
    static struct wb_runtime runtime;
    return &runtime;
}

/* NVIDIA's runtime refuses calls after a fault by itself. */
bool wb_runtime_faulted(void)
{
    return false;
}

enum cudaError *wb_runtime_last_error(void)
{
    static __thread enum cudaError last;
    return &last;
}

/* The runner of host functions has a handler of its own. */
void wb_crash_watch(void)
{
}

/* Memory is never taken from the host here. */
void wb_pending_lower(void)
{
}

void wb_pending_lift(void)
{
}

bool wb_argument_on_host(unsigned *number, const struct wb_log_launch *launch)
{
    (void)number, (void)launch;
    return false;
}

static void find_fault(enum cudaError result)
{
    static bool told;
    for (size_t i = 0; !told && i < WB_ARRAY_LENGTH(faults); i++) {
        if (faults[i].error == result) {
            told = true;
            wb_log_finding(faults[i].kind, NULL, NULL, "%s, as this call was told", faults[i].text);
        }
    }
}

enum cudaError wb_trace_result(enum wb_api api, enum cudaError result)
{
    enum cudaError *planned = wb_runtime_last_error();
    if (api == WB_API_cudaGetLastError || api == WB_API_cudaPeekAtLastError) {
        result = result == cudaSuccess ? *planned : result;
        *planned = api == WB_API_cudaGetLastError ? cudaSuccess : *planned;
    }
    find_fault(result);
    return result;
}
