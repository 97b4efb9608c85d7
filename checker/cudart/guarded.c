/* SPDX-License-Identifier: MIT
 * See guarded.h.
 */
#include "guarded.h"

#include "heap.h"
#include "op.h"
#include "runtime.h"

#include <stdlib.h>

bool wb_guard_wanted(void)
{
    static int wanted = -1;
    if (wanted < 0) {
        const char *text = getenv("WARPBOOK_GUARD");
        wanted = text && *text == '1';
    }
    return wanted;
}

void wb_guard_fresh(uint64_t address, uint64_t size)
{
    if (wb_guard_wanted()) {
        wb_sim_define(wb_runtime_sim(), address, size, false);
    }
}

static uint64_t row(const struct wb_op_side *side, uint64_t y, uint64_t z)
{
    return side->address + z * side->slice + y * side->pitch;
}

void wb_guard_filled(const struct wb_op_side *to, uint64_t width, uint64_t height, uint64_t depth)
{
    for (uint64_t z = 0; wb_guard_wanted() && z < depth; z++) {
        for (uint64_t y = 0; y < height; y++) {
            wb_sim_define(wb_runtime_sim(), row(to, y, z), width, true);
        }
    }
}

void wb_guard_copied(const struct wb_op_side *to, const struct wb_op_side *from, uint64_t width,
                     uint64_t height, uint64_t depth)
{
    const struct wb_allocation *a = wb_guard_wanted() ? wb_heap_find(to->address) : NULL;
    if (!a || wb_heap_on_host(a)) { /* what the host writes to it is not seen */
        return;
    }
    for (uint64_t z = 0; z < depth; z++) {
        for (uint64_t y = 0; y < height; y++) {
            wb_sim_define_as(wb_runtime_sim(), row(to, y, z), row(from, y, z), width);
        }
    }
}
