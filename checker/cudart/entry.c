/* SPDX-License-Identifier: MIT
 * The exported functions, all made from api.def. What happens at the border is in enter.c, what a
 * function does in rt_NAME. TWIN rows give a second function for programs compiled with
 * --default-stream per-thread.
 */
#include "api.h"
#include "enter.h"
#include "runtime.h"

/* The names of its variables are none that a parameter has. */
#define ENTRY(symbol, name, per_thread, parameters, arguments)                                     \
    enum cudaError symbol parameters;                                                              \
    enum cudaError symbol parameters                                                               \
    {                                                                                              \
        struct wb_call entry_call;                                                                 \
        enum cudaError entry_result;                                                               \
        if (wb_call_begin(&entry_call, WB_API_##name, WB_CALLER)) {                                \
            bool entry_before = wb_runtime_default_stream(per_thread);                             \
            entry_result = rt_##name arguments;                                                    \
            wb_runtime_default_stream(entry_before);                                               \
        } else {                                                                                   \
            entry_result = entry_call.injected;                                                    \
        }                                                                                          \
        return wb_call_end(&entry_call, entry_result);                                             \
    }

#define API(name, parameters, arguments) ENTRY(name, name, false, parameters, arguments)
#define TWIN(name, suffix, parameters, arguments)                                                  \
    ENTRY(name, name, false, parameters, arguments)                                                \
    ENTRY(name##suffix, name, true, parameters, arguments)
#define MISSING(name)                                                                              \
    enum cudaError name(void);                                                                     \
    enum cudaError name(void)                                                                      \
    {                                                                                              \
        static bool told;                                                                          \
        return wb_runtime_missing(#name, &told);                                                   \
    }
#include "api.def"
