/* SPDX-License-Identifier: MIT
 * Textures and surfaces: the machine code of fixtures/sass/textures.cu on textures made by hand.
 * What it must give was worked out from the programming guide's formulas.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim.h"

#include <math.h>
#include <string.h>

enum { N = 8, TEXELS = 16 * 16 };

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    struct wb_sim *sim;
    _Alignas(512) float texels[TEXELS * 4];
    _Alignas(512) float out[4 * N];
    float at[N][8];
    uint64_t texel_address, out_address, at_address;
    struct wb_texture texture;
    struct wb_fault fault;
    struct wb_counters counters;
};

/* A fresh device and `texture`: width * height * depth floats, whose values are their numbers. */
static void begin(struct fixture *fx, enum wb_texture_shape shape, unsigned width, unsigned height,
                  unsigned depth)
{
    struct wb_status status = {0};
    wb_sim_destroy(fx->sim);
    assert_true(wb_sim_create(&fx->sim, &status));
    assert_true(wb_sim_load(fx->sim, fx->cubin, &status));
    memset(fx->out, 0, sizeof fx->out);
    memset(fx->at, 0, sizeof fx->at);
    for (int i = 0; i < TEXELS * 4; i++) {
        fx->texels[i] = (float)i;
    }
    size_t size = 4 * (size_t)width * height * depth;
    fx->texel_address = wb_sim_map(fx->sim, fx->texels, size, "texels");
    fx->out_address = wb_sim_map(fx->sim, fx->out, sizeof fx->out, "out");
    fx->at_address = wb_sim_map(fx->sim, fx->at, sizeof fx->at, "at");
    fx->texture = (struct wb_texture){
        .shape = shape,
        .levels = 1,
        .level[0] = {fx->texel_address, width, height, depth, 4 * width, 4 * width * height},
        .kind = WB_TEXEL_FLOAT,
        .components = 1,
        .bits = 32,
        .address = {WB_ADDRESS_CLAMP, WB_ADDRESS_CLAMP, WB_ADDRESS_CLAMP},
    };
}

static void launch(struct fixture *fx, const char *kernel, const void *params, size_t size,
                   unsigned threads)
{
    struct wb_status status = {0};
    struct wb_sim_launch l = {.kernel = kernel,
                              .grid = {1, 1, 1},
                              .block = {threads, 1, 1},
                              .params = params,
                              .param_size = size,
                              .threads = 1};
    assert_true(wb_sim_launch(&fx->counters, &fx->fault, &fx->arena, fx->sim, &l, &status));
}

/* Runs a LOOK kernel for `n` of the coordinates with a handle. */
static void look_by(struct fixture *fx, const char *kernel, uint64_t handle, int n)
{
    struct {
        uint64_t texture, out, at;
        int n;
    } params = {handle, fx->out_address, fx->at_address, n};
    launch(fx, kernel, &params, 28, N);
}

static void look(struct fixture *fx, const char *kernel, int n)
{
    uint64_t handle = wb_sim_texture_add(fx->sim, &fx->texture);
    assert_true(handle != 0);
    look_by(fx, kernel, handle, n);
    if (fx->fault.kind) {
        fail_msg("%s: %s", kernel, fx->fault.message);
    }
    assert_true(wb_sim_texture_remove(fx->sim, handle));
}

/* The value at one place: x, y, z, layer, and what else the kernel takes. */
static float value(struct fixture *fx, const char *kernel, const float at[8])
{
    memcpy(fx->at[0], at, 8 * sizeof *at);
    look(fx, kernel, 1);
    return fx->out[0];
}
#define VALUE(kernel, ...) value(fx, kernel, (const float[8]){__VA_ARGS__})

static void same_value(float got, float wanted)
{
    if (!(got == wanted)) {
        fail_msg("%.9g, not %.9g", (double)got, (double)wanted);
    }
}

static void expect_fault(const struct fixture *fx, enum wb_reason kind, const char *words)
{
    print_message("# %s\n", fx->fault.message);
    assert_string_equal(wb_reason_code[fx->fault.kind], wb_reason_code[kind]);
    if (!strstr(fx->fault.message, words)) {
        fail_msg("`%s` is not in `%s`", words, fx->fault.message);
    }
}

/* ---- coordinates -------------------------------------------------------------------------------
 */

static void nearest_texel(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_2D, 7, 5, 1);
    same_value(VALUE("tex2d", 0, 0), 0);
    same_value(VALUE("tex2d", 6.99f, 4.99f), 34);
    same_value(VALUE("tex2d", 3, 2), 17);
    same_value(VALUE("tex2d", NAN, 1), 7);
    fx->texture.unit_coordinates = true;
    same_value(VALUE("tex2d", 0.5f, 0.5f), 17);
    begin(fx, WB_TEXTURE_3D, 4, 3, 2);
    same_value(VALUE("tex3d", 1.5f, 2.5f, 1.5f), 21);
    begin(fx, WB_TEXTURE_1D, 7, 1, 1); /* the machine code asks for row 0.0 of two dimensions */
    same_value(VALUE("tex1d", 3.5f), 3);
    fx->texture.linear = true;
    same_value(VALUE("tex1d", 4), 3.5f);
    fx->texture.address[1] = WB_ADDRESS_BORDER; /* half of row -1 (so it is on an H200) */
    same_value(VALUE("tex1d", 4), 1.75f);
    fx->texture.linear = false;
    fx->texture.unit_coordinates = true;
    fx->texture.level[0].width = 3;
    same_value(VALUE("tex1d", 0.33333334f), 0); /* cut off to 21 bits: below 1/3 */
    same_value(VALUE("tex1d", 0.3333338f), 1);
}

static void address_modes(void **state)
{
    static const struct {
        enum wb_address_mode mode;
        float at, wanted; /* of 4 texels, in units of the whole */
    } rows[] = {
        {WB_ADDRESS_CLAMP, -0.1f, 0},    {WB_ADDRESS_CLAMP, 1.9f, 3},
        {WB_ADDRESS_CLAMP, INFINITY, 3}, {WB_ADDRESS_WRAP, -0.125f, 3},
        {WB_ADDRESS_WRAP, 1.125f, 0},    {WB_ADDRESS_WRAP, 7.375f, 1},
        {WB_ADDRESS_MIRROR, -0.125f, 0}, {WB_ADDRESS_MIRROR, 1.125f, 3},
        {WB_ADDRESS_MIRROR, 2.375f, 1},  {WB_ADDRESS_BORDER, 1.125f, 9},
        {WB_ADDRESS_BORDER, -0.1f, 9},   {WB_ADDRESS_BORDER, 0.875f, 3},
    };
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_1D, 4, 1, 1);
    fx->texture.unit_coordinates = true;
    fx->texture.border[0] = 9;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        fx->texture.address[0] = rows[i].mode;
        same_value(VALUE("tex1d", rows[i].at), rows[i].wanted);
    }
    fx->texture.unit_coordinates = false; /* nothing is repeated now */
    fx->texture.address[0] = WB_ADDRESS_WRAP;
    same_value(VALUE("tex1d", 5.5f), 3);
}

/* Weights have 8 bits of fraction. */
static void interpolation(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_1D, 4, 1, 1);
    fx->texture.linear = true;
    fx->texels[1] = 257;
    same_value(VALUE("tex1d", 0.5f), 0);
    same_value(VALUE("tex1d", 1), 128.5f);
    same_value(VALUE("tex1d", 0.5f + 1 / 256.0f), 257 / 256.0f);
    same_value(VALUE("tex1d", 0.5f + 1.2f / 256), 257 / 256.0f);
    same_value(VALUE("tex1d", -3), 0);
    begin(fx, WB_TEXTURE_2D, 4, 4, 1);
    fx->texture.linear = true;
    same_value(VALUE("tex2d", 2, 2), 7.5f);
    same_value(VALUE("tex2d", 1.75f, 2.5f), 9.25f);
    fx->texture.address[0] = fx->texture.address[1] = WB_ADDRESS_BORDER;
    same_value(VALUE("tex2d", 4, 3.5f), 7.5f); /* half of 15, half of the border's 0 */
    begin(fx, WB_TEXTURE_3D, 2, 2, 2);
    fx->texture.linear = true;
    same_value(VALUE("tex3d", 1, 1, 1), 3.5f);
    same_value(VALUE("tex3d", 1, 0.5f, 1.25f), 3.5f);
}

/* ---- texels ------------------------------------------------------------------------------------
 */

static void formats(void **state)
{
    static const struct {
        enum wb_texel_kind kind;
        unsigned bits, components;
        bool normalized, srgb;
        uint32_t raw[4];
        double wanted[4]; /* integers as they are */
    } rows[] = {
        {WB_TEXEL_UNSIGNED, 8, 4, true, false, {0xff330001}, {1 / 255.0, 0, 51 / 255.0, 1}},
        {WB_TEXEL_SIGNED, 8, 4, true, false, {0x7f808101}, {1 / 127.0, -1, -1, 1}},
        {WB_TEXEL_UNSIGNED, 16, 2, true, false, {0xffff0001}, {1 / 65535.0, 1, 0, 0}},
        {WB_TEXEL_SIGNED, 16, 2, true, false, {0x80017fff}, {1, -1, 0, 0}},
        {WB_TEXEL_UNSIGNED, 8, 1, false, false, {0xfe}, {254, 0, 0, 0}},
        {WB_TEXEL_SIGNED, 8, 2, false, false, {0x7ffe}, {-2, 127, 0, 0}},
        {WB_TEXEL_SIGNED, 16, 1, false, false, {0x8000}, {-32768, 0, 0, 0}},
        {WB_TEXEL_SIGNED, 32, 2, true, false, {5, 0xfffffff9}, {5, -7, 0, 0}},
        {WB_TEXEL_FLOAT, 16, 4, false, false, {0xc0003c00, 0x00017bff}, {1, -2, 65504, 0x1p-24}},
        {WB_TEXEL_FLOAT, 32, 1, false, false, {0x3fc00000}, {1.5, 0, 0, 0}},
        {WB_TEXEL_UNSIGNED, 8, 4, true, true, {0x80ff0000}, {0, 0, 1, 128 / 255.0}},
    };
    struct fixture *fx = *state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        begin(fx, WB_TEXTURE_1D, 4, 1, 1);
        memcpy(fx->texels, rows[i].raw, sizeof rows[i].raw);
        fx->texture.kind = rows[i].kind;
        fx->texture.bits = rows[i].bits;
        fx->texture.components = rows[i].components;
        fx->texture.normalized = rows[i].normalized;
        fx->texture.srgb = rows[i].srgb;
        look(fx, "tex1d", 1);
        bool is_float = rows[i].kind == WB_TEXEL_FLOAT || (rows[i].normalized && rows[i].bits < 32);
        for (int c = 0; c < 4; c++) {
            int32_t word;
            memcpy(&word, &fx->out[c], 4);
            double got = is_float ? (double)fx->out[c] : (double)word;
            double wanted = is_float ? (double)(float)rows[i].wanted[c] : rows[i].wanted[c];
            if (!(got == wanted)) {
                fail_msg("row %zu, component %d: %.9g, not %.9g", i, c, got, wanted);
            }
        }
    }
}

/* A filter gives integers of 8 and 16 bits as multiples of 1/65535 or 1/32767, half precision as
 * half precision. */
static void filtered_formats(void **state)
{
    static const uint8_t bytes[4] = {158, 47, 0, 0};
    static const uint16_t shorts[4] = {15855, 22310, 0, 0}, halves[4] = {0x3c00, 0x3c01, 0, 0};
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_1D, 4, 1, 1);
    fx->texture.linear = fx->texture.normalized = true;
    fx->texture.kind = WB_TEXEL_UNSIGNED;
    fx->texture.bits = 8;
    memcpy(fx->texels, bytes, sizeof bytes);
    same_value(VALUE("tex1d", 1), 26343 / 65535.0f); /* not 102.5 / 255 */
    fx->texture.bits = 16;
    memcpy(fx->texels, shorts, sizeof shorts);
    same_value(VALUE("tex1d", 1), 19083 / 65535.0f);
    same_value(VALUE("tex1d", 0.5f + 1 / 256.0f), 15880 / 65535.0f);
    fx->texture.kind = WB_TEXEL_FLOAT;
    memcpy(fx->texels, halves, sizeof halves);
    same_value(VALUE("tex1d", 1), 1 + 0x1p-10f);
    same_value(VALUE("tex1d", 0.75f), 1);
}

static void border_colours(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_1D, 4, 1, 1);
    fx->texture.address[0] = WB_ADDRESS_BORDER;
    fx->texture.border[0] = 1.25f;
    same_value(VALUE("tex1d", -1), 1.25f);
    fx->texture.kind = WB_TEXEL_SIGNED; /* the float's bits, as they are */
    same_value(VALUE("tex1d", -1), 1.25f);
    fx->texture.bits = 16;
    same_value(VALUE("tex1d", -1), 0);
    fx->texture.normalized = true;
    same_value(VALUE("tex1d", -1), 1);
}

/* Components that nobody wants take no registers. */
static void wanted_components(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_2D, 16, 4, 1);
    fx->texture.components = 4;
    fx->texture.level[0].width = 4;
    same_value(VALUE("only_x", 1, 0), 4);
    same_value(VALUE("only_w", 1, 0), 7);
    same_value(VALUE("xz", 1, 2), 36);
    same_value(fx->out[1], 38);
    same_value(VALUE("yzw", 3, 1), 0);
    same_value(fx->out[1], 29);
    same_value(fx->out[3], 31);
}

/* ---- shapes ------------------------------------------------------------------------------------
 */

static void layers(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_1D_LAYERED, 4, 1, 3);
    same_value(VALUE("tex1d_layered", 1, 0, 0, 2), 9);
    same_value(VALUE("tex1d_layered", 1, 0, 0, 100), 9);
    begin(fx, WB_TEXTURE_2D_LAYERED, 4, 2, 3);
    same_value(VALUE("tex2d_layered", 1, 1, 0, 2), 21);
    same_value(VALUE("grad2d_layered", 1, 1, 0, 1), 13);
    same_value(VALUE("lod2d_layered", 1, 1, 0, 1), 13);
}

static void cubemaps(void **state)
{
    static const struct {
        float x, y, z;
        int face, s, t;
    } rows[] = {
        {1, 0.5f, 0.25f, 0, 1, 1},  {-1, 0.5f, 0.25f, 1, 2, 1}, {0.25f, 1, 0.5f, 2, 2, 3},
        {0.25f, -1, 0.5f, 3, 2, 1}, {0.25f, 0.5f, 1, 4, 2, 1},  {0.25f, 0.5f, -1, 5, 1, 1},
        {4, -3.9f, 3.9f, 0, 0, 3},
    };
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_CUBEMAP, 4, 4, 12);
    fx->texture.unit_coordinates = true;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        float wanted = (float)(16 * rows[i].face + 4 * rows[i].t + rows[i].s);
        same_value(VALUE("tex_cubemap", rows[i].x, rows[i].y, rows[i].z), wanted);
        same_value(VALUE("lod_cubemap", rows[i].x, rows[i].y, rows[i].z), wanted);
        same_value(VALUE("tex_cubemap_layered", rows[i].x, rows[i].y, rows[i].z, 1), wanted + 96);
    }
}

static void fetches_and_gathers(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_LINEAR, 10, 1, 1);
    same_value(VALUE("fetch", 9), 9);
    same_value(VALUE("fetch", 10), 0); /* outside: 0, and no fault */
    same_value(VALUE("fetch", -1), 0);
    begin(fx, WB_TEXTURE_2D, 4, 4, 1);
    same_value(VALUE("gather0", 2, 2), 9); /* (1,2) (2,2) (2,1) (1,1) */
    same_value(fx->out[1], 10);
    same_value(fx->out[2], 6);
    same_value(fx->out[3], 5);
    fx->texture.components = 4;
    fx->texture.level[0].width = 1;
    same_value(VALUE("gather3", 0.5f, 0.5f), 7);
}

static void levels(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_2D, 8, 8, 2);
    struct wb_texture *t = &fx->texture;
    t->levels = 3;
    t->level[0].depth = 1;
    t->level[1] = (struct wb_texture_level){fx->texel_address + 256, 4, 4, 1, 16, 64};
    t->level[2] = (struct wb_texture_level){fx->texel_address + 384, 2, 2, 1, 8, 16};
    t->level_max = 10;
    t->unit_coordinates = true;
    same_value(VALUE("lod2d", 0, 0, 0, 0, 0.4f), 0);
    same_value(VALUE("lod2d", 0, 0, 0, 0, 0.6f), 64);
    same_value(VALUE("lod2d", 0, 0, 0, 0, 9), 96);
    same_value(VALUE("tex2d", 0, 0), 0);
    same_value(VALUE("grad2d", 0, 0, 0, 0, 0.25f), 64); /* 2 of 8 texels: level 1 */
    same_value(VALUE("grad2d", 0, 0, 0, 0, 0, 0, 0, 0.5f), 96);
    t->level_max = 1;
    same_value(VALUE("lod2d", 0, 0, 0, 0, 9), 64);
    t->level_bias = -1;
    same_value(VALUE("lod2d", 0, 0, 0, 0, 1), 0);
    t->linear_levels = true;
    t->level_bias = 0;
    same_value(VALUE("lod2d", 0, 0, 0, 0, 0.25f), 16);
}

/* ---- handles -----------------------------------------------------------------------------------
 */

static void a_texture_for_each_thread(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_1D, 4, 1, 1);
    uint64_t handles[3];
    for (unsigned i = 0; i < 3; i++) {
        fx->texture.level[0].address = fx->texel_address;
        fx->texture.level[0].width = i + 1;
        handles[i] = wb_sim_texture_add(fx->sim, &fx->texture);
    }
    struct {
        uint64_t textures, out;
    } params = {wb_sim_map(fx->sim, handles, sizeof handles, "handles"), fx->out_address};
    launch(fx, "several", &params, sizeof params, 32);
    for (int i = 0; i < 32; i++) {
        int last = i % 3, x = i % 4;
        same_value(fx->out[i], (float)(x < last ? x : last));
    }
}

static void handles_that_are_gone(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_2D, 4, 4, 1);
    uint64_t handle = wb_sim_texture_add(fx->sim, &fx->texture);
    assert_ptr_equal(wb_sim_texture(fx->sim, 0), NULL);
    assert_ptr_equal(wb_sim_texture(fx->sim, handle + 1), NULL);
    assert_true(wb_sim_texture_remove(fx->sim, handle));
    assert_false(wb_sim_texture_remove(fx->sim, handle));
    assert_true(wb_sim_texture_add(fx->sim, &fx->texture) != handle);
    look_by(fx, "tex2d", handle, N);
    expect_fault(fx, WB_REASON_OUT_OF_BOUNDS,
                 "thread (0,0,0) of block (0,0,0) reads from a texture object that does not exist");
    assert_non_null(strstr(fx->fault.file, "textures.cu"));
    look_by(fx, "tex2d", 0, N);
    expect_fault(fx, WB_REASON_OUT_OF_BOUNDS, "does not exist");
    look_by(fx, "tex2d", 0, 0); /* no thread looks */
    assert_int_equal(fx->fault.kind, WB_REASON_NONE);
}

static void memory_that_is_gone(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_2D, 4, 4, 1);
    uint64_t handle = wb_sim_texture_add(fx->sim, &fx->texture);
    assert_true(wb_sim_unmap(fx->sim, fx->texel_address));
    look_by(fx, "tex2d", handle, N);
    expect_fault(fx, WB_REASON_OUT_OF_BOUNDS, "of `texels` (64 bytes, 16 elements of 4) after");
}

static void refused(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_2D, 4, 4, 1);
    struct {
        uint64_t texture, out;
        int x, y;
    } params = {wb_sim_texture_add(fx->sim, &fx->texture), fx->out_address, 1, 2};
    launch(fx, "offsets", &params, 16, 32);
    expect_fault(fx, WB_REASON_UNSUPPORTED, "offsets of its texels (AOFFI)");
    look_by(fx, "tex_cubemap", params.texture, N);
    expect_fault(fx, WB_REASON_OUT_OF_BOUNDS, "reads a cubemap from a texture object whose array");
    launch(fx, "texel", &params, sizeof params, 4);
    same_value(fx->out[0], 9);
    same_value(fx->out[2], 11);
    same_value(fx->out[3], 0);
    launch(fx, "resident", &params, 16, 1);
    same_value(fx->out[0], 0);
}

/* ---- surfaces ----------------------------------------------------------------------------------
 */

/* Runs a READ or WRITE kernel at bytes x, row y, slice z. */
static void surface(struct fixture *fx, const char *kernel, int x, int y, int z, unsigned threads)
{
    struct {
        uint64_t surface, data;
        int x, y, z;
    } params = {wb_sim_texture_add(fx->sim, &fx->texture), fx->out_address, x, y, z};
    launch(fx, kernel, &params, 28, threads);
}

static void surface_reads(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_2D, 8, 4, 2);
    fx->texture.level[0].depth = 1;
    surface(fx, "surf2d", 4, 2, 0, 2);
    assert_int_equal(fx->counters.total.v[WB_METRIC_GLOBAL_SECTORS], 1); /* of `out` alone */
    same_value(fx->out[0], 17);
    same_value(fx->out[1], 18);
    surface(fx, "surf2d_wide", 16, 1, 0, 1);
    same_value(fx->out[3], 15);
    surface(fx, "surf2d_clamp", 24, 9, 0, 4);
    same_value(fx->out[1], 31);
    same_value(fx->out[3], 31);
    surface(fx, "surf2d_zero", 24, 3, 0, 4);
    same_value(fx->out[1], 31);
    same_value(fx->out[2], 0);
    assert_int_equal(fx->fault.kind, WB_REASON_NONE);
    surface(fx, "surf2d", 24, 3, 0, 4);
    expect_fault(fx, WB_REASON_OUT_OF_BOUNDS,
                 "thread (2,0,0) of block (0,0,0) reads 4 bytes outside of a surface");
    surface(fx, "surf2d", 2, 0, 0, 1);
    expect_fault(fx, WB_REASON_MISALIGNED, "which is not a multiple of 4");
    fx->texture.level[0].depth = 2;
    surface(fx, "surf3d", 8, 1, 1, 1);
    same_value(fx->out[0], 42);
    surface(fx, "surf2d_layered", 8, 1, 1, 1);
    same_value(fx->out[0], 42);
}

static void surface_writes(void **state)
{
    struct fixture *fx = *state;
    begin(fx, WB_TEXTURE_2D, 8, 4, 1);
    fx->out[0] = -1;
    fx->out[1] = -2;
    surface(fx, "write2d", 4, 1, 0, 2);
    same_value(fx->texels[8], 8);
    same_value(fx->texels[9], -1);
    same_value(fx->texels[10], -2);
    same_value(fx->texels[11], 11);
    surface(fx, "write2d_wide", 32, 0, 0, 1); /* outside: nothing is written */
    same_value(fx->texels[8], 8);
    surface(fx, "write2d_byte", 3, 0, 0, 1);
    assert_int_equal(((uint8_t *)fx->texels)[3], ((uint8_t *)fx->out)[0]);
    assert_int_equal(fx->fault.kind, WB_REASON_NONE);
    surface(fx, "write2d", 0, 4, 0, 1);
    expect_fault(fx, WB_REASON_OUT_OF_BOUNDS, "writes 4 bytes outside of a surface");
    fx->texture.levels = 1;
    assert_true(wb_sim_texture_remove(fx->sim, 1));
    struct {
        uint64_t surface, data;
        int x, y, z;
    } params = {1, fx->out_address, 0, 0, 0};
    launch(fx, "surf2d", &params, 28, 1);
    expect_fault(fx, WB_REASON_OUT_OF_BOUNDS, "uses a surface object that does not exist");
}

int main(void)
{
    static struct fixture fx;
    struct wb_status status = {0};
    struct wb_bytes cubin;
    wb_arena_init(&fx.arena);
    if (!wb_file_read(&cubin, &fx.arena, WB_FIXTURES "/sass/textures.cubin", 1 << 24, &status) ||
        !wb_cubin_parse(&fx.cubin, &fx.arena, cubin.data, cubin.size, &status)) {
        print_error("%s\n", status.message);
        return 1;
    }
#define TEST(name) cmocka_unit_test_prestate(name, &fx)
    const struct CMUnitTest tests[] = {
        TEST(nearest_texel),
        TEST(address_modes),
        TEST(interpolation),
        TEST(formats),
        TEST(filtered_formats),
        TEST(border_colours),
        TEST(wanted_components),
        TEST(layers),
        TEST(cubemaps),
        TEST(fetches_and_gathers),
        TEST(levels),
        TEST(a_texture_for_each_thread),
        TEST(handles_that_are_gone),
        TEST(memory_that_is_gone),
        TEST(refused),
        TEST(surface_reads),
        TEST(surface_writes),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wb_sim_destroy(fx.sim);
    wb_arena_finish(&fx.arena);
    return failed;
}
