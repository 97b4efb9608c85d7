/* SPDX-License-Identifier: MIT
 * cudaDeviceSetLimit and cudaDeviceGetLimit: a table of the limits with their range and first
 * value. First values were measured (docs/measured/2026-11-30-runtime-h200.md).
 */
#include "api.h"
#include "device.h"

#include <stdint.h>

#define KIB(n) ((size_t)(n) << 10)
#define MIB(n) ((size_t)(n) << 20)

/* Numbers that NVIDIA's runtime answers too, although its header has no names for them. */
enum { LIMIT_SHARED_SIZE = 7, LIMIT_GRAPHICS = 8, LIMIT_GRAPHICS_SHARED = 9 };

/* `step`: values are rounded up to a multiple of it; 0: the program cannot set the limit. */
struct limit {
    size_t first, least, largest, step;
};

static const struct limit limits[] = {
    [cudaLimitStackSize] = {KIB(1), 0, KIB(512), 16},
    [cudaLimitPrintfFifoSize] = {8650752, 0, MIB(4096), 1},
    [cudaLimitMallocHeapSize] = {MIB(8), 0, MIB(65536), 1},
    [cudaLimitDevRuntimeSyncDepth] = {0}, /* unsupported, gone since sm_90 */
    [cudaLimitDevRuntimePendingLaunchCount] = {2048, 1, MIB(1), 1},
    [cudaLimitMaxL2FetchGranularity] = {64, 0, 128, 32},
    [cudaLimitPersistingL2CacheSize] = {11796480, 0, MIB(4096), 1},
    [LIMIT_SHARED_SIZE] = {.first = KIB(227)},
    [LIMIT_GRAPHICS] = {0},
    [LIMIT_GRAPHICS_SHARED] = {0}, /* unsupported */
};

enum { LIMIT_COUNT = sizeof limits / sizeof limits[0] };

static size_t set_to[LIMIT_COUNT];
static unsigned is_set; /* bit i: limit i was set */

void wb_limits_reset(void)
{
    is_set = 0;
}

size_t wb_device_limit(enum cudaLimit limit)
{
    return is_set >> limit & 1 ? set_to[limit] : limits[limit].first;
}

static enum cudaError check(enum cudaLimit limit)
{
    if ((unsigned)limit >= LIMIT_COUNT) {
        return cudaErrorInvalidValue;
    }
    bool supported = limit != cudaLimitDevRuntimeSyncDepth && (int)limit != LIMIT_GRAPHICS_SHARED;
    return supported ? cudaSuccess : cudaErrorUnsupportedLimit;
}

enum cudaError rt_cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if (!value) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = check(limit);
    if (!error) {
        *value = wb_device_limit(limit);
    }
    return error;
}

/* How much of L2 may persist is capped silently at what the device has. */
static size_t cap_persisting(size_t value)
{
    int most = 0;
    wb_device_attribute(&most, cudaDevAttrMaxPersistingL2CacheSize);
    return value < (size_t)most ? value : (size_t)most;
}

enum cudaError rt_cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    enum cudaError error = check(limit);
    if (error) {
        return error;
    }
    const struct limit *l = &limits[limit];
    if (l->step == 0) {
        return cudaErrorUnsupportedLimit;
    }
    if (value < l->least || value > l->largest) {
        return cudaErrorInvalidValue;
    }
    value = (value + l->step - 1) / l->step * l->step;
    set_to[limit] = limit == cudaLimitPersistingL2CacheSize ? cap_persisting(value) : value;
    is_set |= 1u << limit;
    return cudaSuccess;
}

enum cudaError rt_cudaCtxResetPersistingL2Cache(void)
{
    return cudaSuccess;
}
