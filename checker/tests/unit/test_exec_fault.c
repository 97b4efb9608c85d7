/* SPDX-License-Identifier: MIT
 * What can go wrong in a launch, and what is said about it; device printf; variables.
 * The kernels and the lines that are to be named are in fixtures/sass/faults.cu.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim.h"

#include <stdio.h>
#include <string.h>

enum { THREADS = 64, SIZE = 4 * THREADS };

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    const char *source; /* faults.cu */

    struct wb_sim *sim;
    int32_t out[THREADS * 4];
    struct wb_counters counters;
    struct wb_fault fault;
    struct wb_str printed;
};

/* The line of faults.cu that has the mark. */
static unsigned marked_line(const struct fixture *fx, const char *mark)
{
    char text[64];
    snprintf(text, sizeof text, "line: %s ", mark);
    const char *at = strstr(fx->source, text);
    unsigned line = 1;
    assert_non_null(at);
    for (const char *c = fx->source; c < at; c++) {
        line += *c == '\n';
    }
    return line;
}

static void print(void *context, const char *text, size_t size)
{
    wb_str_add_bytes(context, text, size);
}

/* A fresh device; `out` is mapped with `size` bytes, and its address returned. */
static uint64_t fresh(struct fixture *fx, size_t size)
{
    struct wb_status status = {0};
    wb_sim_destroy(fx->sim);
    assert_true(wb_sim_create(&fx->sim, &status));
    assert_true(wb_sim_load(fx->sim, fx->cubin, &status));
    memset(fx->out, 0, sizeof fx->out);
    wb_str_init(&fx->printed, &fx->arena);
    return wb_sim_map(fx->sim, fx->out, size, "out");
}

static void launch_dims(struct fixture *fx, const char *kernel, uint64_t address, int n,
                        struct wb_dim3 grid, struct wb_dim3 block, unsigned dynamic_shared)
{
    struct wb_status status = {0};
    struct {
        uint64_t out;
        int n;
    } params = {address, n};
    struct wb_sim_launch launch = {.kernel = kernel,
                                   .grid = grid,
                                   .block = block,
                                   .dynamic_shared = dynamic_shared,
                                   .params = &params,
                                   .param_size = 12,
                                   .step_limit = 100000,
                                   .print = print,
                                   .print_context = &fx->printed};
    assert_true(wb_sim_launch(&fx->counters, &fx->fault, &fx->arena, fx->sim, &launch, &status));
}

static void launch(struct fixture *fx, const char *kernel, uint64_t address, int n)
{
    launch_dims(fx, kernel, address, n, (struct wb_dim3){1, 1, 1}, (struct wb_dim3){THREADS, 1, 1},
                0);
}

static void expect(const struct fixture *fx, enum wb_reason kind, const char *mark,
                   const char *words)
{
    print_message("# %s\n", fx->fault.message);
    assert_string_equal(wb_reason_code[fx->fault.kind], wb_reason_code[kind]);
    if (mark) {
        assert_int_equal(fx->fault.line, marked_line(fx, mark));
        assert_non_null(strstr(fx->fault.file, "faults.cu"));
    }
    if (words && !strstr(fx->fault.message, words)) {
        fail_msg("`%s` is not in `%s`", words, fx->fault.message);
    }
}

/* ---- memory ------------------------------------------------------------------------------------
 */

static void write_past_the_end(void **state)
{
    struct fixture *fx = *state;
    uint64_t out = fresh(fx, 160);
    launch_dims(fx, "write_past", out, 1, (struct wb_dim3){4, 1, 1}, (struct wb_dim3){32, 1, 1}, 0);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "write_past",
           "thread (8,0,0) of block (1,0,0) writes 4 bytes just past the end of `out` "
           "(160 bytes, 40 elements of 4)");
    assert_int_equal(fx->fault.block.x, 1);
    assert_int_equal(fx->fault.thread.x, 8);
    assert_int_equal(fx->fault.address, out + 160);
    launch_dims(fx, "write_past", out + 20, 1, (struct wb_dim3){1, 1, 1},
                (struct wb_dim3){64, 1, 1}, 0);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "write_past", "thread (35,0,0)");
    launch_dims(fx, "write_past", out + 180, 1, (struct wb_dim3){1, 1, 1},
                (struct wb_dim3){1, 1, 1}, 0);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "write_past", "at 20 bytes past the end of `out` (160");
    launch(fx, "write_past", fresh(fx, 4), 1);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "write_past", "of `out` (4 bytes, 1 element of 4)");
    launch(fx, "write_past", fresh(fx, 1), 1);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "write_past", "the end of `out` (1 byte)");
    launch(fx, "write_past", fresh(fx, 6) + 4, 1);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "write_past", "the end of `out` (6 bytes)");
}

static void what_ran_before_a_fault_counts(void **state)
{
    struct fixture *fx = *state;
    uint64_t out = fresh(fx, 160);
    launch_dims(fx, "write_past", out, 1, (struct wb_dim3){4, 1, 1}, (struct wb_dim3){32, 1, 1}, 0);
    assert_int_equal(fx->out[31], 1); /* the first block did its work */
    assert_true(fx->counters.total.v[WB_METRIC_INST] > 0);
}

static void read_before_the_start(void **state)
{
    struct fixture *fx = *state;
    struct wb_status status = {0};
    uint64_t out = fresh(fx, SIZE);
    struct {
        uint64_t in, out;
        int n;
    } params = {out, out, 2};
    struct wb_sim_launch l = {.kernel = "read_before",
                              .grid = {1, 1, 1},
                              .block = {THREADS, 1, 1},
                              .params = &params,
                              .param_size = 20};
    assert_true(wb_sim_launch(&fx->counters, &fx->fault, &fx->arena, fx->sim, &l, &status));
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "read_before", "reads 4 bytes at 8 bytes before the start");
}

static void null_host_and_wild_pointers(void **state)
{
    struct fixture *fx = *state;
    fresh(fx, SIZE);
    launch(fx, "write_past", 0, 1);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "write_past", "null pointer");
    launch(fx, "write_past", UINT64_C(0x7ffd12345670), 1);
    expect(fx, WB_REASON_HOST_POINTER, "write_past", "host memory");
    launch(fx, "write_past", UINT64_C(0x300000000000), 1);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "write_past", "far from every array");
}

static void across_the_end(void **state)
{
    struct fixture *fx = *state;
    uint64_t out = fresh(fx, 6);
    launch(fx, "write_past", out, 1);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "write_past", "across the end of `out`");
}

static void misaligned_address(void **state)
{
    struct fixture *fx = *state;
    launch(fx, "misaligned", fresh(fx, SIZE), 2);
    expect(fx, WB_REASON_MISALIGNED, "misaligned", "not a multiple of 4");
}

static void shared_memory(void **state)
{
    struct fixture *fx = *state;
    uint64_t out = fresh(fx, SIZE);
    launch(fx, "shared_past", out, 1);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "shared_past", "offset 128, but the block has 128 bytes");
    launch(fx, "dynamic_shared", out, 7);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "dynamic_shared", "the block has 0 bytes");
    launch_dims(fx, "dynamic_shared", out, 7, (struct wb_dim3){1, 1, 1},
                (struct wb_dim3){THREADS, 1, 1}, SIZE);
    expect(fx, WB_REASON_NONE, NULL, NULL);
    assert_int_equal(fx->out[5], 7);
}

static void stack(void **state)
{
    struct fixture *fx = *state;
    uint64_t out = fresh(fx, SIZE);
    launch(fx, "recursion", out, 5);
    expect(fx, WB_REASON_NONE, NULL, NULL);
    assert_int_equal(fx->out[3], 0 + 2 + 4 + 6 + 8 + 10);
    launch(fx, "recursion", out, 500);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, NULL, "recursion is too deep");
}

/* ---- progress ----------------------------------------------------------------------------------
 */

static void endless_loop(void **state)
{
    struct fixture *fx = *state;
    launch(fx, "endless", fresh(fx, SIZE), 1);
    expect(fx, WB_REASON_TIMEOUT, "endless", "did not end within its 100000 warp instructions");
}

static void barrier_that_half_a_warp_reaches(void **state)
{
    struct fixture *fx = *state;
    launch(fx, "half_barrier", fresh(fx, SIZE), 9);
    expect(fx, WB_REASON_BARRIER_DIVERGENCE, "half_barrier", "32 of 64 threads");
    assert_non_null(strstr(fx->fault.message, "0xffff0000"));
}

static void barrier_with_a_guard(void **state)
{
    struct fixture *fx = *state;
    launch(fx, "guarded_barrier", fresh(fx, SIZE), 4);
    expect(fx, WB_REASON_NONE, NULL, NULL);
    assert_int_equal(fx->out[33], 4);
}

static void masks_that_do_not_fit(void **state)
{
    struct fixture *fx = *state;
    launch_dims(fx, "two_masks", fresh(fx, SIZE), 1, (struct wb_dim3){1, 1, 1},
                (struct wb_dim3){32, 1, 1}, 0);
    expect(fx, WB_REASON_DEADLOCK, NULL, "wait for each other for ever");
}

/* Lanes of a warp at different barriers: what an H200 does with them. */
static void barriers_on_both_sides(void **state)
{
    struct fixture *fx = *state;
    launch(fx, "warpsync_both_sides", fresh(fx, sizeof fx->out), 3);
    expect(fx, WB_REASON_NONE, NULL, NULL);
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(fx->out[t], t % 32 < 16 ? 3 : 5);
        assert_int_equal(fx->out[64 + t], 6);
    }
    launch(fx, "barrier_both_sides", fresh(fx, sizeof fx->out), 5);
    expect(fx, WB_REASON_NONE, NULL, NULL);
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(fx->out[64 + t], t % 32 < 16 ? 20 : 5);
    }
    launch(fx, "barrier_one_side", fresh(fx, sizeof fx->out), 5);
    expect(fx, WB_REASON_NONE, NULL, NULL);
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(fx->out[64 + t], t % 32 < 16 ? 0 : 5);
        assert_int_equal(fx->out[128 + t], t % 32 < 16 ? 15 : 5);
    }
}

static void barrier_after_some_returned(void **state)
{
    struct fixture *fx = *state;
    launch(fx, "early_return", fresh(fx, SIZE), 37);
    expect(fx, WB_REASON_NONE, NULL, NULL);
    assert_int_equal(fx->out[0], 36);
}

static void named_and_reducing_barriers(void **state)
{
    struct fixture *fx = *state;
    launch_dims(fx, "named_barriers", fresh(fx, sizeof fx->out), 2, (struct wb_dim3){1, 1, 1},
                (struct wb_dim3){128, 1, 1}, 0);
    expect(fx, WB_REASON_NONE, NULL, NULL);
    assert_int_equal(fx->out[7], 14 + 64000 + 1100000);
    assert_int_equal(fx->out[64 + 7], 15 + 64000 + 1100000);
}

/* ---- launches that the hardware refuses
 * ---------------------------------------------------------- */

static void refused(void **state)
{
    struct fixture *fx = *state;
    uint64_t out = fresh(fx, SIZE);
    static const struct {
        const char *kernel, *words;
        struct wb_dim3 grid, block;
        unsigned dynamic_shared;
    } rows[] = {
        {"write_past", "2048 threads per block; at most 1024", {1, 1, 1}, {1024, 2, 1}, 0},
        {"write_past", "block of 2048 x 1 x 1", {1, 1, 1}, {2048, 1, 1}, 0},
        {"write_past", "block of 1 x 1 x 65", {1, 1, 1}, {1, 1, 65}, 0},
        {"write_past", "0 x 1 x 1 blocks", {0, 1, 1}, {32, 1, 1}, 0},
        {"write_past", "32 x 0 x 1 threads", {1, 1, 1}, {32, 0, 1}, 0},
        {"write_past", "grid of 1 x 70000 x 1", {1, 70000, 1}, {32, 1, 1}, 0},
        {"write_past", "300000 bytes of shared memory", {1, 1, 1}, {32, 1, 1}, 300000},
        {"bounded", "compiled for at most 64", {1, 1, 1}, {128, 1, 1}, 0},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        launch_dims(fx, rows[i].kernel, out, 1, rows[i].grid, rows[i].block,
                    rows[i].dynamic_shared);
        expect(fx, WB_REASON_LAUNCH_FAILED, NULL, rows[i].words);
        assert_int_equal(fx->counters.pc_count, 0);
    }
}

/* Sizes that only a damaged cubin has. */
static void refused_sizes(void **state)
{
    struct fixture *fx = *state;
    static const char *const words[] = {"bytes of stack", "constant bank", "clusters of",
                                        "registers"};
    for (unsigned i = 0; i < WB_ARRAY_LENGTH(words); i++) {
        struct wb_status status = {0};
        struct wb_cubin cubin = *fx->cubin;
        struct wb_kernel kernel = *wb_cubin_kernel(fx->cubin, "write_past");
        kernel.local_bytes = i == 0 ? UINT32_MAX : 0;
        kernel.param_base = i == 1 ? UINT32_MAX - 8 : kernel.param_base;
        kernel.cluster[0] = kernel.cluster[1] = i == 2 ? 65536 : 0;
        kernel.registers = i == 3 ? 60000 : kernel.registers;
        cubin.kernels = &kernel;
        cubin.kernel_count = 1;
        wb_sim_destroy(fx->sim);
        assert_true(wb_sim_create(&fx->sim, &status));
        assert_true(wb_sim_load(fx->sim, &cubin, &status));
        launch(fx, "write_past", wb_sim_map(fx->sim, fx->out, SIZE, "out"), 1);
        expect(fx, WB_REASON_LAUNCH_FAILED, NULL, words[i]);
    }
    struct wb_status status = {0};
    struct wb_cubin large = *fx->cubin;
    large.global_size = UINT64_MAX;
    assert_false(wb_sim_load(fx->sim, &large, &status));
    assert_int_equal(status.code, WB_LIMIT);
}

static void wrong_parameters_and_names(void **state)
{
    struct fixture *fx = *state;
    struct wb_status status = {0};
    fresh(fx, SIZE);
    struct wb_sim_launch l = {.kernel = "write_past",
                              .grid = {1, 1, 1},
                              .block = {32, 1, 1},
                              .params = "12345678",
                              .param_size = 8};
    assert_true(wb_sim_launch(&fx->counters, &fx->fault, &fx->arena, fx->sim, &l, &status));
    expect(fx, WB_REASON_LAUNCH_FAILED, NULL, "takes 12 bytes of parameters, but was given 8");
    l.kernel = "no_such_kernel";
    assert_false(wb_sim_launch(&fx->counters, &fx->fault, &fx->arena, fx->sim, &l, &status));
    assert_int_equal(status.code, WB_NOT_FOUND);
    struct wb_cubin other = {.arch = 80};
    assert_false(wb_sim_load(fx->sim, &other, &status));
    assert_int_equal(status.code, WB_UNSUPPORTED);
}

/* ---- traps and unknown code
 * ---------------------------------------------------------------------- */

static void traps(void **state)
{
    struct fixture *fx = *state;
    uint64_t out = fresh(fx, SIZE);
    launch(fx, "trap", out, 33);
    expect(fx, WB_REASON_TRAP, "trap", "thread (33,0,0) of block (0,0,0)");
    launch(fx, "asserts", out, 35);
    expect(fx, WB_REASON_TRAP, "asserts", "`(int)threadIdx.x != n` failed (faults.cu:");
}

/* malloc under a name that the device does not know. */
static void unknown_service(void **state)
{
    struct fixture *fx = *state;
    struct wb_status status = {0};
    struct wb_cubin cubin = *fx->cubin;
    uint64_t out = fresh(fx, sizeof fx->out);
    cubin.relocations = wb_arena_copy(&fx->arena, cubin.relocations,
                                      cubin.relocation_count * sizeof *cubin.relocations);
    for (size_t i = 0; i < cubin.relocation_count; i++) {
        if (strcmp(cubin.relocations[i].symbol, "malloc") == 0) {
            cubin.relocations[i].symbol = "no_such_service";
        }
    }
    assert_true(wb_sim_load(fx->sim, &cubin, &status));
    launch(fx, "allocates", out, 16);
    expect(fx, WB_REASON_UNSUPPORTED, NULL, "has no `no_such_service`, which the kernel calls");
}

/* A copy of the kernel with one word patched. */
static void launch_patched(struct fixture *fx, uint32_t pc, uint64_t low, uint64_t high)
{
    struct wb_status status = {0};
    struct wb_cubin cubin = *fx->cubin;
    struct wb_kernel kernel = *wb_cubin_kernel(fx->cubin, "write_past");
    uint8_t *code = wb_arena_copy(&fx->arena, kernel.code, kernel.code_size);
    memcpy(code + pc, &low, 8);
    memcpy(code + pc + 8, &high, 8);
    kernel.code = code;
    cubin.kernels = &kernel;
    cubin.kernel_count = 1;
    wb_sim_destroy(fx->sim);
    assert_true(wb_sim_create(&fx->sim, &status));
    assert_true(wb_sim_load(fx->sim, &cubin, &status));
    uint64_t out = wb_sim_map(fx->sim, fx->out, SIZE, "out");
    launch(fx, "write_past", out, 1);
}

static void unknown_instruction(void **state)
{
    struct fixture *fx = *state;
    launch_patched(fx, 0x20, UINT64_C(0x1ff), 0);
    expect(fx, WB_REASON_UNSUPPORTED, NULL, "0x00000000000001ff 0x0000000000000000");
    assert_int_equal(fx->fault.pc, 0x20);
    assert_int_not_equal(fx->fault.line, 0);
    /* FADD R0, R1, R2 with a bit that FADD does not have */
    launch_patched(fx, 0x20, UINT64_C(0x0000000201007221), UINT64_C(0x000fe40001000000));
    expect(fx, WB_REASON_UNSUPPORTED, NULL, "opcode 0x221, like `FADD R0, R1, R2`");
}

static void jump_out_of_the_code(void **state)
{
    struct fixture *fx = *state;
    launch_patched(fx, 0x20, UINT64_C(0x7ffffff000007947), UINT64_C(0x000fea0003800000));
    expect(fx, WB_REASON_TRAP, NULL, "left the code");
}

/* Flipped bits in any instruction: the launch ends, in whatever way, without harm. */
static void damaged_code(void **state)
{
    struct fixture *fx = *state;
    uint64_t seed = 3;
    for (unsigned turn = 0; turn < 600; turn++) {
        struct wb_status status = {0};
        struct wb_arena arena;
        struct wb_cubin cubin = *fx->cubin;
        struct wb_kernel kernel = fx->cubin->kernels[turn % fx->cubin->kernel_count];
        wb_arena_init(&arena);
        uint8_t *code = wb_arena_copy(&arena, kernel.code, kernel.code_size);
        for (unsigned flips = 0; flips < 1 + turn % 3; flips++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            code[(seed >> 33) % kernel.code_size] ^= (uint8_t)(1 << (seed >> 60 & 7));
        }
        kernel.code = code;
        cubin.kernels = &kernel;
        cubin.kernel_count = 1;
        wb_sim_destroy(fx->sim);
        assert_true(wb_sim_create(&fx->sim, &status));
        assert_true(wb_sim_load(fx->sim, &cubin, &status));
        uint64_t params[3] = {wb_sim_map(fx->sim, fx->out, SIZE, "out")};
        params[1] = params[0];
        params[2] = 5;
        struct wb_sim_launch l = {.kernel = kernel.name,
                                  .grid = {2, 1, 1},
                                  .block = {turn & 1 ? 40 : THREADS, 1, 1},
                                  .params = params,
                                  .param_size = kernel.param_size,
                                  .step_limit = 5000};
        assert_true(wb_sim_launch(&fx->counters, &fx->fault, &arena, fx->sim, &l, &status));
        wb_arena_finish(&arena);
    }
    fresh(fx, SIZE);
}

/* ---- printf and variables
 * ------------------------------------------------------------------------ */

static void prints(void **state)
{
    struct fixture *fx = *state;
    launch(fx, "prints", fresh(fx, SIZE), 3);
    expect(fx, WB_REASON_NONE, NULL, NULL);
    assert_string_equal(wb_str_get(&fx->printed), "0 of 3:  0.00|other |a|ff\n"
                                                  "1 of 3:  1.50|one   |b|fe\n"
                                                  "2 of 3:  3.00|other |c|fd\n"
                                                  "-5000000000 18446744073709551615 % 1.235e+04 "
                                                  "0x1234\nend\n");
    assert_int_equal(fx->out[40], 40);
}

static void variables(void **state)
{
    struct fixture *fx = *state;
    uint64_t out = fresh(fx, SIZE);
    size_t size = 0;
    int32_t *scale = wb_sim_variable(fx->sim, "scale", &size);
    assert_int_equal(size, 8);
    assert_int_equal(scale[1], 5);
    scale[1] = 11;
    launch(fx, "variables", out, 2);
    expect(fx, WB_REASON_NONE, NULL, NULL);
    int32_t *counter = wb_sim_variable(fx->sim, "counter", &size);
    int32_t *table = wb_sim_variable(fx->sim, "table", &size);
    assert_int_equal(size, 16);
    assert_int_equal(*counter, 40 + 2 * THREADS);
    assert_int_equal(table[0], 3);
    assert_int_equal(table[3], 11);
    assert_int_equal(fx->out[6], 66);
    assert_null(wb_sim_variable(fx->sim, "nothing", &size));
}

static int set_up(void **state)
{
    static struct fixture fx;
    struct wb_status status = {0};
    struct wb_bytes cubin, source;
    wb_arena_init(&fx.arena);
    if (!wb_file_read(&cubin, &fx.arena, WB_FIXTURES "/sass/faults.cubin", 1 << 24, &status) ||
        !wb_file_read(&source, &fx.arena, WB_FIXTURES "/sass/faults.cu", 1 << 20, &status) ||
        !wb_cubin_parse(&fx.cubin, &fx.arena, cubin.data, cubin.size, &status)) {
        print_error("%s\n", status.message);
        return -1;
    }
    fx.source = (const char *)source.data;
    *state = &fx;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fx = *state;
    wb_sim_destroy(fx->sim);
    wb_arena_finish(&fx->arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write_past_the_end),
        cmocka_unit_test(what_ran_before_a_fault_counts),
        cmocka_unit_test(read_before_the_start),
        cmocka_unit_test(null_host_and_wild_pointers),
        cmocka_unit_test(across_the_end),
        cmocka_unit_test(misaligned_address),
        cmocka_unit_test(shared_memory),
        cmocka_unit_test(stack),
        cmocka_unit_test(endless_loop),
        cmocka_unit_test(barrier_that_half_a_warp_reaches),
        cmocka_unit_test(barrier_with_a_guard),
        cmocka_unit_test(masks_that_do_not_fit),
        cmocka_unit_test(barriers_on_both_sides),
        cmocka_unit_test(barrier_after_some_returned),
        cmocka_unit_test(named_and_reducing_barriers),
        cmocka_unit_test(refused),
        cmocka_unit_test(refused_sizes),
        cmocka_unit_test(wrong_parameters_and_names),
        cmocka_unit_test(traps),
        cmocka_unit_test(unknown_service),
        cmocka_unit_test(unknown_instruction),
        cmocka_unit_test(jump_out_of_the_code),
        cmocka_unit_test(damaged_code),
        cmocka_unit_test(prints),
        cmocka_unit_test(variables),
    };
    return cmocka_run_group_tests_name("exec_fault", tests, set_up, tear_down);
}
