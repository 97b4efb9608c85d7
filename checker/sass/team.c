/* SPDX-License-Identifier: MIT
 * The state of the tasks: each function below wb_team_work holds the team's lock, but run_task.
 */
#include "team.h"

#include "grid.h"

#include <stdlib.h>
#include <string.h>

enum {
    TASK_STEPS = 1 << 14, /* warp instructions of a task, about: some tenths of a millisecond */
    TASKS_A_THREAD = 4,   /* at the least, so that the threads end together */
    SLOTS_A_THREAD = 2,   /* tasks that run, and some that wait for older ones */
    PAGES_A_THREAD = 4096,
    FEW_BROKEN = 8,
    MANY_TIMES = 64,
    MANY_STEPS = 1 << 22,
    STEPS_NEAR = 1 << 13, /* so near to the limit, turns of the warps may be shorter */
};

static const struct wb_claim_rules rules;

bool wb_team_init(struct wb_team *team, struct wb_arena *arena, struct wb_run *run,
                  unsigned threads)
{
    *team = (struct wb_team){.run = run, .threads = threads};
    team->task_count = SLOTS_A_THREAD * threads;
    team->tasks = wb_arena_alloc(arena, team->task_count * sizeof *team->tasks);
    team->claims = wb_claims_create(team->task_count, (size_t)PAGES_A_THREAD * threads);
    for (unsigned i = 0; i < team->task_count; i++) {
        struct wb_task *task = &team->tasks[i];
        task->team = team;
        task->claimant = (struct wb_claimant){.claims = team->claims, .rules = &rules, .slot = i};
        task->tally = wb_arena_alloc(arena, run->tally_count * sizeof *task->tally);
        task->traffic = wb_arena_alloc(arena, run->tally_count * sizeof *task->traffic);
    }
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->change, NULL);
    return team->claims != NULL;
}

void wb_team_finish(struct wb_team *team)
{
    for (unsigned i = 0; i < team->task_count; i++) {
        wb_claimant_finish(&team->tasks[i].claimant);
    }
    wb_claims_destroy(team->claims);
    pthread_cond_destroy(&team->change);
    pthread_mutex_destroy(&team->lock);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static struct wb_task *find_task(const struct wb_team *team, uint64_t number)
{
    for (unsigned i = 0; i < team->task_count; i++) {
        struct wb_task *task = &team->tasks[i];
        if (task->state != WB_TASK_FREE && task->number == number) {
            return task;
        }
    }
    return NULL;
}

static bool is_oldest(const struct wb_task *task)
{
    return task->number == task->team->committed;
}

static void forget(struct wb_task *task, enum wb_task_state state)
{
    wb_claimant_undo(&task->claimant);
    wb_claimant_release(&task->claimant);
    task->state = state;
}

/* Makes it undone. Its thread does the rest if it runs. */
static void break_task(struct wb_task *task)
{
    if (task->state == WB_TASK_RUNS) {
        atomic_store(&task->stop, true);
    } else if (task->state == WB_TASK_DONE) {
        forget(task, WB_TASK_BROKEN);
    }
    pthread_cond_broadcast(&task->team->change);
}

/* No more tasks are run: a fault, or a cluster that spins. */
static bool is_over(const struct wb_team *team)
{
    return team->run->fault->kind != WB_REASON_NONE || team->spinning;
}

/* Speculation that has to be undone again and again is given up. */
static bool runs_in_order(const struct wb_team *team)
{
    return team->broken > FEW_BROKEN + team->committed / 4;
}

static bool anything_is_left(const struct wb_team *team)
{
    bool left = team->next < team->count && !is_over(team);
    for (unsigned i = 0; i < team->task_count; i++) {
        left = left || team->tasks[i].state != WB_TASK_FREE;
    }
    return left;
}

/* ---- when a claim cannot be had -------------------------------------------------------------- */

/* False if the task has to stop. */
static bool wait_for_change(struct wb_task *task)
{
    if (!atomic_load(&task->stop)) {
        pthread_cond_wait(&task->team->change, &task->team->lock);
    }
    return !atomic_load(&task->stop);
}

static bool settle_conflict(struct wb_task *task, struct wb_task *other)
{
    const uint64_t number = other->number;
    bool goes_on = !atomic_load(&task->stop);
    if (goes_on && number > task->number) {
        break_task(other);
    }
    while (goes_on && other->number == number &&
           (other->state == WB_TASK_RUNS || other->state == WB_TASK_DONE)) {
        goes_on = wait_for_change(task);
    }
    return goes_on;
}

static bool on_conflict(struct wb_claimant *claimant, unsigned other)
{
    struct wb_task *task = (struct wb_task *)claimant; /* its first member */
    pthread_mutex_lock(&task->team->lock);
    bool goes_on = settle_conflict(task, &task->team->tasks[other]);
    pthread_mutex_unlock(&task->team->lock);
    return goes_on;
}

/* The oldest task needs no log any more. */
static bool become_certain(struct wb_task *task)
{
    uint64_t used = task->steps - task->run->steps_left, left = task->team->run->steps_left;
    if (task->run->steps_left <= STEPS_NEAR || left < used || left - used <= STEPS_NEAR) {
        return false;
    }
    task->run->steps_left = left - used;
    task->steps = left;
    task->certain = true;
    task->claimant.logs = false;
    return true;
}

/* Nobody else runs until the task has committed. */
static void become_alone(struct wb_task *task)
{
    struct wb_team *team = task->team;
    bool waits = true;
    team->exclusive = true;
    while (waits) {
        waits = false;
        for (unsigned i = 0; i < team->task_count; i++) {
            if (&team->tasks[i] != task) {
                break_task(&team->tasks[i]);
                waits = waits || team->tasks[i].state == WB_TASK_RUNS;
            }
        }
        if (waits) {
            pthread_cond_wait(&team->change, &team->lock);
        }
    }
    wb_claimant_release(&task->claimant);
    task->claimant.alone = true;
}

static bool on_full(struct wb_claimant *claimant)
{
    struct wb_task *task = (struct wb_task *)claimant;
    bool goes_on = !atomic_load(&task->stop);
    pthread_mutex_lock(&task->team->lock);
    while (goes_on && !is_oldest(task)) {
        goes_on = wait_for_change(task);
    }
    if (goes_on && task->certain) {
        become_alone(task);
    } else if (goes_on && !become_certain(task)) {
        atomic_store(&task->stop, true);
        goes_on = false;
    }
    pthread_mutex_unlock(&task->team->lock);
    return goes_on;
}

static const struct wb_claim_rules rules = {.conflict = on_conflict, .full = on_full};

/* ---- a task from its start to its end -------------------------------------------------------- */

/* How many clusters the next task gets. */
static uint64_t task_size(const struct wb_team *team)
{
    uint64_t left = team->count - team->next, share = left / (TASKS_A_THREAD * team->threads);
    uint64_t size = team->cluster_steps ? TASK_STEPS / team->cluster_steps : 1;
    size = size < share ? size : share;
    return size ? size : 1;
}

static struct wb_task *new_task(struct wb_team *team)
{
    struct wb_task *task = NULL;
    for (unsigned i = 0; i < team->task_count; i++) {
        task = team->tasks[i].state == WB_TASK_FREE ? &team->tasks[i] : task;
    }
    if (task) {
        task->number = team->made++;
        task->first = team->next;
        task->end = team->next += task_size(team);
    }
    return task;
}

/* The rest of the launch's steps; for a task that is only tried not many more than is usual: what
 * it reads may not be what it would read in order, and then it might not end. */
static uint64_t steps_for(const struct wb_team *team, const struct wb_task *task)
{
    uint64_t left = team->run->steps_left, usual = team->cluster_steps * (task->end - task->first);
    bool tries = !task->certain && usual && usual < left / MANY_TIMES;
    uint64_t most = MANY_TIMES * usual + MANY_STEPS;
    return tries && most < left ? most : left;
}

/* The oldest task if it has to run again, or a new one, or NULL if there is none now. */
static struct wb_task *take_task(struct wb_team *team)
{
    struct wb_task *oldest = find_task(team, team->committed), *task = NULL;
    if (oldest && oldest->state == WB_TASK_BROKEN && !team->exclusive) {
        task = oldest;
    } else if (team->next < team->count && !is_over(team) && !team->exclusive &&
               !(runs_in_order(team) && oldest)) {
        task = new_task(team);
    }
    if (task) {
        bool certain = is_oldest(task);
        task->state = WB_TASK_RUNS;
        task->fault = (struct wb_fault){0};
        task->spinning = NULL;
        task->certain = certain;
        task->claimant.logs = !certain;
        task->claimant.alone = certain && runs_in_order(team) && team->made == task->number + 1;
        atomic_store(&task->stop, false);
        task->steps = steps_for(team, task);
    }
    return task;
}

/* Without the lock. */
static void run_task(struct wb_task *task, struct wb_run *run, struct wb_cluster *cluster)
{
    task->run = run;
    run->claimant = &task->claimant;
    run->fault = &task->fault;
    run->stop = &task->stop;
    run->tally = task->tally;
    run->traffic = task->traffic;
    run->steps_left = task->steps;
    memset(task->tally, 0, run->tally_count * sizeof *task->tally);
    memset(task->traffic, 0, run->tally_count * sizeof *task->traffic);
    for (uint64_t n = task->first; n < task->end; n++) {
        if (!wb_grid_run_cluster(run, cluster, n)) {
            task->spinning = cluster;
        }
        task->reached = n + 1;
        if (task->spinning || task->fault.kind != WB_REASON_NONE || atomic_load(&task->stop)) {
            break;
        }
    }
    task->steps_used = task->steps - run->steps_left;
}

static void add_counters(struct wb_run *run, const struct wb_task *task)
{
    for (size_t i = 0; i < run->tally_count; i++) {
        wb_tally_add(&run->tally[i], &task->tally[i]);
    }
    for (uint32_t i = 0; i < run->program->count; i++) {
        wb_traffic_add(&run->traffic[i], &task->traffic[i]);
    }
}

/* No other task may leave anything behind. */
static void stop_all(struct wb_team *team, uint64_t next)
{
    team->next = next;
    for (unsigned i = 0; i < team->task_count; i++) {
        struct wb_task *task = &team->tasks[i];
        break_task(task);
        task->state = task->state == WB_TASK_RUNS ? WB_TASK_RUNS : WB_TASK_FREE;
    }
}

/* The oldest task ends, and the launch takes over what it did. False if that cannot be known: it
 * has to run again, now that it is the oldest. */
static bool commit(struct wb_team *team, struct wb_task *task)
{
    struct wb_run *run = team->run;
    bool near_limit =
        task->steps_used >= run->steps_left || run->steps_left - task->steps_used <= STEPS_NEAR;
    bool ends_it = task->fault.kind != WB_REASON_NONE || task->spinning;
    if (!task->certain && (ends_it || near_limit)) {
        forget(task, WB_TASK_BROKEN);
        return false;
    }
    add_counters(run, task);
    run->steps_left -= task->steps_used;
    wb_claimant_release(&task->claimant);
    task->state = WB_TASK_FREE;
    team->cluster_steps = task->steps_used / (task->end - task->first) + 1;
    team->exclusive = false;
    team->committed++;
    if (ends_it) {
        *run->fault = task->fault;
        team->spinning = task->spinning;
        stop_all(team, task->reached);
    }
    return true;
}

static void end_task(struct wb_team *team, struct wb_task *task)
{
    task->state = WB_TASK_DONE;
    if (atomic_load(&task->stop)) {
        forget(task, is_over(team) ? WB_TASK_FREE : WB_TASK_BROKEN);
        team->broken++;
    }
    struct wb_task *oldest = find_task(team, team->committed);
    while (oldest && oldest->state == WB_TASK_DONE && commit(team, oldest)) {
        oldest = find_task(team, team->committed);
    }
    pthread_cond_broadcast(&team->change);
}

void wb_team_work(struct wb_team *team, struct wb_run *run, struct wb_cluster *cluster)
{
    pthread_mutex_lock(&team->lock);
    while (anything_is_left(team)) {
        struct wb_task *task = take_task(team);
        if (!task) {
            pthread_cond_wait(&team->change, &team->lock);
            continue;
        }
        pthread_mutex_unlock(&team->lock);
        run_task(task, run, cluster);
        pthread_mutex_lock(&team->lock);
        end_task(team, task);
    }
    pthread_mutex_unlock(&team->lock);
}
