/* SPDX-License-Identifier: MIT
 * libwarpbook-trace.so: preloaded before NVIDIA's CUDA runtime, it does at the border of each call
 * what ours does (enter.c: place, planned failures, the run log) and hands the call on. Functions
 * that api.def lists as MISSING go past it. What is to be noted of a call that went well is an
 * after_NAME in trace_after.c; a function without one is just traced.
 */
#include "trace.h"
#include "enter.h"

#include <dlfcn.h>
#include <string.h>

void *wb_trace_next(const char *symbol)
{
    return dlsym(RTLD_NEXT, symbol);
}

static __thread int inside;

bool wb_trace_inside(void)
{
    return inside > 0;
}

/* The names of its variables are none that a parameter has. */
#define ENTRY(symbol, name, parameters, arguments)                                                 \
    __attribute__((visibility("default"))) enum cudaError symbol parameters;                       \
    enum cudaError symbol parameters                                                               \
    {                                                                                              \
        struct wb_call trace_call;                                                                 \
        enum cudaError trace_result;                                                               \
        if (wb_call_begin(&trace_call, WB_API_##name, WB_CALLER)) {                                \
            enum cudaError(*trace_next) parameters;                                                \
            void *trace_symbol = wb_trace_next(#symbol);                                           \
            memcpy(&trace_next, &trace_symbol, sizeof trace_next);                                 \
            inside++;                                                                              \
            trace_result = trace_next ? trace_next arguments : cudaErrorNotSupported;              \
            inside--;                                                                              \
            if (trace_result == cudaSuccess && after_##name) {                                     \
                after_##name arguments;                                                            \
            }                                                                                      \
            trace_result = wb_trace_result(WB_API_##name, trace_result);                           \
        } else {                                                                                   \
            trace_result = trace_call.injected;                                                    \
        }                                                                                          \
        return wb_call_end(&trace_call, trace_result);                                             \
    }

#define API(name, parameters, arguments) ENTRY(name, name, parameters, arguments)
#define TWIN(name, suffix, parameters, arguments)                                                  \
    ENTRY(name, name, parameters, arguments)                                                       \
    ENTRY(name##suffix, name, parameters, arguments)
#include "api.def"
