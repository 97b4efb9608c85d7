/* SPDX-License-Identifier: MIT
 * Decoder of 128-bit words. A row of inst.def names operands and modifiers; each operand has one
 * function here that reads it and marks its bits as explained. A word with bits left over is not
 * known, so a modifier that nobody has thought of is never ignored.
 */
#include "inst_table.h"

#include <string.h>

struct decoder {
    struct wb_word word, known; /* known: bits that have been read */
    struct wb_program *program;
    struct wb_arena *arena;
    size_t pool_capacity, const_capacity;
    const struct wb_inst_row *row;
    struct wb_insn *in;
};

/* Reads a field and marks it as explained. */
static uint32_t bits(struct decoder *d, unsigned low, unsigned width)
{
    uint64_t mask = (UINT64_C(1) << width) - 1;
    if (low >= 64) {
        d->known.high |= mask << (low - 64);
        return (uint32_t)(d->word.high >> (low - 64) & mask);
    }
    uint64_t value = d->word.low >> low;
    d->known.low |= mask << low;
    if (low + width > 64) {
        d->known.high |= mask >> (64 - low);
        value |= d->word.high << (64 - low);
    }
    return (uint32_t)(value & mask);
}

static int32_t sign_extend(uint32_t value, unsigned width)
{
    return (int32_t)(value << (32 - width)) >> (32 - width);
}

/* ---- operands ------------------------------------------------------------------------------ */

static struct wb_operand warp_row(unsigned row)
{
    return (struct wb_operand){.row = row, .space = WB_SPACE_WARP};
}

static struct wb_operand read_register(struct decoder *d, unsigned low)
{
    unsigned r = bits(d, low, 8);
    return warp_row(r == 255 ? WB_ROW_ZERO : r);
}

static struct wb_operand read_uniform(struct decoder *d, unsigned low)
{
    unsigned r = bits(d, low, 6);
    return warp_row(r == 63 ? WB_ROW_ZERO : WB_ROW_UNIFORM + r);
}

static struct wb_operand read_source(struct decoder *d, unsigned low)
{
    return d->row->operands & U ? read_uniform(d, low) : read_register(d, low);
}

/* A row of the pool that holds `value` in every lane. */
static struct wb_operand pool_row(struct decoder *d, uint32_t value)
{
    struct wb_program *p = d->program;
    p->pool = wb_arena_grow(d->arena, p->pool, &d->pool_capacity, p->pool_count, sizeof *p->pool);
    for (int i = 0; i < WB_LANES; i++) {
        p->pool[p->pool_count][i] = value;
    }
    return (struct wb_operand){.row = (uint32_t)p->pool_count++, .space = WB_SPACE_POOL};
}

static bool has_modifier(const struct wb_inst_row *row, unsigned modifier)
{
    return memchr(row->modifiers, (int)modifier, sizeof row->modifiers) != NULL;
}

static struct wb_operand read_immediate(struct decoder *d)
{
    uint32_t value = bits(d, 32, 32);
    if (has_modifier(d->row, F64)) {
        struct wb_operand low = pool_row(d, 0);
        pool_row(d, value);
        return low;
    }
    return pool_row(d, value);
}

static struct wb_operand read_constant(struct decoder *d)
{
    unsigned offset = bits(d, 38, 16), bank = bits(d, 54, 5);
    struct wb_program *p = d->program;
    unsigned words = has_modifier(d->row, F64) ? 2 : 1;
    struct wb_operand first = {0};
    for (unsigned i = 0; i < words; i++) {
        struct wb_operand row = pool_row(d, 0);
        first = i ? first : row;
        p->consts = wb_arena_grow(d->arena, p->consts, &d->const_capacity, p->const_count,
                                  sizeof *p->consts);
        p->consts[p->const_count++] = (struct wb_pool_const){
            .row = row.row, .bank = (uint8_t)bank, .offset = (uint16_t)(offset + 4 * i)};
    }
    return first;
}

/* Slots: the two places of the word that hold B and C. Their sign bits belong to the slot. */
enum slot { SLOT_32, SLOT_64 };

static enum slot slot_of_b(unsigned form)
{
    return form == 2 || form == 3 || form == 7 ? SLOT_64 : SLOT_32;
}

/* What form `form` has in [63:32]; SLOT_64 is always a register. */
static struct wb_operand read_slot(struct decoder *d, enum slot slot, unsigned form)
{
    if (slot == SLOT_64) {
        return read_source(d, 64);
    }
    switch (form) {
    case 2:
    case 4:
        return read_immediate(d);
    case 3:
    case 5:
        return read_constant(d);
    case 6:
    case 7:
        return read_uniform(d, 32);
    default:
        return read_source(d, 32);
    }
}

/* Sign bits of an operand; `half` opcodes have them elsewhere and a swizzle beside them. */
static void read_signs(struct decoder *d, unsigned operand, enum slot slot, bool negate,
                       bool absolute, bool half)
{
    static const uint8_t neg_bit[2][2] = {{63, 75}, {63, 84}};
    static const uint8_t abs_bit[2][2] = {{62, 74}, {62, 83}};
    static const uint8_t swizzle_bit[2] = {60, 81};
    if ((negate || half) && bits(d, neg_bit[half][slot], 1)) {
        d->in->neg |= (uint8_t)operand;
    }
    if ((absolute || half) && bits(d, abs_bit[half][slot], 1)) {
        d->in->abs |= (uint8_t)operand;
    }
    if (half) {
        d->in->swizzle[operand >> 1] = (uint8_t)bits(d, swizzle_bit[slot], 2);
    }
}

static void read_b_or_c(struct decoder *d, unsigned operand, enum slot slot, unsigned form)
{
    const struct wb_inst_row *row = d->row;
    struct wb_operand *to = operand == WB_B ? &d->in->b : &d->in->c;
    bool b = operand == WB_B;
    *to = read_slot(d, slot, form);
    if (slot == SLOT_32 && (form == 2 || form == 4)) {
        return; /* an immediate has no sign bits */
    }
    read_signs(d, operand, slot, has_modifier(row, b ? NB : NC), has_modifier(row, b ? AB : AC),
               has_modifier(row, HALF));
}

static void read_a(struct decoder *d)
{
    d->in->a = read_source(d, 24);
    if (has_modifier(d->row, NA) && bits(d, 72, 1)) {
        d->in->neg |= WB_A;
    }
    if (has_modifier(d->row, AA) && bits(d, 73, 1)) {
        d->in->abs |= WB_A;
    }
    if (has_modifier(d->row, HALF)) {
        d->in->swizzle[0] = (uint8_t)bits(d, 74, 2);
    }
}

static void read_sources(struct decoder *d, unsigned form)
{
    uint32_t operands = d->row->operands;
    enum slot b = slot_of_b(form), c = b == SLOT_32 ? SLOT_64 : SLOT_32;
    if (operands & A) {
        read_a(d);
    }
    if (operands & UA) {
        d->in->a = read_uniform(d, 24);
    }
    if (operands & B) {
        read_b_or_c(d, WB_B, b, form);
    }
    if (operands & C) {
        read_b_or_c(d, WB_C, c, form);
    }
    if (operands & BC) {
        read_b_or_c(d, WB_B, SLOT_32, form);
    }
    if (operands & DB) {
        d->in->b = read_source(d, 32);
    }
    if (operands & UDBC) {
        d->in->b = read_uniform(d, 32);
        d->in->c = read_uniform(d, 64);
    }
    if (operands & DC) {
        d->in->b = read_register(d, 64);
    }
    if (operands & DC2) {
        d->in->c = read_register(d, 64);
    }
}

static void read_result(struct decoder *d)
{
    uint32_t operands = d->row->operands;
    bool uniform = operands & (U | UD);
    if (operands & (D | UD)) {
        unsigned r = bits(d, 16, uniform ? 6 : 8), none = uniform ? 63 : 255;
        d->in->d = (uint16_t)(r == none ? WB_ROW_TRASH : uniform ? WB_ROW_UNIFORM + r : r);
    }
    if (has_modifier(d->row, D2)) {
        d->in->imm2 = (int32_t)bits(d, 64, 8); /* RZ: WB_ROW_TRASH */
    }
}

/* ---- predicates ---------------------------------------------------------------------------- */

static struct wb_pred read_pred(struct decoder *d, unsigned low, unsigned negate_bit)
{
    bool is_uniform = d->row->operands & (U | UDBC);
    unsigned p = bits(d, low, 3), uniform = is_uniform ? WB_PRED_UNIFORM : 0;
    return (struct wb_pred){.index = (uint8_t)(p == 7 ? WB_PRED_TRUE : p + uniform),
                            .negate = bits(d, negate_bit, 1)};
}

static uint8_t read_pred_result(struct decoder *d, unsigned low, bool uniform)
{
    unsigned p = bits(d, low, 3);
    return (uint8_t)(p == 7 ? WB_PRED_TRASH : p + (uniform ? WB_PRED_UNIFORM : 0));
}

static void read_predicates(struct decoder *d)
{
    struct wb_insn *in = d->in;
    uint32_t operands = d->row->operands;
    struct wb_pred guard = read_pred(d, 12, 15);
    in->guard = guard.index;
    in->guard_flip = guard.negate ? WB_ALL_LANES : 0;
    in->all_if_any = operands & U ? WB_ALL_LANES : 0;
    in->ps = in->pt = in->pu = (struct wb_pred){.index = WB_PRED_TRUE};
    in->pd = in->pe = WB_PRED_TRASH;
    if (operands & (PD | UPD)) {
        in->pd = read_pred_result(d, 81, operands & (U | UPD));
    }
    if (operands & PE) {
        in->pe = read_pred_result(d, 84, operands & U);
    }
    if (operands & PS) {
        in->ps = read_pred(d, 87, 90);
    }
    if (operands & PT) {
        in->pt = read_pred(d, 77, 80);
    }
    if (has_modifier(d->row, UP24)) {
        in->ps = read_pred(d, 24, 27);
        in->ps.index =
            (uint8_t)(in->ps.index + (in->ps.index < WB_PRED_TRUE ? WB_PRED_UNIFORM : 0));
    }
    if (operands & PU) {
        in->pu = read_pred(d, 68, 71);
        bool is_uniform =
            wb_may_be_uniform(d->row) && bits(d, 67, 1) && in->pu.index < WB_PRED_TRUE;
        in->pu.index = (uint8_t)(in->pu.index + (is_uniform ? WB_PRED_UNIFORM : 0));
    }
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void read_fields(struct decoder *d)
{
    for (int i = 0; i < MAX_MODIFIERS; i++) {
        unsigned m = d->row->modifiers[i];
        if (m > NO_FIELD && m < FIELD_COUNT) {
            const struct wb_inst_field *f = &wb_inst_fields[m];
            ((uint8_t *)d->in)[f->offset] = (uint8_t)bits(d, f->low, f->width > 31 ? 31 : f->width);
            if (f->width > 31) {
                bits(d, f->low + 31, f->width - 31);
            }
        }
    }
}

/* The uniform register of an address takes part when bit 91 says so. */
static void read_uniform_address(struct decoder *d, unsigned low)
{
    d->in->c = read_uniform(d, low);
    d->in->has_uniform = bits(d, 91, 1);
    bits(d, low + 6, 2);
}

/* A 64-bit address without a descriptor: bit 91 adds a uniform pair, where the descriptor's would
 * be, and bit 90 says whether the register beside it is a pair as well. */
static void read_uniform_pair(struct decoder *d)
{
    const struct wb_inst_row *row = d->row;
    bool possible = has_modifier(row, DESC76) && has_modifier(row, DESC90);
    if (possible && bits(d, 91, 1) && !bits(d, 76, 1)) {
        d->in->c = read_uniform(d, has_modifier(row, DESC32) ? 32 : 64);
        d->in->has_uniform = true;
        d->in->narrow_a = !bits(d, 90, 1);
    }
}

static void read_branch(struct decoder *d, uint32_t index)
{
    int64_t offset = (int64_t)((uint64_t)bits(d, 34, 30) << 8 | bits(d, 16, 8));
    offset |= (int64_t)((uint64_t)bits(d, 64, 18) << 38);
    offset = (int64_t)((uint64_t)offset << 8) >> 8; /* 56 bits, in units of 4 bytes */
    int64_t target = (int64_t)index + 1 + (offset >> 2);
    bool inside = target >= 0 && target <= UINT32_MAX && offset % 4 == 0;
    d->in->target = inside ? (uint32_t)target : UINT32_MAX;
}

static void read_shfl(struct decoder *d, unsigned form)
{
    bool lane_immediate = form == 4 || form == 7, clamp_immediate = form == 2 || form == 7;
    if (form == 4) { /* 989: lane immediate, clamp register */
        d->in->b = pool_row(d, bits(d, 53, 5));
        d->in->c = read_register(d, 64);
        return;
    }
    d->in->b = lane_immediate ? pool_row(d, bits(d, 53, 5)) : read_register(d, 32);
    d->in->c = clamp_immediate ? pool_row(d, bits(d, 40, 13)) : read_register(d, 64);
}

static void read_special(struct decoder *d, unsigned form, uint32_t index)
{
    struct wb_insn *in = d->in;
    uint32_t operands = d->row->operands;
    if (operands & LUTP) {
        in->lut = (uint8_t)(bits(d, 72, 5) << 3 | bits(d, 64, 3));
    }
    if (operands & IMM32) {
        in->imm = (int32_t)bits(d, 32, 32);
    }
    if (operands & OFF24) {
        in->imm = sign_extend(bits(d, 40, 24), 24);
    }
    if (operands & OFF_PC) {
        in->imm = (int32_t)bits(d, 24, 32) + (int32_t)(index + 1) * 16;
    }
    if (operands & CONST) {
        in->imm = sign_extend(bits(d, 38, 16), 16);
        in->sub = (uint8_t)bits(d, 54, 5);
    }
    if (operands & (URB | URC)) {
        read_uniform_address(d, operands & URB ? 32 : 64);
    }
    read_uniform_pair(d);
    if (has_modifier(d->row, HANDLE)) {
        in->c = read_uniform(d, 40);
    }
    if (operands & SHFL_BC) {
        read_shfl(d, form);
    }
    if (operands & BRANCH) {
        read_branch(d, index);
    }
    if (has_modifier(d->row, UP24) && (d->word.high >> 23 & 15) == 7) {
        bits(d, 87, 4); /* no second condition beside it */
    }
    if (operands & (BREG16 | BREG24)) {
        in->barrier = (uint8_t)bits(d, operands & BREG16 ? 16 : 24, 4);
    }
    if (operands & BAR_IMM) {
        in->barrier = (uint8_t)bits(d, 54, 4);
    }
    if (operands & (BAR_IMM | BAR_COUNT)) {
        in->imm = (int32_t)bits(d, 42, 12);
    }
    if (operands & LDGSTS_ADDR) {
        in->d = (uint16_t)read_register(d, 16).row; /* read, not written: RZ is zero here */
        in->a = read_register(d, 24);
        in->imm = sign_extend(bits(d, 32, 12), 12);
        in->imm2 = (int32_t)bits(d, 44, 20);
    }
}

static struct wb_word unexplained(const struct decoder *d)
{
    if (d->row && has_modifier(d->row, OPAQUE)) {
        return (struct wb_word){0, 0};
    }
    return (struct wb_word){d->word.low & ~d->known.low, d->word.high & ~d->known.high};
}

/* May a uniform register take part? Beside an address it has to be a descriptor. */
static bool takes_uniform(struct decoder *d, unsigned form)
{
    const struct wb_inst_row *row = d->row;
    if (has_modifier(row, DESC76)) {
        return bits(d, 76, 1);
    }
    return form >= 6 || row->operands & (U | UA | UD) || has_modifier(row, DESC64) ||
           has_modifier(row, UP24);
}

/* Fills in->*, and leaves in `d` which bits were explained. */
static void decode_one(struct decoder *d, uint32_t index)
{
    enum wb_op op = wb_inst_find(d->word);
    d->known = (struct wb_word){0xfff, 0};
    d->in->op = (uint16_t)op;
    d->in->guard = WB_PRED_TRUE;
    d->in->a = d->in->b = d->in->c = warp_row(WB_ROW_ZERO); /* those that the row does not have */
    if (op == WB_OP_UNKNOWN) {
        return;
    }
    d->row = &wb_inst_rows[op];
    unsigned form = d->word.low >> 9 & 7;
    bits(d, 105, 21); /* scheduling: stalls, scoreboards, reuse flags */
    if (d->row->when != ANY) {
        bits(d, d->row->when & 0xff, d->row->when >> 8 & 0xff);
    }
    if (takes_uniform(d, form)) {
        bits(d, 91, 1);
    }
    read_predicates(d);
    if (has_modifier(d->row, OPAQUE)) {
        return;
    }
    read_fields(d);
    read_result(d);
    read_sources(d, form);
    read_special(d, form, index);
    struct wb_word rest = unexplained(d);
    if (rest.low | rest.high) {
        d->in->op = WB_OP_UNKNOWN;
    }
}

static bool touches_local(enum wb_op op)
{
    return op == WB_OP_LDL || op == WB_OP_STL || op == WB_OP_STL_UR || op == WB_OP_CALL_ABS;
}

/* Calls a system function: what is printed or allocated depends on the blocks before. */
static bool needs_order(const struct wb_insn *in)
{
    return in->op == WB_OP_CALL_ABS;
}

/* Does it load the word of constant bank 0 that says where cooperative groups have their part of
 * shared memory? */
static bool asks_for_groups(const struct wb_insn *in)
{
    enum { PLACE = 0x6c };
    bool loads = in->op == WB_OP_LDC || in->op == WB_OP_ULDC;
    return loads && in->sub == 0 && in->imm == PLACE;
}

struct wb_word wb_load_word(const uint8_t bytes[16])
{
    struct wb_word word = {0, 0};
    for (int i = 0; i < 8; i++) {
        word.low |= (uint64_t)bytes[i] << 8 * i;
        word.high |= (uint64_t)bytes[8 + i] << 8 * i;
    }
    return word;
}

void wb_decode(struct wb_program *program, struct wb_arena *arena, const uint8_t *code, size_t size,
               wb_exec_fn *const table[WB_OP_ALL])
{
    uint32_t count = (uint32_t)(size / 16);
    *program = (struct wb_program){
        .code = wb_arena_alloc(arena, (count + 1) * sizeof *program->code), .count = count};
    struct decoder d = {.program = program, .arena = arena};
    for (uint32_t i = 0; i < count; i++) {
        d.word = wb_load_word(code + (size_t)i * 16);
        d.in = &program->code[i];
        decode_one(&d, i);
        d.in->exec = table[d.in->op];
        program->uses_local = program->uses_local || touches_local((enum wb_op)d.in->op);
        program->uses_groups = program->uses_groups || asks_for_groups(d.in);
        program->needs_order = program->needs_order || needs_order(d.in);
    }
    program->code[count] =
        (struct wb_insn){.op = WB_OP_END, .exec = table[WB_OP_END], .guard = WB_PRED_TRUE};
    for (uint32_t i = 0; i < count; i++) {
        if (program->code[i].target > count) {
            program->code[i].target = count;
        }
    }
}

struct wb_word wb_decode_unexplained(struct wb_word word)
{
    struct wb_arena arena;
    wb_arena_init(&arena);
    struct wb_program program = {0};
    struct wb_insn in = {0};
    struct decoder d = {.word = word, .program = &program, .arena = &arena, .in = &in};
    decode_one(&d, 0);
    wb_arena_finish(&arena);
    struct wb_word all = {UINT64_MAX, UINT64_MAX};
    return in.op == WB_OP_UNKNOWN && wb_inst_find(word) == WB_OP_UNKNOWN ? all : unexplained(&d);
}
