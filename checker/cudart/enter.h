/* SPDX-License-Identifier: MIT
 * enter: what happens at the border of every CUDA call that a program makes: the lock, the caller's
 * place, injected failures, the sticky error, the last error, the trace. entry.c expands api.def to
 * functions that call wb_call_begin and wb_call_end; implementations (rt_*) run in between, under
 * the lock, and call one another without coming here again.
 */
#ifndef WB_CUDART_ENTER_H
#define WB_CUDART_ENTER_H

#include "abi.h"

#include <stdbool.h>

/* WB_API_cudaMalloc, ... : a value for each row API(name, (parameters), (arguments)). */
enum wb_api {
#define API(name, parameters, arguments) WB_API_##name,
#include "api.def"
#undef API
    WB_API_COUNT
};

extern const char *const wb_api_name[WB_API_COUNT];

/* The address that the entry function itself returns to. */
#define WB_CALLER __builtin_extract_return_addr(__builtin_return_address(0))

/* One call in flight, on the entry function's stack. */
struct wb_call {
    enum wb_api api;
    const void *from;             /* where the program made the call */
    enum cudaError injected;      /* what to return when wb_call_begin says no */
    struct wb_call *outer;        /* the call during which this one was made (from a callback) */
    const struct wb_place *place; /* resolved when first asked for, see wb_call_place */
    bool refused;                 /* the sticky error, or a forked process: `injected` */
    bool planned;                 /* WARPBOOK_INJECT asked for `injected` */
};

/* Takes the lock. False: do not run the call, return call->injected (a failure that WARPBOOK_INJECT
 * asked for; the sticky error; a process that was forked after CUDA was used). */
bool wb_call_begin(struct wb_call *call, enum wb_api api, const void *from);
/* Sets the last error, writes the trace, gives the lock back. Returns `result`. */
enum cudaError wb_call_end(struct wb_call *call, enum cudaError result);

/* For entry points with other result types (__cudaRegisterFatBinary, cudaGetErrorString): the lock
 * alone, nothing is traced. `from` is the place of whatever is made meanwhile; may be NULL. */
void wb_lock(struct wb_call *call, const void *from);
void wb_unlock(struct wb_call *call);
/* Needs the lock. __cudaPushCallConfiguration calls it, which returns no error: the next launch of
 * this thread is written <<<...>>> at the place of the call in flight. */
void wb_call_starts_launch(void);
/* The program looked at an error: cudaGetErrorName and cudaGetErrorString call it (cudaGetLastError
 * and cudaPeekAtLastError are seen in wb_call_begin). Needs the lock. */
void wb_errors_seen(void);

/* The call in flight, NULL if there is none. Needs the lock. */
const struct wb_call *wb_call_current(void);
/* The last call that came to its end. `name` NULL: none did. */
struct wb_last_call {
    const char *name;
    const void *from;
    const struct wb_place *place; /* NULL if nobody asked for it */
    enum cudaError result;
};
struct wb_last_call wb_call_last(void);
/* The everyday name of a call that was begun: a launch is "cudaLaunchKernel". */
const char *wb_call_name(const struct wb_call *call);
bool wb_call_is_launch(const struct wb_call *call);

/* The place in the program of the call in flight; for a launch written <<<...>>> that of the
 * <<<...>>>, not of the stub that nvcc made. Never NULL. Needs the lock. */
const struct wb_place *wb_call_place(void);

#endif
