/* SPDX-License-Identifier: MIT
 * The state of a warp is compared with an earlier one, which is replaced at each power of two: so
 * a loop is found wherever it begins. (At the next look it is enough to compare after one turn.)
 * The signature of a loop is made of everything that its instructions wrote into registers; as long
 * as it stays, the loop has read the same values.
 */
#include "spin.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_LOOP = 512 }; /* instructions of one turn, about */

/* What decides how a warp goes on, besides memory. */
struct wb_spin_state {
    uint32_t reg[WB_ROW_COUNT][WB_LANES];
    uint32_t pred[WB_PRED_COUNT];
    uint32_t convergence[WB_BARRIERS][WB_LANES];
    struct wb_group groups[WB_LANES];
    unsigned group_count;
    uint32_t pc, active, live, yielded;
};

/* Rows that the kernel can name. */
static size_t general_rows(const struct wb_warp *w)
{
    unsigned registers = w->cta->run->kernel->registers;
    return registers < 255 ? registers + 1 : WB_ROW_TRASH;
}

static void remember(struct wb_spin_state *state, const struct wb_warp *w)
{
    memcpy(state->reg, w->reg, general_rows(w) * sizeof w->reg[0]);
    memcpy(state->reg[WB_ROW_UNIFORM], w->reg[WB_ROW_UNIFORM],
           (WB_ROW_COUNT - WB_ROW_UNIFORM) * sizeof w->reg[0]);
    memcpy(state->pred, w->pred, sizeof w->pred);
    memcpy(state->convergence, w->convergence, sizeof w->convergence);
    memcpy(state->groups, w->groups, w->group_count * sizeof w->groups[0]);
    state->group_count = w->group_count;
    state->pc = w->pc;
    state->active = w->active;
    state->live = w->live;
    state->yielded = w->yielded;
}

static bool same_groups(const struct wb_spin_state *state, const struct wb_warp *w)
{
    bool same = state->group_count == w->group_count;
    for (unsigned g = 0; same && g < w->group_count; g++) {
        const struct wb_group *a = &state->groups[g], *b = &w->groups[g];
        same = a->pc == b->pc && a->mask == b->mask && a->wait == b->wait;
    }
    return same;
}

static bool same_predicates(const struct wb_spin_state *state, const struct wb_warp *w)
{
    bool same = true;
    for (unsigned p = 0; p < WB_PRED_COUNT; p++) {
        same = same && (p == WB_PRED_TRASH || state->pred[p] == w->pred[p]);
    }
    return same;
}

static bool is_same(const struct wb_spin_state *state, const struct wb_warp *w)
{
    return state->pc == w->pc && state->active == w->active && state->live == w->live &&
           state->yielded == w->yielded && same_groups(state, w) && same_predicates(state, w) &&
           memcmp(state->reg, w->reg, general_rows(w) * sizeof w->reg[0]) == 0 &&
           memcmp(state->reg[WB_ROW_UNIFORM], w->reg[WB_ROW_UNIFORM],
                  (WB_ROW_COUNT - WB_ROW_UNIFORM) * sizeof w->reg[0]) == 0 &&
           memcmp(state->convergence, w->convergence, sizeof w->convergence) == 0;
}

/* A number for what an instruction wrote into its (at most two) rows, and where it is. */
static uint64_t trace(const struct wb_warp *w, const struct wb_insn *in)
{
    uint64_t place = (uint64_t)(in - w->cta->run->program->code) + 1;
    const uint32_t *row = w->reg[in->d];
    unsigned words = in->d + 1 < WB_ROW_COUNT ? 2 * WB_LANES : WB_LANES;
    uint32_t low = 0, high = 0; /* two sums of their own, so that the loop can be vector code */
    for (unsigned i = 0; i < words; i++) {
        uint32_t odd = (2 * i + 1) * UINT32_C(0x9e3779b1);
        low += row[i] * odd;
        high += (row[i] ^ row[i] >> 15) * (odd ^ UINT32_C(0x85ebca6a));
    }
    uint64_t sum = (place ^ ((uint64_t)high << 32 | low)) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 29;
}

struct look {
    uint64_t budget, steps; /* instructions that may run, and that have */
    uint64_t signature;     /* of the loops that were found */
    unsigned longest;       /* turn of them */
    bool as_before;         /* each began at once, with the first instruction */
};

/* Runs the running group, and those that it yields to, until a state comes back. */
static bool find_loop(struct look *look, struct wb_warp *w)
{
    struct wb_spin_state *state = w->cta->cluster->spin_state;
    uint64_t sum = 0, sum_then = 0;
    unsigned then = 0;
    for (unsigned n = 0; n < 2 * LONGEST_LOOP && wb_warp_resume(w); n++) {
        if (n && is_same(state, w)) {
            look->signature += sum - sum_then;
            look->longest = n - then > look->longest ? n - then : look->longest;
            look->as_before = look->as_before && then == 0;
            return true;
        }
        if (n == 0 || (n > w->period && (n & (n - 1)) == 0)) {
            remember(state, w);
            sum_then = sum;
            then = n;
        }
        const struct wb_insn *in = &w->cta->run->program->code[w->pc];
        if (look->steps == look->budget) {
            return false;
        }
        wb_warp_step(w);
        look->steps++;
        if (w->event == WB_EVENT_STOP) {
            return false;
        }
        if (in->op == WB_OP_CALL_ABS) { /* it prints: not a turn like the one before */
            return false;
        }
        sum += trace(w, in);
    }
    return false;
}

static unsigned ready_groups(const struct wb_warp *w)
{
    unsigned ready = w->active != 0;
    for (unsigned g = 0; g < w->group_count; g++) {
        ready += w->groups[g].wait == WB_READY;
    }
    return ready;
}

uint64_t wb_spin_look(struct wb_warp *w, uint64_t budget)
{
    struct look look = {.budget = budget, .as_before = true};
    struct wb_cluster *cluster = w->cta->cluster;
    unsigned found = 0;
    w->spins = false;
    if (!cluster->spin_state) {
        cluster->spin_state = malloc(sizeof *cluster->spin_state);
    }
    while (cluster->spin_state && !w->spins && find_loop(&look, w)) {
        w->spins = ++found >= ready_groups(w);
        wb_warp_yield(w); /* to a group that waits for its turn, if there is one */
    }
    bool same = w->spins && look.as_before && look.signature == w->signature;
    w->steady = same ? w->steady + 1 : 0;
    w->signature = look.signature;
    w->period = w->spins ? look.longest : 0;
    return look.steps;
}

void wb_spin_forget(struct wb_cluster *cluster)
{
    free(cluster->spin_state);
    cluster->spin_state = NULL;
}
