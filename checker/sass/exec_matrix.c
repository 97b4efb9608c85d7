/* SPDX-License-Identifier: MIT
 * Handlers: 8x8 matrices of 16-bit elements, spread over the lanes of a warp: lane l holds row
 * l / 4, columns 2 * (l % 4) and the next, in one register. (The products of such matrices need a
 * GPU.)
 */
#include "exec_access.h"

enum { ROWS = 8, ROW_BYTES = 16 };

typedef uint16_t matrix[ROWS][ROWS];

static void gather(matrix m, const uint32_t *row)
{
    for (unsigned lane = 0; lane < WB_LANES; lane++) {
        m[lane / 4][lane % 4 * 2] = (uint16_t)row[lane];
        m[lane / 4][lane % 4 * 2 + 1] = (uint16_t)(row[lane] >> 16);
    }
}

static void spread(uint32_t *row, matrix m, bool transposed)
{
    for (unsigned lane = 0; lane < WB_LANES; lane++) {
        unsigned r = lane / 4, c = lane % 4 * 2;
        uint16_t low = transposed ? m[c][r] : m[r][c],
                 high = transposed ? m[c + 1][r] : m[r][c + 1];
        row[lane] = (uint32_t)high << 16 | low;
    }
}

/* Matrix k has its rows at the addresses of lanes 8k to 8k + 7. */
static bool move_rows(matrix m, const struct wb_access *access, const struct lanes *lanes,
                      unsigned k)
{
    for (unsigned r = 0; r < ROWS; r++) {
        uint8_t *place = shared_memory(access, k * ROWS + r, lanes->at[k * ROWS + r]);
        if (!place) {
            return false;
        }
        memcpy(access->write ? place : (uint8_t *)m[r], access->write ? (uint8_t *)m[r] : place,
               ROW_BYTES);
    }
    return true;
}

/* Each matrix is 128 bytes, so that it takes one wavefront if its rows lie in different banks. */
static void count_rows(const struct wb_access *access, const struct lanes *lanes, unsigned matrices)
{
    uint32_t with_rows = WB_ALL_LANES >> (WB_LANES - ROWS * matrices);
    wb_traffic_shared(traffic_of(access), lanes->at, with_rows, ROW_BYTES, WB_SHARED_STORE);
}

/* The instruction is for whole warps. */
static bool is_whole(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    enum { MOST = 2 }; /* four matrices */
    if (on != WB_ALL_LANES || in->sub > MOST) {
        WB_EXEC(unknown)(w, in, on);
        return false;
    }
    return true;
}

/* LDSM: one, two or four matrices from shared memory to as many registers; .MT88: transposed. */
void WB_EXEC(ldsm)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_access access = {.warp = w, .in = in, .size = ROW_BYTES};
    struct lanes lanes;
    matrix m;
    if (!on || !is_whole(w, in, on)) {
        return;
    }
    find_lanes(&lanes, &access, false, on);
    count_rows(&access, &lanes, 1u << in->sub);
    for (unsigned k = 0; k < 1u << in->sub; k++) {
        if (!move_rows(m, &access, &lanes, k)) {
            return;
        }
        spread(w->scratch[k], m, in->flag);
    }
    for (unsigned k = 0; k < 1u << in->sub; k++) {
        blend_row(w->reg[in->d + k], w->scratch[k], on);
    }
}

/* STSM: the way back. */
void WB_EXEC(stsm)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_access access = {.warp = w, .in = in, .size = ROW_BYTES, .write = true};
    const wb_row *b = source(w, in->b);
    struct lanes lanes;
    matrix m;
    if (!on || !is_whole(w, in, on)) {
        return;
    }
    find_lanes(&lanes, &access, false, on);
    count_rows(&access, &lanes, 1u << in->sub);
    for (unsigned k = 0; k < 1u << in->sub; k++) {
        uint32_t row[WB_LANES];
        gather(m, b[k]);
        spread(row, m, in->flag);
        gather(m, row);
        if (!move_rows(m, &access, &lanes, k)) {
            return;
        }
    }
}

/* MOVM: d = the transpose of the matrix in a. */
void WB_EXEC(movm)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    matrix m;
    if (on && is_whole(w, in, on)) {
        gather(m, *source(w, in->a));
        spread(w->scratch[0], m, true);
        blend_row(w->reg[in->d], w->scratch[0], on);
    }
}
