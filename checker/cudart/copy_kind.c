/* SPDX-License-Identifier: MIT
 * See copy_kind.h.
 */
#include "copy_kind.h"

#include "enter.h"
#include "heap.h"
#include "log.h"
#include "symbol_misuse.h"
#include "unchecked.h"

/* Where an address lies. Pinned, registered and managed memory is on both sides. */
enum side { HOST, DEVICE, BOTH };

static enum side side_of(uint64_t address)
{
    const struct wb_allocation *a = wb_heap_find(address);
    if (a) {
        bool device = a->kind == WB_MEMORY_DEVICE || a->kind == WB_MEMORY_VARIABLE;
        return device ? DEVICE : BOTH;
    }
    return wb_heap_is_device_address(address) ? DEVICE : HOST;
}

static const struct {
    const char *name;
    enum side from, to;
} kinds[] = {
    [cudaMemcpyHostToHost] = {"cudaMemcpyHostToHost", HOST, HOST},
    [cudaMemcpyHostToDevice] = {"cudaMemcpyHostToDevice", HOST, DEVICE},
    [cudaMemcpyDeviceToHost] = {"cudaMemcpyDeviceToHost", DEVICE, HOST},
    [cudaMemcpyDeviceToDevice] = {"cudaMemcpyDeviceToDevice", DEVICE, DEVICE},
    [cudaMemcpyDefault] = {"cudaMemcpyDefault", BOTH, BOTH},
};

static bool fits(enum side real, enum side claimed)
{
    return real == claimed || real == BOTH || claimed == BOTH;
}

/* The kind for two sides; one that is on both sides is taken for what was claimed. */
static const char *right_kind(enum side from, enum side to, enum cudaMemcpyKind claimed)
{
    from = from == BOTH ? kinds[claimed].from : from;
    to = to == BOTH ? kinds[claimed].to : to;
    for (int k = cudaMemcpyHostToHost; k < cudaMemcpyDefault; k++) {
        if (kinds[k].from == from && kinds[k].to == to) {
            return kinds[k].name;
        }
    }
    return kinds[cudaMemcpyDefault].name;
}

void wb_copy_kind_check(const struct wb_op_copy *copy)
{
    static const char *const where[] = {
        [HOST] = "host memory", [DEVICE] = "device memory", [BOTH] = "memory of both sides"};
    if (!copy->width || !copy->height || !copy->depth || wb_symbol_misuse_copy(copy) ||
        (unsigned)copy->kind >= cudaMemcpyDefault) {
        return;
    }
    enum side from = side_of(copy->from.address), to = side_of(copy->to.address);
    if (copy->from.address == 0 || copy->to.address == 0 ||
        (fits(from, kinds[copy->kind].from) && fits(to, kinds[copy->kind].to))) {
        return; /* a null pointer is another mistake */
    }
    wb_unchecked_explained();
    wb_log_finding(WB_REASON_COPY_KIND, NULL, NULL,
                   "the copy is called %s, but its source is %s and its destination %s; for these "
                   "two the kind is %s",
                   kinds[copy->kind].name, where[from], where[to],
                   right_kind(from, to, copy->kind));
}
