/* SPDX-License-Identifier: MIT
 * Operands as text. The quirks are NVIDIA's: some immediates are signed and some are not, an
 * infinite one has a blank behind it, a constant at offset 0 names RZ if its address had a
 * register.
 */
#include "disasm_operand.h"

#include "disasm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

unsigned wb_text_bits(const struct wb_text *t, unsigned low, unsigned width)
{
    uint64_t mask = (UINT64_C(1) << width) - 1;
    if (low >= 64) {
        return (unsigned)(t->word.high >> (low - 64) & mask);
    }
    uint64_t value = t->word.low >> low;
    if (low + width > 64) {
        value |= t->word.high << (64 - low);
    }
    return (unsigned)(value & mask);
}

static bool has(const struct wb_text *t, unsigned modifier)
{
    return memchr(t->row->modifiers, (int)modifier, sizeof t->row->modifiers) != NULL;
}

static int64_t sign_extend(uint64_t value, unsigned width)
{
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

static void add_hex(struct wb_text *t, int64_t value)
{
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    wb_str_printf(t->out, "%s0x%" PRIx64, value < 0 ? "-" : "", magnitude);
}

/* ---- registers ------------------------------------------------------------------------------- */

static void add_register(struct wb_text *t, unsigned low)
{
    unsigned r = wb_text_bits(t, low, 8);
    if (r == 255) {
        wb_str_add(t->out, "RZ");
    } else {
        wb_str_printf(t->out, "R%u", r);
    }
}

static void add_uniform(struct wb_text *t, unsigned low)
{
    unsigned r = wb_text_bits(t, low, 6);
    if (r == 63) {
        wb_str_add(t->out, "URZ");
    } else {
        wb_str_printf(t->out, "UR%u", r);
    }
}

static bool add_register_or_uniform(struct wb_text *t, unsigned low, uint32_t uniform)
{
    if (t->row->operands & uniform) {
        add_uniform(t, low);
    } else {
        add_register(t, low);
    }
    return true;
}

bool wb_text_d(struct wb_text *t, bool optional)
{
    bool none =
        t->row->operands & (U | UD) ? wb_text_bits(t, 16, 6) == 63 : wb_text_bits(t, 16, 8) == 255;
    return !(optional && none) && add_register_or_uniform(t, 16, U | UD);
}

bool wb_text_data(struct wb_text *t, bool optional)
{
    bool none = optional && wb_text_bits(t, 32, 8) == 255;
    if (!none) {
        add_register(t, 32);
    }
    return !none;
}

bool wb_text_datac(struct wb_text *t, bool optional)
{
    (void)optional;
    add_register(t, 64);
    return true;
}

bool wb_text_ur(struct wb_text *t, bool optional)
{
    bool takes_part = wb_text_bits(t, 91, 1);
    if (takes_part) {
        add_uniform(t, 24);
    }
    return takes_part || !optional;
}

/* ---- predicates ------------------------------------------------------------------------------ */

void wb_text_predicate(struct wb_text *t, unsigned low, unsigned negate_bit)
{
    unsigned p = wb_text_bits(t, low, 3);
    const char *negate = negate_bit && wb_text_bits(t, negate_bit, 1) ? "!" : "";
    bool is_uniform = t->row->operands & (U | UDBC) || (low == 24 && has(t, UP24)) ||
                      (low == 68 && wb_may_be_uniform(t->row) && wb_text_bits(t, 67, 1));
    const char *uniform = is_uniform ? "U" : "";
    if (p == 7) {
        wb_str_printf(t->out, "%s%sPT", negate, uniform);
    } else {
        wb_str_printf(t->out, "%s%sP%u", negate, uniform, p);
    }
}

static bool add_predicate(struct wb_text *t, unsigned low, unsigned negate_bit, bool optional)
{
    bool is_default = wb_text_bits(t, low, 3) == 7;
    if (optional && is_default &&
        !(negate_bit && t->row->operands & BRANCH && wb_text_bits(t, negate_bit, 1))) {
        return false;
    }
    wb_text_predicate(t, low, negate_bit);
    return true;
}

bool wb_text_pd(struct wb_text *t, bool optional)
{
    if (t->row->operands & UPD) {
        unsigned p = wb_text_bits(t, 81, 3);
        wb_str_printf(t->out, p == 7 ? "UPT" : "UP%u", p);
        return true;
    }
    return add_predicate(t, 81, 0, optional);
}

bool wb_text_pe(struct wb_text *t, bool optional)
{
    return add_predicate(t, 84, 0, optional);
}

bool wb_text_ps(struct wb_text *t, bool optional)
{
    return add_predicate(t, 87, 90, optional);
}

bool wb_text_pt(struct wb_text *t, bool optional)
{
    return add_predicate(t, 77, 80, optional);
}

bool wb_text_up(struct wb_text *t, bool optional)
{
    return add_predicate(t, 24, 27, optional);
}

bool wb_text_pu(struct wb_text *t, bool optional)
{
    return add_predicate(t, 68, 71, optional);
}

/* Ps where it is an operand only with .X. */
bool wb_text_carry(struct wb_text *t, bool optional)
{
    (void)optional;
    return wb_text_bits(t, 74, 1) && add_predicate(t, 87, 90, false);
}

/* ---- sources --------------------------------------------------------------------------------- */

/* Up to 20 digits; a large number always has 20 behind its point. A NaN is `quiet` or not. */
static void add_number(struct wb_text *t, double value, bool quiet)
{
    if (value != value) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        wb_str_printf(t->out, "%c%cNAN ", bits >> 63 ? '-' : '+', quiet ? 'Q' : 'S');
    } else if (value - value != 0) {
        wb_str_printf(t->out, "%cINF ", value < 0 ? '-' : '+');
    } else if (value == 0 && signbit(value)) {
        wb_str_add(t->out, "-0.0 ");
    } else {
        wb_str_printf(t->out, fabs(value) >= 1e9 ? "%.20e" : "%.20g", value);
    }
}

static double from_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double from_half(unsigned bits)
{
    unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
    if (exponent == 0) {
        double tiny = fraction * 0x1p-24;
        return sign ? -tiny : tiny;
    }
    return from_float(sign | (exponent == 31 ? 255u : exponent + 112) << 23 | fraction << 13);
}

static void add_half(struct wb_text *t, unsigned bits)
{
    bool bf16 =
        (has(t, BF16_85) && wb_text_bits(t, 85, 1)) || (has(t, BF16_65) && wb_text_bits(t, 65, 1));
    unsigned quiet = bf16 ? 0x40 : 0x200;
    add_number(t, bf16 ? from_float((uint32_t)bits << 16) : from_half(bits), bits & quiet);
}

/* Does MUFU take the high word of a double? */
static bool is_high_word(const struct wb_text *t)
{
    unsigned operation = wb_text_bits(t, 74, 6);
    return has(t, SUB74) && (operation == 6 || operation == 7);
}

static void add_immediate(struct wb_text *t)
{
    uint32_t value = wb_text_bits(t, 32, 32);
    if (has(t, HALF)) {
        add_half(t, value >> 16);
        wb_str_add(t->out, ", ");
        add_half(t, value & 0xffff);
    } else if (has(t, F64) || is_high_word(t)) {
        uint64_t bits = (uint64_t)value << 32;
        double number;
        memcpy(&number, &bits, sizeof number);
        add_number(t, number, value >> 19 & 1);
    } else if (has(t, FLOAT)) {
        add_number(t, from_float(value), value >> 22 & 1);
    } else {
        add_hex(t, has(t, SIMM) ? (int64_t)(int32_t)value : (int64_t)value);
    }
}

static void add_bank(struct wb_text *t, int64_t offset, bool with_register)
{
    wb_str_printf(t->out, "c[0x%x][", wb_text_bits(t, 54, 5));
    bool none = wb_text_bits(t, 24, 8) == 255;
    if (with_register && (!none || offset == 0)) {
        add_register_or_uniform(t, 24, U);
        if (offset != 0) {
            wb_str_add(t->out, "+");
        }
    }
    if (offset != 0 || !with_register) {
        add_hex(t, offset);
    }
    wb_str_add(t->out, "]");
}

struct signs {
    bool negate, absolute, reuse;
    int swizzle; /* -1: the operand has none */
};

static void add_signed_register(struct wb_text *t, const struct signs *s, unsigned low,
                                bool uniform)
{
    static const char *const swizzles[] = {"", ".F32", ".H0_H0", ".H1_H1"};
    bool invert = has(t, INVERT) || (has(t, X74) && wb_text_bits(t, 74, 1));
    wb_str_add(t->out, s->negate ? invert ? "~" : "-" : "");
    wb_str_add(t->out, s->absolute ? "|" : "");
    if (uniform) {
        add_uniform(t, low);
    } else {
        add_register(t, low);
    }
    wb_str_add(t->out, s->absolute ? "|" : "");
    wb_str_add(t->out, s->reuse ? ".reuse" : "");
    wb_str_add(t->out, has(t, SIGN) ? ".SIGN" : "");
    if (s->swizzle >= 0) {
        wb_str_add(t->out, swizzles[s->swizzle]);
    }
}

bool wb_text_a(struct wb_text *t, bool optional)
{
    bool half = has(t, HALF), uniform = t->row->operands & (U | UA);
    if (optional && wb_text_bits(t, 24, 8) == 255) {
        return false;
    }
    struct signs s = {
        .negate = has(t, NA) && wb_text_bits(t, 72, 1),
        .absolute = has(t, AA) && wb_text_bits(t, 73, 1),
        .reuse = !uniform && wb_text_bits(t, 122, 1),
        .swizzle = half ? (int)wb_text_bits(t, 74, 2) : -1,
    };
    add_signed_register(t, &s, 24, uniform);
    return true;
}

/* The place [39:32] of the word, or [71:64]. `reuse` is the operand's flag. */
static void add_slot(struct wb_text *t, bool second, unsigned negate, unsigned absolute,
                     unsigned reuse)
{
    static const uint8_t neg_bit[2][2] = {{63, 75}, {63, 84}};
    static const uint8_t abs_bit[2][2] = {{62, 74}, {62, 83}};
    bool half = has(t, HALF), uniform = t->row->operands & U || (!second && t->form >= 6);
    if (!second && (t->form == 2 || t->form == 4)) {
        add_immediate(t);
        return;
    }
    struct signs s = {
        .negate = (half || has(t, negate)) && wb_text_bits(t, neg_bit[half][second], 1),
        .absolute = (half || has(t, absolute)) && wb_text_bits(t, abs_bit[half][second], 1),
        .reuse = !uniform && wb_text_bits(t, reuse, 1),
        .swizzle = half ? (int)wb_text_bits(t, second ? 81 : 60, 2) : -1,
    };
    if (!second && (t->form == 3 || t->form == 5)) {
        wb_str_add(t->out, s.negate ? "-" : "");
        wb_str_add(t->out, s.absolute ? "|" : "");
        add_bank(t, wb_text_bits(t, 38, 16), false);
        wb_str_add(t->out, s.absolute ? "|" : "");
        wb_str_add(t->out, has(t, SIGN) ? ".SIGN" : "");
        return;
    }
    add_signed_register(t, &s, second ? 64 : 32, uniform);
}

static bool b_is_second(const struct wb_text *t)
{
    return t->form == 2 || t->form == 3 || t->form == 7;
}

bool wb_text_b(struct wb_text *t, bool optional)
{
    (void)optional;
    bool last = t->row->operands & BC; /* a second source in the third's place */
    add_slot(t, !last && b_is_second(t), NB, AB, last ? 124 : 123);
    if (has(t, HALF60) && wb_text_bits(t, 60, 2)) {
        wb_str_printf(t->out, ".H%u", wb_text_bits(t, 60, 2));
    }
    wb_str_add(t->out, has(t, H1_88) ? ".H1" : "");
    return true;
}

bool wb_text_c(struct wb_text *t, bool optional)
{
    (void)optional;
    add_slot(t, !b_is_second(t), NC, AC, 124);
    if (has(t, SHIFT72) && wb_text_bits(t, 72, 2)) { /* I2IP: how far the rest moves up */
        static const char *const places[] = {"", "", ".24", ".28"};
        wb_str_add(t->out, places[wb_text_bits(t, 72, 2)]);
    }
    wb_str_add(t->out, has(t, H1_72) && wb_text_bits(t, 72, 1) ? ".H1" : "");
    return true;
}

/* Of F2FP: a is printed when two numbers are packed, c when the result is merged with it. */
bool wb_text_packa(struct wb_text *t, bool optional)
{
    bool packs = has(t, MERGE78) != wb_text_bits(t, 78, 1);
    return packs && wb_text_a(t, optional);
}

bool wb_text_packc(struct wb_text *t, bool optional)
{
    bool merges = has(t, MERGE78_FP8) || wb_text_bits(t, 78, 1);
    return merges && wb_text_c(t, optional);
}

/* A register of which one byte is meant. */
bool wb_text_byte(struct wb_text *t, bool optional)
{
    unsigned byte = wb_text_bits(t, 76, 2);
    wb_text_a(t, optional);
    if (byte) {
        wb_str_printf(t->out, ".B%u", byte);
    }
    return true;
}

/* Of UR2UP, unless it is all of a byte. */
bool wb_text_mask(struct wb_text *t, bool optional)
{
    bool is_all = t->form == 4 && wb_text_bits(t, 32, 32) == 0xff;
    return !(optional && is_all) && wb_text_b(t, optional);
}

/* Of the tensor instructions with .SP: where the zeros are. */
bool wb_text_sparse(struct wb_text *t, bool optional)
{
    (void)optional;
    if (!wb_text_bits(t, has(t, SP72) ? 72 : 73, 1)) {
        return false;
    }
    add_register(t, 40);
    wb_str_printf(t->out, ", 0x%x", wb_text_bits(t, 48, 2));
    return true;
}

/* C of LEA.HI, which .SX32 replaces by the sign. */
bool wb_text_high(struct wb_text *t, bool optional)
{
    return !wb_text_bits(t, 73, 1) && wb_text_c(t, optional);
}

/* Not 2^16, nor 2^31. */
static bool is_shift(uint32_t factor)
{
    return factor > 1 && factor < UINT32_C(1) << 31 && factor != 0x10000 &&
           !(factor & (factor - 1));
}

bool wb_text_alias(struct wb_text *t)
{
    if (t->row != &wb_inst_rows[WB_OP_IMAD]) {
        return false;
    }
    bool a_zero = wb_text_bits(t, 24, 8) == 255, c_zero = wb_text_bits(t, 64, 8) == 255;
    bool b_zero = t->form == 1 ? wb_text_bits(t, 32, 8) == 255 : c_zero;
    uint32_t value = wb_text_bits(t, 32, 32);
    const char *name = NULL;
    if ((t->form == 1 || t->form == 2) && a_zero && b_zero) {
        name = ".MOV";
    } else if (t->form == 4 && value == 1) {
        name = c_zero ? ".MOV" : ".IADD";
    } else if (t->form == 4 && c_zero && is_shift(value)) {
        name = ".SHL";
    }
    if (name) {
        wb_str_printf(t->out, "%s%s", name, wb_text_bits(t, 73, 1) ? "" : ".U32");
    }
    return name != NULL;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* "[R1.64+UR4+0x10]"; beside a uniform pair an RZ is shown only as "RZ.U32" */
static void add_address(struct wb_text *t, const char *suffix, int uniform, int64_t offset)
{
    const char *plus = "";
    wb_str_add(t->out, "[");
    if (wb_text_bits(t, 24, 8) != 255 || uniform < 0 || strcmp(suffix, ".U32") == 0) {
        add_register(t, 24);
        wb_str_add(t->out, suffix);
        plus = "+";
    }
    if (uniform >= 0) {
        wb_str_add(t->out, plus);
        add_uniform(t, (unsigned)uniform);
        plus = "+";
    }
    if (offset != 0) {
        wb_str_add(t->out, plus);
        add_hex(t, offset);
    }
    wb_str_add(t->out, "]");
}

/* "[UR4+0x10]" */
static void add_uniform_address(struct wb_text *t, unsigned low, int64_t offset)
{
    wb_str_add(t->out, "[");
    add_uniform(t, low);
    if (offset != 0) {
        wb_str_add(t->out, "+");
        add_hex(t, offset);
    }
    wb_str_add(t->out, "]");
}

bool wb_text_addr(struct wb_text *t, bool optional)
{
    (void)optional;
    uint32_t operands = t->row->operands;
    bool uniform = operands & (URB | URC) && wb_text_bits(t, 91, 1);
    int64_t offset = operands & IMM32 ? (int32_t)wb_text_bits(t, 32, 32)
                                      : sign_extend(wb_text_bits(t, 40, 24), 24);
    if (operands & U) { /* the register itself is uniform */
        add_uniform_address(t, 24, offset);
    } else {
        add_address(t, "", uniform ? operands & URB ? 32 : 64 : -1, offset);
    }
    return true;
}

/* Of mbarriers: with URZ if there is no uniform register. */
bool wb_text_syncs(struct wb_text *t, bool optional)
{
    (void)optional;
    add_address(t, "", 64, sign_extend(wb_text_bits(t, 40, 24), 24));
    return true;
}

/* In the shared memory of another block. */
bool wb_text_remote(struct wb_text *t, bool optional)
{
    (void)optional;
    bool uniform = wb_text_bits(t, 64, 6) != 63;
    add_address(t, ".64", uniform ? 64 : -1, sign_extend(wb_text_bits(t, 40, 24), 24));
    return true;
}

/* Addresses and size of a bulk copy. */
bool wb_text_ua(struct wb_text *t, bool optional)
{
    (void)optional;
    add_uniform_address(t, 24, 0);
    return true;
}

bool wb_text_ub(struct wb_text *t, bool optional)
{
    (void)optional;
    add_uniform_address(t, 32, 0);
    return true;
}

bool wb_text_uc(struct wb_text *t, bool optional)
{
    (void)optional;
    add_uniform(t, 64);
    return true;
}

bool wb_text_udata(struct wb_text *t, bool optional)
{
    (void)optional;
    add_uniform(t, 32);
    return true;
}

/* A global address; "desc[UR4]" before it where bit 91 says that a descriptor takes part. */
bool wb_text_desc(struct wb_text *t, bool optional)
{
    if (!wb_text_bits(t, 91, 1)) {
        return wb_text_addr(t, optional);
    }
    unsigned low = has(t, DESC32) ? 32 : 64;
    int64_t offset = sign_extend(wb_text_bits(t, 40, 24), 24);
    if (has(t, DESC76) && !wb_text_bits(t, 76, 1)) {
        bool narrow = has(t, DESC90) && !wb_text_bits(t, 90, 1);
        add_address(t, narrow ? ".U32" : ".64", (int)low, offset);
        return true;
    }
    wb_str_add(t->out, "desc[");
    add_uniform(t, low);
    wb_str_add(t->out, "]");
    add_address(t, ".64", -1, offset);
    return true;
}

bool wb_text_const(struct wb_text *t, bool optional)
{
    (void)optional;
    add_bank(t, sign_extend(wb_text_bits(t, 38, 16), 16), t->row->operands & A);
    return true;
}

/* The two addresses of LDGSTS. */
bool wb_text_shared(struct wb_text *t, bool optional)
{
    (void)optional;
    wb_str_add(t->out, "[");
    add_register(t, 16);
    unsigned offset = wb_text_bits(t, 44, 20);
    if (offset != 0) {
        wb_str_printf(t->out, "+0x%x", offset);
    }
    wb_str_add(t->out, "]");
    return true;
}

bool wb_text_global(struct wb_text *t, bool optional)
{
    (void)optional;
    if (wb_text_bits(t, 91, 1)) {
        wb_str_add(t->out, "desc[");
        add_uniform(t, 64);
        wb_str_add(t->out, "]");
    }
    add_address(t, wb_text_bits(t, 91, 1) ? ".64" : "", -1,
                sign_extend(wb_text_bits(t, 32, 12), 12));
    return true;
}

/* CCTL has an address unless it is for all lines. */
bool wb_text_cctl(struct wb_text *t, bool optional)
{
    unsigned operation = wb_text_bits(t, 87, 4);
    bool all = operation == 4 || (operation >= 6 && operation <= 8);
    if (!all) {
        add_address(t, "", -1, (int32_t)wb_text_bits(t, 32, 32));
    }
    return !all || !optional;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool add_field(struct wb_text *t, unsigned low, unsigned width)
{
    wb_str_printf(t->out, "0x%x", wb_text_bits(t, low, width));
    return true;
}

bool wb_text_lut(struct wb_text *t, bool optional)
{
    (void)optional;
    return add_field(t, 72, 8);
}

bool wb_text_lut2(struct wb_text *t, bool optional)
{
    (void)optional;
    return add_field(t, 16, 8);
}

bool wb_text_lutp(struct wb_text *t, bool optional)
{
    (void)optional;
    wb_str_printf(t->out, "0x%x", wb_text_bits(t, 72, 5) << 3 | wb_text_bits(t, 64, 3));
    return true;
}

bool wb_text_shift(struct wb_text *t, bool optional)
{
    (void)optional;
    return add_field(t, 75, 5);
}

bool wb_text_imm(struct wb_text *t, bool optional)
{
    (void)optional;
    return add_field(t, 32, 32);
}

/* Of BPT: what the breakpoint is for. */
bool wb_text_code(struct wb_text *t, bool optional)
{
    return !(optional && wb_text_bits(t, 34, 20) == 0) && add_field(t, 34, 20);
}

/* A register in form 1, else [63:32]. */
bool wb_text_time(struct wb_text *t, bool optional)
{
    return t->form == 1 ? wb_text_data(t, optional) : add_field(t, 32, 32);
}

bool wb_text_lane(struct wb_text *t, bool optional)
{
    bool immediate = t->form == 4 || t->form == 7;
    return immediate ? add_field(t, 53, 5) : wb_text_data(t, optional);
}

bool wb_text_clamp(struct wb_text *t, bool optional)
{
    bool immediate = t->form == 2 || t->form == 7;
    return immediate ? add_field(t, 40, 13) : wb_text_datac(t, optional);
}

bool wb_text_sreg(struct wb_text *t, bool optional)
{
    (void)optional;
    wb_disassemble_special(t->out, wb_text_bits(t, 72, 8));
    return true;
}

/* ---- branches and barriers ------------------------------------------------------------------- */

/* Bytes from the next instruction. */
static int64_t branch_distance(const struct wb_text *t)
{
    uint64_t offset = (uint64_t)wb_text_bits(t, 34, 30) << 8 | wb_text_bits(t, 16, 8);
    return 4 * sign_extend(offset | (uint64_t)wb_text_bits(t, 64, 18) << 38, 56);
}

bool wb_text_target(struct wb_text *t, bool optional)
{
    (void)optional;
    add_hex(t, (int64_t)t->pc + 16 + branch_distance(t));
    return true;
}

bool wb_text_distance(struct wb_text *t, bool optional)
{
    (void)optional;
    add_hex(t, branch_distance(t));
    return true;
}

/* WARPSYNC has a target when it is COLLECTIVE. */
bool wb_text_collective(struct wb_text *t, bool optional)
{
    return wb_text_bits(t, 86, 1) && wb_text_target(t, optional);
}

bool wb_text_reconverge(struct wb_text *t, bool optional)
{
    (void)optional;
    add_hex(t, (int64_t)t->pc + 16 + 4 * sign_extend(wb_text_bits(t, 34, 30), 30));
    return true;
}

bool wb_text_address(struct wb_text *t, bool optional)
{
    (void)optional;
    add_hex(t, (int64_t)t->pc + 16 + (int32_t)wb_text_bits(t, 24, 32));
    return true;
}

bool wb_text_barrier(struct wb_text *t, bool optional)
{
    (void)optional;
    wb_str_printf(t->out, "B%u", wb_text_bits(t, t->row->operands & BREG16 ? 16 : 24, 4));
    return true;
}

bool wb_text_barid(struct wb_text *t, bool optional)
{
    (void)optional;
    return add_field(t, 54, 4);
}

bool wb_text_barcount(struct wb_text *t, bool optional)
{
    unsigned threads = wb_text_bits(t, 42, 12);
    return !(optional && threads == 0) && add_field(t, 42, 12);
}

/* Ps of BAR.RED. */
bool wb_text_vote(struct wb_text *t, bool optional)
{
    (void)optional;
    return wb_text_bits(t, 77, 2) == 2 && add_predicate(t, 87, 90, false);
}

bool wb_text_scoreboard(struct wb_text *t, bool optional)
{
    (void)optional;
    wb_str_printf(t->out, "SB%u", wb_text_bits(t, 44, 3));
    return true;
}

/* The set of scoreboards that DEPBAR without a count waits for. */
bool wb_text_scoreboards(struct wb_text *t, bool optional)
{
    (void)optional;
    const char *between = "{";
    for (int sb = 5; sb >= 0; sb--) {
        if (wb_text_bits(t, 32 + (unsigned)sb, 1)) {
            wb_str_printf(t->out, "%s%d", between, sb);
            between = ",";
        }
    }
    wb_str_add(t->out, between[0] == '{' ? "{}" : "}");
    return true;
}

bool wb_text_pending(struct wb_text *t, bool optional)
{
    (void)optional;
    return add_field(t, 38, 6);
}
