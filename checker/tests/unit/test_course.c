/* SPDX-License-Identifier: MIT
 * Kernels of fixtures/course against results that were computed without a GPU: whatever teaching
 * code does, in both orders of the sides of a branch and both compilations of the handlers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FILES = 3, IN = 4096, OUT = 8192, GRID = 4, BLOCK = 128, STEP_LIMIT = 4000000 };

static const char *const files[FILES] = {"course", "blocks", "sync"};

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubins[FILES];
    const char *table; /* course.tsv */
};

struct row {
    char file[16], kernel[32];
    unsigned dynamic_shared;
    uint64_t hash;
};

static uint64_t fnv1a(const void *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static void fill(uint32_t *in)
{
    uint64_t s = UINT64_C(0x123456789abcdef);
    for (int i = 0; i < IN; i++) {
        s = s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        in[i] = (uint32_t)(s >> 32);
    }
}

static const struct wb_cubin *cubin_of(const struct fixture *f, const char *file)
{
    for (int i = 0; i < FILES; i++) {
        if (strcmp(files[i], file) == 0) {
            return f->cubins[i];
        }
    }
    fail_msg("course.tsv names the file %s", file);
    return NULL;
}

/* Hash of what the kernel of a row writes. */
static uint64_t run(struct fixture *f, const struct row *row, const struct wb_engine *engine,
                    enum wb_schedule schedule)
{
    static uint32_t in[IN + 4096], out[OUT];
    struct wb_status status = {0};
    struct wb_counters counters;
    struct wb_fault fault;
    struct wb_sim *sim;
    fill(in);
    memset(out, 0, sizeof out);
    assert_true(wb_sim_create(&sim, &status));
    sim->engine = engine;
    assert_true(wb_sim_load(sim, cubin_of(f, row->file), &status));
    struct {
        uint64_t in, out;
        int n;
    } params = {wb_sim_map(sim, in, sizeof in, "in"), wb_sim_map(sim, out, sizeof out, "out"),
                GRID * BLOCK};
    struct wb_sim_launch launch = {
        .kernel = row->kernel,
        .grid = {GRID, 1, 1},
        .block = {BLOCK, 1, 1},
        .dynamic_shared = row->dynamic_shared,
        .params = &params,
        .param_size = 20,
        .step_limit = STEP_LIMIT,
        .schedule = schedule,
        .schedule_seed = 1,
    };
    assert_true(wb_sim_launch(&counters, &fault, &f->arena, sim, &launch, &status));
    if (fault.kind != WB_REASON_NONE) {
        fail_msg("%s: %s", row->kernel, fault.message);
    }
    wb_sim_destroy(sim);
    return fnv1a(out, sizeof out);
}

static void check_all(struct fixture *f, const struct wb_engine *engine, enum wb_schedule schedule)
{
    unsigned rows = 0, wrong = 0;
    struct row row;
    for (const char *line = f->table; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (sscanf(line, "%15s %31s %u %" SCNx64, row.file, row.kernel, &row.dynamic_shared,
                   &row.hash) != 4) {
            continue;
        }
        rows++;
        if (run(f, &row, engine, schedule) != row.hash) {
            print_error("%s computes something else\n", row.kernel);
            wrong++;
        }
    }
    assert_in_range(rows, 60, 200);
    assert_int_equal(wrong, 0);
}

static void computes_what_c_computes(void **state)
{
    check_all(*state, wb_engine_choose(), WB_SCHEDULE_DEFAULT);
}

static void same_on_every_machine(void **state)
{
    check_all(*state, &wb_exec_base_engine, WB_SCHEDULE_DEFAULT);
}

static void order_changes_nothing(void **state)
{
    for (unsigned s = WB_SCHEDULE_DEFAULT + 1; s < WB_SCHEDULE_COUNT; s++) {
        print_message("# schedule %s\n", wb_schedule_name[s]);
        check_all(*state, wb_engine_choose(), (enum wb_schedule)s);
    }
}

static int set_up(void **state)
{
    static struct fixture f;
    struct wb_status status = {0};
    struct wb_bytes bytes;
    wb_arena_init(&f.arena);
    for (int i = 0; i < FILES; i++) {
        char *path = wb_arena_printf(&f.arena, WB_FIXTURES "/course/%s.cubin", files[i]);
        if (!wb_file_read(&bytes, &f.arena, path, 1 << 24, &status) ||
            !wb_cubin_parse(&f.cubins[i], &f.arena, bytes.data, bytes.size, &status)) {
            print_error("%s\n", status.message);
            return -1;
        }
    }
    if (!wb_file_read(&bytes, &f.arena, WB_FIXTURES "/course/course.tsv", 1 << 20, &status)) {
        print_error("%s\n", status.message);
        return -1;
    }
    f.table = (const char *)bytes.data;
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    wb_arena_finish(&f->arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computes_what_c_computes),
        cmocka_unit_test(same_on_every_machine),
        cmocka_unit_test(order_changes_nothing),
    };
    return cmocka_run_group_tests_name("course", tests, set_up, tear_down);
}
