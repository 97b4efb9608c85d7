/* SPDX-License-Identifier: MIT
 * device_page instructions | conformance: the tables of docs/embedded-device.md and all of
 * docs/embedded-device-conformance.md, made from the instruction table and from a run of the
 * kernels that were measured on an H200. `meson compile -C build device-page` puts them there.
 */
#include "engine.h"
#include "inst_table.h"
#include "open_corpus.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- instructions -----------------------------------------------------------------------------
 */

static const char *const handlers[] = {
#define INST(name, base, forms, when, mnemonic, handler, ...) [WB_OP_##name] = #handler,
#include "inst.def"
#undef INST
};

/* "LDG" of "LDG.E pd?, d, desc" */
static size_t name_length(int op)
{
    return strcspn(wb_inst_rows[op].mnemonic, ". ");
}

static bool same_name(int a, int b)
{
    size_t length = name_length(a);
    return length == name_length(b) &&
           memcmp(wb_inst_rows[a].mnemonic, wb_inst_rows[b].mnemonic, length) == 0;
}

static const char *what_it_does(int op)
{
    if (strcmp(handlers[op], "needs_gpu") == 0) {
        return "named, needs a GPU";
    }
    return strcmp(handlers[op], "nop") == 0 ? "without effect here" : "yes";
}

static bool is_opcode_of(int op, unsigned opcode)
{
    const struct wb_inst_row *row = &wb_inst_rows[op];
    return row->base == (opcode & 0x1ff) && row->forms >> (opcode >> 9) & 1;
}

/* Every 12-bit opcode of the rows that are called as row `op`. */
static void print_opcodes(int op)
{
    for (unsigned opcode = 0; opcode < 0x1000; opcode++) {
        bool found = false;
        for (int i = 0; i < WB_OP_COUNT && !found; i++) {
            found = same_name(i, op) && is_opcode_of(i, opcode);
        }
        if (found) {
            printf(" %03x", opcode);
        }
    }
}

static int print_instructions(void)
{
    printf("| instruction | executed | opcodes |\n| --- | --- | --- |\n");
    for (int op = 0; op < WB_OP_COUNT; op++) {
        bool first = true;
        for (int i = 0; i < op; i++) {
            first = first && !same_name(i, op);
        }
        if (first) {
            printf("| %.*s | %s |", (int)name_length(op), wb_inst_rows[op].mnemonic,
                   what_it_does(op));
            print_opcodes(op);
            printf(" |\n");
        }
    }
    return 0;
}

/* ---- conformance ------------------------------------------------------------------------------
 */

struct tally {
    unsigned kernels[WB_METRIC_COUNT], equal[WB_METRIC_COUNT], outputs, equal_outputs;
};

/* Instructions at which the counter differs. */
static unsigned count_differences(const struct open_result *a, const struct open_result *b, int m)
{
    unsigned count = 0;
    for (size_t i = 0; i < OPEN_MAX_INSTRUCTIONS; i++) {
        count += a->pc[i].v[m] != b->pc[i].v[m];
    }
    return count;
}

static void add_kernel(struct wb_str *table, struct tally *tally, const char *kernel,
                       const struct open_result *hardware, const struct open_result *ours)
{
    for (int m = 0; m < WB_METRIC_COUNT; m++) {
        uint64_t want = hardware->total.v[m], got = ours->total.v[m];
        unsigned different = count_differences(hardware, ours, m);
        if (want == 0 && got == 0) {
            continue;
        }
        wb_str_printf(table, "| %s | %s | %" PRIu64 " | %" PRIu64 " | ", kernel, wb_metric_name[m],
                      want, got);
        if (different) {
            wb_str_printf(table, "no, at %u |\n", different);
        } else {
            wb_str_add(table, "yes |\n");
        }
        tally->kernels[m]++;
        tally->equal[m] += different == 0;
    }
    bool equal = hardware->output == ours->output;
    wb_str_printf(table, "| %s | output | %016" PRIx64 " | %016" PRIx64 " | %s |\n", kernel,
                  hardware->output, ours->output, equal ? "yes" : "no");
    tally->outputs++;
    tally->equal_outputs += equal;
}

static void print_summary(const struct tally *tally)
{
    printf("| counter | kernels that have it | equal at every instruction |\n"
           "| --- | --- | --- |\n");
    for (int m = 0; m < WB_METRIC_COUNT; m++) {
        printf("| %s | %u | %u |\n", wb_metric_name[m], tally->kernels[m], tally->equal[m]);
    }
    printf("| output, bit for bit | %u | %u |\n\n", tally->outputs, tally->equal_outputs);
}

static int print_conformance(void)
{
    static struct open_result hardware, ours;
    struct wb_status status = {0};
    struct open_corpus corpus;
    struct open_launch launch;
    struct wb_arena arena;
    struct wb_str table;
    struct tally tally = {0};
    wb_arena_init(&arena);
    wb_str_init(&table, &arena);
    bool ok = open_corpus_read(&corpus, &arena, &status);
    if (!ok) {
        fprintf(stderr, "%s\n", status.message);
    }
    for (const char *line = ok ? corpus.launches : NULL; open_corpus_next(&launch, &line) && ok;) {
        struct wb_fault fault;
        struct open_pass pass = {.engine = wb_engine_choose()};
        ok = open_corpus_measured(&hardware, &corpus, launch.kernel) &&
             open_corpus_run(&ours, &fault, &arena, &corpus, &launch, &pass);
        if (ok) {
            add_kernel(&table, &tally, launch.kernel, &hardware, &ours);
        } else {
            fprintf(stderr, "%s did not run: %s\n", launch.kernel, fault.message);
        }
    }
    if (ok) {
        print_summary(&tally);
        printf("| kernel | counter | H200 | embedded device | equal? |\n"
               "| --- | --- | --- | --- | --- |\n%s",
               wb_str_get(&table));
    }
    wb_arena_finish(&arena);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "instructions") == 0) {
        return print_instructions();
    }
    if (argc == 2 && strcmp(argv[1], "conformance") == 0) {
        return print_conformance();
    }
    fprintf(stderr, "usage: device_page instructions | conformance\n");
    return 2;
}
