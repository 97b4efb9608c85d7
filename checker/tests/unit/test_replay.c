/* SPDX-License-Identifier: MIT
 * Repeated launches: wb_sim_relaunch leaves the same memory, counters and faults as wb_sim_launch,
 * and executes only what it has to. Every step runs on two devices, one for each of the two; the
 * kernels are those of fixtures/sass/parallel.cu.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shadow.h"
#include "sim.h"

#include <string.h>

enum { N = 16384, BLOCK = 256 };

typedef bool launch_function(struct wb_counters *counters, struct wb_fault *fault,
                             struct wb_arena *arena, struct wb_sim *sim,
                             const struct wb_sim_launch *launch, struct wb_status *status);

struct machine {
    struct wb_sim *sim;
    launch_function *launch;
    uint64_t address;
    uint32_t data[N];
    struct wb_counters counters;
    struct wb_fault fault;
};

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    struct machine machine[2]; /* that executes all; that remembers */
    size_t found, touched;     /* of the last launch with a guard */
};

static void each_data(struct fixture *fx, void (*change)(uint32_t *data))
{
    change(fx->machine[0].data);
    change(fx->machine[1].data);
}

static void count_up(uint32_t *data)
{
    for (uint32_t i = 0; i < N; i++) {
        data[i] = i;
    }
}

static void add_one_to_first(uint32_t *data)
{
    data[0]++;
}

static struct fixture *fresh(void **state)
{
    struct fixture *fx = *state;
    struct wb_status status = {0};
    for (unsigned m = 0; m < 2; m++) {
        struct machine *machine = &fx->machine[m];
        wb_sim_destroy(machine->sim);
        assert_true(wb_sim_create(&machine->sim, &status));
        assert_true(wb_sim_load(machine->sim, fx->cubin, &status));
        machine->address = wb_sim_map(machine->sim, machine->data, sizeof machine->data, "data");
        machine->launch = m ? wb_sim_relaunch : wb_sim_launch;
    }
    each_data(fx, count_up);
    return fx;
}

static void compare(const struct machine *a, const struct machine *b)
{
    assert_memory_equal(a->data, b->data, sizeof a->data);
    assert_memory_equal(&a->counters.total, &b->counters.total, sizeof a->counters.total);
    assert_int_equal(a->counters.pc_count, b->counters.pc_count);
    for (size_t i = 0; i < a->counters.pc_count; i++) {
        assert_memory_equal(&a->counters.pcs[i], &b->counters.pcs[i], sizeof b->counters.pcs[i]);
    }
    assert_int_equal(a->fault.kind, b->fault.kind);
    assert_string_equal(a->fault.message, b->fault.message);
}

static bool has_value(const struct machine *machine, uint64_t offset)
{
    const struct wb_region *r = wb_memory_region(&machine->sim->memory, machine->address);
    return !r->shadow || wb_shadow_has(r->shadow, offset, 4, true);
}

/* Launches on both devices, compares them, and returns how many launches were not executed. */
static uint64_t step(struct fixture *fx, const char *kernel, unsigned blocks, int n)
{
    struct wb_status status = {0};
    for (unsigned m = 0; m < 2; m++) {
        struct machine *machine = &fx->machine[m];
        struct {
            uint64_t data;
            int n;
        } params = {machine->address, n};
        struct wb_sim_launch launch = {
            .kernel = kernel,
            .grid = {blocks, 1, 1},
            .block = {BLOCK, 1, 1},
            .params = &params,
            .param_size = 12,
        };
        assert_true(machine->launch(&machine->counters, &machine->fault, &fx->arena, machine->sim,
                                    &launch, &status));
    }
    compare(&fx->machine[0], &fx->machine[1]);
    return wb_replay_count(fx->machine[1].sim->replay);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* The same with a guard: what it finds, what the launch touched and what has a value are compared.
 */
static uint64_t guarded_step(struct fixture *fx, const char *kernel, unsigned blocks, int n)
{
    struct wb_guard_findings findings[2];
    struct wb_sim_touches touches[2];
    struct wb_status status = {0};
    for (unsigned m = 0; m < 2; m++) {
        struct machine *machine = &fx->machine[m];
        struct {
            uint64_t data;
            int n;
        } params = {machine->address, n};
        struct wb_sim_launch launch = {
            .kernel = kernel,
            .grid = {blocks, 1, 1},
            .block = {BLOCK, 1, 1},
            .params = &params,
            .param_size = 12,
            .findings = &findings[m],
            .touches = &touches[m],
        };
        assert_true(machine->launch(&machine->counters, &machine->fault, &fx->arena, machine->sim,
                                    &launch, &status));
    }
    compare(&fx->machine[0], &fx->machine[1]);
    assert_int_equal(findings[0].count, findings[1].count);
    assert_int_equal(touches[0].count, touches[1].count);
    for (size_t i = 0; i < touches[0].count; i++) {
        assert_int_equal(touches[0].items[i].address, touches[1].items[i].address);
        assert_int_equal(touches[0].items[i].size, touches[1].items[i].size);
        assert_int_equal(touches[0].items[i].how, touches[1].items[i].how);
    }
    for (uint64_t at = 0; at < sizeof fx->machine[0].data; at += 4) {
        assert_int_equal(has_value(&fx->machine[0], at), has_value(&fx->machine[1], at));
    }
    fx->found = findings[1].count;
    fx->touched = touches[1].count;
    return wb_replay_count(fx->machine[1].sim->replay);
}

static void same_result_again_and_again(void **state)
{
    struct fixture *fx = fresh(state);
    assert_int_equal(step(fx, "common_input", 32, N), 0); /* seen for the first time */
    assert_int_equal(step(fx, "common_input", 32, N), 0); /* kept */
    assert_int_equal(step(fx, "common_input", 32, N), 1);
    assert_int_equal(step(fx, "common_input", 32, N), 2);
    assert_int_equal(fx->machine[1].fault.kind, WB_REASON_NONE);
}

static void another_input_is_noticed(void **state)
{
    struct fixture *fx = fresh(state);
    for (unsigned i = 0; i < 3; i++) {
        step(fx, "common_input", 32, N);
    }
    each_data(fx, add_one_to_first);
    assert_int_equal(step(fx, "common_input", 32, N), 1); /* its sums are other ones */
    assert_int_equal(step(fx, "common_input", 32, N), 1); /* and now in memory */
    assert_int_equal(step(fx, "common_input", 32, N), 2);
}

static void other_launches_are_told_apart(void **state)
{
    struct fixture *fx = fresh(state);
    for (unsigned i = 0; i < 3; i++) {
        step(fx, "common_input", 32, N);
    }
    assert_int_equal(step(fx, "common_input", 32, N - 1), 1); /* a parameter */
    assert_int_equal(step(fx, "common_input", 31, N), 1);     /* the grid */
    assert_int_equal(step(fx, "race", 32, N), 1);             /* the kernel */
}

static void what_a_launch_changes_is_put_back(void **state)
{
    struct fixture *fx = fresh(state);
    for (unsigned i = 0; i < 4; i++) {
        each_data(fx, count_up);
        assert_int_equal(step(fx, "apart", N / BLOCK, N), i < 2 ? 0 : i - 1);
    }
    assert_int_not_equal(memcmp(fx->machine[1].data, (uint32_t[]){0, 1, 2}, 12), 0);
}

static void what_never_comes_back_is_executed(void **state)
{
    struct fixture *fx = fresh(state);
    for (unsigned i = 0; i < 40; i++) {
        assert_int_equal(step(fx, "apart", N / BLOCK, N), 0);
    }
}

static void more_memory_is_other_memory(void **state)
{
    struct fixture *fx = fresh(state);
    uint32_t more[64] = {0};
    for (unsigned i = 0; i < 3; i++) {
        step(fx, "common_input", 32, N);
    }
    uint64_t address = wb_sim_map(fx->machine[1].sim, more, sizeof more, "more");
    assert_int_equal(step(fx, "common_input", 32, N), 1);
    assert_true(wb_sim_unmap(fx->machine[1].sim, address));
    assert_int_equal(step(fx, "common_input", 32, N), 2);
}

static void faults_come_every_time(void **state)
{
    struct fixture *fx = fresh(state);
    for (unsigned i = 0; i < 4; i++) {
        each_data(fx, count_up);
        assert_int_equal(step(fx, "fault", N / BLOCK, N), 0);
        assert_int_equal(fx->machine[1].fault.kind, WB_REASON_OUT_OF_BOUNDS);
    }
}

static void clean_launches_are_put_back_with_a_guard(void **state)
{
    struct fixture *fx = fresh(state);
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned m = 0; m < 2; m++) {
            struct machine *machine = &fx->machine[m];
            assert_true(wb_sim_define(machine->sim, machine->address, sizeof machine->data, true));
            assert_true(wb_sim_define(machine->sim, machine->address + 1024, 4096, false));
        }
        each_data(fx, count_up);
        assert_int_equal(guarded_step(fx, "common_input", 3, N), i < 2 ? 0 : i - 1);
        assert_int_equal(fx->found, 0);
        assert_int_equal(fx->touched, 2); /* 64 words that are read, 768 that are written */
        assert_true(has_value(&fx->machine[1], 4092));
        assert_false(has_value(&fx->machine[1], 4096));
    }
    assert_int_equal(step(fx, "common_input", 3, N), 2); /* without one it is another launch */
}

static void what_is_found_is_found_every_time(void **state)
{
    struct fixture *fx = fresh(state);
    for (unsigned i = 0; i < 4; i++) {
        each_data(fx, count_up);
        assert_int_equal(guarded_step(fx, "race", 4, N), 0);
        assert_true(fx->found > 0);
    }
}

static void copies_carry_what_has_a_value(void **state)
{
    struct fixture *fx = fresh(state);
    struct machine *machine = &fx->machine[0];
    uint64_t from = machine->address, to = from + 4096;
    assert_true(wb_sim_define(machine->sim, from, 64, false));
    assert_true(wb_sim_define(machine->sim, from + 12, 9, true));
    assert_true(wb_sim_define_as(machine->sim, to + 8, from, 64)); /* other places in their bytes */
    const struct wb_region *r = wb_memory_region(&machine->sim->memory, from);
    for (uint64_t at = 0; at < 80; at++) {
        bool expected = at < 8 || at >= 72 || (at >= 20 && at < 29);
        assert_int_equal(wb_shadow_has(r->shadow, to - from + at, 1, true), expected);
    }
    assert_true(wb_sim_define_as(machine->sim, to + 3, from + 5, 33));
    for (uint64_t at = 0; at < 33; at++) {
        assert_int_equal(wb_shadow_has(r->shadow, to - from + 3 + at, 1, true),
                         wb_shadow_has(r->shadow, 5 + at, 1, true));
    }
    assert_true(wb_sim_define_as(machine->sim, to, 64, 80)); /* from memory of the host */
    assert_true(wb_shadow_has(r->shadow, to - from + 40, 16, true));
}

/* Far more records than are kept: the oldest go, and those that are left are right. */
static void many_states(void **state)
{
    struct fixture *fx = fresh(state);
    uint64_t again = 0;
    for (unsigned i = 0; i < 300; i++) {
        each_data(fx, count_up);
        fx->machine[0].data[0] = fx->machine[1].data[0] = i / 2;
        again = step(fx, "results", 32 + i % 2, N);
    }
    each_data(fx, count_up);
    fx->machine[0].data[0] = fx->machine[1].data[0] = 149;
    assert_true(step(fx, "results", 33, N) >= again);
}

static int set_up(void **state)
{
    static struct fixture fx;
    struct wb_status status = {0};
    struct wb_bytes cubin;
    wb_arena_init(&fx.arena);
    if (!wb_file_read(&cubin, &fx.arena, WB_FIXTURES "/sass/parallel.cubin", 1 << 24, &status) ||
        !wb_cubin_parse(&fx.cubin, &fx.arena, cubin.data, cubin.size, &status)) {
        print_error("%s\n", status.message);
        return -1;
    }
    *state = &fx;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fx = *state;
    wb_sim_destroy(fx->machine[0].sim);
    wb_sim_destroy(fx->machine[1].sim);
    wb_arena_finish(&fx->arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_result_again_and_again),
        cmocka_unit_test(another_input_is_noticed),
        cmocka_unit_test(other_launches_are_told_apart),
        cmocka_unit_test(what_a_launch_changes_is_put_back),
        cmocka_unit_test(what_never_comes_back_is_executed),
        cmocka_unit_test(more_memory_is_other_memory),
        cmocka_unit_test(faults_come_every_time),
        cmocka_unit_test(clean_launches_are_put_back_with_a_guard),
        cmocka_unit_test(what_is_found_is_found_every_time),
        cmocka_unit_test(copies_carry_what_has_a_value),
        cmocka_unit_test(many_states),
    };
    return cmocka_run_group_tests_name("replay", tests, set_up, tear_down);
}
