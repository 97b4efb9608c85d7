/* SPDX-License-Identifier: MIT
 * Undefined values: the kernels of fixtures/sass/undefined.cu, whose marks are the lines that are
 * to be named; the table of what handlers read and write against inst.def and against what the
 * handlers do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "guard.h"
#include "inst_table.h"
#include "sim.h"
#include "undefined_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 64 };

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    const char *source; /* undefined.cu */
    struct wb_guard_findings findings;
};

enum { ENGINES = 2 }; /* for any machine, the best that this one has */

static const struct wb_engine *engine(size_t i)
{
    return i == 0 ? &wb_exec_base_engine : wb_engine_choose();
}

/* The line of undefined.cu that has the mark. */
static unsigned marked_line(const struct fixture *fx, const char *what, const char *kernel)
{
    char text[64];
    snprintf(text, sizeof text, "%s: %s ", what, kernel);
    const char *at = strstr(fx->source, text);
    unsigned line = 1;
    assert_non_null(at);
    for (const char *c = fx->source; c < at; c++) {
        line += *c == '\n';
    }
    return line;
}

/* Runs a kernel with n of `threads` threads; every seventh value or so is odd. */
static void launch(struct fixture *fx, const struct wb_engine *with, const char *kernel,
                   unsigned threads, int n)
{
    static int32_t in[ELEMENTS], out[2 * ELEMENTS];
    struct wb_sim *sim;
    struct wb_status status = {0};
    struct wb_counters counters;
    struct wb_fault fault;
    assert_true(wb_sim_create(&sim, &status));
    sim->engine = with;
    assert_true(wb_sim_load(sim, fx->cubin, &status));
    for (int i = 0; i < ELEMENTS; i++) {
        in[i] = i * 37 % 11;
    }
    struct {
        uint64_t in, out;
        int n;
    } params = {wb_sim_map(sim, in, sizeof in, "in"), wb_sim_map(sim, out, sizeof out, "out"), n};
    fx->findings = (struct wb_guard_findings){0};
    struct wb_sim_launch launch = {.kernel = kernel,
                                   .grid = {1, 1, 1},
                                   .block = {threads, 1, 1},
                                   .params = &params,
                                   .param_size = 20,
                                   .step_limit = 100000,
                                   .findings = &fx->findings};
    assert_true(wb_sim_launch(&counters, &fault, &fx->arena, sim, &launch, &status));
    if (fault.kind != WB_REASON_NONE) {
        fail_msg("%s: %s", kernel, fault.message);
    }
    wb_sim_destroy(sim);
}

static void print_findings(const struct fixture *fx, const char *kernel)
{
    for (size_t i = 0; i < fx->findings.count; i++) {
        const struct wb_guard_finding *f = &fx->findings.items[i];
        print_message("# %s: lines %u, %u, %llu times: %s\n", kernel, f->line, f->other_line,
                      (unsigned long long)f->count, f->message);
    }
}

static void bad_kernels_are_found(void **state)
{
    struct fixture *fx = *state;
    static const struct {
        const char *kernel;
        unsigned threads;
        int n;
        const char *words; /* of the message */
    } rows[] = {
        {"bad_returned", 64, 40, "which has left the kernel"},
        {"bad_elsewhere", 64, 40, "which does not take part"},
        {"bad_missing", 40, 40, "which does not exist: the block has only 40 threads"},
        {"bad_index", 64, 40, "in an address"},
        {"bad_branch", 64, 40, "one way or the other"},
        {"bad_vote", 64, 40, "votes"},
        {"bad_atomic", 64, 40, "an atomic operation"},
        {"bad_double", 64, 40, "stores it"},
    };
    for (size_t e = 0; e < ENGINES; e++) {
        for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
            const char *kernel = rows[i].kernel;
            launch(fx, engine(e), kernel, rows[i].threads, rows[i].n);
            print_findings(fx, kernel);
            assert_int_not_equal(fx->findings.count, 0);
            for (size_t f = 0; f < fx->findings.count; f++) {
                const struct wb_guard_finding *finding = &fx->findings.items[f];
                if (finding->kind == WB_REASON_RACE) {
                    continue; /* bad_double: its threads store to one place */
                }
                assert_int_equal(finding->kind, WB_REASON_INACTIVE_LANE_READ);
                assert_int_equal(finding->line, marked_line(fx, "line", kernel));
                assert_int_equal(finding->other_line, marked_line(fx, "use", kernel));
                assert_non_null(strstr(finding->message, rows[i].words));
            }
        }
    }
}

static void right_kernels_are_silent(void **state)
{
    struct fixture *fx = *state;
    static const char *const kernels[] = {
        "good_guard_after", "good_select",      "good_joined", "good_first_lane",
        "good_votes",       "good_overwritten", "good_masked",
    };
    static const int sizes[] = {1, 8, 31, 32, 33, 40, 63, 64};
    for (size_t e = 0; e < ENGINES; e++) {
        for (size_t i = 0; i < WB_ARRAY_LENGTH(kernels); i++) {
            for (size_t k = 0; k < WB_ARRAY_LENGTH(sizes); k++) {
                launch(fx, engine(e), kernels[i], 64, sizes[k]);
                print_findings(fx, kernels[i]);
                assert_int_equal(fx->findings.count, 0);
            }
        }
        for (int n = 32; n <= 64; n *= 2) {
            launch(fx, engine(e), "good_partial_mask", 64, n);
            assert_int_equal(fx->findings.count, 0);
        }
        launch(fx, engine(e), "good_partial_mask", 64, 40);
        assert_int_equal(fx->findings.count, 0);
        launch(fx, engine(e), "good_tiles", 40, 40);
        assert_int_equal(fx->findings.count, 0);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Operands that inst.def names are in the row of the handler, and only those. */
static void the_table_covers_every_row(void **state)
{
    (void)state;
    for (unsigned op = 0; op < WB_OP_COUNT; op++) {
        const struct wb_inst_row *inst = &wb_inst_rows[op];
        const struct wb_undefined_row *row = wb_undefined_row(op);
        bool opaque = memchr(inst->modifiers, OPAQUE, sizeof inst->modifiers) != NULL;
        if (opaque) {
            continue;
        }
        bool written = inst->operands & (D | UD);
        if (written != (row->d != 0)) {
            fail_msg("%s: its result", inst->mnemonic);
        }
        if (row->a && op != WB_OP_ULDC && !(inst->operands & (A | UA | LDGSTS_ADDR))) {
            fail_msg("%s: operand a", inst->mnemonic);
        }
        if (row->spread == COMPUTES && (inst->operands & A) && !row->a &&
            !strstr(inst->mnemonic, "F2FP")) {
            fail_msg("%s: operand a is missing", inst->mnemonic);
        }
        if ((inst->operands & BRANCH) && !(row->uses & BRANCH_GUARD)) {
            fail_msg("%s: its guard", inst->mnemonic);
        }
    }
}

static uint64_t random_state = 1;

static uint32_t random_word(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 32);
}

enum { ROWS = 16, ROW_D = 12, CASES = 1000 };

/* One instruction of no kernel. */
struct lab {
    struct wb_kernel kernel;
    struct wb_program program;
    struct wb_run run;
    struct wb_cta cta;
    struct wb_fault fault;
    struct wb_undefined undefined;
    struct wb_warp *warp, *other;
    struct wb_insn in;
    uint8_t code[32];
};

static struct wb_pred random_pred(void)
{
    uint32_t r = random_word();
    return (struct wb_pred){.index = r & 1 ? WB_PRED_TRUE : r / 2 % 7, .negate = r >> 31};
}

/* Sources at R0, R4 and R8, results at R12 (or a uniform register); modifiers that some word may
 * have. */
static void make_insn(struct lab *lab, unsigned op)
{
    const struct wb_inst_row *inst = &wb_inst_rows[op];
    struct wb_insn *in = &lab->in;
    *in = (struct wb_insn){.op = (uint16_t)op, .exec = wb_exec_base_engine.table[op]};
    for (int i = 0; i < MAX_MODIFIERS; i++) {
        unsigned m = inst->modifiers[i];
        if (m > NO_FIELD && m < FIELD_COUNT) {
            const struct wb_inst_field *f = &wb_inst_fields[m];
            unsigned width = f->width < 8 ? f->width : 8;
            ((uint8_t *)in)[f->offset] = (uint8_t)(random_word() & ((1u << width) - 1));
        }
    }
    uint32_t zero = random_word();
    in->a = (struct wb_operand){.row = zero % 8 == 0 ? WB_ROW_ZERO : 0};
    in->b = (struct wb_operand){.row = zero % 8 == 1 ? WB_ROW_ZERO : 4};
    in->c = (struct wb_operand){.row = zero % 8 == 2 ? WB_ROW_ZERO : 8};
    in->d = wb_undefined_row(op)->spread == LOWEST ? WB_ROW_UNIFORM : ROW_D;
    in->ps = random_pred();
    in->pt = random_pred();
    in->pu = random_pred();
    in->pd = inst->operands & (PD | UPD) ? random_word() % 7 : WB_PRED_TRASH;
    in->pe = inst->operands & PE ? random_word() % 7 : WB_PRED_TRASH;
    in->guard = WB_PRED_TRUE;
    in->neg = random_word() % 8;
    in->abs = random_word() % 8;
    in->lut = inst->operands & LUTP ? (uint8_t)random_word() : in->lut;
}

static void fill(struct wb_warp *w)
{
    static const uint32_t special[] = {0, 1, 31, 0xffffffff, 0x80000000, 0x3f800000, 0x7fc00000};
    for (int i = 0; i < ROWS * WB_LANES; i++) {
        uint32_t r = random_word();
        w->reg[i / WB_LANES][i % WB_LANES] =
            r % 3 ? random_word() : special[r / 3 % WB_ARRAY_LENGTH(special)];
    }
    for (int p = 0; p < WB_PRED_TRUE; p++) {
        w->pred[p] = random_word();
    }
}

static bool runs(struct lab *lab, struct wb_warp *w, uint32_t on)
{
    lab->fault = (struct wb_fault){0};
    w->event = WB_EVENT_NONE;
    lab->in.exec(w, &lab->in, on);
    return lab->fault.kind == WB_REASON_NONE;
}

/* Lanes in which two rows differ. */
static uint32_t differing(const uint32_t *a, const uint32_t *b)
{
    uint32_t lanes = 0;
    for (int i = 0; i < WB_LANES; i++) {
        lanes |= (uint32_t)(a[i] != b[i]) << i;
    }
    return lanes;
}

/* Other values in the undefined lanes of one source: whatever changes must be undefined. */
static bool check_case(struct lab *lab, uint32_t on)
{
    struct wb_warp *w = lab->warp, *other = lab->other;
    uint32_t lanes = random_word();
    fill(w);
    memset(w->reg[WB_ROW_UNIFORM], 0, sizeof w->reg[0]);
    wb_undefined_start(&lab->undefined);
    memcpy(other, w, sizeof *w);
    other->rows[WB_SPACE_WARP] = (const uint32_t(*)[WB_LANES])other->reg;
    unsigned which = random_word() % (ROW_D + WB_PRED_TRUE);
    if (which < ROW_D) {
        wb_undefined_set_row(&lab->undefined, which, lanes, lanes, 0);
        for (int i = 0; i < WB_LANES; i++) {
            other->reg[which][i] = lanes >> i & 1 ? random_word() : w->reg[which][i];
        }
    } else {
        wb_undefined_set_pred(&lab->undefined, which - ROW_D, lanes, 0);
        other->pred[which - ROW_D] ^= lanes;
    }
    wb_undefined_step(w, &lab->in, on);
    if (!runs(lab, w, on) || !runs(lab, other, on)) {
        return false;
    }
    const struct wb_undefined *u = &lab->undefined;
    for (unsigned r = 0; r <= WB_ROW_UNIFORM; r++) {
        uint32_t missed = differing(w->reg[r], other->reg[r]) & ~u->row[r];
        if (missed && r != WB_ROW_TRASH) {
            fail_msg("%s: row %u of lanes 0x%x depends on source %u",
                     wb_inst_rows[lab->in.op].mnemonic, r, missed, which);
        }
    }
    for (unsigned p = 0; p < WB_PRED_TRUE; p++) {
        uint32_t missed = (w->pred[p] ^ other->pred[p]) & ~u->pred[p];
        if (missed) {
            fail_msg("%s: P%u of lanes 0x%x depends on source %u",
                     wb_inst_rows[lab->in.op].mnemonic, p, missed, which);
        }
    }
    return true;
}

static void start_lab(struct lab *lab)
{
    lab->warp = aligned_alloc(64, sizeof *lab->warp);
    lab->other = aligned_alloc(64, sizeof *lab->other);
    assert_true(lab->warp && lab->other);
    lab->kernel = (struct wb_kernel){.name = "none", .code = lab->code, .code_size = 32};
    lab->program = (struct wb_program){.code = &lab->in, .count = 1};
    lab->run =
        (struct wb_run){.kernel = &lab->kernel, .program = &lab->program, .fault = &lab->fault};
    lab->cta.run = &lab->run;
    memset(lab->warp, 0, sizeof *lab->warp);
    lab->warp->cta = &lab->cta;
    lab->warp->undefined = &lab->undefined;
    lab->warp->active = lab->warp->live = WB_ALL_LANES;
    lab->warp->pred[WB_PRED_TRUE] = WB_ALL_LANES;
    lab->warp->rows[WB_SPACE_WARP] = (const uint32_t(*)[WB_LANES])lab->warp->reg;
}

static void nothing_undefined_is_missed(void **state)
{
    static struct lab lab;
    (void)state;
    static const struct wb_sim_launch launch = {.block = {32, 1, 1}};
    start_lab(&lab);
    lab.run.launch = &launch;
    for (unsigned op = 0; op < WB_OP_COUNT; op++) {
        unsigned spread = wb_undefined_row(op)->spread, ran = 0;
        if (spread == DEFINES || spread == CALLS || spread == SHUFFLES || op == WB_OP_QSPC) {
            continue;
        }
        for (int i = 0; i < CASES; i++) {
            make_insn(&lab, op);
            ran += check_case(&lab, i % 2 ? WB_ALL_LANES : random_word());
        }
        if (ran < 20) {
            fail_msg("%s: only %u cases", wb_inst_rows[op].mnemonic, ran);
        }
    }
    free(lab.warp);
    free(lab.other);
}

/* Sources with these words in each lane; R0 and P0 are undefined in lane 3. */
static void what_cannot_matter_stays_defined(void **state)
{
    enum { P0_AND_P1_AND_P2 = 0x80, AND = 0xc0, OR_AND = 0xf8 };
    static const struct {
        enum wb_op op;
        uint8_t lut;
        uint32_t b, c;
        uint32_t p1, p2;
        bool undefined;
    } rows[] = {
        {WB_OP_LOP3, AND, 0, 0, 0, 0, false},
        {WB_OP_LOP3, AND, 4, 0, 0, 0, true},
        {WB_OP_LOP3, OR_AND, 0, 0xff, 0, 0, true},
        {WB_OP_IMAD, 0, 0, 7, 0, 0, false},
        {WB_OP_IMAD, 0, 3, 7, 0, 0, true},
        {WB_OP_IMAD_WIDE, 0, 0, 7, 0, 0, false},
        {WB_OP_PRMT, 0, 0x7654, 7, 0, 0, false},
        {WB_OP_PRMT, 0, 0x7650, 7, 0, 0, true},
        {WB_OP_PLOP3, P0_AND_P1_AND_P2, 0, 0, 0, 8, false},
        {WB_OP_PLOP3, P0_AND_P1_AND_P2, 0, 0, 8, 0, false},
        {WB_OP_PLOP3, P0_AND_P1_AND_P2, 0, 0, 8, 8, true},
    };
    static struct lab lab;
    (void)state;
    start_lab(&lab);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        bool is_plop3 = rows[i].op == WB_OP_PLOP3;
        lab.in = (struct wb_insn){.op = (uint16_t)rows[i].op,
                                  .a = {.row = 0},
                                  .b = {.row = 4},
                                  .c = {.row = 8},
                                  .d = ROW_D,
                                  .lut = rows[i].lut,
                                  .ps = {.index = is_plop3 ? 0 : WB_PRED_TRUE},
                                  .pt = {.index = is_plop3 ? 1 : WB_PRED_TRUE},
                                  .pu = {.index = is_plop3 ? 2 : WB_PRED_TRUE},
                                  .pd = is_plop3 ? 5 : WB_PRED_TRASH,
                                  .pe = WB_PRED_TRASH,
                                  .guard = WB_PRED_TRUE};
        for (unsigned k = 0; k < WB_LANES; k++) {
            lab.warp->reg[4][k] = rows[i].b;
            lab.warp->reg[8][k] = rows[i].c;
        }
        lab.warp->pred[1] = rows[i].p1;
        lab.warp->pred[2] = rows[i].p2;
        wb_undefined_start(&lab.undefined);
        wb_undefined_set_row(&lab.undefined, 0, 8, 8, 0);
        wb_undefined_set_pred(&lab.undefined, 0, 8, 0);
        wb_undefined_step(lab.warp, &lab.in, WB_ALL_LANES);
        uint32_t lanes = is_plop3 ? lab.undefined.pred[5] : lab.undefined.row[ROW_D];
        if (lanes != (rows[i].undefined ? 8 : 0)) {
            fail_msg("row %zu: 0x%x", i, lanes);
        }
    }
    free(lab.warp);
    free(lab.other);
}

/* ---- memory that nobody wrote ---------------------------------------------------------------- */

static const struct wb_undefined_origin unwritten = {.reason = WB_REASON_UNINITIALISED_READ,
                                                     .what = "element 5 of `a`"};

/* Rows R4 to R7 get values in the lanes 0x10, those of `mask`, and are stored together. The number
 * of findings. */
static size_t store_rows(struct lab *lab, unsigned mask, bool computes, uint64_t address)
{
    enum { SIZE_128 = 6 };
    static struct wb_guard guard;
    struct wb_guard_findings findings = {0};
    struct wb_arena arena;
    struct wb_warp *w = lab->warp;
    struct wb_sim_launch launch = {.block = {32, 1, 1}, .findings = &findings};
    const struct wb_operand zero = {.row = WB_ROW_ZERO}, a = {.row = 0}, b = {.row = 4};
    wb_arena_init(&arena);
    guard = (struct wb_guard){0};
    lab->run.launch = &launch;
    lab->run.guard = &guard;
    lab->run.arena = &arena;
    wb_undefined_start(&lab->undefined);
    for (unsigned i = 0; i < WB_LANES; i++) {
        w->reg[0][i] = (uint32_t)address;
        w->reg[1][i] = (uint32_t)(address >> 32);
    }
    for (unsigned r = 0; r < 4; r++) {
        if (mask >> r & 1) {
            wb_undefined_mark(w, 4 + r, 1, WB_ALL_LANES, 0x10, &unwritten);
            lab->in = (struct wb_insn){.op = computes ? WB_OP_IADD3 : WB_OP_MOV,
                                       .a = zero,
                                       .b = {.row = 4 + r},
                                       .c = zero,
                                       .d = (uint16_t)(4 + r),
                                       .ps = {.index = WB_PRED_TRUE},
                                       .pt = {.index = WB_PRED_TRUE},
                                       .pu = {.index = WB_PRED_TRUE},
                                       .pd = WB_PRED_TRASH,
                                       .pe = WB_PRED_TRASH,
                                       .guard = WB_PRED_TRUE};
            wb_undefined_step(w, &lab->in, WB_ALL_LANES);
        }
    }
    lab->in.op = WB_OP_ST;
    lab->in.a = a;
    lab->in.b = b;
    lab->in.size = SIZE_128;
    wb_undefined_step(w, &lab->in, WB_ALL_LANES);
    if (guard.finding_count) {
        assert_int_equal(guard.findings[0].kind, WB_REASON_UNINITIALISED_READ);
        assert_int_equal(guard.findings[0].thread.x, 4);
        assert_int_equal(lab->undefined.live, 0); /* told once */
        assert_non_null(strstr(guard.findings[0].message, "reads element 5 of `a`, which nobody"));
    }
    size_t count = guard.finding_count;
    wb_arena_finish(&arena);
    return count;
}

/* Copies of structs bring the holes between members along. */
static void holes_of_structs_are_silent(void **state)
{
    static struct lab lab;
    (void)state;
    start_lab(&lab);
    assert_int_equal(store_rows(&lab, 0x0, false, WB_GLOBAL_FIRST), 0);
    assert_int_equal(store_rows(&lab, 0x2, false, WB_GLOBAL_FIRST), 0);
    assert_int_equal(wb_undefined_lanes(lab.warp, (struct wb_operand){.row = 5}, 1), 0x10);
    assert_int_equal(store_rows(&lab, 0x2, true, WB_GLOBAL_FIRST), 1);
    assert_int_equal(store_rows(&lab, 0xf, false, WB_GLOBAL_FIRST), 1);
    assert_int_equal(store_rows(&lab, 0xf, true, WB_LOCAL_WINDOW), 0);
    assert_int_equal(store_rows(&lab, 0xf, true, WB_SHARED_WINDOW), 0);
    free(lab.warp);
    free(lab.other);
}

/* More places than there is room for: those that some value comes from are kept. */
static void origins_in_use_are_kept(void **state)
{
    static struct lab lab;
    struct wb_undefined_origin origin = unwritten;
    (void)state;
    start_lab(&lab);
    wb_undefined_start(&lab.undefined);
    wb_undefined_mark(lab.warp, 0, 1, WB_ALL_LANES, 1, &origin);
    for (uint32_t i = 1; i < 5 * WB_UNDEFINED_ORIGINS; i++) {
        origin.pc = 16 * i;
        wb_undefined_mark(lab.warp, 1, 1, WB_ALL_LANES, 1, &origin);
    }
    assert_int_equal(lab.undefined.origins[lab.undefined.row_origin[0]].pc, 0);
    assert_int_equal(lab.undefined.origins[lab.undefined.row_origin[1]].pc, origin.pc);
    free(lab.warp);
    free(lab.other);
}

static int set_up(void **state)
{
    struct fixture *fx = calloc(1, sizeof *fx);
    struct wb_bytes cubin, source;
    struct wb_status status = {0};
    assert_non_null(fx);
    wb_arena_init(&fx->arena);
    const char *folder = wb_path_join(&fx->arena, WB_FIXTURES, "sass");
    assert_true(wb_file_read(
        &cubin, &fx->arena, wb_path_join(&fx->arena, folder, "undefined.cubin"), 1 << 20, &status));
    assert_true(wb_file_read(&source, &fx->arena, wb_path_join(&fx->arena, folder, "undefined.cu"),
                             1 << 20, &status));
    fx->source = wb_arena_strndup(&fx->arena, (const char *)source.data, source.size);
    assert_true(wb_cubin_parse(&fx->cubin, &fx->arena, cubin.data, cubin.size, &status));
    *state = fx;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fx = *state;
    wb_arena_finish(&fx->arena);
    free(fx);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_kernels_are_found),
        cmocka_unit_test(right_kernels_are_silent),
        cmocka_unit_test(the_table_covers_every_row),
        cmocka_unit_test(nothing_undefined_is_missed),
        cmocka_unit_test(what_cannot_matter_stays_defined),
        cmocka_unit_test(holes_of_structs_are_silent),
        cmocka_unit_test(origins_in_use_are_kept),
    };
    return cmocka_run_group_tests_name("undefined", tests, set_up, tear_down);
}
