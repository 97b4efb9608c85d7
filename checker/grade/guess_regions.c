/* SPDX-License-Identifier: MIT
 * Guesses the cause of wrong elements from where they lie. One row per region in `regions`, the
 * narrowest first; the first that holds all wrong elements is reported.
 */
#include "guess.h"

static struct wb_place find_place(const struct wb_pattern *p, size_t i)
{
    return wb_place_of(p->task, p->param, p->right->size, p->launch, p->count, i);
}

static bool is_last(const struct wb_pattern *p, size_t i)
{
    return i == p->count - 1;
}

static bool is_first(const struct wb_pattern *p, size_t i)
{
    (void)p;
    return i == 0;
}

static bool is_in_last_column(const struct wb_pattern *p, size_t i)
{
    const struct wb_place at = find_place(p, i);
    return at.dimensions > 1 && at.at.x == at.shape.x - 1;
}

static bool is_in_last_row(const struct wb_pattern *p, size_t i)
{
    const struct wb_place at = find_place(p, i);
    return at.dimensions > 1 && at.at.y == at.shape.y - 1;
}

static bool is_even(const struct wb_pattern *p, size_t i)
{
    (void)p;
    return i % 2 == 0;
}

static bool is_odd(const struct wb_pattern *p, size_t i)
{
    (void)p;
    return i % 2 == 1;
}

static bool is_not_32nd(const struct wb_pattern *p, size_t i)
{
    (void)p;
    return i % 32 != 0;
}

static bool is_beyond_grid(const struct wb_pattern *p, size_t i)
{
    return p->right->size.y == 1 && i >= (size_t)p->launch->grid.x * p->launch->block.x;
}

static bool is_beyond_first_block(const struct wb_pattern *p, size_t i)
{
    struct wb_dim3 block = find_place(p, i).block;
    return block.x || block.y || block.z;
}

/* All before are right, at least a warp's worth. */
static bool is_beyond_a_point(const struct wb_pattern *p, size_t i)
{
    size_t right = p->count - p->wrong_count;
    return right < 32 || i >= right;
}

static bool sticks_out(unsigned block, unsigned block_size, unsigned size)
{
    return ((uint64_t)block + 1) * block_size > size;
}

/* In a block that reaches over the edge of the problem. */
static bool is_in_partial_block(const struct wb_pattern *p, size_t i)
{
    const struct wb_dim3 size = p->launch->block;
    const struct wb_place at = find_place(p, i);
    if (at.launch_dimensions == 1) {
        return sticks_out(at.block.x, size.x, (unsigned)p->count);
    }
    return at.launch_dimensions && (sticks_out(at.block.x, size.x, p->right->size.x) ||
                                    sticks_out(at.block.y, size.y, p->right->size.y) ||
                                    sticks_out(at.block.z, size.z, p->right->size.z));
}

static bool is_at_border(const struct wb_pattern *p, size_t i)
{
    const struct wb_place place = find_place(p, i);
    const struct wb_dim3 at = place.at, shape = place.shape;
    return shape.x > 2 && shape.y > 2 &&
           (at.x == 0 || at.y == 0 || at.x == shape.x - 1 || at.y == shape.y - 1);
}

/* True if all wrong elements lie `where`, at least `share` percent of those that lie there are
 * wrong, and some elements lie elsewhere. */
static bool wrong_only(const struct wb_pattern *p, bool (*where)(const struct wb_pattern *, size_t),
                       unsigned share)
{
    size_t there = 0;
    for (size_t i = 0; i < p->count; i++) {
        bool inside = where(p, i);
        if (p->wrong[i] && !inside) {
            return false;
        }
        there += inside;
    }
    return there < p->count && p->wrong_count * 100 >= there * share;
}

static const struct {
    unsigned least; /* elements that an array must have for this to mean anything */
    bool (*where)(const struct wb_pattern *p, size_t i);
    unsigned share; /* percent of the elements there that are wrong, at least */
    const char *cause, *advice;
} regions[] = {
    {4, is_last, 90, "Only the last element is wrong.",
     "Find the thread that has the last element: is its index compared with `n`, or with `n - 1`?"},
    {4, is_first, 90, "Only the first element is wrong.",
     "Check the comparison at the start: `i >= 0`, not `i > 0`."},
    {4, is_in_last_column, 90, "Only the last column of the array is wrong.",
     "Check both comparisons at the edge: `x < width` and `y < height`, without `- 1`."},
    {4, is_in_last_row, 90, "Only the last row of the array is wrong.",
     "Check both comparisons at the edge: `x < width` and `y < height`, without `- 1`."},
    {4, is_even, 90, "Only even elements are wrong.",
     "Work out by hand what your code for even elements does with the first wrong one."},
    {4, is_odd, 90, "Only odd elements are wrong.",
     "Work out by hand what your code for odd elements does with the first wrong one."},
    {33, is_not_32nd, 90, "Only every 32nd element is right: the first lane of each warp.",
     "Check that every lane writes its own element, not just lane 0."},
    {4, is_beyond_grid, 90, "Only the elements that the grid reaches in its first pass are right.",
     "Let each thread go on by blockDim.x * gridDim.x until the end of the array."},
    {4, is_beyond_first_block, 90,
     "Only the first block's elements are right: the index is perhaps local to the block.",
     "The index in the whole array is blockIdx * blockDim + threadIdx, in each dimension."},
    {4, is_in_partial_block, 1, "Only elements of the last, partly filled blocks are wrong.",
     "Check the guard: a thread works if its own index is below the length, whatever its block."},
    {64, is_beyond_a_point, 100, "The elements are right up to a point, and none is from there on.",
     "Find the thread that should have the first wrong element, and work out its index by hand."},
    {9, is_at_border, 90, "Only elements at the border are wrong.",
     "Check what the kernel does where a neighbour is missing."},
};

void wb_guess_region(struct wb_guess *out, const struct wb_pattern *p)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(regions); i++) {
        if (p->count >= regions[i].least && wrong_only(p, regions[i].where, regions[i].share)) {
            *out = (struct wb_guess){regions[i].cause, regions[i].advice, true};
            return;
        }
    }
}
