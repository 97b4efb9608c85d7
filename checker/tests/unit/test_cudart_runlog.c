/* SPDX-License-Identifier: MIT
 * The reader of run logs: what a program did, and logs that a program has scribbled into.
 */
#include <warpbook/cudart.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define PLACE                                                                                      \
    "{\"type\":\"place\",\"pid\":7,\"id\":1,\"file\":\"a.cu\",\"line\":9,\"text\":\"a.cu:9\"}\n"
#define KERNEL                                                                                     \
    "{\"type\":\"kernel\",\"pid\":7,\"id\":1,\"symbol\":\"_Z3addPi\",\"name\":\"add\","            \
    "\"registers\":10,\"static_shared\":0,\"local_bytes\":0}\n"
#define LAUNCH                                                                                     \
    "{\"type\":\"launch\",\"pid\":7,\"kernel\":1,\"place\":1,\"counts\":1,\"stream\":0,"           \
    "\"grid\":[4,1,1],\"block\":[256,1,1],\"cluster\":[1,1,1],\"dynamic_shared\":16}\n"

static struct wb_arena arena;
static char path[64];
static struct wb_runlog log_read;

static int set_up(void **state)
{
    (void)state;
    wb_arena_init(&arena);
    strcpy(path, "/tmp/warpbook-runlog-XXXXXX");
    int fd = mkstemp(path);
    return fd >= 0 ? close(fd) : -1;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    wb_arena_finish(&arena);
    return 0;
}

/* "[first,2,3,...]" with a value for each metric. */
static const char *counts_text(unsigned first)
{
    struct wb_str text;
    wb_str_init(&text, &arena);
    for (unsigned m = 0; m < WB_METRIC_COUNT; m++) {
        wb_str_printf(&text, "%s%u", m ? "," : "[", m ? m + 1 : first);
    }
    wb_str_add(&text, "]");
    return wb_str_get(&text);
}

/* A line with counts: the launch had `first` uniform branches, all in line 3 of a.cu. */
static const char *counts_line(int id, unsigned first)
{
    return wb_arena_printf(&arena,
                           "{\"type\":\"counts\",\"pid\":7,\"id\":%d,\"present\":1023,\"total\":%s,"
                           "\"lines\":[[\"a.cu\",3,%s]]}\n",
                           id, counts_text(first), counts_text(first));
}

static bool read_text(const char *text, struct wb_status *status)
{
    struct wb_status ignored = {0};
    assert_true(wb_file_write(path, text, strlen(text), &ignored));
    return wb_runlog_read(&log_read, &arena, path, status);
}

static void check_read(const char *text)
{
    struct wb_status status = {0};
    if (!read_text(text, &status)) {
        fail_msg("%s", status.message);
    }
}

/* The line with that number is complained of, and what is wrong is named. */
static void check_refused(const char *text, int line, const char *what)
{
    struct wb_status status = {0};
    char number[32];
    snprintf(number, sizeof number, "Line %d ", line);
    assert_false(read_text(text, &status));
    assert_int_equal(status.code, WB_BAD_INPUT);
    if (!strstr(status.message, number) || !strstr(status.message, what)) {
        fail_msg("\"%s\" does not speak of line %d: %s", status.message, line, what);
    }
}

/* ---- good logs ------------------------------------------------------------------------------- */

static void launches_add_up_by_kernel(void **state)
{
    (void)state;
    check_read(wb_arena_printf(&arena, PLACE KERNEL "%s" LAUNCH LAUNCH "%s%s", counts_line(1, 5),
                               counts_line(2, 100),
                               "{\"type\":\"end\",\"pid\":7,\"exit_code\":3}\n"));
    assert_int_equal(log_read.kernel_count, 1);
    assert_int_equal(log_read.launch_count, 2);
    assert_string_equal(log_read.kernels[0]->name, "add");
    assert_int_equal(log_read.kernels[0]->launches, 2);
    assert_int_equal(log_read.kernels[0]->total.v[WB_METRIC_BRANCH_UNIFORM], 10);
    assert_int_equal(log_read.launches[1].block.x, 256);
    assert_int_equal(log_read.launches[1].dynamic_shared, 16);
    assert_int_equal(log_read.launches[0].counts->lines[0].line, 3);
    assert_string_equal(log_read.launches[0].place->text, "a.cu:9");
    assert_true(log_read.ended);
    assert_int_equal(log_read.exit_code, 3);
}

/* Another process brings the same kernel under numbers of its own. */
static void processes_number_by_themselves(void **state)
{
    (void)state;
    const char *one = wb_arena_printf(&arena, PLACE KERNEL "%s" LAUNCH, counts_line(1, 5));
    char *other = wb_arena_strdup(&arena, one);
    for (char *pid = other; (pid = strstr(pid, "\"pid\":7")); pid++) {
        pid[6] = '8';
    }
    check_read(wb_arena_printf(&arena, "%s%s", one, other));
    assert_int_equal(log_read.kernel_count, 1);
    assert_int_equal(log_read.kernels[0]->launches, 2);
    assert_int_equal(log_read.launch_count, 2);
}

static void calls_findings_and_leaks_are_read(void **state)
{
    (void)state;
    check_read(PLACE
               "{\"type\":\"call\",\"pid\":7,\"name\":\"cudaMalloc\",\"result\":2,\"place\":1,"
               "\"injected\":true}\n"
               "{\"type\":\"finding\",\"pid\":7,\"kind\":\"race\",\"file\":null,\"line\":0,"
               "\"text\":\"main+0x4 in a\",\"message\":\"m\",\"advice\":\"a\"}\n"
               "{\"type\":\"leak\",\"pid\":7,\"one\":\"event\",\"several\":\"events\","
               "\"call\":\"cudaEventDestroy\",\"count\":2,\"bytes\":0,\"file\":\"a.cu\","
               "\"line\":4,\"text\":\"a.cu:4\"}\n");
    assert_string_equal(log_read.calls[0].name, "cudaMalloc");
    assert_string_equal(wb_cudart_error_name(log_read.calls[0].result),
                        "cudaErrorMemoryAllocation");
    assert_true(log_read.calls[0].injected);
    assert_int_equal(log_read.findings[0].kind, WB_REASON_RACE);
    assert_null(log_read.findings[0].place.file);
    assert_string_equal(log_read.findings[0].place.text, "main+0x4 in a");
    assert_string_equal(log_read.leaks[0].what, "2 events");
    assert_int_equal(log_read.leaks[0].place.line, 4);
    assert_false(log_read.ended);
}

static void log_that_is_not_there_is_empty(void **state)
{
    (void)state;
    struct wb_status status = {0};
    unlink(path);
    assert_true(wb_runlog_read(&log_read, &arena, path, &status));
    assert_int_equal(log_read.launch_count, 0);
    assert_false(log_read.ended);
}

/* The program died while it wrote. */
static void last_line_may_be_cut_off(void **state)
{
    (void)state;
    check_read(PLACE "{\"type\":\"kernel\",\"pid\":7,\"id\":1,\"sym");
    assert_int_equal(log_read.kernel_count, 0);
}

/* ---- bad logs -------------------------------------------------------------------------------- */

static void lines_that_are_none_are_refused(void **state)
{
    (void)state;
    check_refused("\n", 1, "not JSON");
    check_refused(PLACE "hello\n", 2, "not JSON");
    check_refused("[1,2]\n", 1, "no line of a run log");
    check_refused("{}\n", 1, "no line of a run log");
    check_refused("{\"type\":\"place\"}\n", 1, "no line of a run log");
    check_refused("{\"type\":\"plaice\",\"pid\":7}\n", 1, "unknown type");
    check_refused("\"\\ud800\"\n", 1, "not JSON");
}

static void numbers_must_fit(void **state)
{
    (void)state;
    check_refused(PLACE PLACE, 2, "wrong number");
    check_refused("{\"type\":\"place\",\"pid\":7,\"id\":1,\"line\":-1}\n", 1, "number");
    check_refused("{\"type\":\"place\",\"pid\":7,\"id\":1,\"line\":99999999999}\n", 1, "number");
    check_refused("{\"type\":\"place\",\"pid\":7,\"id\":1.5,\"line\":1}\n", 1, "number");
    check_refused(LAUNCH, 1, "not there before");
    check_refused(PLACE KERNEL LAUNCH, 3, "not there before");
    check_refused(KERNEL LAUNCH, 2, "not there before");
    check_refused("{\"type\":\"call\",\"pid\":7,\"name\":\"x\",\"result\":0,\"place\":0}\n", 1,
                  "not there before");
}

static void things_must_be_whole(void **state)
{
    (void)state;
    check_refused("{\"type\":\"kernel\",\"pid\":7,\"id\":1,\"name\":\"x\"}\n", 1, "no name");
    check_refused("{\"type\":\"counts\",\"pid\":7,\"id\":1,\"present\":1,\"total\":[1]}\n", 1,
                  "counters are missing");
    check_refused("{\"type\":\"counts\",\"pid\":7,\"id\":1,\"present\":1,\"total\":7}\n", 1,
                  "counters are missing");
    check_refused("{\"type\":\"finding\",\"pid\":7,\"kind\":\"bad-luck\",\"message\":\"m\","
                  "\"advice\":\"a\",\"line\":1}\n",
                  1, "unknown kind");
    check_refused("{\"type\":\"leak\",\"pid\":7,\"count\":1,\"bytes\":1}\n", 1, "leak");
    char *launch = wb_arena_printf(&arena, PLACE KERNEL "%s" LAUNCH, counts_line(1, 5));
    memcpy(strstr(launch, "[4,1,1]"), "[4,1   ", 7);
    check_refused(launch, 4, "JSON");
    launch = wb_arena_printf(&arena, PLACE KERNEL "%s" LAUNCH, counts_line(1, 5));
    memcpy(strstr(launch, "[4,1,1]"), "[4,11] ", 7);
    check_refused(launch, 4, "dimensions");
}

/* Whatever byte is changed, the answer is a log or a sentence. */
static void any_damage_is_survived(void **state)
{
    (void)state;
    const char *good = wb_arena_printf(&arena, PLACE KERNEL "%s" LAUNCH, counts_line(1, 5));
    for (size_t at = 0; good[at]; at++) {
        struct wb_status status = {0};
        char *bad = wb_arena_strdup(&arena, good);
        bad[at] = "\"0{]\xff,"[at % 6];
        assert_true(read_text(bad, &status) || status.message[0]);
    }
}

static void errors_have_names(void **state)
{
    (void)state;
    assert_string_equal(wb_cudart_error_name(0), "cudaSuccess");
    assert_string_equal(wb_cudart_error_name(-5), "an unknown error");
    assert_int_equal(wb_cudart_error_find("cudaErrorInvalidValue"), 1);
    assert_int_equal(wb_cudart_error_find("cudaErrorBadLuck"), -1);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(launches_add_up_by_kernel),
        TEST(processes_number_by_themselves),
        TEST(calls_findings_and_leaks_are_read),
        TEST(log_that_is_not_there_is_empty),
        TEST(last_line_may_be_cut_off),
        TEST(lines_that_are_none_are_refused),
        TEST(numbers_must_fit),
        TEST(things_must_be_whole),
        TEST(any_damage_is_survived),
        TEST(errors_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
