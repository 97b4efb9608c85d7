/* SPDX-License-Identifier: MIT
 * LZ4 blocks: sequences of literal bytes and copies of what came before.
 */
#include "fatbin.h"

#include <string.h>

/* A length of 15 in the token goes on in bytes until one is not 255. */
static bool read_length(size_t *length, const uint8_t **in, const uint8_t *end)
{
    uint8_t more = 255;
    if (*length < 15) {
        return true;
    }
    while (more == 255) {
        if (*in == end) {
            return false;
        }
        more = *(*in)++;
        *length += more;
    }
    return true;
}

bool wb_fatbin_lz4(uint8_t *out, size_t size, const uint8_t *in, size_t in_size)
{
    const uint8_t *end = in + in_size;
    size_t at = 0;
    while (in < end) {
        size_t literals = *in >> 4, match = *in & 15;
        in++;
        if (!read_length(&literals, &in, end) || literals > (size_t)(end - in) ||
            literals > size - at) {
            return false;
        }
        memcpy(out + at, in, literals);
        at += literals;
        in += literals;
        if (in == end) {
            break; /* the last sequence has no copy */
        }
        if (end - in < 2) {
            return false;
        }
        size_t back = in[0] | (size_t)in[1] << 8;
        in += 2;
        if (!read_length(&match, &in, end) || back == 0 || back > at || match + 4 > size - at) {
            return false;
        }
        for (size_t i = 0; i < match + 4; i++, at++) {
            out[at] = out[at - back]; /* it may overlap what it makes */
        }
    }
    return at == size;
}
