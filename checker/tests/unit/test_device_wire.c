/* SPDX-License-Identifier: MIT
 * wire and the message of a job's child: what goes in comes out; damaged messages are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "job.h"
#include "wire.h"

#include <string.h>
#include <unistd.h>

static struct wb_arena arena;

static int setup(void **state)
{
    (void)state;
    wb_arena_init(&arena);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    wb_arena_finish(&arena);
    return 0;
}

static struct wb_wire wire_of(const struct wb_str *str)
{
    return (struct wb_wire){.at = (const uint8_t *)str->data, .left = str->length};
}

static void values_come_back(void **state)
{
    (void)state;
    struct wb_str out;
    char small[4];
    wb_str_init(&out, &arena);
    wb_wire_put(&out, UINT64_MAX);
    wb_wire_put_string(&out, "warp");
    wb_wire_put_string(&out, NULL);
    wb_wire_put_string(&out, "");
    wb_wire_put_string(&out, "cut to fit");
    struct wb_wire wire = wire_of(&out);
    assert_true(wb_wire_get(&wire) == UINT64_MAX);
    assert_string_equal(wb_wire_get_string(&wire, &arena), "warp");
    assert_null(wb_wire_get_string(&wire, &arena));
    assert_string_equal(wb_wire_get_string(&wire, &arena), "");
    wb_wire_copy_string(small, sizeof small, &wire);
    assert_string_equal(small, "cut");
    assert_true(wb_wire_ended(&wire));
}

static void too_large_is_bad(void **state)
{
    (void)state;
    struct wb_str out;
    wb_str_init(&out, &arena);
    wb_wire_put(&out, 8);
    wb_wire_put(&out, 1);
    struct wb_wire wire = wire_of(&out);
    assert_int_equal(wb_wire_get_upto(&wire, 7), 0);
    assert_true(wire.bad);
    assert_int_equal(wb_wire_get(&wire), 0); /* bad stays bad */
    assert_false(wb_wire_ended(&wire));
}

static void string_longer_than_the_rest_is_bad(void **state)
{
    (void)state;
    struct wb_str out;
    wb_str_init(&out, &arena);
    wb_wire_put(&out, UINT64_MAX);
    struct wb_wire wire = wire_of(&out);
    assert_null(wb_wire_get_string(&wire, &arena));
    assert_true(wire.bad);
}

static void what_is_left_over_is_not_the_end(void **state)
{
    (void)state;
    struct wb_str out;
    wb_str_init(&out, &arena);
    wb_wire_put(&out, 1);
    struct wb_wire wire = wire_of(&out);
    assert_false(wb_wire_ended(&wire));
    wb_wire_get(&wire);
    assert_true(wb_wire_ended(&wire));
}

static void send_to_a_closed_descriptor_fails(void **state)
{
    (void)state;
    assert_false(wb_wire_send(-1, "x", 1));
    assert_true(wb_wire_send(-1, "", 0));
}

/* ---- the message -------------------------------------------------------------------------- */

static const struct wb_pc_counts rows[] = {
    {.pc = 0x10, .line = 4, .file = "a.cu", .counts.v = {1, 2, 3}},
    {.pc = 0x20, .line = 5, .file = "a.cu", .counts.v = {4}},
    {.pc = 0x40, .line = 0, .file = NULL},
    {.pc = 0x50, .line = 9, .file = "b.cuh", .counts.v[WB_METRIC_COUNT - 1] = UINT64_MAX},
};

static struct wb_device_result example(void)
{
    struct wb_device_result result = {
        .fault = {.kind = WB_REASON_OUT_OF_BOUNDS,
                  .pc = 0x40,
                  .line = 7,
                  .file = "b.cuh",
                  .block = {1, 2, 3},
                  .thread = {31, 0, 0},
                  .address = UINT64_C(0x7f0000000000),
                  .message = "Thread 31 wrote behind `out`.",
                  .refusal = WB_REFUSAL_TOO_LARGE,
                  .waiting = {{.what = WB_WAITING_WARP,
                               .pc = 0x70,
                               .line = 8,
                               .last_line = 9,
                               .file = "a.cu",
                               .detail = UINT32_MAX,
                               .threads = 40,
                               .warps = 2,
                               .blocks = 1,
                               .block = {4, 5, 6},
                               .warp = 3,
                               .lanes = 0xf0},
                              {.what = WB_WAITING_ENDED, .threads = 1}},
                  .waiting_count = 2,
                  .waiting_more = 11},
        .counters = {.present = 0x1f,
                     .total.v = {10, 20, 30},
                     .pcs = (struct wb_pc_counts *)rows,
                     .pc_count = WB_ARRAY_LENGTH(rows)},
        .not_measured = "why",
        .registers = 17,
        .static_shared = 1024,
        .local_bytes = 8,
    };
    return result;
}

static struct wb_str encoded(const struct wb_status *status)
{
    struct wb_str out;
    struct wb_device_result result = example();
    wb_str_init(&out, &arena);
    wb_job_encode(&out, &result, status);
    return out;
}

/* Every member of the list is in its words, but pc. */
static const char *places(const struct wb_fault *fault)
{
    struct wb_str text;
    wb_str_init(&text, &arena);
    wb_fault_places(&text, fault);
    return wb_str_get(&text);
}

static void result_comes_back(void **state)
{
    (void)state;
    struct wb_str message = encoded(NULL);
    struct wb_device_result want = example(), got = {0};
    struct wb_status status = {0};
    bool failed = true;
    assert_true(wb_job_decode(&got, &failed, &status, &arena, message.data, message.length));
    assert_false(failed);
    assert_int_equal(got.fault.kind, want.fault.kind);
    assert_int_equal(got.fault.pc, want.fault.pc);
    assert_int_equal(got.fault.line, want.fault.line);
    assert_string_equal(got.fault.file, want.fault.file);
    assert_memory_equal(&got.fault.block, &want.fault.block, sizeof got.fault.block);
    assert_memory_equal(&got.fault.thread, &want.fault.thread, sizeof got.fault.thread);
    assert_true(got.fault.address == want.fault.address);
    assert_string_equal(got.fault.message, want.fault.message);
    assert_int_equal(got.fault.refusal, WB_REFUSAL_TOO_LARGE);
    assert_int_equal(got.fault.waiting_count, 2);
    assert_int_equal(got.fault.waiting_more, 11);
    assert_null(got.fault.waiting[1].file);
    assert_string_equal(places(&got.fault), places(&want.fault));
    assert_int_equal(got.counters.present, want.counters.present);
    assert_memory_equal(&got.counters.total, &want.counters.total, sizeof got.counters.total);
    assert_int_equal(got.counters.pc_count, WB_ARRAY_LENGTH(rows));
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        const struct wb_pc_counts *row = &got.counters.pcs[i];
        assert_int_equal(row->pc, rows[i].pc);
        assert_int_equal(row->line, rows[i].line);
        assert_memory_equal(&row->counts, &rows[i].counts, sizeof row->counts);
        if (rows[i].file) {
            assert_string_equal(row->file, rows[i].file);
        } else {
            assert_null(row->file);
        }
    }
    assert_ptr_equal(got.counters.pcs[0].file, got.counters.pcs[1].file); /* sent once */
    assert_string_equal(got.not_measured, "why");
    assert_int_equal(got.registers, 17);
    assert_int_equal(got.static_shared, 1024);
    assert_int_equal(got.local_bytes, 8);
}

static void status_comes_back(void **state)
{
    (void)state;
    struct wb_status sent = {.code = WB_NO_DEVICE, .message = "No GPU."}, got = {0};
    struct wb_str message = encoded(&sent);
    struct wb_device_result result = {0};
    bool failed = false;
    assert_true(wb_job_decode(&result, &failed, &got, &arena, message.data, message.length));
    assert_true(failed);
    assert_int_equal(got.code, WB_NO_DEVICE);
    assert_string_equal(got.message, "No GPU.");
}

static bool accepted(const void *data, size_t size)
{
    struct wb_device_result result = {0};
    struct wb_status status = {0};
    bool failed;
    return wb_job_decode(&result, &failed, &status, &arena, data, size);
}

static void cut_messages_are_refused(void **state)
{
    (void)state;
    struct wb_str message = encoded(NULL);
    for (size_t size = 0; size < message.length; size++) {
        /* In memory of exactly this size, so that a sanitizer sees a byte too many. */
        void *part = test_malloc(size + !size);
        memcpy(part, message.data, size);
        assert_false(accepted(part, size));
        test_free(part);
    }
    assert_true(accepted(message.data, message.length));
}

static void too_many_places_are_refused(void **state)
{
    (void)state;
    struct wb_device_result result = {.fault.waiting_count = WB_MAX_WAITING};
    struct wb_str out;
    wb_str_init(&out, &arena);
    wb_job_encode(&out, &result, NULL);
    assert_true(accepted(out.data, out.length));
    size_t at = out.length;
    uint64_t count = 0;
    for (size_t i = 0; i + sizeof count <= out.length && at == out.length; i += sizeof count) {
        memcpy(&count, out.data + i, sizeof count);
        at = count == WB_MAX_WAITING ? i : at;
    }
    assert_true(at < out.length);
    count = WB_MAX_WAITING + 1;
    memcpy(out.data + at, &count, sizeof count);
    assert_false(accepted(out.data, out.length));
}

static void longer_messages_are_refused(void **state)
{
    (void)state;
    struct wb_str message = encoded(NULL);
    wb_str_add(&message, "x");
    assert_false(accepted(message.data, message.length));
}

/* Each byte in turn takes each of a few values: it may be accepted or not, it never crashes, and
 * enums stay in their range. */
static void damaged_messages_do_no_harm(void **state)
{
    (void)state;
    static const uint8_t damage[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    struct wb_str message = encoded(NULL);
    size_t refused = 0;
    for (size_t i = 0; i < message.length; i++) {
        for (size_t d = 0; d < sizeof damage; d++) {
            struct wb_arena own;
            struct wb_device_result result = {0};
            struct wb_status status = {0};
            bool failed;
            char before = message.data[i];
            message.data[i] = (char)damage[d];
            wb_arena_init(&own);
            if (!wb_job_decode(&result, &failed, &status, &own, message.data, message.length)) {
                refused++;
            } else if (!failed) {
                assert_true(result.fault.kind < WB_REASON_COUNT);
                assert_true(result.counters.present < 1u << WB_METRIC_COUNT);
            }
            wb_arena_finish(&own);
            message.data[i] = before;
        }
    }
    assert_true(refused > 0);
}

static void unsorted_counters_are_refused(void **state)
{
    (void)state;
    struct wb_pc_counts wrong[2] = {{.pc = 0x20}, {.pc = 0x10}};
    struct wb_device_result result = {.counters = {.pcs = wrong, .pc_count = 2}};
    struct wb_str out;
    wb_str_init(&out, &arena);
    wb_job_encode(&out, &result, NULL);
    assert_false(accepted(out.data, out.length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_come_back, setup, teardown),
        cmocka_unit_test_setup_teardown(too_large_is_bad, setup, teardown),
        cmocka_unit_test_setup_teardown(string_longer_than_the_rest_is_bad, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_left_over_is_not_the_end, setup, teardown),
        cmocka_unit_test_setup_teardown(send_to_a_closed_descriptor_fails, setup, teardown),
        cmocka_unit_test_setup_teardown(result_comes_back, setup, teardown),
        cmocka_unit_test_setup_teardown(status_comes_back, setup, teardown),
        cmocka_unit_test_setup_teardown(cut_messages_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(too_many_places_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(longer_messages_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(damaged_messages_do_no_harm, setup, teardown),
        cmocka_unit_test_setup_teardown(unsorted_counters_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests_name("wire", tests, NULL, NULL);
}
