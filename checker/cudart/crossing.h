/* SPDX-License-Identifier: MIT
 * crossing: operations that use the same memory although nothing orders them: kernels, copies and
 * fills of several streams, and what the host does before it waits for them (pending.c). Every
 * operation that the host has not waited for is remembered with the memory that it used. Does
 * nothing without a guard. Needs the lock.
 */
#ifndef WB_CUDART_CROSSING_H
#define WB_CUDART_CROSSING_H

#include "op.h"
#include "past.h"

#include <warpbook/sass.h>

/* An operation that the host has not waited for. */
struct wb_crossing {
    uint64_t line, number;
    struct wb_past before; /* what it waited for itself */
    enum wb_op_kind kind;
    char *kernel; /* short name, NULL if it is none; from the heap of the process */
    const struct wb_place *place;
    struct wb_sim_touch *touches; /* by address; from the heap of the process */
    size_t count;
};

/* The live ones, the oldest first. */
struct wb_crossing *const *wb_crossings(size_t *count);

/* Is it of use to know what a kernel touches? */
bool wb_crossing_wanted(void);
/* An operation has run. `touches` says what a kernel did; NULL: it is no kernel. */
void wb_crossing_ran(const struct wb_op *op, cudaStream_t stream,
                     const struct wb_sim_touches *touches);
/* Memory is made or freed in the order of a stream. */
void wb_crossing_owns(cudaStream_t stream, uint64_t address, uint64_t size);

/* Operations run in this line, after this past, until NULL says: in that of their stream. */
void wb_crossing_line(struct wb_past *past);

/* Forgets of a past what is of no use any more. */
void wb_crossing_trim(struct wb_past *past);

/* What the host waited for. */
const struct wb_past *wb_crossing_host(void);
void wb_crossing_host_waited(const struct wb_past *past);
/* For everything. */
void wb_crossing_host_waited_all(void);
/* A function of the program runs in the order of a stream, and may tell the host of its end. */
void wb_crossing_host_runs(cudaStream_t stream);
/* Memory that host and device share goes away; a forked process has no device. */
void wb_crossing_forget(void);

/* "the kernel fill", "a copy" */
const char *wb_crossing_name(char *text, size_t size, const struct wb_crossing *crossing);

#endif
