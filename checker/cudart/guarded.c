/* SPDX-License-Identifier: MIT
 * See guarded.h.
 */
#include "guarded.h"

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

void wb_guard_wrote(const struct wb_op_side *to, uint64_t width, uint64_t height, uint64_t depth)
{
    for (uint64_t z = 0; wb_guard_wanted() && z < depth; z++) {
        for (uint64_t y = 0; y < height; y++) {
            wb_sim_define(wb_runtime_sim(), to->address + z * to->slice + y * to->pitch, width,
                          true);
        }
    }
}
