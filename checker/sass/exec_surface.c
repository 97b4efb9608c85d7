/* SPDX-License-Identifier: MIT
 * Handlers: surfaces, memory that is addressed by row and column. x counts bytes.
 */
#include "exec.h"
#include "texture.h"

enum boundary { BOUNDARY_ZERO, BOUNDARY_CLAMP, BOUNDARY_TRAP };

static const uint8_t size_bytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};

/* How many coordinates: 1D, 1D buffer, 1D array, 2D, 2D array, 3D. */
static const struct {
    uint8_t count;
    bool layered; /* the last one is a layer */
} dims[8] = {{1, false}, {1, false}, {2, true}, {2, false}, {3, true}, {3, false}, {0}, {0}};

/* False after a fault: what the instruction asks for is not there. */
static bool find_surface(const struct wb_texture **out, struct wb_warp *w, const struct wb_insn *in,
                         uint32_t on)
{
    char who[80];
    unsigned lane = wb_lowest_lane(on);
    *out = wb_sim_texture(w->cta->run->sim, (*source(w, in->c))[0]);
    if (!in->flag || dims[in->type].count == 0 || size_bytes[in->size] == 0) {
        wb_fault_raise(w, in, lane, WB_REASON_UNSUPPORTED,
                       "this surface instruction converts texels or has an unusual shape, which "
                       "the embedded device does not do");
        return false;
    }
    if (!*out) {
        wb_fault_who(who, sizeof who, w, lane);
        wb_fault_raise(w, in, lane, WB_REASON_OUT_OF_BOUNDS,
                       "%s uses a surface object that does not exist: it was never created, or it "
                       "was destroyed",
                       who);
    }
    return *out;
}

/* The coordinate moved inside [0, last] if the instruction clamps; false if it is outside. */
static bool move_inside(int64_t *at, int64_t last, enum boundary boundary)
{
    bool inside = *at >= 0 && *at <= last;
    if (boundary == BOUNDARY_CLAMP) {
        *at = *at < 0 ? 0 : *at > last ? last : *at;
    }
    return inside || boundary == BOUNDARY_CLAMP;
}

/* The address of a lane's bytes; 0 if they are outside. */
static uint64_t find_address(const struct wb_texture *t, const struct wb_warp *w,
                             const struct wb_insn *in, unsigned lane)
{
    const wb_row *a = source(w, in->a);
    const struct wb_texture_level *l = &t->level[0];
    unsigned count = dims[in->type].count, size = size_bytes[in->size];
    bool layered = dims[in->type].layered, rows = count - layered > 1;
    enum boundary boundary = in->sub;
    int64_t x = (int32_t)a[0][lane], y = rows ? (int32_t)a[1][lane] : 0, z = 0;
    int64_t width = (int64_t)l->width * wb_texel_size(t);
    if (count - rows > 1) {
        z = (int32_t)a[count - 1][lane];
    }
    if (!move_inside(&x, width - size, boundary) || !move_inside(&y, l->height - 1, boundary) ||
        !move_inside(&z, l->depth - 1, boundary)) {
        return 0;
    }
    return l->address + (uint64_t)z * l->slice + (uint64_t)y * l->pitch + (uint64_t)x;
}

/* Does the instruction stop the kernel for a place outside? */
static bool is_trapped(struct wb_warp *w, const struct wb_insn *in, unsigned lane, bool write)
{
    char who[80];
    if (in->sub != BOUNDARY_TRAP) {
        return false;
    }
    wb_fault_who(who, sizeof who, w, lane);
    wb_fault_raise(w, in, lane, WB_REASON_OUT_OF_BOUNDS,
                   "%s %s %u byte%s outside of a surface (x counts bytes, not elements)", who,
                   write ? "writes" : "reads", size_bytes[in->size],
                   size_bytes[in->size] == 1 ? "" : "s");
    return true;
}

/* d = the bytes at coordinates a. */
void WB_EXEC(suld)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const struct wb_texture *t;
    struct wb_access access = {.warp = w, .in = in, .size = size_bytes[in->size]};
    if (!on || !find_surface(&t, w, in, on)) {
        return;
    }
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint32_t words[4] = {0};
        uint64_t address = find_address(t, w, in, lane);
        const uint8_t *from = address ? wb_memory_global(&access, lane, address) : NULL;
        if (from) {
            memcpy(words, from, access.size);
        } else if (address || is_trapped(w, in, lane, false)) {
            return;
        }
        if (in->size == 1 || in->size == 3) { /* S8, S16 */
            words[0] = in->size == 1 ? (uint32_t)(int8_t)words[0] : (uint32_t)(int16_t)words[0];
        }
        for (unsigned k = 0; 4 * k < access.size; k++) {
            w->reg[in->d + k][lane] = words[k];
        }
    }
    set_pred(w, in->pd, 0, on);
}

/* The bytes at coordinates a = b. Of lanes that write one place the lowest comes last. */
void WB_EXEC(sust)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const struct wb_texture *t;
    struct wb_access access = {.warp = w, .in = in, .size = size_bytes[in->size], .write = true};
    if (!on || !find_surface(&t, w, in, on)) {
        return;
    }
    const wb_row *b = source(w, in->b);
    for (uint32_t rest = on, lane; rest; rest ^= UINT32_C(1) << lane) {
        lane = 31 - (unsigned)__builtin_clz(rest);
        uint32_t words[4] = {0};
        uint64_t address = find_address(t, w, in, lane);
        uint8_t *to = address ? wb_memory_global(&access, lane, address) : NULL;
        for (unsigned k = 0; 4 * k < access.size; k++) {
            words[k] = b[k][lane];
        }
        if (to) {
            memcpy(to, words, access.size);
        } else if (address || is_trapped(w, in, lane, true)) {
            return;
        }
    }
}
