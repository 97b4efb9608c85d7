/* SPDX-License-Identifier: MIT
 * The device that runs nothing: with it everything above can still compile and report.
 */
#include <warpbook/device.h>

static bool none_probe(struct wb_device_info *out, const char *toolkit_root,
                       struct wb_status *status)
{
    (void)toolkit_root;
    (void)status;
    *out = (struct wb_device_info){
        .kind = WB_DEVICE_NONE,
        .name = "no device",
        .arch = "sm_90",
        .major = 9,
        .minor = 0,
        .counters = "none",
        .why_not = "The device `none` was chosen: files are compiled, nothing runs.",
    };
    return true;
}

static bool none_run(struct wb_device_result *out, struct wb_arena *arena,
                     struct wb_device_job *job, struct wb_status *status)
{
    (void)arena;
    (void)job;
    *out = (struct wb_device_result){0};
    return WB_FAIL(status, NO_DEVICE,
                   "The device `none` runs nothing. Choose --device sim to run without a GPU.");
}

const struct wb_device wb_device_none = {
    .name = "none",
    .probe = none_probe,
    .run = none_run,
};
