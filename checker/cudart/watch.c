/* SPDX-License-Identifier: MIT
 * See watch.h. The signals are caught only while a kernel has been running for a while: a program
 * whose kernels are short never notices. To catch another signal, add it to `caught`.
 */
#include "watch.h"

#include "demangle.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    STRIDE =
        1 << 20, /* warp instructions between looks at the clock: some hundredths of a second */
    RARER = 4,   /* the next time is after so many times the CPU time, in any launch */
};

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
enum { CAUGHT = sizeof caught / sizeof caught[0] };

static struct {
    const char *kernel;
    const struct wb_place *place;
    double begin;                /* CPU seconds of the process */
    double due;                  /* CPU seconds of a launch after which it is told of */
    atomic_uint_least64_t steps; /* warp instructions so far */
    atomic_flag looking;         /* a thread looks at the clock: `due` and `catches` are its own */
    bool catches;
    struct sigaction before[CAUGHT];
} watch = {.looking = ATOMIC_FLAG_INIT};

static volatile sig_atomic_t signalled; /* its number; 0: none was */

/* CPU seconds until a kernel is told of; 0: nothing is watched. */
static double patience(void)
{
    static double seconds = -1;
    if (seconds < 0) {
        const char *text = getenv("WARPBOOK_WATCH");
        seconds = text ? strtod(text, NULL) : 0;
        seconds = seconds > 0 ? seconds : 0;
    }
    return seconds;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- signals --------------------------------------------------------------------------------- */

/* A second one ends the program at once: SA_RESETHAND. */
static void on_signal(int number)
{
    signalled = number;
}

/* Signals that the program handles or ignores stay its own. */
static void catch_signals(void)
{
    const struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_RESETHAND};
    for (int i = 0; i < CAUGHT && !watch.catches; i++) {
        if (sigaction(caught[i], NULL, &watch.before[i]) == 0 &&
            watch.before[i].sa_handler == SIG_DFL) {
            sigaction(caught[i], &ours, NULL);
        }
    }
    watch.catches = true;
}

static void release_signals(void)
{
    for (int i = 0; i < CAUGHT && watch.catches; i++) {
        if (watch.before[i].sa_handler == SIG_DFL) {
            sigaction(caught[i], &watch.before[i], NULL);
        }
    }
    watch.catches = false;
}

/* ---- one launch ------------------------------------------------------------------------------ */

bool wb_watch_wanted(void)
{
    return patience() > 0;
}

void wb_watch_begin(const char *kernel, const struct wb_place *place)
{
    watch.kernel = kernel;
    watch.place = place;
    watch.begin = patience() > 0 ? cpu_seconds() : 0;
    watch.due = watch.due > 0 ? watch.due : patience();
    atomic_store(&watch.steps, 0);
}

static void tell(uint64_t steps)
{
    char where[256];
    char *name = wb_demangle_short(watch.kernel);
    fprintf(stderr,
            "warpbook: kernel %s (launched at %s) is still running after %llu warp instructions; "
            "Ctrl-C stops it.\n",
            name ? name : watch.kernel, wb_place_text(where, sizeof where, watch.place),
            (unsigned long long)steps);
    free(name);
}

static void look(uint64_t steps)
{
    catch_signals();
    if (cpu_seconds() - watch.begin >= watch.due) {
        watch.due *= RARER;
        tell(steps);
    }
}

bool wb_watch_go_on(void *context, uint64_t steps)
{
    (void)context;
    uint64_t before = atomic_fetch_add_explicit(&watch.steps, steps, memory_order_relaxed);
    bool due = (before + steps) / STRIDE != before / STRIDE;
    if (due && patience() > 0 && !atomic_flag_test_and_set(&watch.looking)) {
        look(before + steps);
        atomic_flag_clear(&watch.looking);
    }
    return !signalled;
}

uint64_t wb_watch_end(void)
{
    release_signals();
    return signalled ? atomic_load(&watch.steps) : 0;
}

void wb_watch_die(void)
{
    int number = signalled;
    signalled = 0;
    kill(getpid(), number);
}
