/* SPDX-License-Identifier: MIT
 * What stands beside the runtime: its version, the driver's entry points (there is no driver here),
 * the profiler.
 */
#include "api.h"

enum { VERSION = 13000 }; /* 13.0 */

static enum cudaError version(int *out)
{
    if (!out) {
        return cudaErrorInvalidValue;
    }
    *out = VERSION;
    return cudaSuccess;
}

enum cudaError rt_cudaDriverGetVersion(int *out)
{
    return version(out);
}

enum cudaError rt_cudaRuntimeGetVersion(int *out)
{
    return version(out);
}

/* As the real one answers for a function that the driver does not have: success, no function. */
enum cudaError rt_cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                                   unsigned wanted, unsigned long long flags,
                                                   enum cudaDriverEntryPointQueryResult *status)
{
    if (!symbol || !function || *symbol == '\0' || flags > 2 || wanted == 0) {
        return cudaErrorInvalidValue;
    }
    *function = NULL;
    if (status) {
        *status = cudaDriverEntryPointSymbolNotFound;
    }
    return cudaSuccess;
}

enum cudaError rt_cudaGetDriverEntryPoint(const char *symbol, void **function,
                                          unsigned long long flags,
                                          enum cudaDriverEntryPointQueryResult *status)
{
    return rt_cudaGetDriverEntryPointByVersion(symbol, function, VERSION, flags, status);
}

/* Counters are taken all the time: the profiler has nothing to start or stop. */
enum cudaError rt_cudaProfilerStart(void)
{
    return cudaSuccess;
}

enum cudaError rt_cudaProfilerStop(void)
{
    return cudaSuccess;
}
