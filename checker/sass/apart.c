/* SPDX-License-Identifier: MIT
 * Lanes apart. A group is cut into parts, each runs alone through code and branches until its next
 * instruction is one of the whole warp (apart.def). When all have come to one, those that took the
 * same path are a group again: exactly the lanes that execute the instruction together in the
 * default order, whose rules then hold for it. So nothing waits here for anybody, and parts differ
 * from the default only in the order in which they read and write memory. A part that goes on for
 * long stops too, at the same place as others that took its path.
 *
 * The warp has one set of uniform registers, and ptxas uses it where lanes are together. So each
 * part has a copy, and so has a group that is ready but does not run.
 */
#include "apart.h"

#include "schedule.h"

#include <string.h>

enum {
    LONGEST = 512,    /* instructions of a part */
    RANDOM_TURN = 12, /* instructions, at most, until another part goes on */
};

static const uint8_t meetings[WB_OP_ALL] = {
#define ALONE(name)  [WB_OP_##name] = WB_ALONE,
#define BRANCH(name) [WB_OP_##name] = WB_BRANCH,
#define LEAVE(name)  [WB_OP_##name] = WB_LEAVE,
#define MEET(name)   [WB_OP_##name] = WB_MEET,
#include "apart.def"
#undef ALONE
#undef BRANCH
#undef LEAVE
#undef MEET
};

enum wb_meeting wb_apart_meeting(enum wb_op op)
{
    return (enum wb_meeting)meetings[op];
}

/* Is a special register the same for all lanes of a warp? */
static bool is_uniform(unsigned special)
{
    enum { CTAID_X = 0x25, CTAID_Z = 0x27, WINDOW = 0x2f, SHARED_SIZE = 0x32, CTA_RANK = 0x88 };
    return (special >= CTAID_X && special <= CTAID_Z) || special == WINDOW ||
           special == SHARED_SIZE || special == CTA_RANK;
}

/* What an instruction is. To uniform registers ptxas moves what it has proved to be the same in all
 * lanes, or it wants to know in Pd for which lanes it is. */
static enum wb_meeting meeting_of(const struct wb_insn *in)
{
    bool same = (in->op == WB_OP_R2UR && in->pd == WB_PRED_TRASH) ||
                (in->op == WB_OP_S2UR && is_uniform(in->lut));
    return same ? WB_ALONE : (enum wb_meeting)meetings[in->op];
}

uint16_t *wb_apart_stretches(struct wb_arena *arena, const struct wb_program *program)
{
    uint16_t *stretch = wb_arena_alloc(arena, (program->count + 1) * sizeof *stretch);
    for (uint32_t i = program->count; i-- > 0;) {
        bool alone = meeting_of(&program->code[i]) == WB_ALONE;
        unsigned behind = stretch[i + 1] < LONGEST ? stretch[i + 1] : LONGEST - 1;
        stretch[i] = (uint16_t)(alone ? behind + 1 : 0);
    }
    return stretch;
}

/* ---- the uniform datapath -------------------------------------------------------------------- */

static void read_uniform(struct wb_uniform *out, const struct wb_warp *w)
{
    for (unsigned r = 0; r < WB_UNIFORM_ROWS; r++) {
        out->row[r] = w->reg[WB_ROW_UNIFORM + r][0]; /* the same in all lanes */
    }
    memcpy(out->pred, &w->pred[WB_PRED_UNIFORM], sizeof out->pred);
}

/* `now` is what the warp has. */
static void write_uniform(struct wb_warp *w, const struct wb_uniform *now,
                          const struct wb_uniform *next)
{
    for (unsigned r = 0; r < WB_UNIFORM_ROWS; r++) {
        for (unsigned i = 0; next->row[r] != now->row[r] && i < WB_LANES; i++) {
            w->reg[WB_ROW_UNIFORM + r][i] = next->row[r];
        }
    }
    memcpy(&w->pred[WB_PRED_UNIFORM], next->pred, sizeof next->pred);
}

void wb_apart_keep(struct wb_warp *w, uint32_t mask)
{
    if (w->cta->run->stretch) {
        unsigned lane = wb_lowest_lane(mask);
        read_uniform(&w->kept[lane], w);
        w->kept_lanes |= UINT32_C(1) << lane;
    }
}

void wb_apart_fetch(struct wb_warp *w)
{
    uint32_t kept = w->kept_lanes & w->active;
    if (kept) {
        struct wb_uniform now;
        read_uniform(&now, w);
        write_uniform(w, &now, &w->kept[wb_lowest_lane(kept)]);
        w->kept_lanes &= ~kept;
    }
}

/* ---- parts ----------------------------------------------------------------------------------- */

struct part {
    uint32_t pc, mask;
    uint64_t path;  /* a number for the branches on the way here */
    unsigned steps; /* instructions so far */
    bool stopped;
    struct wb_uniform uniform;
};

struct apart {
    struct wb_warp *warp;
    enum wb_schedule schedule;
    struct part parts[WB_LANES];
    unsigned count, longest;
    struct wb_uniform now; /* what the warp has */
};

static struct part *add_part(struct apart *a, const struct part *like, uint32_t mask)
{
    struct part *part = &a->parts[a->count++];
    *part = *like;
    part->mask = mask;
    return part;
}

/* Half of the lanes of a mask: the lower ones, or (random) any. */
static uint32_t half_of(struct apart *a, uint32_t mask)
{
    if (a->schedule == WB_SCHEDULE_RANDOM) {
        return mask & (uint32_t)wb_schedule_draw(a->warp->cta->run, UINT64_C(1) << WB_LANES);
    }
    uint32_t upper = mask;
    for (int i = __builtin_popcount(mask) / 2; i > 0; i--) {
        upper &= upper - 1;
    }
    return mask & ~upper;
}

/* Cuts a part in two, if it has two lanes. The other one is the next that begins. */
static void split(struct apart *a, struct part *part)
{
    uint32_t half = half_of(a, part->mask);
    if (half && half != part->mask) {
        add_part(a, part, part->mask & ~half);
        part->mask = half;
    }
}

/* The parts that a group begins with. */
static void begin(struct apart *a)
{
    struct wb_warp *w = a->warp;
    struct wb_run *run = w->cta->run;
    struct part whole = {.pc = w->pc};
    read_uniform(&a->now, w);
    whole.uniform = a->now;
    enum { WHOLE, HALVES, SINGLE, WAYS };
    uint64_t way = a->schedule == WB_SCHEDULE_RANDOM  ? wb_schedule_draw(run, WAYS)
                   : a->schedule == WB_SCHEDULE_LANES ? SINGLE
                                                      : WHOLE;
    if (way != SINGLE) {
        struct part *part = add_part(a, &whole, w->active);
        if (way == HALVES) {
            split(a, part);
        }
        return;
    }
    for (uint32_t rest = w->active; rest; rest &= rest - 1) {
        add_part(a, &whole, rest & (0 - rest));
    }
}

static uint64_t path_on(uint64_t path, uint32_t pc)
{
    path = (path ^ (pc + 1)) * UINT64_C(0x9e3779b97f4a7c15);
    return path ^ path >> 29;
}

static bool is_conditional(const struct wb_insn *in)
{
    return in->guard != WB_PRED_TRUE || in->ps.index != WB_PRED_TRUE;
}

/* Parts for the groups that a branch has added behind the first `count`. */
static void take_groups(struct apart *a, const struct part *before, unsigned count)
{
    struct wb_warp *w = a->warp;
    while (w->group_count > count) {
        const struct wb_group *group = &w->groups[--w->group_count];
        struct part *part = add_part(a, before, group->mask);
        part->pc = group->pc;
        part->path = path_on(before->path, group->pc);
    }
}

/* The part at a branch goes on, and others that leave it there. */
static void branch(struct apart *a, struct part *part)
{
    struct wb_warp *w = a->warp;
    const struct wb_insn *in = &w->cta->run->program->code[w->pc];
    unsigned count = w->group_count;
    wb_warp_issue(w, 1);
    part->steps++;
    struct part before = *part;
    read_uniform(&before.uniform, w);
    take_groups(a, &before, count);
    if (!w->active) { /* all have left it: it becomes one of those */
        *part = a->parts[--a->count];
        w->pc = part->pc;
        w->active = part->mask;
        return;
    }
    part->path = path_on(before.path, w->pc);
    part->mask = w->active;
    if (a->schedule != WB_SCHEDULE_LANES && is_conditional(in)) {
        part->pc = w->pc;
        part->uniform = before.uniform;
        split(a, part);
        w->active = part->mask;
    }
}

/* The lanes of the warp for which the conditions of its next instruction hold. */
static uint32_t chosen(const struct wb_warp *w)
{
    const struct wb_insn *in = &w->cta->run->program->code[w->pc];
    uint32_t second = w->pred[in->ps.index] ^ (in->ps.negate ? WB_ALL_LANES : 0);
    return (w->pred[in->guard] ^ in->guard_flip) & second;
}

/* Lanes of the part that end here stop, the others go on. */
static void leave(struct apart *a, struct part *part)
{
    struct wb_warp *w = a->warp;
    uint32_t end = part->mask & chosen(w);
    if (end == part->mask) {
        part->stopped = true;
        return;
    }
    if (end) {
        struct part *ending = add_part(a, part, end);
        ending->pc = w->pc;
        ending->stopped = true;
        read_uniform(&ending->uniform, w);
        w->active = part->mask = part->mask & ~end;
    }
    wb_warp_issue(w, 1);
    part->steps++;
}

/* Runs a part for at most `turn` instructions; false after a fault. */
static bool run_part(struct apart *a, struct part *part, unsigned turn)
{
    struct wb_warp *w = a->warp;
    const struct wb_run *run = w->cta->run;
    unsigned end = part->steps + turn < a->longest ? part->steps + turn : a->longest;
    write_uniform(w, &a->now, &part->uniform);
    w->pc = part->pc;
    w->active = part->mask;
    while (part->steps < end && !part->stopped) {
        unsigned n = run->stretch[w->pc], meeting = meeting_of(&run->program->code[w->pc]);
        if (n) {
            n = n < end - part->steps ? n : end - part->steps;
            wb_warp_issue(w, n);
            part->steps += n;
        } else if (meeting == WB_BRANCH) {
            branch(a, part);
        } else if (meeting == WB_LEAVE) {
            leave(a, part);
        } else {
            part->stopped = true;
        }
        if (w->event == WB_EVENT_STOP) {
            return false;
        }
    }
    part->stopped = part->stopped || part->steps == a->longest;
    part->pc = w->pc;
    read_uniform(&a->now, w);
    part->uniform = a->now;
    return true;
}

/* The part that goes on now: the last one that has not stopped, or one by lot. NULL: none. */
static struct part *choose(struct apart *a)
{
    struct part *left[WB_LANES];
    unsigned count = 0;
    for (unsigned i = 0; i < a->count; i++) {
        if (!a->parts[i].stopped) {
            left[count++] = &a->parts[i];
        }
    }
    unsigned last = count - 1;
    if (count && a->schedule == WB_SCHEDULE_RANDOM) {
        last = (unsigned)wb_schedule_draw(a->warp->cta->run, count);
    }
    return count ? left[last] : NULL;
}

/* All have stopped: those that took one path are a group, one of these is the running one. */
static void meet(struct apart *a)
{
    struct wb_warp *w = a->warp;
    unsigned groups = 0;
    w->active = 0;
    for (unsigned i = 0; i < a->count; i++) {
        struct part part = a->parts[i];
        w->active |= part.mask;
        unsigned g = 0;
        while (g < groups && (a->parts[g].path != part.path || a->parts[g].pc != part.pc)) {
            g++;
        }
        if (g < groups) {
            a->parts[g].mask |= part.mask;
        } else {
            a->parts[groups++] = part;
        }
    }
    write_uniform(w, &a->now, &a->parts[0].uniform);
    for (unsigned g = 1; g < groups; g++) {
        unsigned lane = wb_lowest_lane(a->parts[g].mask);
        w->kept[lane] = a->parts[g].uniform;
        w->kept_lanes |= UINT32_C(1) << lane;
        wb_warp_fork(w, a->parts[g].pc, a->parts[g].mask);
    }
    w->pc = a->parts[0].pc;
    w->event = WB_EVENT_MOVED;
}

static uint64_t run_apart(struct wb_warp *w, uint64_t budget)
{
    struct wb_run *run = w->cta->run;
    struct apart a = {.warp = w, .schedule = run->launch->schedule};
    bool random = a.schedule == WB_SCHEDULE_RANDOM;
    unsigned most = random ? 1 + (unsigned)wb_schedule_draw(run, LONGEST) : LONGEST, steps = 0;
    a.longest = budget < most ? (unsigned)budget : most;
    begin(&a);
    for (struct part *part = choose(&a); part; part = choose(&a)) {
        unsigned turn = random ? 1 + (unsigned)wb_schedule_draw(run, RANDOM_TURN) : LONGEST;
        bool goes_on = run_part(&a, part, turn);
        steps = part->steps > steps ? part->steps : steps;
        if (!goes_on) {
            return budget - steps;
        }
    }
    meet(&a);
    return budget - steps;
}

/* Is it an EXIT of the whole group? */
static bool all_end_here(const struct wb_warp *w)
{
    return meeting_of(&w->cta->run->program->code[w->pc]) == WB_LEAVE &&
           (w->active & ~chosen(w)) == 0;
}

uint64_t wb_apart_run(struct wb_warp *w, uint64_t budget)
{
    const struct wb_run *run = w->cta->run;
    bool single = (w->active & (w->active - 1)) == 0;
    if (meeting_of(&run->program->code[w->pc]) == WB_MEET || all_end_here(w)) {
        return wb_warp_issue(w, 1) + budget - 1;
    }
    if (single) {
        unsigned n = run->stretch[w->pc] ? run->stretch[w->pc] : 1;
        n = n < budget ? n : (unsigned)budget;
        return wb_warp_issue(w, n) + budget - n;
    }
    return run_apart(w, budget);
}
