/* SPDX-License-Identifier: MIT
 * inject: calls that fail because WARPBOOK_INJECT says so, to see what a program does then. A comma
 * separated list of NAME:NUMBER or NAME:NUMBER:ERROR, for instance
 * "cudaMalloc:2,cudaMemcpy:1:cudaErrorUnknown": the second cudaMalloc of the program fails, and its
 * first cudaMemcpy with that error. Needs the lock.
 */
#ifndef WB_CUDART_INJECT_H
#define WB_CUDART_INJECT_H

#include "enter.h"

/* Counts a call of `api`; the error that this one is to return, or cudaSuccess. What is wrong with
 * the list is told once, on standard error. */
enum cudaError wb_inject(enum wb_api api);

#endif
