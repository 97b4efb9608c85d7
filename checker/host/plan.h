/* SPDX-License-Identifier: MIT
 * plan: what host.c tells host-runner, at the start of the memory that both see, and what
 * host-runner tells host.c through its message pipe. Both are from one build, so the layout is that
 * of the compiler.
 *
 *     | plan | guard | array 0 | guard | array 1 | guard | ...      each a number of whole pages
 */
#ifndef WB_HOST_PLAN_H
#define WB_HOST_PLAN_H

#include <warpbook/device.h>

enum {
    WB_PLAN_FD = 4,         /* where host-runner finds the memory */
    WB_PLAN_PAGE = 4096,    /* bytes of a guard */
    WB_PLAN_PATTERN = 0xa5, /* around the arrays, in their own pages */
    WB_RUNNER_FRAMES = 24,
    WB_RUNNER_TEXT = 256
};

struct wb_plan_array {
    uint64_t pages, page_bytes; /* offset and length of its pages */
    uint64_t at, size;          /* offset of its first byte, behind `pages`; bytes */
};

struct wb_plan {
    uint64_t size; /* of the whole memory */
    bool on_gpu;
    char object[WB_RUNNER_TEXT], function[WB_RUNNER_TEXT];
    struct wb_device_arg args[WB_MAX_ARGS];
    unsigned arg_count, array_count;
    unsigned result_size; /* bytes of what is returned: 0, 4 or 8 */
    bool result_is_float;
    struct wb_plan_array arrays[WB_MAX_ARGS];
};

/* The runner's messages, one write each. A call that ends well is LOADED, CALLED, RETURNED. */
enum wb_runner_event_kind {
    WB_RUNNER_TROUBLE,    /* ours: text */
    WB_RUNNER_UNLOADABLE, /* text: what the loader says */
    WB_RUNNER_NO_FUNCTION,
    WB_RUNNER_LOADED, /* frames[0] to frames[1]: where the object lies */
    WB_RUNNER_CALLED,
    WB_RUNNER_RETURNED, /* value */
    WB_RUNNER_SIGNALLED /* number, address, value: where the plan's memory lies; frames: return
                           addresses, innermost first */
};

struct wb_runner_event {
    uint32_t kind;
    int32_t number;
    uint64_t value, address;
    bool near_stack; /* the address lies just beyond the stack pointer */
    uint64_t frames[WB_RUNNER_FRAMES];
    char text[WB_RUNNER_TEXT];
};

#endif
