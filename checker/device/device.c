/* SPDX-License-Identifier: MIT
 * The list of devices, and the choice of one. A new device is one more row of wb_devices.
 */
#include <warpbook/device.h>

#include <stdlib.h>
#include <string.h>

const struct wb_device *const wb_devices[] = {&wb_device_gpu, &wb_device_sim, &wb_device_none,
                                              NULL};

/* The first that works. The embedded device always does. */
static bool open_any(const struct wb_device **out, struct wb_device_info *info,
                     const char *toolkit_root, struct wb_status *status)
{
    for (size_t i = 0; wb_devices[i]; i++) {
        struct wb_status ignored = {0};
        if (wb_devices[i]->probe(info, toolkit_root, &ignored)) {
            *out = wb_devices[i];
            return true;
        }
    }
    return WB_FAIL(status, NO_DEVICE, "No device works on this machine.");
}

bool wb_device_open(const struct wb_device **out, struct wb_device_info *info, const char *choice,
                    const char *toolkit_root, struct wb_status *status)
{
    const char *from = choice ? "--device" : "WARPBOOK_DEVICE";
    if (!choice) {
        choice = getenv("WARPBOOK_DEVICE");
    }
    if (!choice || !*choice || strcmp(choice, "auto") == 0) {
        return open_any(out, info, toolkit_root, status);
    }
    for (size_t i = 0; wb_devices[i]; i++) {
        if (strcmp(choice, wb_devices[i]->name) == 0) {
            *out = wb_devices[i];
            return wb_devices[i]->probe(info, toolkit_root, status);
        }
    }
    return WB_FAIL(status, BAD_INPUT, "%s names no device: `%s`. Choose auto, gpu, sim or none.",
                   from, choice);
}
