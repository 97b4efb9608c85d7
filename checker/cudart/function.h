/* SPDX-License-Identifier: MIT
 * function: what kernels need and what the program set for them (cudaFunc*). Needs the lock.
 */
#ifndef WB_CUDART_FUNCTION_H
#define WB_CUDART_FUNCTION_H

#include "binary.h"
#include "occupancy.h"

/* What a loaded kernel needs of a multiprocessor. */
struct wb_occupancy wb_function_needs(const struct wb_function *function);

#endif
