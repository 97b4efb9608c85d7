/* SPDX-License-Identifier: MIT
 * For tests of devices: a job of one case on a stored cubin, built argument by argument.
 */
#ifndef WARPBOOK_TESTS_DEVICE_JOB_H
#define WARPBOOK_TESTS_DEVICE_JOB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <warpbook/device.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test_job {
    struct wb_arena arena;
    struct wb_status status;
    struct wb_device_result result;
    struct wb_device_buffer buffers[4];
    struct wb_device_case c;
    struct wb_device_job job;
};

/* The folder of the fixtures; WB_FIXTURES in the environment names another, for a test program that
 * was built on another machine. */
static inline const char *fixtures(void)
{
    const char *folder = getenv("WB_FIXTURES");
    return folder ? folder : WB_FIXTURES;
}

/* Reads a cubin among the fixtures. Launches one block of 32 threads until told otherwise. */
static inline void job_open(struct test_job *t, const char *cubin, const char *kernel)
{
    struct wb_bytes bytes;
    memset(t, 0, sizeof *t);
    wb_arena_init(&t->arena);
    char *path = wb_path_join(&t->arena, fixtures(), cubin);
    if (!wb_file_read(&bytes, &t->arena, path, 1 << 20, &t->status)) {
        fail_msg("%s", t->status.message);
    }
    t->c.grid = (struct wb_dim3){1, 1, 1};
    t->c.block = (struct wb_dim3){32, 1, 1};
    t->c.buffers = t->buffers;
    t->job = (struct wb_device_job){
        .cubin = bytes.data,
        .cubin_size = bytes.size,
        .kernel = kernel,
        .cases = &t->c,
        .case_count = 1,
    };
}

static inline void job_close(struct test_job *t)
{
    wb_arena_finish(&t->arena);
}

static inline void job_array(struct test_job *t, const char *name, void *data, size_t size)
{
    t->c.args[t->c.arg_count++].buffer = (int)t->c.buffer_count;
    t->buffers[t->c.buffer_count++] = (struct wb_device_buffer){name, data, size, 0, 0};
}

static inline void job_value(struct test_job *t, const void *value, unsigned size)
{
    struct wb_device_arg *arg = &t->c.args[t->c.arg_count++];
    arg->buffer = -1;
    arg->size = size;
    memcpy(arg->value, value, size);
}

static inline void job_int(struct test_job *t, int value)
{
    job_value(t, &value, sizeof value);
}

/* Runs it; false is only for our own failures. Prints what happened. */
static inline bool job_run(struct test_job *t, const struct wb_device *device)
{
    bool ok = device->run(&t->result, &t->arena, &t->job, &t->status);
    print_message("# %s on %s: %s%s%s\n", t->job.kernel, device->name,
                  !ok                                      ? t->status.message
                  : t->result.fault.kind == WB_REASON_NONE ? "ended well"
                                                           : wb_reason_code[t->result.fault.kind],
                  ok && t->result.fault.message[0] ? ": " : "", ok ? t->result.fault.message : "");
    return ok;
}

/* The job must end with this fault, and its message must contain `part`. */
static inline void job_must_fault(struct test_job *t, const struct wb_device *device,
                                  enum wb_reason kind, const char *part)
{
    assert_true(job_run(t, device));
    assert_string_equal(wb_reason_code[t->result.fault.kind], wb_reason_code[kind]);
    assert_non_null(strstr(t->result.fault.message, part));
    assert_false(t->c.done);
}

static inline void job_must_end_well(struct test_job *t, const struct wb_device *device)
{
    assert_true(job_run(t, device));
    assert_string_equal(wb_reason_code[t->result.fault.kind], "none");
    assert_true(t->c.done);
}

#endif
