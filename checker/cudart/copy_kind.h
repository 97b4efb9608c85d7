/* SPDX-License-Identifier: MIT
 * copy_kind: copies whose cudaMemcpyKind does not fit their pointers. Some of them the hardware
 * refuses, others it carries out as if nothing were wrong. Needs the lock.
 */
#ifndef WB_CUDART_COPY_KIND_H
#define WB_CUDART_COPY_KIND_H

#include "op.h"

/* Makes a finding, at the call in flight, if the kind is wrong. */
void wb_copy_kind_check(const struct wb_op_copy *copy);

#endif
