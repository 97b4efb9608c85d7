/* SPDX-License-Identifier: MIT
 * Reading fat binaries. To support another compression: a row in `codecs`.
 */
#include "fatbin.h"

#include "abi.h"

#include <string.h>
#include <zstd.h>

enum {
    ELF_MAGIC = 0x464c457f,
    FATBIN_HEADER =
        16,            /* bytes; u16 version at 4, u16 bytes of this header at 6, u64 of the rest */
    ENTRY_HEADER = 64, /* bytes, at least */
    KIND_PTX = 1,
    KIND_ELF = 2,
    ARCH = 90,
};

#define FATBIN_MAGIC 0xba55ed50u
#define MAX_CUBIN    (UINT64_C(1) << 30) /* bytes, decompressed */

struct entry {
    unsigned kind, arch;
    uint64_t flags;
    const uint8_t *data;
    uint64_t size;     /* bytes at `data` */
    uint64_t unpacked; /* bytes when decompressed; 0: it is not compressed */
};

/* What a program has instead of sm_90 code, for the sentence. */
struct found {
    struct entry best; /* kind 0: none */
    unsigned other_elf, other_ptx;
};

static uint64_t number(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes); /* little-endian, as every machine that CUDA runs on */
    return value;
}

static bool damaged(struct wb_status *status)
{
    return WB_FAIL(status, BAD_INPUT,
                   "The program's device code is damaged: build the program again.");
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Reads the entry at `at`; returns the bytes it takes, 0 if it does not fit. */
static uint64_t read_entry(struct entry *out, const uint8_t *at, uint64_t left)
{
    if (left < ENTRY_HEADER) {
        return 0;
    }
    uint64_t header = number(at + 4, 4), padded = number(at + 8, 8), packed = number(at + 16, 4);
    if (header < ENTRY_HEADER || header > left || padded > left - header || packed > padded) {
        return 0;
    }
    *out = (struct entry){
        .kind = (unsigned)number(at, 2),
        .arch = (unsigned)number(at + 28, 4),
        .flags = number(at + 40, 8),
        .data = at + header,
        .size = packed ? packed : padded,
        .unpacked = packed ? number(at + 56, 8) : 0,
    };
    return header + padded;
}

static void consider(struct found *found, const struct entry *entry)
{
    if (entry->kind == KIND_ELF && entry->arch == ARCH) {
        if (found->best.kind == 0) {
            found->best = *entry;
        }
    } else if (entry->kind == KIND_ELF) {
        found->other_elf = entry->arch;
    } else if (entry->kind == KIND_PTX) {
        found->other_ptx = entry->arch;
    }
}

/* Fat binaries, one behind the other. Of an image of unknown size only the first is read. */
static bool read_regions(struct found *found, const uint8_t *at, size_t size)
{
    bool known = size != SIZE_MAX;
    do {
        if (size < FATBIN_HEADER || number(at, 4) != FATBIN_MAGIC) {
            return false;
        }
        uint64_t header = number(at + 6, 2), rest = number(at + 8, 8);
        if (header < FATBIN_HEADER || header > size || rest > size - header) {
            return false;
        }
        for (uint64_t done = 0; done < rest;) {
            struct entry entry;
            uint64_t taken = read_entry(&entry, at + header + done, rest - done);
            if (taken == 0) {
                return false;
            }
            consider(found, &entry);
            done += taken;
        }
        at += header + rest;
        size -= header + rest;
    } while (known && size >= FATBIN_HEADER && number(at, 4) == FATBIN_MAGIC);
    return true;
}

/* ---- compression ----------------------------------------------------------------------------- */

static bool unpack_zstd(uint8_t *out, size_t size, const uint8_t *in, size_t in_size)
{
    return ZSTD_decompress(out, size, in, in_size) == size;
}

static const struct codec {
    uint64_t flag; /* of the entry */
    bool (*unpack)(uint8_t *out, size_t size, const uint8_t *in, size_t in_size);
} codecs[] = {
    {0x8000, unpack_zstd},
    {0x2000, wb_fatbin_lz4},
};

static bool unpack(const void **cubin, size_t *cubin_size, struct wb_arena *arena,
                   const struct entry *entry, struct wb_status *status)
{
    *cubin = entry->data;
    *cubin_size = (size_t)entry->size;
    if (entry->unpacked == 0) {
        return true;
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(codecs) && entry->unpacked <= MAX_CUBIN; i++) {
        if (entry->flags & codecs[i].flag) {
            uint8_t *out = wb_arena_alloc(arena, (size_t)entry->unpacked);
            *cubin = out;
            *cubin_size = (size_t)entry->unpacked;
            return codecs[i].unpack(out, *cubin_size, entry->data, (size_t)entry->size) ||
                   damaged(status);
        }
    }
    return WB_FAIL(status, UNSUPPORTED,
                   "The program's device code is compressed in a way that the embedded device does "
                   "not know: build it again with nvcc -arch=sm_90 --compress-mode=none.");
}

/* ---- the image ------------------------------------------------------------------------------- */

static bool no_code(const struct found *found, struct wb_status *status)
{
    static const char advice[] = "build it again with nvcc -arch=sm_90 -cudart shared -lineinfo.";
    if (found->other_elf) {
        return WB_FAIL(status, UNSUPPORTED,
                       "The program has machine code for sm_%u, but the embedded device runs code "
                       "for sm_90: %s",
                       found->other_elf, advice);
    }
    if (found->other_ptx) {
        return WB_FAIL(status, UNSUPPORTED,
                       "The program has only PTX (compute_%u) and no machine code for sm_90, which "
                       "the embedded device needs: %s",
                       found->other_ptx, advice);
    }
    return WB_FAIL(status, UNSUPPORTED, "The program has no device code in this module: %s",
                   advice);
}

bool wb_fatbin_find(const void **cubin, size_t *cubin_size, struct wb_arena *arena,
                    const void *image, size_t size, struct wb_status *status)
{
    struct found found = {0};
    *cubin = NULL;
    *cubin_size = 0;
    if (!image || size < FATBIN_HEADER) {
        return damaged(status);
    }
    if (number(image, 4) == WB_FATBIN_WRAPPER_MAGIC && size >= sizeof(struct wb_fatbin_wrapper)) {
        image = ((const struct wb_fatbin_wrapper *)image)->data;
        size = SIZE_MAX;
        if (!image) {
            return damaged(status);
        }
    }
    if (number(image, 4) == ELF_MAGIC) {
        *cubin = image;
        *cubin_size = size;
        return true;
    }
    if (!read_regions(&found, image, size)) {
        return damaged(status);
    }
    return found.best.kind ? unpack(cubin, cubin_size, arena, &found.best, status)
                           : no_code(&found, status);
}
