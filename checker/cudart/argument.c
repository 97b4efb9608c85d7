/* SPDX-License-Identifier: MIT
 * See argument.h. A pointer is 8 aligned bytes of the parameters whose value is an address that
 * this process has mapped and the device has not.
 */
#include "argument.h"

#include "heap.h"

#include <string.h>

static bool on_host(uint64_t address)
{
    return address && !wb_heap_find(address) && wb_heap_is_host_memory(address);
}

/* The parameter's value nearest below `address`, 0 if it holds none. */
static uint64_t nearest_pointer(const struct wb_kernel_param *param,
                                const struct wb_sim_launch *launch, uint64_t address)
{
    uint64_t best = 0, value;
    for (size_t at = param->offset; at + sizeof value <= param->offset + param->size &&
                                    at + sizeof value <= launch->param_size;
         at += sizeof value) {
        memcpy(&value, (const uint8_t *)launch->params + at, sizeof value);
        best = value <= address && value > best ? value : best;
    }
    return best;
}

bool wb_argument_on_host(unsigned *number, const struct wb_log_launch *launch)
{
    const uint64_t reach = UINT64_C(1) << 32; /* farther off, the two have nothing to do */
    const struct wb_kernel *kernel = launch->kernel;
    uint64_t address = launch->fault->address, best = 0;
    for (unsigned i = 0; i < kernel->param_count; i++) {
        uint64_t value = nearest_pointer(&kernel->params[i], launch->launch, address);
        if (value > best && address - value < reach && on_host(value)) {
            best = value;
            *number = i + 1;
        }
    }
    return best != 0;
}
