/* SPDX-License-Identifier: MIT
 * held: kernels that wait for the host. A launch runs at once, before its call returns; but one
 * whose warps all poll memory that nobody on the device changes may wait for a word that the
 * program writes after the launch. Such a launch is held: its call returns, later operations queue
 * up behind it, and it goes on at the next call that waits for the device. That is possible only if
 * there is memory that both sides see; otherwise it is a deadlock at once. Needs the lock.
 */
#ifndef WB_CUDART_HELD_H
#define WB_CUDART_HELD_H

#include "op.h"

/* Runs a kernel: to its end, or until it has to be held. */
enum cudaError wb_held_launch(const struct wb_op_kernel *launch, cudaStream_t stream);
/* True if a launch is held: then the operation is queued. */
bool wb_held_queue(const struct wb_op *op, cudaStream_t stream);
/* What runs now was submitted before something that is over already: a launch that was held, or
 * what was queued behind it. */
bool wb_held_is_late(void);
/* Lets what is held go on. False if it still waits. */
bool wb_held_try(void);
/* The same, until all is done. Waits for other threads of the program, if there are any; then what
 * still waits is a deadlock. */
void wb_held_finish(void);

#endif
