/* SPDX-License-Identifier: MIT
 * The rules of memory traffic. They give what an H200 counts for every access of its measured
 * kernels (test_open.c), except those that say "not measured".
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

/* ---- global ---------------------------------------------------------------------------------- */

/* Sectors: the different 32-byte sectors that the lanes touch. */
static unsigned sectors(const uint64_t *at, uint32_t on)
{
    return count_different(at, on, 5);
}

/* Ideal sectors: those that the different elements would fill, side by side. (All lanes at one
 * element give 1; a mixture of equal and scattered ones is not measured.) */
static unsigned ideal_sectors(const uint64_t *at, uint32_t on, unsigned size)
{
    return (count_different(at, on, log2_of(size)) * size + WB_SECTOR - 1) / WB_SECTOR;
}

void wb_traffic_global(struct wb_traffic *t, const uint64_t *at, uint32_t on, unsigned size)
{
    if (on) {
        t->global_sectors += sectors(at, on);
        t->global_ideal += ideal_sectors(at, on, size);
    }
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

/* ---- shared ---------------------------------------------------------------------------------- */

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

/* A wavefront of 128 bytes gives each bank one word, however many lanes want it. */
static unsigned wavefronts_of_part(const uint64_t *at, uint32_t part, unsigned size)
{
    struct keys keys;
    take(&keys, at, part, log2_of_words(size));
    keep_different(&keys);
    return fullest_bank(&keys, words_of(size));
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

/* Lanes of a part: wide accesses go in two halves or four quarters of a warp, so that a part moves
 * 128 bytes. Loads by pairs of lanes that agree go in half as many parts. (Measured: 64 bits, all
 * lanes at one address. For the rest NVIDIA says so of compute capability 7.0 and later.) */
static unsigned lanes_of_part(const uint64_t *at, uint32_t on, unsigned size, bool load)
{
    unsigned lanes = WB_LANES / words_of(size);
    bool paired = load && size > 4 && (pairs_agree(at, on, 1) || pairs_agree(at, on, 2));
    return paired ? 2 * lanes : lanes;
}

/* Turns of an atomic: the lanes of a bank one after the other, also those of one word. */
static unsigned turns(const uint64_t *at, uint32_t on, unsigned size)
{
    struct keys keys;
    take(&keys, at, on, log2_of_words(size));
    return fullest_bank(&keys, words_of(size));
}

/* Wavefronts and ideal ones (those without bank conflicts) of loads, stores and atomics. A
 * compare-and-swap needs a wavefront to compare and one a word to write (of 64 bits, only the
 * spinning one was measured). */
void wb_traffic_shared(struct wb_traffic *t, const uint64_t *at, uint32_t on, unsigned size,
                       enum wb_shared_access access)
{
    bool turn = access == WB_SHARED_ATOMIC || access == WB_SHARED_CAS;
    bool cas = access == WB_SHARED_CAS || access == WB_SHARED_CAS_SPIN;
    unsigned each = cas ? 1 + words_of(size) : 1;
    if (!on) {
        return;
    }
    if (turn || cas) {
        t->shared_wavefronts +=
            each * (turn ? turns(at, on, size) : wavefronts_of_part(at, on, size));
        t->shared_ideal += each;
        return;
    }
    unsigned lanes = lanes_of_part(at, on, size, access == WB_SHARED_LOAD);
    for (unsigned first = 0; first < WB_LANES; first += lanes) {
        uint32_t part = on & (WB_ALL_LANES >> (WB_LANES - lanes)) << first;
        t->shared_wavefronts += wavefronts_of_part(at, part, size);
        t->shared_ideal += part != 0;
    }
}
