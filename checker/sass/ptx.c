/* SPDX-License-Identifier: MIT
 * Reads PTX line by line: a statement is an opcode and operands between commas. Addresses of arrays
 * are followed through moves, sums and the like, whatever the order of the statements: a register
 * belongs to the one array whose address can get into it.
 */
#include "ptx.h"

#include "lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARRAYS = 256, MAX_LINES = 1 << 20, MAX_OPERANDS = 8, MAX_PASSES = 16, NAME = 120 };
enum { NOTHING = 0, SEVERAL = -1 }; /* what may be in a register; else 1 + an array */

struct text {
    const char **lines; /* number 1 is lines[0] */
    size_t count;
};

/* A statement; operands point into `copy`. */
struct statement {
    char copy[512];
    const char *opcode;
    char *operands[MAX_OPERANDS];
    unsigned count;
};

struct word {
    const char *name; /* of a register */
    int holds;
    const char *constant; /* the number that is moved into it, */
    bool several;         /* unless it is not the only thing */
};

struct reader {
    struct wb_arena *arena;
    struct text text;
    size_t first, last; /* lines of the kernel's body */
    struct wb_ptx *ptx;
    char names[MAX_ARRAYS][NAME]; /* in PTX: "_ZZ6smoothPKiE4tile" */
    struct word *words;           /* a hash table of registers */
    size_t word_count, word_capacity;
};

/* ---- text -------------------------------------------------------------------------------------
 */

static struct text split(struct wb_arena *arena, const char *ptx, size_t size)
{
    struct text text = {0};
    size_t capacity = 0;
    while (size && text.count < MAX_LINES) {
        size_t length = strnlen(ptx, size);
        if (length == size) {
            break; /* cut off */
        }
        text.lines = wb_arena_grow(arena, text.lines, &capacity, text.count, sizeof *text.lines);
        text.lines[text.count++] = ptx;
        ptx += length + 1;
        size -= length + 1;
    }
    return text;
}

/* ".visible .entry NAME(": the line of the kernel, and the "}" in the first column that ends it. */
static bool find_body(struct reader *r, const char *kernel)
{
    size_t length = strlen(kernel);
    for (size_t i = 0; i < r->text.count; i++) {
        const char *at = strstr(r->text.lines[i], ".entry ");
        if (at && strncmp(at + 7, kernel, length) == 0 &&
            (at[7 + length] == '(' || at[7 + length] == '\0')) {
            r->first = i + 1;
            r->last = i + 1;
            while (r->last < r->text.count && r->text.lines[r->last][0] != '}') {
                r->last++;
            }
            return true;
        }
    }
    return false;
}

static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) {
        *--end = '\0';
    }
    return text;
}

/* "@%p1 add.s32 %r1, %r2, 4;" without the guard; false if it is no statement. */
static bool parse(struct statement *s, const char *line)
{
    size_t length = strlen(line);
    s->count = 0;
    if (length >= sizeof s->copy) {
        return false;
    }
    memcpy(s->copy, line, length + 1);
    char *at = trimmed(s->copy), *end = strchr(at, ';');
    if (!end || *at == '.' || *at == '/') {
        return false;
    }
    *end = '\0';
    if (*at == '{') {
        at = trimmed(at + 1);
    }
    if (*at == '@') {
        at += strcspn(at, " \t");
        at = trimmed(at);
    }
    s->opcode = at;
    at += strcspn(at, " \t");
    if (*at) {
        *at++ = '\0';
    }
    for (char *rest = at; rest && s->count < MAX_OPERANDS;) {
        char *comma = strchr(rest, ',');
        if (comma) {
            *comma = '\0';
        }
        s->operands[s->count++] = trimmed(rest);
        rest = comma ? comma + 1 : NULL;
    }
    return true;
}

/* ---- arrays -----------------------------------------------------------------------------------
 */

/* "_ZZ6smoothPKiE4tile" is `tile`: the last name with a length before it. */
static const char *short_name(struct wb_arena *arena, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = length; i-- > 0;) {
        if (isdigit((unsigned char)name[i])) {
            size_t begin = i;
            while (begin > 0 && isdigit((unsigned char)name[begin - 1])) {
                begin--;
            }
            size_t stated = strtoul(name + begin, NULL, 10);
            if (i + 1 + stated == length) {
                return wb_arena_strdup(arena, name + i + 1);
            }
            i = begin;
        }
    }
    return wb_arena_strdup(arena, name);
}

/* ".shared .align 4 .b8 NAME[512];" or ".shared .align 1 .u8 NAME;" */
static bool parse_array(char *name, uint32_t *align, uint32_t *size, const char *line)
{
    char type[8], extent[24] = "";
    unsigned bits;
    const char *at = strstr(line, ".shared .align ");
    if (!at ||
        sscanf(at, ".shared .align %u .%7[a-z0-9] %118[A-Za-z0-9_$][%20[0-9]", align, type, name,
               extent) < 3 ||
        sscanf(type, "%*[a-z]%u", &bits) != 1 || *align == 0 || (*align & (*align - 1))) {
        return false;
    }
    bool open = strchr(at, '[') && !*extent; /* extern __shared__ x[]: it has no size */
    *size = open ? 0 : bits / 8 * (*extent ? (uint32_t)strtoul(extent, NULL, 10) : 1);
    return true;
}

/* ptxas lays the arrays of a kernel one behind the other, in the order of their declarations. Those
 * of the module come into it only if they are used: then the sum does not fit and nothing is
 * said. */
static void find_arrays(struct reader *r, const struct wb_kernel *kernel)
{
    struct wb_ptx *ptx = r->ptx;
    uint32_t at = 0, align, size;
    ptx->arrays = wb_arena_alloc(r->arena, MAX_ARRAYS * sizeof *ptx->arrays);
    for (size_t i = r->first; i < r->last && ptx->array_count < MAX_ARRAYS; i++) {
        char *name = r->names[ptx->array_count];
        if (parse_array(name, &align, &size, r->text.lines[i]) && size) {
            at = (at + align - 1) & ~(align - 1);
            ptx->arrays[ptx->array_count++] = (struct wb_ptx_array){
                .name = short_name(r->arena, name), .offset = at, .size = size};
            at += size;
        }
    }
    if (at != kernel->static_shared) {
        ptx->array_count = 0;
    }
}

static int find_array(const struct reader *r, const char *name, size_t length)
{
    for (size_t i = 0; i < r->ptx->array_count; i++) {
        if (strlen(r->names[i]) == length && strncmp(r->names[i], name, length) == 0) {
            return (int)i + 1;
        }
    }
    return NOTHING;
}

/* ---- registers --------------------------------------------------------------------------------
 */

static size_t hash_of(const char *name, size_t length)
{
    size_t hash = 5381;
    for (size_t i = 0; i < length; i++) {
        hash = hash * 33 + (unsigned char)name[i];
    }
    return hash;
}

static struct word *find_word(struct reader *r, const char *name, size_t length)
{
    size_t mask = r->word_capacity - 1, at = hash_of(name, length) & mask;
    while (r->words[at].name &&
           (strncmp(r->words[at].name, name, length) != 0 || r->words[at].name[length] != '\0')) {
        at = (at + 1) & mask;
    }
    return &r->words[at];
}

/* What may be in "%r1", "tile", "%r1+4", "tile+4" or "12". */
static int held_by(struct reader *r, const char *operand)
{
    if (*operand == '%') {
        size_t length = strcspn(operand, "+-] \t");
        return find_word(r, operand, length)->holds;
    }
    return find_array(r, operand, strcspn(operand, "+-] \t"));
}

static int either(int a, int b)
{
    return a == NOTHING || a == b ? b : b == NOTHING ? a : SEVERAL;
}

static bool is_number(const char *text)
{
    return isdigit((unsigned char)*text) || (*text == '-' && isdigit((unsigned char)text[1]));
}

/* Does the result of an instruction hold an address if a source does? */
static bool carries_address(const char *opcode)
{
    static const char *const kinds[] = {"mov.", "add.", "sub.", "mad.", "selp.",
                                        "or.",  "cvt.", "cvta", "and.", "shfl."};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(kinds); i++) {
        if (strncmp(opcode, kinds[i], strlen(kinds[i])) == 0) {
            return true;
        }
    }
    return false;
}

static void add_words(struct reader *r)
{
    size_t most = 16;
    for (size_t i = r->first; i < r->last; i++) {
        most += strchr(r->text.lines[i], '%') != NULL;
    }
    for (r->word_capacity = 64; r->word_capacity < 8 * most;) {
        r->word_capacity *= 2;
    }
    r->words = wb_arena_alloc(r->arena, r->word_capacity * sizeof *r->words);
    memset(r->words, 0, r->word_capacity * sizeof *r->words);
}

/* One pass over the body; true if something was learned. */
static bool follow(struct reader *r)
{
    bool learned = false;
    for (size_t i = r->first; i < r->last; i++) {
        struct statement s;
        if (!parse(&s, r->text.lines[i]) || s.count < 2 || s.operands[0][0] != '%') {
            continue;
        }
        int holds = NOTHING;
        for (unsigned k = 1; k < s.count && carries_address(s.opcode); k++) {
            holds = either(holds, held_by(r, s.operands[k]));
        }
        size_t length = strcspn(s.operands[0], "| \t");
        struct word *to = find_word(r, s.operands[0], length);
        if (!to->name) {
            if (2 * ++r->word_count > r->word_capacity) {
                return false;
            }
            to->name = wb_arena_strndup(r->arena, s.operands[0], length);
        }
        bool moved = strncmp(s.opcode, "mov.", 4) == 0 && is_number(s.operands[1]);
        if (moved && !to->constant) {
            to->constant = wb_arena_strdup(r->arena, s.operands[1]);
        }
        to->several = to->several || !moved || strcmp(to->constant, s.operands[1]) != 0;
        holds = either(to->holds, holds);
        learned = learned || holds != to->holds;
        to->holds = holds;
    }
    return learned;
}

/* ---- instructions -----------------------------------------------------------------------------
 */

/* The array that the statement accesses: by an operand "[...]", 0 if it is not plain. */
static int array_of(struct reader *r, const struct statement *s)
{
    bool accesses = strncmp(s->opcode, "ld.", 3) == 0 || strncmp(s->opcode, "st.", 3) == 0 ||
                    strncmp(s->opcode, "atom", 4) == 0 || strncmp(s->opcode, "red.", 4) == 0;
    for (unsigned i = 0; accesses && i < s->count; i++) {
        if (s->operands[i][0] == '[') {
            int holds = held_by(r, s->operands[i] + 1);
            return holds > 0 ? holds : 0;
        }
    }
    return 0;
}

/* The mask of shfl.sync, vote.sync, match.sync, redux.sync, bar.warp.sync if it is a constant. */
static bool mask_of(uint32_t *mask, struct reader *r, const struct statement *s)
{
    bool syncs = strstr(s->opcode, ".sync") &&
                 (strncmp(s->opcode, "shfl.", 5) == 0 || strncmp(s->opcode, "vote.", 5) == 0 ||
                  strncmp(s->opcode, "match.", 6) == 0 || strncmp(s->opcode, "redux.", 6) == 0 ||
                  strncmp(s->opcode, "bar.warp.", 9) == 0);
    const char *last = s->count ? s->operands[s->count - 1] : "";
    char *end;
    if (*last == '%') {
        const struct word *word = find_word(r, last, strlen(last));
        last = word->constant && !word->several ? word->constant : "";
    }
    if (!syncs || !is_number(last)) {
        return false;
    }
    *mask = (uint32_t)strtoll(last, &end, 0);
    return *end == '\0';
}

const struct wb_ptx *wb_ptx_read(struct wb_arena *arena, const struct wb_kernel *kernel)
{
    const struct wb_cubin *cubin = kernel->cubin;
    if (!cubin || !cubin->ptx || !kernel->ptx_line_count) {
        return NULL;
    }
    struct reader *r = wb_arena_alloc(arena, sizeof *r);
    *r = (struct reader){.arena = arena, .text = split(arena, cubin->ptx, cubin->ptx_size)};
    if (!find_body(r, kernel->name)) {
        return NULL;
    }
    size_t count = (kernel->linked_size ? kernel->linked_size : kernel->code_size) / 16 + 1;
    struct wb_ptx *ptx = r->ptx = wb_arena_alloc(arena, sizeof *ptx);
    *ptx = (struct wb_ptx){
        .array_of = wb_arena_alloc(arena, count * sizeof *ptx->array_of),
        .has_mask = wb_arena_alloc(arena, count),
        .mask = wb_arena_alloc(arena, count * sizeof *ptx->mask),
    };
    find_arrays(r, kernel);
    add_words(r);
    for (unsigned pass = 0; pass < MAX_PASSES && follow(r); pass++) {
    }
    for (size_t i = 0; i < count; i++) {
        struct statement s;
        unsigned line = wb_kernel_ptx_line(kernel, (uint32_t)i * 16);
        bool inside = line && line - 1 >= r->first && line - 1 < r->last;
        ptx->array_of[i] = 0;
        ptx->has_mask[i] = 0;
        if (inside && parse(&s, r->text.lines[line - 1])) {
            ptx->array_of[i] = (uint16_t)array_of(r, &s);
            ptx->has_mask[i] = mask_of(&ptx->mask[i], r, &s);
        }
    }
    return ptx;
}
