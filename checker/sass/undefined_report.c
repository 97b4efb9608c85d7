/* SPDX-License-Identifier: MIT
 * Uses of undefined values, told to a beginner: the finding is placed where the value came from,
 * its other place is where it decides something. What was reported counts as defined from there on,
 * so that a loop does not say it again in each turn. To add a use: a bit in undefined_table.h, a
 * row of `uses` at the same place.
 */
#include "fault.h"
#include "finding.h"
#include "undefined_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum operand { OPERAND_A, OPERAND_B, OPERAND_C, OPERAND_D, OPERAND_PS, OPERAND_GUARD };

/* By the bits of enum uses. */
static const struct use {
    enum operand operand;
    const char *deed; /* "line 5 ..." */
} uses[] = {
    {OPERAND_GUARD, "goes one way or the other because of it"},
    {OPERAND_GUARD, "writes to memory or does not because of it"},
    {OPERAND_PS, "goes one way or the other because of it"},
    {OPERAND_PS, "votes with it"},
    {OPERAND_A, "uses it in an address"},
    {OPERAND_C, "uses it in an address"},
    {OPERAND_D, "uses it in an address"},
    {OPERAND_B, "stores it, or what was computed from it"},
    {OPERAND_B, "gives it to an atomic operation"},
    {OPERAND_C, "gives it to an atomic operation"},
    {OPERAND_A, "gives it to an operation of the whole warp"},
    {OPERAND_A, "goes one way or the other because of it"},
    {OPERAND_B, "waits at a barrier that it chooses"},
};

/* ---- words ----------------------------------------------------------------------------------- */

enum { PHRASE = 120 };

/* "line 12", or where the instruction is if no line is known. */
static void tell_place(char out[PHRASE], const struct wb_warp *w, uint32_t pc)
{
    const char *file;
    unsigned line;
    if (wb_kernel_line(&file, &line, w->cta->run->kernel, pc)) {
        snprintf(out, PHRASE, "line %u", line);
    } else {
        snprintf(out, PHRASE, "the instruction at 0x%x", pc);
    }
}

/* Why lane `from` gave nothing to `lane`: behind "lane 24 of its warp, ". */
static void tell_absence(char out[2 * PHRASE], const struct wb_warp *w,
                         const struct wb_undefined_origin *origin, unsigned lane)
{
    const struct wb_dim3 *block = &w->cta->run->launch->block;
    char place[PHRASE], here[PHRASE];
    tell_place(place, w, origin->place[lane] * 16);
    tell_place(here, w, origin->pc);
    if (origin->missing >> lane & 1) {
        snprintf(out, 2 * PHRASE, "which does not exist: the block has only %u threads",
                 block->x * block->y * block->z);
    } else if (origin->ended >> lane & 1) {
        snprintf(out, 2 * PHRASE, "which has left the kernel (at %s)", place);
    } else if (strcmp(place, here) == 0) { /* it waits for the others, or it is masked out */
        snprintf(out, 2 * PHRASE, "which does not take part in this shuffle");
    } else {
        snprintf(out, 2 * PHRASE, "which does not take part in this shuffle (it is at %s)", place);
    }
}

static void tell(char *out, size_t size, const struct wb_warp *w,
                 const struct wb_undefined_origin *origin, unsigned user, uint32_t pc,
                 const struct use *use)
{
    bool took = origin->lanes >> user & 1; /* the thread itself, or it got it from another one */
    unsigned lane = took ? user : wb_lowest_lane(origin->lanes);
    char who[80], with[100] = "", place[PHRASE], why[2 * PHRASE], what[PHRASE];
    wb_fault_who(who, sizeof who, w, lane);
    tell_place(place, w, pc);
    if (!took) {
        struct wb_dim3 t = wb_thread_index(w, user);
        snprintf(with, sizeof with, ", where thread (%u,%u,%u) runs,", t.x, t.y, t.z);
    }
    if (origin->reason == WB_REASON_INACTIVE_LANE_READ) {
        tell_absence(why, w, origin, lane);
        snprintf(out, size, "%s takes a value from lane %u of its warp, %s; %s%s %s", who,
                 origin->from[lane], why, place, with, use->deed);
    } else {
        snprintf(what, sizeof what, "memory at address 0x%" PRIx64, origin->address);
        snprintf(out, size, "%s reads %s, which nobody has written; %s%s %s", who,
                 origin->what[0] ? origin->what : what, place, with, use->deed);
    }
}

/* ---- uses ------------------------------------------------------------------------------------ */

/* The undefined part of an operand, and how to take it back. */
struct part {
    uint32_t lanes; /* that are reported */
    uint8_t origin;
    unsigned row, rows; /* of registers, or (rows 0) */
    unsigned pred;
};

static void report(struct wb_warp *w, const struct wb_insn *in, const struct use *use,
                   const struct part *part)
{
    struct wb_undefined *u = w->undefined;
    struct wb_undefined_origin *origin = &u->origins[part->origin];
    uint32_t pc = (uint32_t)(in - w->cta->run->program->code) * 16;
    char message[700];
    if (origin->used_at == UINT32_MAX) {
        origin->used_at = pc;
    }
    unsigned user = wb_lowest_lane(part->lanes);
    tell(message, sizeof message, w, origin, user, origin->used_at, use);
    const struct wb_finding_note note = {.kind = origin->reason,
                                         .pc = origin->pc,
                                         .other_pc = origin->used_at,
                                         .lanes = part->lanes,
                                         .address = origin->address,
                                         .message = message};
    wb_guard_report(w, &note);
    for (unsigned r = part->row; r < part->row + part->rows && r < WB_ROW_COUNT; r++) {
        uint32_t left = u->row[r] & ~part->lanes;
        wb_undefined_set_row(u, r, r < WB_ROW_UNIFORM ? left : 0, u->computed[r], u->row_origin[r]);
    }
    if (part->rows == 0) {
        uint32_t left = u->pred[part->pred] & ~part->lanes;
        wb_undefined_set_pred(u, part->pred, part->pred < WB_PRED_UNIFORM ? left : 0, part->origin);
    }
}

/* Of a value of several words: the lanes to be told. A copy of a struct brings the holes between
 * its members along: words that were only moved, beside others that are defined, are left alone
 * (and stay undefined). */
static uint32_t without_holes(const struct wb_warp *w, unsigned row, unsigned rows, uint32_t lanes)
{
    const struct wb_undefined *u = w->undefined;
    uint32_t all = WB_ALL_LANES, computed = 0, shuffled = 0;
    for (unsigned r = row; r < row + rows && r < WB_ROW_COUNT; r++) {
        enum wb_reason reason = u->origins[u->row_origin[r]].reason;
        all &= u->row[r];
        computed |= u->computed[r];
        shuffled |= reason == WB_REASON_INACTIVE_LANE_READ ? u->row[r] : 0;
    }
    return lanes & (all | computed | shuffled);
}

/* Stores to a generic address: what goes to shared or local memory is not used yet. */
static uint32_t global_lanes(const struct wb_warp *w, const struct wb_insn *in, uint32_t lanes)
{
    const uint32_t(*a)[WB_LANES] = &w->rows[in->a.space][in->a.row];
    uint32_t global = lanes;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned i = wb_lowest_lane(rest);
        uint64_t address = ((uint64_t)a[1][i] << 32 | a[0][i]) + (uint64_t)(int64_t)in->imm;
        uint64_t window = address & WB_WINDOW_MASK;
        if (window == WB_SHARED_WINDOW || window == WB_LOCAL_WINDOW) {
            global &= ~(UINT32_C(1) << i);
        }
    }
    return global;
}

static void look_at_rows(struct wb_warp *w, const struct wb_insn *in, uint32_t on, unsigned bit,
                         struct wb_operand o, unsigned rows)
{
    struct part part = {.lanes = wb_undefined_lanes(w, o, rows) & on, .row = o.row, .rows = rows};
    bool generic = in->op == WB_OP_ST || in->op == WB_OP_ST_NODESC;
    if (part.lanes && 1u << bit == STORED_B) {
        part.lanes = without_holes(w, o.row, rows, part.lanes);
        part.lanes = generic ? global_lanes(w, in, part.lanes) : part.lanes;
    }
    if (part.lanes) {
        part.origin = wb_undefined_origin_of(w, o, rows, part.lanes);
        report(w, in, &uses[bit], &part);
    }
}

static void look_at_pred(struct wb_warp *w, const struct wb_insn *in, uint32_t on, unsigned bit,
                         unsigned pred)
{
    struct part part = {.lanes = w->undefined->pred[pred] & on,
                        .origin = w->undefined->pred_origin[pred],
                        .pred = pred};
    if (part.lanes) {
        report(w, in, &uses[bit], &part);
    }
}

/* A branch goes nowhere in lanes whose second predicate is false, whatever the first one is. */
static uint32_t may_branch(const struct wb_warp *w, const struct wb_insn *in,
                           const struct wb_undefined_row *row)
{
    bool second = row->uses & BRANCH_PS;
    uint32_t flip = in->ps.negate ? WB_ALL_LANES : 0;
    return second ? (w->pred[in->ps.index] ^ flip) | w->undefined->pred[in->ps.index]
                  : WB_ALL_LANES;
}

void wb_undefined_report(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const struct wb_undefined_row *row = wb_undefined_row(in->op);
    for (unsigned rest = row->uses; rest; rest &= rest - 1) {
        unsigned bit = wb_lowest_lane(rest);
        struct wb_operand d = {.row = in->d, .space = WB_SPACE_WARP};
        switch (uses[bit].operand) {
        case OPERAND_A:
            look_at_rows(w, in, on, bit, in->a, wb_undefined_width(in, row->a));
            break;
        case OPERAND_B:
            look_at_rows(w, in, on, bit, in->b, wb_undefined_width(in, row->b));
            break;
        case OPERAND_C:
            look_at_rows(w, in, on, bit, in->c, wb_undefined_width(in, row->c));
            break;
        case OPERAND_D:
            look_at_rows(w, in, on, bit, d, 1);
            break;
        case OPERAND_PS:
            look_at_pred(w, in, on, bit, in->ps.index);
            break;
        default:
            look_at_pred(w, in, (w->active | in->all_if_any) & may_branch(w, in, row), bit,
                         in->guard);
        }
    }
}
