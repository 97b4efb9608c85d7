/* SPDX-License-Identifier: MIT
 * See held.h. While it may have to be held, a launch runs on a thread of its own: that keeps its
 * state. The thread and the one that launched hand over to each other; they never run together.
 */
#include "held.h"

#include "enter.h"
#include "heap.h"
#include "pending.h"
#include "runtime.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    NAP = 1000000, /* ns between two looks, while other threads of the program may do something */
    NAPS = 10000,  /* then nobody will */
};

struct entry {
    struct wb_op op; /* `params` of a kernel are its own */
    cudaStream_t stream;
    struct entry *next;
};

enum state { IDLE, RUNS, WAITS, ENDED };

static struct {
    pthread_mutex_t lock; /* of `state` and `hopeless` */
    pthread_cond_t change;
    enum state state;
    bool hopeless; /* what waits is to end as a deadlock */
    pthread_t thread;
    struct entry *launch; /* the one that runs or waits */
    enum cudaError result;
    struct entry *queue, **end; /* what was submitted behind it */
    bool late;                  /* see wb_held_is_late */
} held = {.lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER};

/* ---- operations that are kept ---------------------------------------------------------------- */

static void destroy(struct entry *entry)
{
    if (entry && entry->op.kind == WB_OP_KERNEL) {
        free((void *)(uintptr_t)entry->op.kernel.params);
    }
    free(entry);
}

/* A copy that outlives the call, which is where a kernel was launched. NULL: no memory. */
static struct entry *keep(const struct wb_op *op, cudaStream_t stream)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry) {
        return NULL;
    }
    *entry = (struct entry){.op = *op, .stream = stream};
    if (op->kind == WB_OP_KERNEL) {
        void *params = malloc(op->kernel.param_size + 1);
        if (!params) {
            free(entry);
            return NULL;
        }
        if (op->kernel.param_size) {
            memcpy(params, op->kernel.params, op->kernel.param_size);
        }
        entry->op.kernel.params = params;
        entry->op.kernel.place = op->kernel.place ? op->kernel.place : wb_call_place();
    }
    return entry;
}

/* ---- the launch's thread --------------------------------------------------------------------- */

/* All of its warps only poll: see struct wb_sim_launch. */
static bool wait_for_host(void *context)
{
    (void)context;
    pthread_mutex_lock(&held.lock);
    if (!held.hopeless) {
        held.state = WAITS;
        pthread_cond_broadcast(&held.change);
    }
    while (held.state == WAITS) {
        pthread_cond_wait(&held.change, &held.lock);
    }
    bool goes_on = !held.hopeless;
    pthread_mutex_unlock(&held.lock);
    return goes_on;
}

static void *run(void *context)
{
    (void)context;
    held.result = wb_launch_run(&held.launch->op.kernel, held.launch->stream, wait_for_host);
    pthread_mutex_lock(&held.lock);
    held.state = ENDED;
    pthread_cond_broadcast(&held.change);
    pthread_mutex_unlock(&held.lock);
    return NULL;
}

/* ---- the threads of the program -------------------------------------------------------------- */

/* Waits until the launch waits or has ended, and takes note of its end. */
static void wait_for_launch(void)
{
    pthread_mutex_lock(&held.lock);
    while (held.state == RUNS) {
        pthread_cond_wait(&held.change, &held.lock);
    }
    bool ended = held.state == ENDED;
    pthread_mutex_unlock(&held.lock);
    if (ended) {
        pthread_join(held.thread, NULL);
        destroy(held.launch);
        held.launch = NULL;
        held.state = IDLE;
    }
}

/* Lets the launch look again. */
static void wake(bool hopeless)
{
    wb_pending_lift();
    pthread_mutex_lock(&held.lock);
    held.hopeless = hopeless;
    held.state = RUNS;
    pthread_cond_broadcast(&held.change);
    pthread_mutex_unlock(&held.lock);
    wait_for_launch();
}

enum cudaError wb_held_launch(const struct wb_op_kernel *launch, cudaStream_t stream)
{
    const struct wb_op op = {.kind = WB_OP_KERNEL, .kernel = *launch};
    struct entry *entry = wb_heap_shares() ? keep(&op, stream) : NULL;
    if (!entry) {
        return wb_launch_run(launch, stream, NULL);
    }
    held.launch = entry;
    held.hopeless = false;
    held.state = RUNS;
    if (pthread_create(&held.thread, NULL, run, NULL) != 0) {
        held.state = IDLE;
        held.launch = NULL;
        destroy(entry);
        return wb_launch_run(launch, stream, NULL);
    }
    held.result = cudaSuccess;
    wait_for_launch();
    held.late = held.late || held.state != IDLE;
    return held.state == IDLE ? held.result : cudaSuccess;
}

bool wb_held_queue(const struct wb_op *op, cudaStream_t stream)
{
    struct entry *entry = held.state == WAITS ? keep(op, stream) : NULL;
    if (!entry) {
        return false;
    }
    if (!held.queue) {
        held.end = &held.queue;
    }
    *held.end = entry;
    held.end = &entry->next;
    return true;
}

/* Runs what has queued up, until something has to be held again. */
static void run_queue(void)
{
    while (held.queue && held.state == IDLE) {
        struct entry *entry = held.queue;
        held.queue = entry->next;
        wb_op_run(&entry->op, entry->stream);
        destroy(entry);
    }
    held.late = held.state != IDLE;
}

bool wb_held_is_late(void)
{
    return held.late;
}

bool wb_held_try(void)
{
    if (held.state == WAITS) {
        wake(false);
        run_queue();
    }
    return held.state == IDLE;
}

/* Has the program threads besides this one and that of the launch? */
static bool others_run(void)
{
    unsigned count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; tasks && (task = readdir(tasks)) != NULL;) {
        count += task->d_name[0] != '.';
    }
    if (tasks) {
        closedir(tasks);
    }
    return count > 2;
}

void wb_held_finish(void)
{
    const struct timespec nap = {.tv_nsec = NAP};
    for (unsigned naps = 0; !wb_held_try();) {
        if (others_run() && naps++ < NAPS) {
            nanosleep(&nap, NULL);
        } else {
            wake(true);
            run_queue();
        }
    }
}
