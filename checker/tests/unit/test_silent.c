/* SPDX-License-Identifier: MIT
 * The guard and right kernels that look wrong, of fixtures/sass/silent.cu: it says nothing of them,
 * and finds their wrong neighbours at the line that is marked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim.h"

#include <stdio.h>
#include <string.h>

enum { BLOCKS = 4, THREADS = 64, ELEMENTS = BLOCKS * THREADS };

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    const char *source; /* silent.cu */
    struct wb_guard_findings findings;
    int32_t in[ELEMENTS], out[ELEMENTS];
};

static unsigned marked_line(const struct fixture *fx, const char *kernel)
{
    char text[64];
    snprintf(text, sizeof text, "line: %s ", kernel);
    const char *at = strstr(fx->source, text);
    unsigned line = 1;
    assert_non_null(at);
    for (const char *c = fx->source; c < at; c++) {
        line += *c == '\n';
    }
    return line;
}

static void launch(struct fixture *fx, const struct wb_engine *with, const char *kernel)
{
    struct wb_sim *sim;
    struct wb_status status = {0};
    struct wb_counters counters;
    struct wb_fault fault;
    assert_true(wb_sim_create(&sim, &status));
    sim->engine = with;
    assert_true(wb_sim_load(sim, fx->cubin, &status));
    for (int i = 0; i < ELEMENTS; i++) {
        fx->in[i] = i * 37 % 11 + 1;
        fx->out[i] = 0;
    }
    struct {
        uint64_t in, out;
    } params = {wb_sim_map(sim, fx->in, sizeof fx->in, "in"),
                wb_sim_map(sim, fx->out, sizeof fx->out, "out")};
    fx->findings = (struct wb_guard_findings){0};
    struct wb_sim_launch launch = {.kernel = kernel,
                                   .grid = {BLOCKS, 1, 1},
                                   .block = {THREADS, 1, 1},
                                   .params = &params,
                                   .param_size = sizeof params,
                                   .step_limit = 1000000,
                                   .findings = &fx->findings};
    assert_true(wb_sim_launch(&counters, &fault, &fx->arena, sim, &launch, &status));
    if (fault.kind != WB_REASON_NONE) {
        fail_msg("%s: %s", kernel, fault.message);
    }
    wb_sim_destroy(sim);
}

static void right_kernels_are_silent(void **state)
{
    struct fixture *fx = *state;
    static const char *const kernels[] = {
        "right_all_store",       "right_swap_loop", "right_barrier_in_parts",
        "right_stored_together", "right_chain",
    };
    const struct wb_engine *const engines[] = {&wb_exec_base_engine, wb_engine_choose()};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(kernels) * WB_ARRAY_LENGTH(engines); i++) {
        launch(fx, engines[i % 2], kernels[i / 2]);
        if (fx->findings.count) {
            fail_msg("%s: line %u: %s", kernels[i / 2], fx->findings.items[0].line,
                     fx->findings.items[0].message);
        }
    }
}

static void wrong_kernels_are_found(void **state)
{
    struct fixture *fx = *state;
    static const struct {
        const char *kernel;
        enum wb_reason kind;
    } rows[] = {
        {"wrong_half_store", WB_REASON_RACE},
        {"wrong_barriers", WB_REASON_BARRIER_DIVERGENCE},
        {"wrong_chain", WB_REASON_RACE},
    };
    const struct wb_engine *const engines[] = {&wb_exec_base_engine, wb_engine_choose()};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows) * WB_ARRAY_LENGTH(engines); i++) {
        launch(fx, engines[i % 2], rows[i / 2].kernel);
        assert_int_not_equal(fx->findings.count, 0);
        assert_int_equal(fx->findings.items[0].kind, rows[i / 2].kind);
        assert_int_equal(fx->findings.items[0].line, marked_line(fx, rows[i / 2].kernel));
    }
}

static int set_up(void **state)
{
    static struct fixture fx;
    struct wb_status status = {0};
    struct wb_bytes cubin, source;
    wb_arena_init(&fx.arena);
    if (!wb_file_read(&cubin, &fx.arena, WB_FIXTURES "/sass/silent.cubin", 1 << 24, &status) ||
        !wb_file_read(&source, &fx.arena, WB_FIXTURES "/sass/silent.cu", 1 << 24, &status) ||
        !wb_cubin_parse(&fx.cubin, &fx.arena, cubin.data, cubin.size, &status)) {
        print_error("%s\n", status.message);
        return -1;
    }
    fx.source = wb_arena_strndup(&fx.arena, (const char *)source.data, source.size);
    *state = &fx;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fx = *state;
    wb_arena_finish(&fx->arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_kernels_are_silent),
        cmocka_unit_test(wrong_kernels_are_found),
    };
    return cmocka_run_group_tests_name("silent", tests, set_up, tear_down);
}
