/* SPDX-License-Identifier: MIT
 * cases: the arrays of a task at one size, the launch that runs it, and how to speak of both.
 */
#ifndef WARPBOOK_GRADE_CASES_H
#define WARPBOOK_GRADE_CASES_H

#include <warpbook/grade.h>

bool wb_param_is_array(const struct wb_param *param);  /* passed as a pointer to its elements */
bool wb_param_is_passed(const struct wb_param *param); /* takes a place in the call */
bool wb_param_is_output(const struct wb_param *param); /* compared with the oracle's */

/* Makes the arrays as a kernel gets them: seeded inputs, outputs full of the pattern. Making the
 * same case again gives the same bytes. `data` of a size or a fixed value stays NULL. */
void wb_case_make(struct wb_case *out, struct wb_arena *arena, const struct wb_lesson *lesson,
                  unsigned task, struct wb_size size, uint64_t seed);
/* A launch (or call) whose buffers are the arrays of `c` and the rows that are no parameters, in
 * the order of the table. */
void wb_case_launch(struct wb_device_case *out, struct wb_arena *arena, const struct wb_task *task,
                    const struct wb_case *c);
/* The buffer that belongs to such a row. */
struct wb_device_buffer *wb_case_buffer(const struct wb_device_case *launch,
                                        const struct wb_task *task, unsigned param);

/* "n = 33", "width = 33, height = 65": in the names of the kernel's own parameters. */
char *wb_size_text(struct wb_arena *arena, const struct wb_task *task, struct wb_size size);
/* "n = 97"; "n = 97 with 7 blocks" where the lesson chooses the grid. */
char *wb_launch_text(struct wb_arena *arena, const struct wb_task *task, struct wb_size size,
                     const struct wb_device_case *launch);
/* The kernel's or the host function's name. */
const char *wb_task_name(const struct wb_task *task);
/* "extern "C" __global__ void scale(const float *in, float *out, int n)" */
char *wb_task_declaration(struct wb_arena *arena, const struct wb_task *task);
/* 3 if any size of the task has layers, 2 if any has rows, else 1. */
unsigned wb_task_dimensions(const struct wb_task *task);
/* The sizes that a task is checked at, *count of them: its own, then the measured one if it is not
 * among them, since a kernel must not be fast where it is wrong. */
struct wb_size *wb_task_sizes(size_t *count, struct wb_arena *arena, const struct wb_task *task);
/* True if all outputs have lengths of their own in a problem of two dimensions: y is then no number
 * of rows, but, say, of coefficients. */
bool wb_task_is_list(const struct wb_task *task);
/* What happened, for the middle of a sentence: wb_reason_text, in words that fit a host function.
 */
const char *wb_task_reason(const struct wb_task *task, enum wb_reason reason);
/* The next step after a fault of this kind; NULL: the reason's own. */
const char *wb_task_advice(const struct wb_task *task, enum wb_reason reason);
/* Elements of the problem, x * y * z. */
size_t wb_size_count(struct wb_size size);

/* Where an element lies in its array, and who handles it by the plain mapping
 * (index = blockIdx * blockDim + threadIdx in each dimension; further on by grid strides). */
struct wb_place {
    unsigned dimensions;        /* of the array, 1 to 3 */
    struct wb_dim3 shape;       /* of the array: columns, rows, layers */
    struct wb_dim3 at;          /* column, row, layer; 1-D: `at.x` is the index */
    unsigned launch_dimensions; /* of block and thread, 1 to 3; 0: not known */
    struct wb_dim3 block, thread;
};
struct wb_place wb_place_of(const struct wb_task *task, unsigned param, struct wb_size size,
                            const struct wb_device_case *launch, size_t count, size_t index);
/* "out[133] (row 4, column 1)" and "block (x 0, y 0), thread (x 1, y 4)" ("" if not known). */
char *wb_place_element(struct wb_arena *arena, const char *array, const struct wb_place *place,
                       size_t index);
char *wb_place_thread(struct wb_arena *arena, const struct wb_place *place);

#endif
