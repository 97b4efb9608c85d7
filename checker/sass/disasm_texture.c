/* SPDX-License-Identifier: MIT
 * Operands of texture and surface instructions as text.
 */
#include "disasm_operand.h"

/* "UR4, 0x0": the handle, and a constant that is always 0. */
bool wb_text_handle(struct wb_text *t, bool optional)
{
    unsigned r = wb_text_bits(t, 40, 6);
    (void)optional;
    if (r == 63) {
        wb_str_add(t->out, "URZ");
    } else {
        wb_str_printf(t->out, "UR%u", r);
    }
    wb_str_printf(t->out, ", 0x%x", wb_text_bits(t, 46, 8));
    return true;
}

bool wb_text_dim(struct wb_text *t, bool optional)
{
    static const char *const names[8] = {"1D",       "2D",       "3D",       "CUBE",
                                         "ARRAY_1D", "ARRAY_2D", "INVALID6", "ARRAY_CUBE"};
    (void)optional;
    wb_str_add(t->out, names[wb_text_bits(t, 61, 3)]);
    return true;
}

/* Which components are wanted. */
bool wb_text_wanted(struct wb_text *t, bool optional)
{
    unsigned mask = wb_text_bits(t, 72, 4);
    if (optional && mask == 15) {
        return false;
    }
    wb_str_printf(t->out, "0x%x", mask);
    return true;
}

bool wb_text_query(struct wb_text *t, bool optional)
{
    static const char *const names[4] = {"TEX_HEADER_DIMENSION", "TEX_HEADER_TEXTURE_TYPE",
                                         "TEX_HEADER_SAMPLER_POS", "INVALID3"};
    (void)optional;
    wb_str_add(t->out, names[wb_text_bits(t, 62, 2)]);
    return true;
}

/* "[R4]": a surface's coordinates. */
bool wb_text_coords(struct wb_text *t, bool optional)
{
    (void)optional;
    wb_str_printf(t->out, "[R%u]", wb_text_bits(t, 24, 8));
    return true;
}
