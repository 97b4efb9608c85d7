/* SPDX-License-Identifier: MIT
 * cudaDeviceSetLimit and cudaDeviceGetLimit: a table of the limits with their range and first
 * value.
 */
#include "api.h"
#include "device.h"

#include <stdint.h>

#define KIB(n) ((size_t)(n) << 10)
#define MIB(n) ((size_t)(n) << 20)

/* `step`: values are rounded up to a multiple of it. A limit without `largest` is not supported. */
struct limit {
    size_t first, least, largest, step;
};

static const struct limit limits[] = {
    [cudaLimitStackSize] = {KIB(1), 0, KIB(512), 16},
    [cudaLimitPrintfFifoSize] = {MIB(8), 0, MIB(4096), 1},
    [cudaLimitMallocHeapSize] = {MIB(8), 0, MIB(65536), 1},
    [cudaLimitDevRuntimeSyncDepth] = {0, 0, 0, 1}, /* gone since sm_90: no device-side waiting */
    [cudaLimitDevRuntimePendingLaunchCount] = {2048, 1, MIB(1), 1},
    [cudaLimitMaxL2FetchGranularity] = {64, 0, 128, 32},
    [cudaLimitPersistingL2CacheSize] = {0, 0, MIB(4096), 1},
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
    if ((unsigned)limit >= LIMIT_COUNT || limits[limit].largest == 0) {
        return cudaErrorUnsupportedLimit;
    }
    return cudaSuccess;
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
