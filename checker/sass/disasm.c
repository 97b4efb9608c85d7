/* SPDX-License-Identifier: MIT
 * Disassembler. A row of inst.def says everything: its text is a name, which the texts of its
 * modifiers (field.def, in the row's order) follow, and operands. A row whose text has no operands
 * gets those of its operand flags: results, sources, predicates. Else every word is one of `items`
 * below; "word?" is left out when it has its default, and what stands behind a word ("a.ROW") or
 * between words is printed as it is. To add a kind of operand: a function and a row in `items`.
 */
#include "disasm.h"

#include "disasm_operand.h"

#include <string.h>

/* ---- name and modifiers ---------------------------------------------------------------------- */

/* Entry `index` of "first|second|third"; NULL behind the last. */
static const char *entry(const char *list, unsigned index, size_t *length)
{
    while (index > 0 && list) {
        list = strchr(list, '|');
        list = list ? list + 1 : NULL;
        index--;
    }
    *length = list ? strcspn(list, "|") : 0;
    return list;
}

/* A text that begins with + has two entries for each value: unsigned and signed. */
static void add_modifier(struct wb_text *t, const struct wb_inst_field *field)
{
    unsigned value = wb_text_bits(t, field->low, field->width);
    const char *list = field->text;
    size_t length;
    if (field->offset == offsetof(struct wb_insn, is_signed)) {
        t->is_signed = value;
    }
    if (list[0] == '\0') {
        return; /* not printed */
    }
    const char *text = list[0] == '+' ? entry(list + 1, value * 2 + t->is_signed, &length)
                                      : entry(list, value, &length);
    if (text) {
        wb_str_add_bytes(t->out, text, length);
    } else {
        wb_str_printf(t->out, ".INVALID%u", value);
    }
}

/* What BAR does not print unless it reduces. */
static bool hidden(const struct wb_text *t, unsigned modifier)
{
    return modifier == RED74 && wb_text_bits(t, 77, 2) != 2;
}

/* ---- operands -------------------------------------------------------------------------------- */

static const struct item {
    const char *name;
    bool (*add)(struct wb_text *t, bool optional); /* false if nothing was printed */
} items[] = {
#define X(name) {#name, wb_text_##name},
    WB_TEXT_ITEMS(X)
#undef X
};

static const struct item *find_item(const char *name, size_t length)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(items); i++) {
        if (strlen(items[i].name) == length && memcmp(items[i].name, name, length) == 0) {
            return &items[i];
        }
    }
    return NULL;
}

/* Operands of a row that does not spell them out. */
static const char *usual_operands(uint32_t operands)
{
    static const struct {
        uint32_t has;
        const char *text;
    } usual[] = {
        {D | A | B | C | PS, "d, a, b, c, ps"},
        {D | A | B | C, "d, a, b, c"},
        {D | A | B | PS, "d, a, b, ps"},
        {D | A | BC | PS, "d, a, b, ps"},
        {PD | PE | A | B | PS, "pd, pe, a, b, ps"},
        {PD | PE | A | BC | PS, "pd, pe, a, b, ps"},
        {PD | A | B, "pd, a, b"},
        {D | A | B, "d, a, b"},
        {D | A | BC, "d, a, b"},
        {D | A | C, "d, a, c"},
        {D | B, "d, b"},
        {D | A, "d, a"},
        {UD | A, "d, a"},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(usual); i++) {
        if ((operands & usual[i].has) == usual[i].has) {
            return usual[i].text;
        }
    }
    return "";
}

static void add_operands(struct wb_text *t, const char *at)
{
    const char *between = " ";
    size_t between_length = 1;
    while (*at) {
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789");
        const struct item *item = find_item(at, length);
        bool optional = at[length] == '?';
        size_t before = t->out->length;
        wb_str_add_bytes(t->out, between, between_length);
        if (!item) {
            wb_str_add_bytes(t->out, at, strcspn(at, ", "));
        } else if (item->add(t, optional)) {
            at += length + optional;
            wb_str_add_bytes(t->out, at, strcspn(at, ", "));
        } else {
            t->out->length = before;
            t->out->data[before] = '\0';
        }
        at += strcspn(at, ", ");
        if (t->out->length != before) {
            between = at;
            between_length = strspn(at, ", ");
        }
        at += strspn(at, ", ");
    }
}

/* ---- the instruction ------------------------------------------------------------------------- */

static void add_guard(struct wb_text *t)
{
    unsigned guard = wb_text_bits(t, 12, 4);
    if (guard != 7) {
        wb_str_add(t->out, "@");
        wb_text_predicate(t, 12, 15);
        wb_str_add(t->out, " ");
    }
}

void wb_disassemble(struct wb_str *out, const uint8_t word[16], uint32_t pc)
{
    struct wb_text t = {.out = out, .pc = pc, .word = wb_load_word(word)};
    enum wb_op op = wb_inst_find(t.word);
    if (op == WB_OP_UNKNOWN) {
        wb_str_add(out, "?");
        return;
    }
    t.row = &wb_inst_rows[op];
    t.form = t.word.low >> 9 & 7;
    add_guard(&t);
    size_t name = strcspn(t.row->mnemonic, " ");
    wb_str_add_bytes(out, t.row->mnemonic, name);
    bool alias = wb_text_alias(&t);
    for (int i = 0; i < MAX_MODIFIERS && !alias; i++) {
        unsigned m = t.row->modifiers[i];
        if (m > NO_FIELD && m < FIELD_COUNT && !hidden(&t, m)) {
            add_modifier(&t, &wb_inst_fields[m]);
        }
    }
    const char *operands = t.row->mnemonic + name;
    add_operands(&t, *operands ? operands + 1 : usual_operands(t.row->operands));
}
