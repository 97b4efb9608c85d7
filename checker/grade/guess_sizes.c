/* SPDX-License-Identifier: MIT
 * Guesses from all sizes of a task together: what the right ones have in common (one row per
 * property in `size_patterns`), and which pattern of elements is the one to report.
 */
#include "guess.h"

static bool is_whole_warps(struct wb_size size)
{
    return size.x % 32 == 0;
}

static bool is_even(struct wb_size size)
{
    return size.x % 2 == 0;
}

static bool is_square(struct wb_size size)
{
    return size.x == size.y;
}

static bool is_one_row(struct wb_size size)
{
    return size.y == 1 && size.z == 1;
}

static const struct {
    bool (*holds)(struct wb_size size);
    const char *cause, *advice;
    bool of_rows; /* means nothing where the arrays are lists */
} size_patterns[] = {
    {is_whole_warps, "It is right only where the length is a multiple of 32.",
     "Look at the threads of the last block that have no element of their own."},
    {is_even, "It is right only where the length is even.",
     "Find the thread that has the last element of an odd length."},
    {is_square, "It is right only where width and height are equal.",
     "Check the lengths in the index: a row has `width` elements, a layer `width * height`.", true},
    {is_one_row, "It is right only where there is a single row.",
     "Check how the row comes into the index.", true},
};

/* Exactly the sizes with the property are right, at least two of them, and at least two wrong. */
static bool splits(bool (*holds)(struct wb_size), const struct wb_size_check *sizes, size_t count)
{
    size_t right = 0, wrong = 0;
    for (size_t i = 0; i < count; i++) {
        if (wb_size_count(sizes[i].size) == 0) {
            continue; /* nothing can be wrong there */
        }
        if (sizes[i].right != holds(sizes[i].size)) {
            return false;
        }
        right += sizes[i].right;
        wrong += !sizes[i].right;
    }
    return right >= 2 && wrong >= 2;
}

/* Wrong at three sizes or more, and right at a single one of more than one element. */
static bool only_one_size(const struct wb_size_check *sizes, size_t count)
{
    size_t right = 0, wrong = 0;
    bool tiny = false;
    for (size_t i = 0; i < count; i++) {
        size_t elements = wb_size_count(sizes[i].size);
        right += sizes[i].right && elements > 0;
        wrong += !sizes[i].right;
        tiny |= sizes[i].right && elements == 1;
    }
    return right == 1 && wrong >= 3 && !tiny;
}

static struct wb_guess common_to_sizes(const struct wb_size_check *sizes, size_t count)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(size_patterns); i++) {
        bool fits = !(size_patterns[i].of_rows && count && sizes[0].list);
        if (fits && splits(size_patterns[i].holds, sizes, count)) {
            return (struct wb_guess){size_patterns[i].cause, size_patterns[i].advice,
                                     .region = false};
        }
    }
    return (struct wb_guess){.cause = NULL};
}

/* The more elements, the less is chance. What a region says counts only at the largest size that is
 * wrong: "only the last one" at 65 elements is chance if a thousand others are missing at 1,000. */
static struct wb_guess of_largest(const struct wb_size_check *sizes, size_t count)
{
    struct wb_guess best = {.cause = NULL};
    size_t most = 0, most_wrong = 0;
    for (size_t i = 0; i < count; i++) {
        size_t elements = wb_size_count(sizes[i].size);
        if (!sizes[i].right && elements > most_wrong) {
            most_wrong = elements;
        }
        if (sizes[i].guess.cause && elements > most) {
            most = elements;
            best = sizes[i].guess;
            best.size = sizes[i].size;
        }
    }
    return best.region && most < most_wrong ? (struct wb_guess){.cause = NULL} : best;
}

void wb_guess_sizes(struct wb_guess *out, struct wb_arena *arena, const struct wb_size_check *sizes,
                    size_t count)
{
    struct wb_guess shape = common_to_sizes(sizes, count);
    *out = of_largest(sizes, count);
    if (out->cause && shape.cause) {
        out->cause = wb_arena_printf(arena, "%s %s", out->cause, shape.cause);
        out->advice = out->region ? shape.advice : out->advice;
    } else if (shape.cause) {
        *out = shape;
    } else if (!out->region && only_one_size(sizes, count)) {
        *out = (struct wb_guess){
            "It is right at one size only: a number in the kernel is perhaps that size.",
            "Use the kernel's own size parameters instead of fixed numbers.", .region = false};
    }
}
