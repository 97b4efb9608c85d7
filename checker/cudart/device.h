/* SPDX-License-Identifier: MIT
 * device: what the embedded device says of itself. There is one, number 0. Values are in device.def
 * (attributes) and limit.c (limits). Needs the lock.
 */
#ifndef WB_CUDART_DEVICE_H
#define WB_CUDART_DEVICE_H

#include "abi.h"

#include <stdbool.h>

/* The name in cudaDeviceProp. */
#define WB_DEVICE_NAME "embedded sm_90 device"

/* Value of an attribute; false if there is no such attribute. */
bool wb_device_attribute(int *value, enum cudaDeviceAttr attribute);
/* cudaErrorInvalidDevice unless `device` is 0. */
enum cudaError wb_device_check(int device);
/* Preference of the whole device for L1 or shared memory. */
enum cudaFuncCache wb_device_cache_config(void);
/* A limit as it is set now, in bytes or what the limit counts in. */
size_t wb_device_limit(enum cudaLimit limit);
/* cudaDeviceReset: flags, preferences and limits as in the beginning. */
void wb_device_reset(void);
void wb_limits_reset(void);

#endif
