/* SPDX-License-Identifier: MIT
 * device_page instructions | conformance | first15: the tables of docs/embedded-device.md and all
 * of docs/embedded-device-conformance.md, made from the instruction table and from a run of the
 * kernels that were measured on an H200. `meson compile -C build device-page` puts them there.
 */
#include "corpus.h"
#include "engine.h"
#include "inst_table.h"

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

/* Instructions at which the counter differs; 1 for a total, where the hardware has only that. */
static unsigned count_differences(const struct corpus_result *a, const struct corpus_result *b,
                                  int m)
{
    unsigned count = 0;
    if (!(a->at_pc >> m & 1)) {
        return a->total.v[m] != b->total.v[m];
    }
    for (size_t i = 0; i < CORPUS_MAX_INSTRUCTIONS; i++) {
        count += a->pc[i].v[m] != b->pc[i].v[m];
    }
    return count;
}

static void add_kernel(struct wb_str *table, struct tally *tally, const char *kernel,
                       const struct corpus_result *hardware, const struct corpus_result *ours)
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
    printf("| counter | kernels that have it | equal at every instruction (idc_*: in total) |\n"
           "| --- | --- | --- |\n");
    for (int m = 0; m < WB_METRIC_COUNT; m++) {
        printf("| %s | %u | %u |\n", wb_metric_name[m], tally->kernels[m], tally->equal[m]);
    }
    printf("| output, bit for bit | %u | %u |\n\n", tally->outputs, tally->equal_outputs);
}

static int print_conformance(void)
{
    static struct corpus_result hardware, ours;
    struct wb_status status = {0};
    struct corpus corpus;
    struct corpus_launch launch;
    struct wb_arena arena;
    struct wb_str table;
    struct tally tally = {0};
    wb_arena_init(&arena);
    wb_str_init(&table, &arena);
    bool ok = corpus_read(&corpus, &arena, "open/open", &status);
    if (!ok) {
        fprintf(stderr, "%s\n", status.message);
    }
    for (const char *line = ok ? corpus.launches : NULL; corpus_next(&launch, &line) && ok;) {
        struct wb_fault fault;
        struct corpus_pass pass = {.engine = wb_engine_choose()};
        ok = corpus_measured(&hardware, &corpus, launch.kernel) &&
             corpus_run(&ours, &fault, &arena, &corpus, &launch, &pass);
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

/* ---- the first 15 kernels: totals alone were measured -----------------------------------------
 */

enum { FIRST15_N = 16384, FIRST15_BLOCK = 256 };

static bool run_first15(struct wb_counts *total, struct wb_arena *arena,
                        const struct wb_cubin *cubin, const char *kernel)
{
    static float data[FIRST15_N];
    struct wb_status status = {0};
    struct wb_counters counters;
    struct wb_fault fault = {0};
    struct wb_sim *sim;
    for (int i = 0; i < FIRST15_N; i++) {
        data[i] = (float)(i * 7919 % 1000) / 1000 + 0.1f;
    }
    if (!wb_sim_create(&sim, &status)) {
        return false;
    }
    struct {
        uint64_t data;
        int n;
    } params = {wb_sim_map(sim, data, sizeof data, "data"), FIRST15_N};
    struct wb_sim_launch launch = {
        .kernel = kernel,
        .grid = {strcmp(kernel, "k_stride") == 0 ? 13 : FIRST15_N / FIRST15_BLOCK, 1, 1},
        .block = {FIRST15_BLOCK, 1, 1},
        .params = &params,
        .param_size = 12,
    };
    bool ok = wb_sim_load(sim, cubin, &status) &&
              wb_sim_launch(&counters, &fault, arena, sim, &launch, &status) &&
              fault.kind == WB_REASON_NONE;
    if (ok) {
        *total = counters.total;
    }
    wb_sim_destroy(sim);
    return ok;
}

/* "16.32": threads an instruction, as the hardware's tool prints it. */
static void print_mean(const char *kernel, const char *name, const char *want, uint64_t sum,
                       uint64_t count)
{
    char got[32];
    snprintf(got, sizeof got, "%.2f", (double)sum / (double)count);
    printf("| %s | %s | %s | %s | %s |\n", kernel, name, want, got,
           strcmp(want, got) == 0 ? "yes" : "no");
}

static void print_count(const char *kernel, const char *name, const char *want, uint64_t count)
{
    char got[32];
    snprintf(got, sizeof got, "%" PRIu64, count);
    printf("| %s | %s | %s | %s | %s |\n", kernel, name, want, got,
           strcmp(want, got) == 0 ? "yes" : "no");
}

static int print_first15(void)
{
    struct wb_status status = {0};
    struct wb_bytes table, file;
    struct wb_cubin *cubin;
    struct wb_arena arena;
    wb_arena_init(&arena);
    bool ok = wb_file_read(&table, &arena, WB_FIXTURES "/first15/first15.txt", 1 << 16, &status) &&
              wb_file_read(&file, &arena, WB_FIXTURES "/first15/first15.cubin", 1 << 24, &status) &&
              wb_cubin_parse(&cubin, &arena, file.data, file.size, &status);
    printf("| kernel | counter | H200 | embedded device | equal? |\n"
           "| --- | --- | --- | --- | --- |\n");
    for (const char *line = ok ? (char *)table.data : ""; *line && ok;
         line += strcspn(line, "\n"), line += *line == '\n') {
        char kernel[32], uniform[16], divergent[16], threads[16], on[16], inst[16];
        struct wb_counts total = {0};
        if (sscanf(line, "%31[a-z_] %15s %15s %*s %15s %15s %15s", kernel, uniform, divergent,
                   threads, on, inst) != 6) {
            continue;
        }
        ok = run_first15(&total, &arena, cubin, kernel);
        print_count(kernel, "branch_targets_uniform", uniform, total.v[WB_METRIC_BRANCH_UNIFORM]);
        print_count(kernel, "branch_targets_divergent", divergent,
                    total.v[WB_METRIC_BRANCH_DIVERGENT]);
        print_count(kernel, "inst_executed", inst, total.v[WB_METRIC_INST]);
        print_mean(kernel, "thread_inst_executed / inst_executed", threads,
                   total.v[WB_METRIC_THREAD_INST], total.v[WB_METRIC_INST]);
        print_mean(kernel, "thread_inst_executed_pred_on / inst_executed", on,
                   total.v[WB_METRIC_THREAD_INST_PRED_ON], total.v[WB_METRIC_INST]);
    }
    if (!ok) {
        fprintf(stderr, "the first 15 kernels did not run: %s\n", status.message);
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
    if (argc == 2 && strcmp(argv[1], "first15") == 0) {
        return print_first15();
    }
    fprintf(stderr, "usage: device_page instructions | conformance | first15\n");
    return 2;
}
