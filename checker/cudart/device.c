/* SPDX-License-Identifier: MIT
 * Which device there is and what it can do: cudaGetDeviceCount, cudaSetDevice,
 * cudaDeviceGetAttribute and their like. There is one device; its attributes are in device.def.
 */
#include "device.h"

#include "api.h"
#include "runtime.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static struct {
    unsigned flags;
    enum cudaFuncCache cache;
    enum cudaSharedMemConfig shared;
} device;

void wb_device_reset(void)
{
    memset(&device, 0, sizeof device);
    wb_limits_reset();
}

enum cudaFuncCache wb_device_cache_config(void)
{
    return device.cache;
}

enum cudaError wb_device_check(int number)
{
    return number == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

/* ---- attributes ------------------------------------------------------------------------------ */

bool wb_device_attribute(int *value, enum cudaDeviceAttr attribute)
{
    switch ((int)attribute) {
#define ATTRIBUTE(name, number, is)                                                                \
    case name:                                                                                     \
        *value = (is);                                                                             \
        return true;
#include "device.def"
#undef ATTRIBUTE
    default:
        return false;
    }
}

enum cudaError rt_cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int number)
{
    if (!value) {
        return cudaErrorInvalidValue;
    }
    if (number != 0) {
        return cudaErrorInvalidDevice;
    }
    return wb_device_attribute(value, attribute) ? cudaSuccess : cudaErrorInvalidValue;
}

/* ---- which device ---------------------------------------------------------------------------- */

enum cudaError rt_cudaGetDeviceCount(int *count)
{
    if (!count) {
        return cudaErrorInvalidValue;
    }
    *count = 1;
    return cudaSuccess;
}

enum cudaError rt_cudaGetDevice(int *number)
{
    if (!number) {
        return cudaErrorInvalidValue;
    }
    *number = 0;
    return cudaSuccess;
}

enum cudaError rt_cudaSetDevice(int number)
{
    return wb_device_check(number);
}

/* Devices are tried in the order of the list; ours is the only one it may name. */
enum cudaError rt_cudaSetValidDevices(int *numbers, int count)
{
    if (count < 0 || count > 1 || (count > 0 && !numbers)) {
        return cudaErrorInvalidValue;
    }
    return count > 0 ? wb_device_check(numbers[0]) : cudaSuccess;
}

enum cudaError rt_cudaChooseDevice(int *number, const struct cudaDeviceProp *wish)
{
    if (!number || !wish) {
        return cudaErrorInvalidValue;
    }
    *number = 0;
    return cudaSuccess;
}

static bool flags_are_valid(unsigned flags)
{
    unsigned schedule = flags & cudaDeviceScheduleMask;
    unsigned known = cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax |
                     cudaDeviceSyncMemops;
    /* One way to wait at most: none, spin (1), yield (2), block (4). */
    return (flags & ~known) == 0 && (schedule & (schedule - 1)) == 0;
}

enum cudaError rt_cudaInitDevice(int number, unsigned device_flags, unsigned flags)
{
    if (flags & ~(unsigned)cudaInitDeviceFlagsAreValid) {
        return cudaErrorInvalidValue;
    }
    if (number != 0) {
        return cudaErrorInvalidDevice;
    }
    return flags & cudaInitDeviceFlagsAreValid ? rt_cudaSetDeviceFlags(device_flags) : cudaSuccess;
}

enum cudaError rt_cudaSetDeviceFlags(unsigned flags)
{
    if (!flags_are_valid(flags)) {
        return cudaErrorInvalidValue;
    }
    device.flags = flags;
    return cudaSuccess;
}

/* Host memory can always be mapped, whether the program asked for it or not. */
enum cudaError rt_cudaGetDeviceFlags(unsigned *flags)
{
    if (!flags) {
        return cudaErrorInvalidValue;
    }
    *flags = device.flags | cudaDeviceMapHost;
    return cudaSuccess;
}

/* ---- PCI: the device pretends to sit at 0000:00:00.0 ----------------------------------------- */

static void format_bus_id(char out[13])
{
    int domain = 0, bus = 0, slot = 0;
    wb_device_attribute(&domain, cudaDevAttrPciDomainId);
    wb_device_attribute(&bus, cudaDevAttrPciBusId);
    wb_device_attribute(&slot, cudaDevAttrPciDeviceId);
    snprintf(out, 13, "%04X:%02X:%02X.0", domain & 0xffff, bus & 0xff, slot & 0xff);
}

enum cudaError rt_cudaDeviceGetPCIBusId(char *out, int size, int number)
{
    char id[13];
    if (!out || size <= 0) {
        return cudaErrorInvalidValue;
    }
    if (number != 0) {
        return cudaErrorInvalidDevice;
    }
    format_bus_id(id);
    if ((size_t)size < sizeof id) {
        return cudaErrorInvalidValue;
    }
    memcpy(out, id, sizeof id);
    return cudaSuccess;
}

/* With or without the domain and the function: "0000:00:00.0", "00:00.0", "0000:00:00". */
enum cudaError rt_cudaDeviceGetByPCIBusId(int *number, const char *wanted)
{
    char id[13];
    if (!number || !wanted) {
        return cudaErrorInvalidValue;
    }
    format_bus_id(id);
    if (strcasecmp(wanted, id) != 0 && strcasecmp(wanted, id + 5) != 0 &&
        (strlen(wanted) != 10 || strncasecmp(wanted, id, 10) != 0)) {
        return cudaErrorInvalidDevice;
    }
    *number = 0;
    return cudaSuccess;
}

/* ---- preferences: remembered, and of no effect on what a kernel computes -----------------------
 */

enum cudaError rt_cudaDeviceGetCacheConfig(enum cudaFuncCache *out)
{
    if (!out) {
        return cudaErrorInvalidValue;
    }
    *out = device.cache;
    return cudaSuccess;
}

enum cudaError rt_cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    if ((unsigned)config > cudaFuncCachePreferEqual) {
        return cudaErrorInvalidValue;
    }
    device.cache = config;
    return cudaSuccess;
}

/* Banks have four bytes on every device since Maxwell. */
enum cudaError rt_cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *out)
{
    if (!out) {
        return cudaErrorInvalidValue;
    }
    *out = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

enum cudaError rt_cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    return (unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess;
}

enum cudaError rt_cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements,
                                                       const struct cudaChannelFormatDesc *format,
                                                       int number)
{
    if (!elements || !format) {
        return cudaErrorInvalidValue;
    }
    if (number != 0) {
        return cudaErrorInvalidDevice;
    }
    int width = 0;
    wb_device_attribute(&width, cudaDevAttrMaxTexture1DLinearWidth);
    *elements = (size_t)width;
    return cudaSuccess;
}

/* ---- other devices: there are none ----------------------------------------------------------- */

enum cudaError rt_cudaDeviceCanAccessPeer(int *can, int number, int peer)
{
    if (!can) {
        return cudaErrorInvalidValue;
    }
    *can = 0;
    return number == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

enum cudaError rt_cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    if (flags != 0) {
        return cudaErrorInvalidValue;
    }
    return peer == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
}

enum cudaError rt_cudaDeviceDisablePeerAccess(int peer)
{
    return peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
}

/* A device is no peer of itself. */
enum cudaError rt_cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                            int to)
{
    if (!value || attribute < cudaDevP2PAttrPerformanceRank ||
        attribute > cudaDevP2PAttrOnlyPartialNativeAtomicSupported) {
        return cudaErrorInvalidValue;
    }
    (void)from;
    (void)to;
    return cudaErrorInvalidDevice;
}
