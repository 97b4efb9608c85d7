/* SPDX-License-Identifier: MIT
 * The guard on the kernels of fixtures/sass/guard.cu: the bad ones are found at a line that is
 * marked, with the right reason and nothing else; the right ones are silent.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "guard.h"
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 256, THREADS = 64, BLOCKS = 2 };

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    const char *source; /* guard.cu */
    struct wb_guard_findings findings;
};

enum { ENGINES = 2 }; /* for any machine, the best that this one has */

static const struct wb_engine *engine(size_t i)
{
    return i == 0 ? &wb_exec_base_engine : wb_engine_choose();
}

/* The line of guard.cu that has the mark, 0 if none has. */
static unsigned marked_line(const struct fixture *fx, const char *what, const char *kernel)
{
    char text[64];
    snprintf(text, sizeof text, "%s: %s ", what, kernel);
    const char *at = strstr(fx->source, text);
    unsigned line = at ? 1 : 0;
    for (const char *c = fx->source; at && c < at; c++) {
        line += *c == '\n';
    }
    return line;
}

static void launch(struct fixture *fx, const struct wb_engine *with, const char *kernel)
{
    static int32_t in[ELEMENTS], out[ELEMENTS], none[1];
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
    memset(out, 0, sizeof out);
    struct {
        uint64_t in, out, none;
    } params = {wb_sim_map(sim, in, sizeof in, "in"), wb_sim_map(sim, out, sizeof out, "out"),
                wb_sim_map(sim, none, sizeof none, "none")};
    assert_true(wb_sim_define(sim, params.none, sizeof none, false));
    bool third = strcmp(kernel, "bad_counter") == 0;
    fx->findings = (struct wb_guard_findings){0};
    struct wb_sim_launch launch = {.kernel = kernel,
                                   .grid = {BLOCKS, 1, 1},
                                   .block = {THREADS, 1, 1},
                                   .params = &params,
                                   .param_size = third ? 24 : 16,
                                   .step_limit = 1000000,
                                   .findings = &fx->findings};
    if (!wb_sim_launch(&counters, &fault, &fx->arena, sim, &launch, &status)) {
        fail_msg("%s: %s", kernel, status.message);
    }
    if (fault.kind != WB_REASON_NONE) {
        fail_msg("%s: %s", kernel, fault.message);
    }
    wb_sim_destroy(sim);
    for (size_t i = 0; i < fx->findings.count; i++) {
        const struct wb_guard_finding *f = &fx->findings.items[i];
        print_message("# %s: %s, lines %u, %u, %llu times: %s\n", kernel, wb_reason_code[f->kind],
                      f->line, f->other_line, (unsigned long long)f->count, f->message);
    }
}

static void bad_kernels_are_found(void **state)
{
    struct fixture *fx = *state;
    static const struct {
        const char *kernel;
        enum wb_reason reason, second; /* the second may be told too */
    } rows[] = {
        {"bad_no_barrier", WB_REASON_RACE, WB_REASON_UNINITIALISED_READ},
        {"bad_lost_update", WB_REASON_RACE, WB_REASON_RACE},
        {"bad_no_fence", WB_REASON_RACE, WB_REASON_RACE},
        {"bad_read_after_unlock", WB_REASON_RACE, WB_REASON_RACE},
        {"bad_two_barriers", WB_REASON_BARRIER_DIVERGENCE, WB_REASON_BARRIER_DIVERGENCE},
        {"bad_malloc", WB_REASON_UNINITIALISED_READ, WB_REASON_UNINITIALISED_READ},
        {"bad_counter", WB_REASON_UNINITIALISED_READ, WB_REASON_UNINITIALISED_READ},
        {"bad_left_out", WB_REASON_BAD_SHUFFLE_MASK, WB_REASON_BAD_SHUFFLE_MASK},
    };
    for (size_t e = 0; e < ENGINES; e++) {
        for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
            const char *kernel = rows[i].kernel;
            launch(fx, engine(e), kernel);
            bool found = false;
            for (size_t f = 0; f < fx->findings.count; f++) {
                const struct wb_guard_finding *finding = &fx->findings.items[f];
                found = found || finding->kind == rows[i].reason;
                assert_true(finding->kind == rows[i].reason || finding->kind == rows[i].second);
                assert_true(finding->line == marked_line(fx, "line", kernel) ||
                            finding->line == marked_line(fx, "also", kernel));
            }
            if (!found) {
                fail_msg("%s: nothing is found", kernel);
            }
        }
    }
}

static void right_kernels_are_silent(void **state)
{
    struct fixture *fx = *state;
    static const char *const kernels[] = {
        "good_mbarriers",    "good_record",        "good_early_look",
        "good_grid_barrier", "good_lock_per_lane", "good_look_then_swap",
    };
    for (size_t e = 0; e < ENGINES; e++) {
        for (size_t i = 0; i < WB_ARRAY_LENGTH(kernels); i++) {
            launch(fx, engine(e), kernels[i]);
            assert_int_equal(fx->findings.count, 0);
        }
    }
}

static int set_up(void **state)
{
    struct fixture *fx = calloc(1, sizeof *fx);
    struct wb_bytes cubin, source;
    struct wb_status status = {0};
    assert_non_null(fx);
    wb_arena_init(&fx->arena);
    const char *folder = wb_path_join(&fx->arena, WB_FIXTURES, "sass");
    assert_true(wb_file_read(&cubin, &fx->arena, wb_path_join(&fx->arena, folder, "guard.cubin"),
                             1 << 20, &status));
    assert_true(wb_file_read(&source, &fx->arena, wb_path_join(&fx->arena, folder, "guard.cu"),
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
    };
    return cmocka_run_group_tests_name("guard", tests, set_up, tear_down);
}
