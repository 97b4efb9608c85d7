/* SPDX-License-Identifier: MIT
 * trace: the parts of libwarpbook-trace.so (trace.c). All of it runs under the lock of enter.h.
 */
#ifndef WB_CUDART_TRACE_H
#define WB_CUDART_TRACE_H

#include "enter.h"

/* The function of NVIDIA's runtime, or NULL. */
void *wb_trace_next(const char *symbol);
/* What the program is told of a call: a planned failure is remembered for cudaGetLastError, of
 * which NVIDIA's runtime knows nothing. A kernel's fault becomes a finding when it is first told.
 */
enum cudaError wb_trace_result(enum wb_api api, enum cudaError result);

/* The calling thread is inside of a call that trace.c handed on. */
bool wb_trace_inside(void);

/* Run after a call that went well; those that nobody wrote are NULL. */
#define API(name, parameters, arguments) __attribute__((weak)) void after_##name parameters;
#include "api.def"
#undef API
#undef TWIN
#undef MISSING

#endif
