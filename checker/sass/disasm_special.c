/* SPDX-License-Identifier: MIT
 * Names of special registers, as S2R and CS2R print them. Those that have no name here are numbers.
 */
#include "disasm.h"

static const char *const names[256] = {
    [0x00] = "SR_LANEID",
    [0x01] = "SR_CLOCK",
    [0x02] = "SR_VIRTCFG",
    [0x03] = "SR_VIRTID",
    [0x0f] = "SR_ORDERING_TICKET",
    [0x20] = "SR_TID",
    [0x21] = "SR_TID.X",
    [0x22] = "SR_TID.Y",
    [0x23] = "SR_TID.Z",
    [0x25] = "SR_CTAID.X",
    [0x26] = "SR_CTAID.Y",
    [0x27] = "SR_CTAID.Z",
    [0x28] = "SR_NTID",
    [0x2e] = "SR_LWINHI",
    [0x2f] = "SR_SWINHI",
    [0x30] = "SR_SWINLO",
    [0x31] = "SR_SWINSZ",
    [0x32] = "SR_SMEMSZ",
    [0x33] = "SR_SMEMBANKS",
    [0x34] = "SR_LWINLO",
    [0x35] = "SR_LWINSZ",
    [0x36] = "SR_LMEMLOSZ",
    [0x37] = "SR_LMEMHIOFF",
    [0x38] = "SR_EQMASK",
    [0x39] = "SR_LTMASK",
    [0x3a] = "SR_LEMASK",
    [0x3b] = "SR_GTMASK",
    [0x3c] = "SR_GEMASK",
    [0x3d] = "SR_REGALLOC",
    [0x3e] = "SR_BARRIERALLOC",
    [0x40] = "SR_GLOBALERRORSTATUS",
    [0x42] = "SR_WARPERRORSTATUS",
    [0x43] = "SR_VIRTUALSMID",
    [0x44] = "SR_VIRTUALENGINEID",
    [0x50] = "SR_CLOCKLO",
    [0x51] = "SR_CLOCKHI",
    [0x52] = "SR_GLOBALTIMERLO",
    [0x53] = "SR_GLOBALTIMERHI",
    [0x60] = "SR_HWTASKID",
    [0x88] = "SR_CgaCtaId",
    [0x89] = "SR_GpcLocalCgaId",
    [0x8b] = "SR_CTARegPoolSz",
    [0xff] = "SRZ",
};

void wb_disassemble_special(struct wb_str *out, unsigned number)
{
    if (names[number & 0xff]) {
        wb_str_add(out, names[number & 0xff]);
    } else {
        wb_str_printf(out, "SR%u", number & 0xff);
    }
}
