/* SPDX-License-Identifier: MIT
 * System functions. To add one: a row in `services`. printf's arguments lie one behind the other
 * in the thread's local memory, 4 or 8 bytes each, naturally aligned.
 */
#include "print.h"

#include "fault.h"
#include "heap.h"
#include "sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The calling lane. */
struct call {
    struct wb_warp *warp;
    const struct wb_insn *in;
    unsigned lane;
    struct wb_str out;
    uint64_t arguments; /* address of printf's next argument */
};

static uint64_t pointer_in(const struct call *call, unsigned r)
{
    const struct wb_warp *w = call->warp;
    return (uint64_t)w->reg[r + 1][call->lane] << 32 | w->reg[r][call->lane];
}

static bool read_bytes(void *to, const struct call *call, uint64_t address, unsigned size)
{
    struct wb_access access = {.warp = call->warp, .in = call->in, .size = size};
    const uint8_t *from = wb_memory_generic(&access, call->lane, address);
    if (from) {
        memcpy(to, from, size);
    }
    return from != NULL;
}

/* A string of the device; false after a fault. */
static bool read_string(struct wb_str *out, const struct call *call, uint64_t address)
{
    char c;
    for (unsigned n = 0; n < 1 << 16; n++) {
        if (!read_bytes(&c, call, address + n, 1)) {
            return false;
        }
        if (c == '\0') {
            break;
        }
        wb_str_add_bytes(out, &c, 1);
    }
    return true;
}

/* ---- printf ---------------------------------------------------------------------------------- */

static bool next_argument(uint64_t *value, struct call *call, unsigned size)
{
    *value = 0;
    call->arguments = (call->arguments + size - 1) & ~(uint64_t)(size - 1);
    bool ok = read_bytes(value, call, call->arguments, size);
    call->arguments += size;
    return ok;
}

/* One conversion of the format: "%-8.3lld". Flags and width are handed to the host's snprintf. */
struct spec {
    char flags[32]; /* '%', flags, width, precision */
    size_t length;
    bool wide;  /* ll, l, z, t, j: 64 bits */
    int narrow; /* number of h */
    char conversion;
};

static void add_flag(struct spec *spec, char c)
{
    if (spec->length < sizeof spec->flags - 8) {
        spec->flags[spec->length++] = c;
        spec->flags[spec->length] = '\0';
    }
}

/* Reads a conversion behind its '%'; returns what follows it. */
static const char *read_spec(struct spec *spec, struct call *call, const char *at)
{
    *spec = (struct spec){.length = 0};
    add_flag(spec, '%');
    for (; *at && strchr("-+ #0123456789.*", *at); at++) {
        uint64_t number = 0;
        if (*at != '*') {
            add_flag(spec, *at);
        } else if (next_argument(&number, call, 4)) {
            char digits[16];
            snprintf(digits, sizeof digits, "%d", (int)(uint32_t)number);
            for (const char *d = digits; *d; d++) {
                add_flag(spec, *d);
            }
        }
    }
    for (; *at && strchr("hlLqjzt", *at); at++) {
        spec->narrow += *at == 'h';
        spec->wide = spec->wide || *at != 'h';
    }
    spec->conversion = *at;
    return *at ? at + 1 : at;
}

static void print_integer(struct call *call, struct spec *spec, uint64_t value)
{
    bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';
    unsigned drop = spec->wide ? 0 : spec->narrow >= 2 ? 56 : spec->narrow == 1 ? 48 : 32;
    value = is_signed ? (uint64_t)((int64_t)(value << drop) >> drop) : value << drop >> drop;
    char format[48];
    snprintf(format, sizeof format, "%sll%c", spec->flags, spec->conversion);
    char text[128];
    int length = snprintf(text, sizeof text, format, (unsigned long long)value);
    wb_str_add_bytes(&call->out, text,
                     length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

static void print_double(struct call *call, struct spec *spec, uint64_t bits)
{
    char format[48], text[512];
    double value;
    memcpy(&value, &bits, sizeof value);
    snprintf(format, sizeof format, "%s%c", spec->flags, spec->conversion);
    int length = snprintf(text, sizeof text, format, value);
    wb_str_add_bytes(&call->out, text,
                     length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

static void print_string(struct call *call, struct spec *spec, uint64_t address)
{
    struct wb_str string;
    wb_str_init(&string, call->out.arena);
    if (read_string(&string, call, address)) {
        char format[48];
        snprintf(format, sizeof format, "%ss", spec->flags);
        int length = snprintf(NULL, 0, format, wb_str_get(&string));
        char *text = wb_arena_alloc(call->out.arena, (size_t)length + 1);
        snprintf(text, (size_t)length + 1, format, wb_str_get(&string));
        wb_str_add(&call->out, text);
    }
}

/* Prints one argument; false at a conversion that does not exist. */
static bool print_argument(struct call *call, struct spec *spec)
{
    static const char integers[] = "diuxXo", doubles[] = "fFeEgGaA";
    uint64_t value;
    if (strchr(integers, spec->conversion)) {
        if (next_argument(&value, call, spec->wide ? 8 : 4)) {
            print_integer(call, spec, value);
        }
    } else if (strchr(doubles, spec->conversion)) {
        if (next_argument(&value, call, 8)) {
            print_double(call, spec, value);
        }
    } else if (spec->conversion == 'c') {
        if (next_argument(&value, call, 4)) {
            wb_str_add_bytes(&call->out, &(char){(char)value}, 1);
        }
    } else if (spec->conversion == 's') {
        if (next_argument(&value, call, 8)) {
            print_string(call, spec, value);
        }
    } else if (spec->conversion == 'p') {
        if (next_argument(&value, call, 8)) {
            wb_str_printf(&call->out, "0x%" PRIx64, value);
        }
    } else {
        return false;
    }
    return true;
}

enum { NOT_CHARGED = 1 << 16 }; /* steps; more than a warp's turn, which is being counted */

/* Printing takes time: a byte counts as a warp instruction, so that a kernel that prints without
 * end runs into the step limit. */
static void charge(struct wb_run *run, uint64_t bytes)
{
    uint64_t spare = run->steps_left > NOT_CHARGED ? run->steps_left - NOT_CHARGED : 0;
    run->steps_left -= bytes < spare ? bytes : spare;
}

/* R4:R5 format, R6:R7 arguments. R4 = number of arguments printed. */
static void call_vprintf(struct call *call)
{
    struct wb_str format;
    wb_str_init(&format, call->out.arena);
    call->arguments = pointer_in(call, 6);
    if (!read_string(&format, call, pointer_in(call, 4))) {
        return;
    }
    uint32_t printed = 0;
    for (const char *at = wb_str_get(&format); *at && call->warp->event != WB_EVENT_STOP;) {
        size_t plain = strcspn(at, "%");
        wb_str_add_bytes(&call->out, at, plain);
        at += plain;
        if (at[0] == '%' && at[1] == '%') {
            wb_str_add(&call->out, "%");
            at += 2;
        } else if (*at == '%') {
            struct spec spec;
            const char *rest = read_spec(&spec, call, at + 1);
            if (spec.conversion && print_argument(call, &spec)) {
                printed++;
            } else {
                wb_str_add_bytes(&call->out, at, (size_t)(rest - at));
            }
            at = rest;
        }
    }
    struct wb_run *run = call->warp->cta->run;
    if (run->launch->print && call->out.length) {
        run->launch->print(run->launch->print_context, call->out.data, call->out.length);
    }
    charge(run, call->out.length);
    call->warp->reg[4][call->lane] = printed;
}

/* ---- assert ---------------------------------------------------------------------------------- */

struct assertion {
    struct wb_str condition, file, function;
    unsigned line;
};

/* Each failing thread says so in the words of CUDA's runtime; the first one is the fault. */
static void print_assertion(struct call *call, const struct assertion *failed)
{
    const struct wb_sim_launch *launch = call->warp->cta->run->launch;
    struct wb_dim3 b = call->warp->cta->index, t = wb_thread_index(call->warp, call->lane);
    if (launch->print_assertion) {
        wb_str_printf(&call->out,
                      "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                      wb_str_get(&failed->file), failed->line, wb_str_get(&failed->function), b.x,
                      b.y, b.z, t.x, t.y, t.z, wb_str_get(&failed->condition));
        launch->print_assertion(launch->print_context, call->out.data, call->out.length);
    }
}

/* R4:R5 condition, R6:R7 file, R8 line, R10:R11 function. */
static void call_assertfail(struct call *call)
{
    struct assertion failed = {.line = call->warp->reg[8][call->lane]};
    char who[80];
    wb_str_init(&failed.condition, call->out.arena);
    wb_str_init(&failed.file, call->out.arena);
    wb_str_init(&failed.function, call->out.arena);
    if (read_string(&failed.condition, call, pointer_in(call, 4)) &&
        read_string(&failed.file, call, pointer_in(call, 6)) &&
        read_string(&failed.function, call, pointer_in(call, 10))) {
        print_assertion(call, &failed);
        wb_fault_who(who, sizeof who, call->warp, call->lane);
        wb_fault_raise(call->warp, call->in, call->lane, WB_REASON_TRAP,
                       "%s stopped the kernel: assertion `%.120s` failed (%.100s:%u)", who,
                       wb_str_get(&failed.condition), wb_path_base(wb_str_get(&failed.file)),
                       failed.line);
    }
}

/* ---- malloc and free ------------------------------------------------------------------------- */

/* R4:R5 bytes; R4:R5 = address, NULL if the heap is full. */
static void call_malloc(struct call *call)
{
    struct wb_warp *w = call->warp;
    uint64_t address = wb_heap_allocate(w->cta->run->sim, pointer_in(call, 4), w->guard);
    w->reg[4][call->lane] = (uint32_t)address;
    w->reg[5][call->lane] = (uint32_t)(address >> 32);
}

/* R4:R5 address. */
static void call_free(struct call *call)
{
    uint64_t address = pointer_in(call, 4);
    const char *why = address ? wb_heap_release(call->warp->cta->run, address) : NULL;
    if (why) {
        char who[80];
        wb_fault_who(who, sizeof who, call->warp, call->lane);
        wb_fault_raise(call->warp, call->in, call->lane, WB_REASON_BAD_FREE,
                       "%s frees the address 0x%" PRIx64 ", %s", who, address, why);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct service {
    const char *name;
    void (*run)(struct call *call);
} services[] = {
    {"vprintf", call_vprintf},
    {"__assertfail", call_assertfail},
    {"malloc", call_malloc},
    {"free", call_free},
};

void wb_system_call(struct wb_warp *w, const struct wb_insn *in, unsigned lane, uint64_t address)
{
    const char *name = wb_sim_service(w->cta->run->sim, address);
    if (!name) {
        wb_fault_raise(w, in, lane, WB_REASON_TRAP,
                       "the kernel called the address 0x%" PRIx64 ", which is not a function",
                       address);
        return;
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(services); i++) {
        if (strcmp(name, services[i].name) == 0) {
            struct wb_arena arena;
            wb_arena_init(&arena);
            struct call call = {.warp = w, .in = in, .lane = lane};
            wb_str_init(&call.out, &arena);
            services[i].run(&call);
            wb_arena_finish(&arena);
            return;
        }
    }
    wb_fault_raise(w, in, lane, WB_REASON_UNSUPPORTED,
                   "the embedded device has no `%.100s`, which the kernel calls", name);
}
