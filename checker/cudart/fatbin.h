/* SPDX-License-Identifier: MIT
 * fatbin: finds the sm_90 machine code in what nvcc made of a program. A fat binary is a header and
 * a list of entries, each PTX or a cubin for one architecture, plain or compressed.
 */
#ifndef WB_CUDART_FATBIN_H
#define WB_CUDART_FATBIN_H

#include <warpbook/base.h>

/* The cubin for sm_90 in `image`: a wrapper (struct wb_fatbin_wrapper), a fat binary or a cubin.
 * `size` is SIZE_MAX if unknown. `*cubin` points into the image or the arena. UNSUPPORTED with a
 * sentence that says how to rebuild the program if there is none; BAD_INPUT if it is damaged. */
bool wb_fatbin_find(const void **cubin, size_t *cubin_size, struct wb_arena *arena,
                    const void *image, size_t size, struct wb_status *status);

/* Decodes a block of LZ4 (the format that nvcc before 12.4 compresses with); false if it is damaged
 * or does not give exactly `size` bytes. */
bool wb_fatbin_lz4(uint8_t *out, size_t size, const uint8_t *in, size_t in_size);

#endif
