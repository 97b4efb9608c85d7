/* SPDX-License-Identifier: MIT
 * The rules of memory traffic. They give what an H200 counts at every instruction of its measured
 * kernels (test_open.c names the exceptions).
 */
#include "traffic.h"

/* ---- different keys -------------------------------------------------------------------------- */

/* Addresses of the lanes that take part, in units of 1 << shift bytes. */
struct keys {
    uint64_t key[WB_LANES];
    unsigned count;
};

static void take(struct keys *keys, const uint64_t *at, uint32_t on, unsigned shift)
{
    if (on == WB_ALL_LANES) {
        for (unsigned i = 0; i < WB_LANES; i++) {
            keys->key[i] = at[i] >> shift;
        }
        keys->count = WB_LANES;
        return;
    }
    keys->count = 0;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        keys->key[keys->count++] = at[__builtin_ctz(rest)] >> shift;
    }
}

/* The number of different keys if they only rise or only fall, as they usually do; else 0. */
static unsigned different_if_sorted(const struct keys *keys)
{
    unsigned rises = 0, falls = 0;
    for (unsigned i = 1; i < keys->count; i++) {
        rises += keys->key[i] > keys->key[i - 1];
        falls += keys->key[i] < keys->key[i - 1];
    }
    return rises && falls ? 0 : (keys->count != 0) + rises + falls;
}

/* Keeps the first of equal keys that lie in any order. */
static void keep_first_of_each(struct keys *keys)
{
    enum { SLOTS = 64 };
    uint8_t slot[SLOTS] = {0}; /* number of a kept key, from 1 */
    unsigned kept = 0;
    for (unsigned i = 0; i < keys->count; i++) {
        uint64_t key = keys->key[i];
        unsigned s = (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 58);
        while (slot[s] && keys->key[slot[s] - 1] != key) {
            s = (s + 1) % SLOTS;
        }
        if (!slot[s]) {
            keys->key[kept++] = key;
            slot[s] = (uint8_t)kept;
        }
    }
    keys->count = kept;
}

static void keep_different(struct keys *keys)
{
    if (different_if_sorted(keys) != keys->count) {
        keep_first_of_each(keys);
    }
}

static unsigned count_different(const uint64_t *at, uint32_t on, unsigned shift)
{
    struct keys keys;
    take(&keys, at, on, shift);
    unsigned different = different_if_sorted(&keys);
    if (different == 0) {
        keep_first_of_each(&keys);
        different = keys.count;
    }
    return different;
}

static unsigned log2_of(unsigned size)
{
    return (unsigned)__builtin_ctz(size);
}

/* The same for whole words: what a bank or a row of local memory holds. */
static unsigned log2_of_words(unsigned size)
{
    return size > 4 ? log2_of(size) : 2;
}

static unsigned words_of(unsigned size)
{
    return size > 4 ? size / 4 : 1;
}

/* Pieces of `piece` bytes that the lanes would fill if they lay side by side. */
static unsigned fewest(uint32_t on, unsigned size, unsigned piece)
{
    return ((unsigned)__builtin_popcount(on) * size + piece - 1) / piece;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* ---- global ---------------------------------------------------------------------------------- */

/* Sectors: the different 32-byte sectors that the lanes touch. */
static unsigned sectors(const uint64_t *at, uint32_t on)
{
    return count_different(at, on, 5);
}

void wb_traffic_global(struct wb_traffic *t, const uint64_t *at, uint32_t on, unsigned size)
{
    unsigned touched = sectors(at, on);
    t->global_sectors += touched;
    t->global_ideal += least(touched, fewest(on, size, WB_SECTOR));
}

/* ---- local ----------------------------------------------------------------------------------- */

/* Local memory is interleaved by words: word k of lanes 0..31 is one row of 128 bytes, so a sector
 * holds one word of eight neighbouring lanes. */
void wb_traffic_local(struct wb_traffic *t, const uint64_t *at, uint32_t on, unsigned size)
{
    enum { LANES = 8 };
    for (unsigned first = 0; first < WB_LANES; first += LANES) {
        uint32_t part = on & UINT32_C(0xff) << first;
        t->local_sectors +=
            (uint64_t)count_different(at, part, log2_of_words(size)) * words_of(size);
    }
}

/* ---- constants ------------------------------------------------------------------------------- */

/* One address at a time goes through the cache, whatever the size: neighbouring bytes are replayed
 * like far ones. */
void wb_traffic_constant(struct wb_traffic *t, const uint64_t *at, uint32_t on)
{
    unsigned addresses = count_different(at, on, 0);
    if (addresses > 1) {
        t->constant_divergent++;
        t->constant_replays += addresses - 1;
    }
}

/* ---- shared ---------------------------------------------------------------------------------- */

/* Accesses of more than a word go in parts of 128 bytes: halves or quarters of the warp. */
static unsigned lanes_of_part(unsigned size)
{
    return WB_LANES / words_of(size);
}

static uint32_t lanes_from(unsigned first, unsigned count)
{
    return (WB_ALL_LANES >> (WB_LANES - count)) << first;
}

/* The most keys in one bank. A bank holds every 32nd word; accesses of several words take that many
 * banks together. */
static unsigned fullest_bank(const struct keys *keys, unsigned words)
{
    uint8_t in_bank[32] = {0};
    unsigned most = 0;
    for (unsigned i = 0; i < keys->count; i++) {
        unsigned n = ++in_bank[keys->key[i] % (32 / words)];
        most = n > most ? n : most;
    }
    return most;
}

/* A wavefront gives each bank one word, however many lanes want it. */
static unsigned wavefronts_of_part(const uint64_t *at, uint32_t part, unsigned size)
{
    struct keys keys;
    take(&keys, at, part, log2_of_words(size));
    keep_different(&keys);
    return fullest_bank(&keys, words_of(size));
}

/* The lanes of a bank one after the other, also those of one word. */
static unsigned turns(const uint64_t *at, uint32_t part, unsigned size)
{
    struct keys keys;
    take(&keys, at, part, log2_of_words(size));
    return fullest_bank(&keys, words_of(size));
}

/* The lowest lane of each bank. */
static uint32_t first_of_banks(const uint64_t *at, uint32_t part, unsigned size)
{
    uint32_t banks = 0, first = 0;
    for (uint32_t rest = part; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t bank = UINT32_C(1) << (at[lane] >> log2_of_words(size)) % lanes_of_part(size);
        first |= banks & bank ? 0 : rest & (0 - rest);
        banks |= bank;
    }
    return first;
}

/* Do lanes i and i ^ distance name one address wherever both take part? */
static bool pairs_agree(const uint64_t *at, uint32_t on, unsigned distance)
{
    bool agree = true;
    for (unsigned i = 0; i < WB_LANES; i++) {
        bool both = on >> i & on >> (i ^ distance) & 1;
        agree = agree && (!both || at[i] == at[i ^ distance]);
    }
    return agree;
}

/* Two parts of a wide load go together if pairs of lanes agree and one wavefront is enough. */
static bool parts_join(const uint64_t *at, uint32_t both, unsigned size)
{
    return (pairs_agree(at, both, 1) || pairs_agree(at, both, 2)) &&
           wavefronts_of_part(at, both, size) == 1;
}

static unsigned wavefronts_of_load(const uint64_t *at, uint32_t on, unsigned size)
{
    enum { RESULT = 256 }; /* bytes that a wavefront brings to registers */
    unsigned lanes = lanes_of_part(size), count = 0;
    if (size <= 4) {
        return wavefronts_of_part(at, on, size);
    }
    if (count_different(at, on, 0) == 1) {
        return fewest(on, size, RESULT);
    }
    for (unsigned first = 0; first < WB_LANES; first += 2 * lanes) {
        uint32_t low = on & lanes_from(first, lanes), high = on & lanes_from(first + lanes, lanes);
        count += parts_join(at, low | high, size)
                     ? 1
                     : wavefronts_of_part(at, low, size) + wavefronts_of_part(at, high, size);
    }
    return count;
}

/* Stores and atomics. */
static unsigned wavefronts_of_others(const uint64_t *at, uint32_t on, unsigned size,
                                     enum wb_shared_access access)
{
    bool turn = access == WB_SHARED_ATOMIC || access == WB_SHARED_CAS;
    unsigned lanes = lanes_of_part(size), count = 0;
    for (unsigned first = 0; first < WB_LANES; first += lanes) {
        uint32_t part = on & lanes_from(first, lanes);
        count += access == WB_SHARED_CAS_SPIN ? part != 0
                 : turn                       ? turns(at, part, size)
                                              : wavefronts_of_part(at, part, size);
    }
    return count;
}

/* A compare-and-swap needs each wavefront twice: to compare and to write. */
void wb_traffic_shared(struct wb_traffic *t, const uint64_t *at, uint32_t on, unsigned size,
                       enum wb_shared_access access)
{
    bool cas = access == WB_SHARED_CAS || access == WB_SHARED_CAS_SPIN;
    unsigned each = cas ? 2 : 1;
    unsigned count = each * (access == WB_SHARED_LOAD ? wavefronts_of_load(at, on, size)
                                                      : wavefronts_of_others(at, on, size, access));
    t->shared_wavefronts += count;
    t->shared_ideal += least(count, each * fewest(on, size, WB_WAVEFRONT));
}

uint32_t wb_traffic_spin_turn(const uint64_t *at, uint32_t on, unsigned size)
{
    unsigned lanes = lanes_of_part(size);
    uint32_t turn = 0;
    for (unsigned first = 0; first < WB_LANES; first += lanes) {
        turn |= first_of_banks(at, on & lanes_from(first, lanes), size);
    }
    return turn;
}

/* ---- copies from global to shared memory ------------------------------------------------------
 */

/* Through L1: lanes of one shared bank have turns, and in each turn those of one bank of L1. */
static unsigned wavefronts_of_copy(const uint64_t *to, uint32_t part, const uint64_t *from,
                                   uint32_t reads, unsigned size)
{
    unsigned count = 0;
    while (part) {
        uint32_t turn = first_of_banks(to, part, size);
        unsigned n = turns(from, turn & reads, size);
        count += n ? n : 1;
        part &= ~turn;
    }
    return count;
}

/* Past L1, 16 bytes a lane: of lanes that write one place the lowest counts. A wavefront moves
 * lanes to one line of 128 bytes whose places in their two lines differ by the same bits; they come
 * in sectors. */
static void count_bypass(struct wb_traffic *t, const uint64_t *to, const uint64_t *from,
                         uint32_t reads)
{
    uint64_t line[WB_LANES] = {0}, sector[WB_LANES] = {0};
    uint32_t first = 0;
    for (uint32_t rest = reads; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        uint64_t moved = (to[i] ^ from[i]) >> 4 & 7;
        bool seen = false;
        for (uint32_t before = first; before; before &= before - 1) {
            seen = seen || to[__builtin_ctz(before)] == to[i];
        }
        first |= seen ? 0 : rest & (0 - rest);
        line[i] = to[i] / WB_WAVEFRONT << 3 | moved;
        sector[i] = from[i] / WB_SECTOR << 3 | moved;
    }
    for (unsigned i = 0; i < WB_LANES; i++) {
        sector[i] = sector[i] << 20 | (line[i] & 0xfffff);
    }
    unsigned touched = count_different(sector, first, 0);
    unsigned count = count_different(line, first, 0);
    t->global_sectors += touched;
    t->global_ideal += least(touched, fewest(first, 16, WB_SECTOR));
    t->shared_wavefronts += count;
    t->shared_ideal += least(count, fewest(first, 16, WB_WAVEFRONT));
}

void wb_traffic_copy(struct wb_traffic *t, const uint64_t *to, uint32_t on, const uint64_t *from,
                     uint32_t reads, unsigned size, bool bypass)
{
    unsigned lanes = lanes_of_part(size), count = 0;
    if (bypass) {
        count_bypass(t, to, from, reads);
        return;
    }
    for (unsigned first = 0; first < WB_LANES; first += lanes) {
        count += wavefronts_of_copy(to, on & lanes_from(first, lanes), from, reads, size);
    }
    t->shared_wavefronts += count;
    t->shared_ideal += least(count, fewest(on, size, WB_WAVEFRONT));
    wb_traffic_global(t, from, reads, size);
}
