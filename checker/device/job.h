/* SPDX-License-Identifier: MIT
 * job: what the devices share. Runs a job in a child process: the buffers lie in memory that both
 * see, everything else comes back through a pipe and is checked. A child that dies, hangs or
 * answers nonsense becomes a fault of the job, never the checker's end.
 *
 * A new device writes a body and one struct wb_job_kind, and calls wb_job_run.
 */
#ifndef WARPBOOK_DEVICE_JOB_H
#define WARPBOOK_DEVICE_JOB_H

#include <warpbook/device.h>

/* What a body sees, in the child. The data pointers of the job's buffers are those of the shared
 * memory. It may keep what it puts into `result` in `arena` or anywhere else in the child. */
struct wb_job_child {
    struct wb_device_job *job;
    struct wb_device_result *result;
    struct wb_arena *arena;
    struct wb_status *status;
    struct wb_job_shared *shared; /* for job.c */
    bool cpu_time;                /* as in struct wb_job_kind */
};

struct wb_job_kind {
    const char *where;      /* for messages: "on the embedded device" */
    double startup_s;       /* wall seconds that may pass before wb_job_started */
    bool cpu_time;          /* the time limit is CPU time, so that a busy machine changes nothing */
    uint64_t address_space; /* bytes that the child may map itself; 0: no limit */
    /* Runs the cases in order until one faults. False: an operation of ours failed, see status. */
    bool (*body)(struct wb_job_child *child, const void *context);
    const void *context;
};

enum { WB_JOB_TIME_LIMIT = 10 }; /* seconds, where the job sets none */

/* False if we failed ourselves (the body's status, no child, no memory). With true, the cases that
 * are `done` have their results, and `out` says what stopped the others. */
bool wb_job_run(struct wb_device_result *out, struct wb_arena *arena, struct wb_device_job *job,
                const struct wb_job_kind *kind, struct wb_status *status);

/* For bodies: the device is ready, the job's time starts now. */
void wb_job_started(struct wb_job_child *child);
/* For bodies: case `index` begins; it ended well (takes over done and the guards' findings). */
void wb_job_case_begin(struct wb_job_child *child, size_t index);
void wb_job_case_done(struct wb_job_child *child, size_t index);

/* ---- the message of a child, apart so that tests can damage it ---------------------------- */

/* `status` is NULL if the body succeeded. */
void wb_job_encode(struct wb_str *out, const struct wb_device_result *result,
                   const struct wb_status *status);
/* False if it is not such a message, whole. *failed: it carries a status, not a result. */
bool wb_job_decode(struct wb_device_result *result, bool *failed, struct wb_status *status,
                   struct wb_arena *arena, const void *message, size_t size);

#endif
