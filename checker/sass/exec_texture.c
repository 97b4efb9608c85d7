/* SPDX-License-Identifier: MIT
 * Handlers: textures. The handle is in a uniform register, so an instruction reads one texture; its
 * lanes are looked up one by one. The first two components that the instruction asks for go to its
 * second-named result, the others to the first.
 */
#include "exec.h"
#include "texture.h"

enum dim {
    DIM_1D,
    DIM_2D,
    DIM_3D,
    DIM_CUBE,
    DIM_ARRAY_1D,
    DIM_ARRAY_2D,
    DIM_ARRAY_CUBE = 7,
    DIM_COUNT
};

static const struct {
    uint8_t count; /* coordinates, without the layer */
    bool known, layered, cube;
} dims[DIM_COUNT] = {
    [DIM_1D] = {1, true, false, false},       [DIM_2D] = {2, true, false, false},
    [DIM_3D] = {3, true, false, false},       [DIM_CUBE] = {3, true, false, true},
    [DIM_ARRAY_1D] = {1, true, true, false},  [DIM_ARRAY_2D] = {2, true, true, false},
    [DIM_ARRAY_CUBE] = {3, true, true, true},
};

enum lod { LOD_QUAD, LOD_ZERO, LOD_BIAS, LOD_REGISTER };

/* ---- what is refused ---------------------------------------------------------------------------
 */

static void refuse(struct wb_warp *w, const struct wb_insn *in, uint32_t on, const char *what)
{
    wb_fault_raise(w, in, wb_lowest_lane(on), WB_REASON_UNSUPPORTED,
                   "this texture instruction has %s, which the embedded device does not do", what);
}

/* Modifiers that only PTX can ask for. */
static bool is_plain(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    enum { OFFSETS = 1, DEPTH = 4 };
    if (in->half & OFFSETS) {
        refuse(w, in, on, "offsets of its texels (AOFFI)");
    } else if (in->half & DEPTH) {
        refuse(w, in, on, "a depth comparison (DC)");
    } else if (in->half) {
        refuse(w, in, on, "an unusual choice of its texels (NDV or PTP)");
    } else if (in->size) {
        refuse(w, in, on, "results of 16 bits (F16)");
    } else if (!dims[in->type].known) {
        refuse(w, in, on, "no known number of dimensions");
    } else {
        return true;
    }
    return false;
}

/* ---- operands and results ----------------------------------------------------------------------
 */

/* The texture of the handle; false after a fault. */
static bool find_texture(struct wb_fetch *fetch, struct wb_warp *w, const struct wb_insn *in,
                         uint32_t on)
{
    uint32_t handle = (*source(w, in->c))[0];
    unsigned lane = wb_lowest_lane(on);
    char who[80];
    *fetch = (struct wb_fetch){
        .texture = wb_sim_texture(w->cta->run->sim, handle),
        .access = {.warp = w, .in = in},
    };
    wb_fault_who(who, sizeof who, w, lane);
    if (!fetch->texture) {
        wb_fault_raise(w, in, lane, WB_REASON_OUT_OF_BOUNDS,
                       "%s reads from a texture object that does not exist: it was never created, "
                       "or it was destroyed",
                       who);
        return false;
    }
    if (dims[in->type].cube && fetch->texture->shape != WB_TEXTURE_CUBEMAP) {
        wb_fault_raise(w, in, lane, WB_REASON_OUT_OF_BOUNDS,
                       "%s reads a cubemap from a texture object whose array is none", who);
        return false;
    }
    return true;
}

/* Component by component, those of the instruction's mask. */
static void give(struct wb_warp *w, const struct wb_insn *in, unsigned lane,
                 const struct wb_texel *texel)
{
    unsigned given = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (in->lut >> c & 1) {
            unsigned first = given < 2 ? in->d : (unsigned)in->imm2;
            w->reg[first + given % 2][lane] = texel->word[c];
            given++;
        }
    }
}

/* Every texel is there: the predicate says that one was not. */
static void finish(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    set_pred(w, in->pd, 0, on);
}

/* x, y, z of a lane; the layer stands before them, or (`last`) behind. */
static struct wb_texture_at find_at(const struct wb_warp *w, const struct wb_insn *in,
                                    unsigned lane, bool last)
{
    const wb_row *a = source(w, in->a);
    unsigned count = dims[in->type].count;
    bool layered = dims[in->type].layered;
    struct wb_texture_at at = {.cube = dims[in->type].cube};
    const wb_row *first = a + (layered && !last);
    at.x = as_f32(first[0][lane]);
    at.y = count > 1 ? as_f32(first[1][lane]) : 0;
    at.z = count > 2 ? as_f32(first[2][lane]) : 0;
    at.layer = layered ? a[last ? count : 0][lane] & 0xffff : 0;
    return at;
}

/* ---- instructions ------------------------------------------------------------------------------
 */

/* d = the texture at coordinates a; b is the level of detail. */
void WB_EXEC(tex)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_fetch fetch;
    struct wb_texel texel;
    if (!on || !is_plain(w, in, on) || !find_texture(&fetch, w, in, on)) {
        return;
    }
    if (in->sub != LOD_ZERO && in->sub != LOD_REGISTER) {
        refuse(w, in, on, "a level of detail that depends on neighbouring lanes");
        return;
    }
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        fetch.lane = wb_lowest_lane(rest);
        struct wb_texture_at at = find_at(w, in, fetch.lane, false);
        at.lod = in->sub == LOD_REGISTER ? as_f32((*source(w, in->b))[fetch.lane]) : 0;
        if (!wb_texture_sample(&texel, &fetch, &at)) {
            return;
        }
        give(w, in, fetch.lane, &texel);
    }
    finish(w, in, on);
}

/* The same; b has the steps of each coordinate to the next pixel in x and in y. */
void WB_EXEC(txd)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_fetch fetch;
    struct wb_texel texel;
    if (!on || !is_plain(w, in, on) || !find_texture(&fetch, w, in, on)) {
        return;
    }
    const wb_row *b = source(w, in->b);
    bool rows = dims[in->type].count > 1;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = fetch.lane = wb_lowest_lane(rest);
        struct wb_texture_at at = find_at(w, in, lane, true);
        float dx[2] = {as_f32(b[0][lane]), rows ? as_f32(b[2][lane]) : 0};
        float dy[2] = {as_f32(b[1][lane]), rows ? as_f32(b[3][lane]) : 0};
        at.lod = wb_texture_lod(fetch.texture, dx, dy);
        if (!wb_texture_sample(&texel, &fetch, &at)) {
            return;
        }
        give(w, in, lane, &texel);
    }
    finish(w, in, on);
}

/* d = one component of the four texels around coordinates a. */
void WB_EXEC(tld4)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_fetch fetch;
    struct wb_texel texel;
    if (!on || !is_plain(w, in, on) || !find_texture(&fetch, w, in, on)) {
        return;
    }
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        fetch.lane = wb_lowest_lane(rest);
        struct wb_texture_at at = find_at(w, in, fetch.lane, false);
        if (!wb_texture_gather(&texel, &fetch, &at, in->sub)) {
            return;
        }
        give(w, in, fetch.lane, &texel);
    }
    finish(w, in, on);
}

/* d = the texel with the numbers a of level b. */
void WB_EXEC(tld)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_fetch fetch;
    struct wb_texel texel;
    if (!on || !is_plain(w, in, on) || !find_texture(&fetch, w, in, on)) {
        return;
    }
    const wb_row *a = source(w, in->a);
    bool layered = dims[in->type].layered;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = fetch.lane = wb_lowest_lane(rest);
        int32_t at[3] = {0};
        for (unsigned i = 0; i < dims[in->type].count; i++) {
            at[i] = (int32_t)a[layered + i][lane];
        }
        if (layered) {
            at[2] = (int32_t)(a[0][lane] & 0xffff);
        }
        unsigned level = in->sub == LOD_REGISTER ? (*source(w, in->b))[lane] : 0;
        if (!wb_texture_load(&texel, &fetch, at, level)) {
            return;
        }
        give(w, in, lane, &texel);
    }
    finish(w, in, on);
}

/* d = width, height, depth and number of levels of a texture, at level a. */
void WB_EXEC(txq)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_fetch fetch;
    if (in->sub != 0 && on) {
        refuse(w, in, on, "a question that is not about sizes");
    }
    if (in->sub != 0 || !on || !find_texture(&fetch, w, in, on)) {
        return;
    }
    const struct wb_texture *t = fetch.texture;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest), level = (*source(w, in->a))[lane];
        const struct wb_texture_level *l = &t->level[level < t->levels ? level : t->levels - 1];
        struct wb_texel answer = {{l->width, l->height, l->depth, t->levels}};
        give(w, in, lane, &answer);
    }
}
