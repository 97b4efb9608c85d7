/* SPDX-License-Identifier: MIT
 * See enter.h. What is special about a function at the border is in the table `traits`; which calls
 * survive a sticky error was measured (docs/measured/2026-11-30-runtime-h200.md).
 */
#include "enter.h"

#include "crash.h"
#include "inject.h"
#include "log.h"
#include "pending.h"
#include "runtime.h"
#include "unchecked.h"

#include <pthread.h>
#include <stdlib.h>

const char *const wb_api_name[WB_API_COUNT] = {
#define API(name, parameters, arguments) #name,
#include "api.def"
#undef API
};

enum trait {
    LOOKS = 1,    /* the program looks at the last error; the result is not a new one */
    SURVIVES = 2, /* works after a sticky error */
    LAUNCHES = 4, /* belongs to the <<<...>>> before it */
    SILENT = 8,   /* part of <<<...>>>: nothing that the program wrote */
};

static const unsigned char traits[WB_API_COUNT] = {
    [WB_API_cudaGetLastError] = LOOKS | SURVIVES,
    [WB_API_cudaPeekAtLastError] = LOOKS | SURVIVES,
    [WB_API_cudaDeviceReset] = SURVIVES,
    [WB_API_cudaGetDevice] = SURVIVES,
    [WB_API_cudaSetDevice] = SURVIVES,
    [WB_API_cudaGetDeviceCount] = SURVIVES,
    [WB_API_cudaGetDeviceProperties] = SURVIVES,
    [WB_API_cudaDeviceGetAttribute] = SURVIVES,
    [WB_API_cudaPointerGetAttributes] = SURVIVES,
    [WB_API_cudaDriverGetVersion] = SURVIVES,
    [WB_API_cudaRuntimeGetVersion] = SURVIVES,
    [WB_API___cudaPopCallConfiguration] = SURVIVES | SILENT,
    [WB_API___cudaGetKernel] = SURVIVES | SILENT,
    [WB_API___cudaLaunchKernel] = LAUNCHES,
    [WB_API_cudaLaunchKernel] = LAUNCHES,
};

/* ---- the lock ------------------------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct wb_call *current; /* the innermost call in flight */
static bool used, forked;       /* a call was made; this process was forked after one */
static struct wb_last_call last;
static bool sticky_seen; /* the program has looked at the sticky error */

static __thread const void *launch_from; /* the <<<...>>> that this thread has begun */

/* Only the thread that forks lives on in the child, so nobody else holds the lock there. */
static void after_fork(void)
{
    pthread_mutex_t fresh = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    lock = fresh;
    current = NULL;
    forked = used;
    wb_pending_lift();
}

/* The last to run: what a program registers later, runs earlier. */
static void at_exit(int code, void *unused)
{
    struct timespec until;
    (void)unused;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2; /* a thread that is in a kernel without end keeps the lock */
    if (!forked && pthread_mutex_timedlock(&lock, &until) == 0) {
        wb_unchecked_report(code);
        if (code == 0 && !wb_runtime_faulted()) { /* after a fault nothing can be given back */
            wb_log_leaks();
        }
        wb_log_end(code);
        pthread_mutex_unlock(&lock);
    }
}

__attribute__((constructor)) static void at_load(void)
{
    pthread_atfork(NULL, NULL, after_fork);
    on_exit(at_exit, NULL);
    wb_log_start();
    wb_crash_watch();
}

void wb_lock(struct wb_call *call, const void *from)
{
    pthread_mutex_lock(&lock);
    *call = (struct wb_call){.api = WB_API_COUNT, .from = from, .outer = current};
    current = call;
}

void wb_unlock(struct wb_call *call)
{
    current = call->outer;
    pthread_mutex_unlock(&lock);
}

/* ---- calls --------------------------------------------------------------------------------- */

/* What the call returns without being run, or cudaSuccess. */
static enum cudaError refusal(struct wb_call *call, unsigned trait)
{
    enum cudaError planned = trait & SILENT || forked ? cudaSuccess : wb_inject(call->api);
    enum cudaError sticky = trait & SURVIVES ? cudaSuccess : wb_runtime()->sticky;
    call->refused = forked || sticky != cudaSuccess;
    call->planned = !call->refused && planned != cudaSuccess;
    if (forked) {
        return cudaErrorInitializationError;
    }
    return call->refused ? sticky : planned;
}

bool wb_call_begin(struct wb_call *call, enum wb_api api, const void *from)
{
    const unsigned trait = traits[api];
    wb_lock(call, from);
    call->api = api;
    used = true;
    if (trait & LOOKS) {
        wb_errors_seen();
    }
    wb_unchecked_next(call);
    call->injected = refusal(call, trait);
    return call->injected == cudaSuccess;
}

const struct wb_call *wb_call_current(void)
{
    return current && current->api < WB_API_COUNT ? current : NULL;
}

struct wb_last_call wb_call_last(void)
{
    return last;
}

const char *wb_call_name(const struct wb_call *call)
{
    return traits[call->api] & LAUNCHES ? "cudaLaunchKernel" : wb_api_name[call->api];
}

bool wb_call_is_launch(const struct wb_call *call)
{
    return traits[call->api] & LAUNCHES;
}

/* An answer that is no failure: it is not kept as the last error. */
static bool is_answer(enum cudaError result)
{
    return result == cudaSuccess || result == cudaErrorNotReady;
}

static void note_failure(const struct wb_call *call, enum cudaError result)
{
    const bool known = call->refused && sticky_seen; /* one fault, told by every later call */
    *wb_runtime_last_error() = result;
    if (!forked && !known) {
        wb_unchecked_add(call, result);
    }
}

enum cudaError wb_call_end(struct wb_call *call, enum cudaError result)
{
    const unsigned trait = traits[call->api];
    if (!(trait & LOOKS) && !is_answer(result)) {
        note_failure(call, result);
    }
    if (wb_trace_wanted() && !(trait & SILENT) && !forked) {
        wb_log_call(wb_call_name(call), result, call->planned, wb_call_place());
    }
    if (!(trait & SILENT)) {
        bool launch = trait & LAUNCHES && launch_from;
        last = (struct wb_last_call){wb_call_name(call), launch ? launch_from : call->from,
                                     call->place, result};
    }
    if (trait & LAUNCHES) {
        launch_from = NULL;
    }
    if (!call->outer && !forked) {
        wb_pending_lower();
    }
    wb_unlock(call);
    return result;
}

void wb_errors_seen(void)
{
    sticky_seen = wb_runtime()->sticky != cudaSuccess;
    wb_unchecked_forget();
}

/* ---- places -------------------------------------------------------------------------------- */

void wb_call_starts_launch(void)
{
    launch_from = current ? current->from : NULL;
}

const struct wb_place *wb_call_place(void)
{
    if (!current) {
        return wb_place_of(NULL);
    }
    if (!current->place) {
        bool launch = current->api < WB_API_COUNT && traits[current->api] & LAUNCHES && launch_from;
        current->place = wb_place_of(launch ? launch_from : current->from);
    }
    return current->place;
}
