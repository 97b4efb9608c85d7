/* SPDX-License-Identifier: MIT
 * Every pattern of wrong elements is recognised, and right results give no guess. Each row is a
 * wrong kernel, run through the whole grading.
 */
#include "guess.h"
#include "test_grade_fake.h"
#include "values.h"

#include <math.h>
#include <string.h>

/* ---- one dimension: out[i] = 2 * in[i], blocks of 64 ---------------------------------------- */

/* The kernel under test, for one element. Returns false where it writes nothing. */
static bool (*element)(float *out, const float *in, int i, int n);

static void each_element(struct wb_device_case *c)
{
    int n = fake_int_arg(c, 2);
    for (int i = 0; i < n; i++) {
        float value;
        if (element(&value, fake_floats(c, 0), i, n)) {
            fake_floats(c, 1)[i] = value;
        }
    }
}

static float right(const float *in, int i)
{
    return 2 * in[i];
}

#define ELEMENT(name, condition, value)                                                            \
    static bool name(float *out, const float *in, int i, int n)                                    \
    {                                                                                              \
        (void)in, (void)n, (void)i;                                                                \
        *out = value;                                                                              \
        return condition;                                                                          \
    }

ELEMENT(nothing, false, 0)
ELEMENT(zeros, true, 0)
ELEMENT(same, true, 3)
ELEMENT(copies, true, in[i])
ELEMENT(quadruples, true, 2 * right(in, i))
ELEMENT(scales_a_little, true, 0.999f * right(in, i))
ELEMENT(one_ulp, true, i % 3 ? right(in, i) : nextafterf(right(in, i), 9))
ELEMENT(few_digits, true, right(in, i) * (i % 2 ? 1.0003f : 0.9996f))
ELEMENT(first_48, i < 48, right(in, i))
ELEMENT(adds, true, right(in, i) + 0.5f)
ELEMENT(next, true, right(in, i + 1 < n ? i + 1 : i))
ELEMENT(previous, true, right(in, i ? i - 1 : i))
ELEMENT(swaps, true, right(in, (i ^ 1) < n ? i ^ 1 : i))
ELEMENT(turns, true, right(in, n - 1 - i))
ELEMENT(repeats, true, right(in, i % 64))
ELEMENT(skips_last, i < n - 1, right(in, i))
ELEMENT(skips_first, i > 0, right(in, i))
ELEMENT(first_lanes, i % 32 == 0, right(in, i))
ELEMENT(even_wrong, true, i % 2 ? right(in, i) : -in[i])
ELEMENT(odd_wrong, true, i % 2 ? -in[i] : right(in, i))
ELEMENT(first_block, i < 64, right(in, i))
ELEMENT(no_tail, i < n / 64 * 64, right(in, i))
ELEMENT(no_last_warp, i < n / 32 * 32, right(in, i))
ELEMENT(whole_warps, true, n % 32 ? -in[i] * in[i] : right(in, i))
ELEMENT(one_size, true, n == 97 ? right(in, i) : -in[i] * in[i])
ELEMENT(half_copied, true, i < n / 2 + 8 ? in[i] : -in[i] * in[i])
ELEMENT(noise, true, -in[i] * in[i])

static const struct {
    bool (*element)(float *out, const float *in, int i, int n);
    const char *cause; /* part of the finding; NULL: no guess */
    enum wb_reason reason;
} lines[] = {
    {nothing, "Not one element was written", WB_REASON_NOT_WRITTEN},
    {zeros, "Every element is 0", WB_REASON_WRONG_ANSWER},
    {same, "Every element has the same value, 3.", WB_REASON_WRONG_ANSWER},
    {copies, "unchanged copy of `in`.", WB_REASON_WRONG_ANSWER},
    {quadruples, "Every element is the right one times 2.", WB_REASON_WRONG_ANSWER},
    {scales_a_little, "Every element is the right one times 0.999.", WB_REASON_WRONG_ANSWER},
    {one_ulp, "nearly right: the largest error is 1.00 ulp, where 0.00 are",
     WB_REASON_WRONG_ANSWER},
    {few_digits, "nearly right: the largest error is more than 1,000 ulp", WB_REASON_WRONG_ANSWER},
    {first_48, "right up to a point", WB_REASON_NOT_WRITTEN},
    {adds, "Every element is off by the same amount, 0.5.", WB_REASON_WRONG_ANSWER},
    {next, "value of the next one", WB_REASON_WRONG_ANSWER},
    {previous, "value of the one before", WB_REASON_WRONG_ANSWER},
    {swaps, "changed places", WB_REASON_WRONG_ANSWER},
    {turns, "reverse order", WB_REASON_WRONG_ANSWER},
    {repeats, "repeats the values of the first block", WB_REASON_WRONG_ANSWER},
    {skips_last, "Only the last element is wrong", WB_REASON_NOT_WRITTEN},
    {skips_first, "Only the first element is wrong", WB_REASON_NOT_WRITTEN},
    {first_lanes, "Only every 32nd element is right", WB_REASON_NOT_WRITTEN},
    {even_wrong, "Only even elements are wrong", WB_REASON_WRONG_ANSWER},
    {odd_wrong, "Only odd elements are wrong", WB_REASON_WRONG_ANSWER},
    {first_block, "Only the first block's elements are right", WB_REASON_NOT_WRITTEN},
    {no_tail, "partly filled blocks", WB_REASON_NOT_WRITTEN},
    {no_last_warp, "partly filled blocks", WB_REASON_NOT_WRITTEN},
    {whole_warps, "only where the length is a multiple of 32", WB_REASON_WRONG_ANSWER},
    {one_size, "right at one size only", WB_REASON_WRONG_ANSWER},
    {half_copied, NULL, WB_REASON_WRONG_ANSWER},
    {noise, NULL, WB_REASON_WRONG_ANSWER},
};

/* Every cause starts on a line of its own behind the elements. */
static bool has_guess(const char *message)
{
    const char *last = strrchr(message, '\n');
    return last && last[1] != ' ';
}

static void recognises_lines(void **state)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(lines); i++) {
        struct wb_result result;
        fake_reset();
        fake.kernel = each_element;
        element = lines[i].element;
        fake_grade(&result, *state, &scale_lesson);
        assert_int_equal(result.criteria[0].reason, lines[i].reason);
        const struct wb_finding *finding = find(&result, lines[i].reason);
        assert_true(*finding->advice);
        if (lines[i].cause) {
            assert_contains(finding->message, lines[i].cause);
        } else if (has_guess(finding->message)) {
            fail_msg("row %zu: a guess out of nothing: %s", i, finding->message);
        }
    }
}

/* A grid of one block of 64 threads, however long the array. */
static void launch_one_block(struct wb_device_case *launch, struct wb_size size)
{
    (void)size;
    launch->grid = (struct wb_dim3){1, 1, 1};
}

static void recognises_a_missing_stride(void **state)
{
    struct wb_task task = scale_lesson.tasks[0];
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    struct wb_result result;
    task.launch = launch_one_block;
    fake_reset();
    fake.kernel = each_element;
    element = first_block;
    fake_grade(&result, *state, &lesson);
    assert_contains(find(&result, WB_REASON_NOT_WRITTEN)->message, "in its first pass");
}

/* Elements are missing because the kernel wrote them elsewhere: where they lie says nothing. */
static void writes_astray(struct wb_device_case *c)
{
    each_element(c);
    fake.guard_buffer = 1;
    fake.guard_hit = fake_int_arg(c, 2) < 48;
}

static void does_not_guess_where_writes_went_astray(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.kernel = writes_astray;
    element = first_48;
    fake_grade(&result, *state, &scale_lesson);
    assert_non_null(find(&result, WB_REASON_OUT_OF_BOUNDS));
    assert_null(strstr(find(&result, WB_REASON_NOT_WRITTEN)->message, "right up to a point"));
}

static void the_lesson_advises_where_no_pattern_does(void **state)
{
    struct wb_task task = scale_lesson.tasks[0];
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    struct wb_result result;
    task.advice = "Ask the block.";
    fake_reset();
    fake.kernel = each_element;
    element = noise;
    fake_grade(&result, *state, &lesson);
    assert_string_equal(find(&result, WB_REASON_WRONG_ANSWER)->advice, "Ask the block.");
    element = zeros;
    fake_grade(&result, *state, &lesson);
    assert_string_not_equal(find(&result, WB_REASON_WRONG_ANSWER)->advice, "Ask the block.");
}

/* ---- in place: data[i] += 1 ----------------------------------------------------------------- */

static const struct wb_param bump_params[] = {{WB_INOUT("data", WB_I32, -9, 9)}, {WB_N("n")}};

static void bump_oracle(struct wb_case *c)
{
    for (size_t i = 0; i < c->count[0]; i++) {
        ((int *)c->data[0])[i]++;
    }
}

static void does_nothing(struct wb_device_case *c)
{
    (void)c;
}

/* Blocks of 4 step by their own 4: block b handles what lies behind its first element, too. */
static void steps_by_a_block(struct wb_device_case *c)
{
    int n = fake_int_arg(c, 1);
    for (int i = 0; i < n; i++) {
        fake_ints(c, 0)[i] += i / 4 < 3 ? i / 4 + 1 : 3;
    }
}

static void three_blocks(struct wb_device_case *launch, struct wb_size size)
{
    (void)size;
    launch->grid = (struct wb_dim3){3, 1, 1};
}

static const struct wb_task bump_task = {.kernel = "bump",
                                         .params = bump_params,
                                         .param_count = 2,
                                         .sizes = wb_sizes_1d,
                                         .size_count = WB_SIZES_1D_COUNT,
                                         .block = {4, 1, 1},
                                         .oracle = bump_oracle};

static void recognises_untouched_arrays(void **state)
{
    struct wb_task task = bump_task;
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    struct wb_result result;
    fake_reset();
    fake.kernel = does_nothing;
    fake_grade(&result, *state, &lesson);
    assert_contains(find(&result, WB_REASON_WRONG_ANSWER)->message, "still holds its input");
}

static void recognises_repeated_updates(void **state)
{
    struct wb_task task = bump_task;
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    struct wb_result result;
    task.launch = three_blocks;
    fake_reset();
    fake.kernel = steps_by_a_block;
    fake_grade(&result, *state, &lesson);
    const struct wb_finding *finding = find(&result, WB_REASON_WRONG_ANSWER);
    assert_contains(finding->message,
                    "handled more than once; the times that each changed: 2 to 3.");
    assert_contains(finding->message, " with 3 blocks, ");
    assert_contains(finding->advice, "gridDim * blockDim");
    assert_contains(result.criteria[0].message, " with 3 blocks: ");
}

/* ---- by kind: out[i] = 10 * kind[i] + 1 ------------------------------------------------------ */

static const struct wb_param kind_params[] = {
    {WB_IN("kind", WB_I32, 0, 3)}, {WB_OUT("out", WB_I32)}, {WB_N("n")}};

static int wrong_kind, wrong_below; /* 1 too much for this kind, at elements below */

static void by_kind(struct wb_device_case *c)
{
    int n = fake_int_arg(c, 2);
    for (int i = 0; i < n; i++) {
        int kind = fake_ints(c, 0)[i];
        fake_ints(c, 1)[i] = 10 * kind + 1 + (kind == wrong_kind && i < wrong_below);
    }
}

static void kind_oracle(struct wb_case *c)
{
    for (size_t i = 0; i < c->count[1]; i++) {
        ((int *)c->data[1])[i] = 10 * ((const int *)c->data[0])[i] + 1;
    }
}

static void recognises_kinds(void **state)
{
    static const struct wb_size sizes[] = {{200, 1, 1}};
    struct wb_task task = {.kernel = "by_kind",
                           .params = kind_params,
                           .param_count = 3,
                           .sizes = sizes,
                           .size_count = 1,
                           .block = {64, 1, 1},
                           .oracle = kind_oracle};
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    struct wb_result result;
    fake_reset();
    fake.kernel = by_kind;
    wrong_kind = 2;
    wrong_below = 200;
    fake_grade(&result, *state, &lesson);
    const struct wb_finding *finding = find(&result, WB_REASON_WRONG_ANSWER);
    assert_contains(finding->message, "Only elements are wrong where `kind` is 2.");
    assert_contains(finding->message, "] is 2; block ");
    wrong_below = 20; /* few of the kind: that says nothing */
    fake_grade(&result, *state, &lesson);
    assert_null(strstr(find(&result, WB_REASON_WRONG_ANSWER)->message, "Only elements are wrong"));
    task.remapped = true;
    fake_grade(&result, *state, &lesson);
    assert_null(strstr(find(&result, WB_REASON_WRONG_ANSWER)->message, "; block "));
}

/* ---- two dimensions: out = in + 10 * row + column, blocks of 16 x 16 ------------------------- */

static bool (*cell)(float *out, const float *in, int x, int y, int w, int h);

static void each_cell(struct wb_device_case *c)
{
    int w = fake_int_arg(c, 2), h = fake_int_arg(c, 3);
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            float value;
            if (cell(&value, fake_floats(c, 0), x, y, w, h)) {
                fake_floats(c, 1)[y * w + x] = value;
            }
        }
    }
}

static float right_cell(const float *in, int x, int y, int w)
{
    return in[y * w + x] + 10 * (float)y + (float)x;
}

#define CELL(name, condition, value)                                                               \
    static bool name(float *out, const float *in, int x, int y, int w, int h)                      \
    {                                                                                              \
        (void)h;                                                                                   \
        *out = value;                                                                              \
        return condition;                                                                          \
    }

CELL(no_last_column, x < w - 1, right_cell(in, x, y, w))
CELL(no_last_row, y < h - 1, right_cell(in, x, y, w))
CELL(borderless, x &&y &&x < w - 1 && y < h - 1, right_cell(in, x, y, w))
CELL(swapped, true, right_cell(in, (y * w + x) / h, (y * w + x) % h, w))
CELL(square, true, w == h ? right_cell(in, x, y, w) : -in[0])
CELL(single_rows, true, h == 1 ? right_cell(in, x, y, w) : -in[y * w + x] * in[0])
CELL(upper_left_block, x < 16 && y < 16, right_cell(in, x, y, w))
CELL(local, true, right_cell(in, x % 16, y % 16, w))
CELL(ragged, x < w / 16 * 16 && y < h / 16 * 16, right_cell(in, x, y, w))

static const struct {
    bool (*cell)(float *out, const float *in, int x, int y, int w, int h);
    const char *cause;
} images[] = {
    {no_last_column, "Only the last column of the array is wrong"},
    {no_last_row, "Only the last row of the array is wrong"},
    {borderless, "Only elements at the border are wrong"},
    {swapped, "Rows and columns have changed places"},
    {square, "only where width and height are equal"},
    {single_rows, "only where there is a single row"},
    {upper_left_block, "Only the first block's elements are right"},
    {local, "repeats the values of the first block"},
    {ragged, "partly filled blocks"},
};

static void image_oracle(struct wb_case *c)
{
    for (size_t i = 0; i < c->count[1]; i++) {
        int w = (int)c->size.x, x = (int)i % w, y = (int)i / w;
        ((float *)c->data[1])[i] = right_cell(c->data[0], x, y, w);
    }
}

static void recognises_images(void **state)
{
    static const struct wb_param params[] = {{WB_IN("in", WB_F32, 1, 2)},
                                             {WB_OUT("out", WB_F32)},
                                             {WB_WIDTH("width")},
                                             {WB_HEIGHT("height")}};
    static const struct wb_size sizes[] = {{32, 32, 1}, {33, 31, 1}, {97, 1, 1},
                                           {1, 1, 1},   {64, 64, 1}, {70, 50, 1}};
    struct wb_task task = {.kernel = "image",
                           .params = params,
                           .param_count = 4,
                           .sizes = sizes,
                           .size_count = WB_ARRAY_LENGTH(sizes),
                           .block = {16, 16, 1},
                           .oracle = image_oracle};
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(images); i++) {
        struct wb_result result;
        fake_reset();
        fake.kernel = each_cell;
        cell = images[i].cell;
        fake_grade(&result, *state, &lesson);
        assert_int_equal(result.verdict, WB_FAILED);
        assert_contains(result.findings[0].message, images[i].cause);
    }
}

/* ---- what sizes have in common -------------------------------------------------------------- */

enum { MOST_SIZES = 8 };

static const struct {
    struct wb_size right[MOST_SIZES], wrong[MOST_SIZES]; /* up to the first {0, 0, 0} */
    const char *cause;                                   /* NULL: no guess */
} shapes[] = {
    {{{32, 1, 1}, {64, 1, 1}}, {{31, 1, 1}, {33, 1, 1}}, "multiple of 32"},
    {{{32, 1, 1}, {62, 1, 1}}, {{31, 1, 1}, {33, 1, 1}}, "length is even"},
    {{{32, 1, 1}, {64, 1, 1}}, {{33, 1, 1}}, NULL}, /* too few to tell */
    {{{32, 1, 1}, {33, 1, 1}, {64, 1, 1}}, {{31, 1, 1}, {1, 1, 1}}, NULL},
    {{{32, 1, 1}}, {{31, 1, 1}, {33, 1, 1}}, NULL},
    {{{32, 1, 1}}, {{31, 1, 1}, {33, 1, 1}, {5, 1, 1}}, "right at one size only"},
    {{{1, 1, 1}}, {{31, 1, 1}, {33, 1, 1}, {5, 1, 1}}, NULL}, /* one element proves little */
    {{{7, 7, 1}, {9, 9, 1}}, {{7, 9, 1}, {9, 7, 1}}, "width and height are equal"},
    {{{7, 1, 1}, {9, 1, 1}}, {{7, 9, 1}, {9, 1, 2}}, "a single row"},
    {{{7, 1, 1}, {9, 1, 1}, {0, 5, 1}}, {{7, 9, 1}, {9, 7, 1}}, "a single row"}, /* 0 is no size */
    {{{0}}, {{7, 9, 1}, {9, 7, 1}, {5, 7, 1}}, NULL},
    {{{7, 9, 1}, {9, 7, 1}, {5, 7, 1}}, {{0}}, NULL},
};

static void compares_sizes(void **state)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(shapes); i++) {
        struct wb_size_check sizes[2 * MOST_SIZES] = {{.right = false}};
        size_t count = 0;
        for (size_t j = 0; j < MOST_SIZES && shapes[i].right[j].z; j++) {
            sizes[count++] = (struct wb_size_check){.size = shapes[i].right[j], .right = true};
        }
        for (size_t j = 0; j < MOST_SIZES && shapes[i].wrong[j].z; j++) {
            sizes[count++] = (struct wb_size_check){.size = shapes[i].wrong[j]};
        }
        struct wb_guess guess;
        wb_guess_sizes(&guess, *state, sizes, count);
        assert_int_equal(guess.cause != NULL, shapes[i].cause != NULL);
        if (shapes[i].cause) {
            assert_contains(guess.cause, shapes[i].cause);
            assert_non_null(guess.advice);
        }
    }
}

static void the_largest_size_tells(void **state)
{
    const struct wb_size_check sizes[] = {{{5, 1, 1}, false, {"small", "a", false}},
                                          {{32, 1, 1}, true, {NULL, NULL, false}},
                                          {{90, 1, 1}, false, {"large", "b", false}},
                                          {{100, 1, 1}, false, {NULL, NULL, false}},
                                          {{64, 1, 1}, true, {NULL, NULL, false}}};
    struct wb_guess guess;
    wb_guess_sizes(&guess, *state, sizes, 3);
    assert_string_equal(guess.cause, "large");
    wb_guess_sizes(&guess, *state, sizes, WB_ARRAY_LENGTH(sizes));
    assert_string_equal(guess.cause,
                        "large It is right only where the length is a multiple of 32.");
    assert_string_equal(guess.advice, "b");
    assert_int_equal(guess.size.x, 90);
}

/* "Only the last element" at 65 elements says nothing if the pattern is another at 1,000. */
static void regions_count_only_at_the_largest_size(void **state)
{
    struct wb_size_check sizes[] = {{{65, 1, 1}, false, {"last", "a", true}},
                                    {{1000, 1, 1}, false, {NULL, NULL, false}},
                                    {{1, 1, 1}, true, {NULL, NULL, false}}};
    struct wb_guess guess;
    wb_guess_sizes(&guess, *state, sizes, WB_ARRAY_LENGTH(sizes));
    assert_null(guess.cause);
    sizes[1].right = true;
    wb_guess_sizes(&guess, *state, sizes, WB_ARRAY_LENGTH(sizes));
    assert_string_equal(guess.cause, "last");
}

/* What sizes have in common is more of a next step than a region. */
static void advice_comes_from_the_sizes(void **state)
{
    const struct wb_size_check sizes[] = {{{63, 1, 1}, false, {"last", "a", true}},
                                          {{65, 1, 1}, false, {"last", "a", true}},
                                          {{62, 1, 1}, true, {NULL, NULL, false}},
                                          {{64, 1, 1}, true, {NULL, NULL, false}}};
    struct wb_guess guess;
    wb_guess_sizes(&guess, *state, sizes, WB_ARRAY_LENGTH(sizes));
    assert_string_equal(guess.cause, "last It is right only where the length is even.");
    assert_contains(guess.advice, "odd length");
}

/* Of points and coefficients: where there is one coefficient, no row is meant. */
static void lists_have_no_rows(void **state)
{
    struct wb_size_check sizes[] = {{{7, 1, 1}, true, {NULL, NULL, false}, true},
                                    {{9, 1, 1}, true, {NULL, NULL, false}, true},
                                    {{7, 9, 1}, false, {NULL, NULL, false}, true},
                                    {{9, 7, 1}, false, {NULL, NULL, false}, true}};
    struct wb_guess guess;
    wb_guess_sizes(&guess, *state, sizes, WB_ARRAY_LENGTH(sizes));
    assert_null(guess.cause);
}

static void functions_copy_back(void **state)
{
    static const struct wb_param out = {WB_OUT("out", WB_F32)};
    const struct wb_task task = {.function = "scale", .params = &out, .param_count = 1};
    float got[8], want[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const uint8_t wrong[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const struct wb_case right = {.size = {8, 1, 1}, .data = {want}, .count = {8}};
    const struct wb_device_case launch = {.done = true};
    const struct wb_pattern pattern = {&task, 0, &launch, &right, &right, got, 8, wrong, 8};
    struct wb_guess guess = {NULL};
    wb_unwritten_fill(got, sizeof got);
    wb_guess_contents(&guess, *state, &pattern);
    assert_contains(guess.cause, "the copy back from the device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(recognises_lines),
        ARENA_TEST(recognises_a_missing_stride),
        ARENA_TEST(does_not_guess_where_writes_went_astray),
        ARENA_TEST(the_lesson_advises_where_no_pattern_does),
        ARENA_TEST(recognises_untouched_arrays),
        ARENA_TEST(recognises_repeated_updates),
        ARENA_TEST(recognises_kinds),
        ARENA_TEST(recognises_images),
        ARENA_TEST(compares_sizes),
        ARENA_TEST(the_largest_size_tells),
        ARENA_TEST(regions_count_only_at_the_largest_size),
        ARENA_TEST(advice_comes_from_the_sizes),
        ARENA_TEST(lists_have_no_rows),
        ARENA_TEST(functions_copy_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
