/* SPDX-License-Identifier: MIT
 * A floating-point number taken apart: the form in which fpu.c and fpu_convert.c compute.
 */
#ifndef WB_SASS_REAL_H
#define WB_SASS_REAL_H

#include "fpu.h"

__extension__ typedef unsigned __int128 wb_u128;

enum wb_real_kind { WB_REAL_ZERO, WB_REAL_FINITE, WB_REAL_INFINITE, WB_REAL_NAN };

/* (-1)^negative * significand * 2^exponent. Below the 64 highest bits of the significand, its
 * lowest bit may stand for any part smaller than itself that is not zero. */
struct wb_real {
    enum wb_real_kind kind;
    bool negative;
    bool keeps_payload; /* a NaN of double precision: sign and payload survive */
    int exponent;
    wb_u128 significand; /* of a NaN: its fraction in 64 bits, highest bit first */
};

struct wb_real wb_real_unpack(enum wb_format format, uint64_t bits, bool ftz);
/* Rounds to a format, with infinity or the largest number on overflow, as the mode demands. */
uint64_t wb_real_pack(enum wb_format format, struct wb_real real, enum wb_round mode, bool ftz,
                      bool sat);
/* Rounds to a multiple of 2^exponent; the significand then counts such units. A finite number may
 * become WB_REAL_ZERO; `significand` must hold the result (at most 2^127). */
struct wb_real wb_real_round(struct wb_real real, int exponent, enum wb_round mode);

#endif
