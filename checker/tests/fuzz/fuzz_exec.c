/* SPDX-License-Identifier: MIT
 * Runs whatever kernels a cubin has, for a few thousand warp instructions each: a damaged one may
 * fault, but never crash. Built with -fsanitize=fuzzer (clang) and WB_LIBFUZZER it searches; built
 * plainly it replays the files that it is given, and copies of them with bits flipped at random.
 */
#include <warpbook/sass.h>

#include <string.h>

enum { WORDS = 1024, STEPS = 3000, MAX_KERNELS = 64, MAX_PARAMS = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void launch(struct wb_arena *arena, struct wb_sim *sim, const struct wb_kernel *kernel,
                   const uint64_t addresses[2])
{
    struct wb_status status = {0};
    struct wb_counters counters;
    struct wb_fault fault;
    uint64_t params[MAX_PARAMS / 8];
    for (size_t i = 0; i < WB_ARRAY_LENGTH(params); i++) {
        params[i] = i < 2 ? addresses[i] : 64;
    }
    struct wb_sim_launch l = {
        .kernel = kernel->name,
        .grid = {2, 1, 1},
        .block = {64, 1, 1},
        .dynamic_shared = 256,
        .params = params,
        .param_size = kernel->param_size < MAX_PARAMS ? kernel->param_size : MAX_PARAMS,
        .step_limit = STEPS,
    };
    wb_sim_launch(&counters, &fault, arena, sim, &l, &status);
    struct wb_guard_findings findings = {0};
    l.findings = &findings; /* the same, guarded */
    wb_sim_launch(&counters, &fault, arena, sim, &l, &status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint32_t in[WORDS], out[WORDS];
    struct wb_arena arena;
    struct wb_status status = {0};
    struct wb_cubin *cubin;
    struct wb_sim *sim = NULL;
    wb_arena_init(&arena);
    if (wb_cubin_parse(&cubin, &arena, data, size, &status) && wb_sim_create(&sim, &status) &&
        wb_sim_load(sim, cubin, &status)) {
        const uint64_t addresses[] = {wb_sim_map(sim, in, sizeof in, "in"),
                                      wb_sim_map(sim, out, sizeof out, "out")};
        for (size_t k = 0; k < cubin->kernel_count && k < MAX_KERNELS; k++) {
            launch(&arena, sim, &cubin->kernels[k], addresses);
        }
    }
    wb_sim_destroy(sim);
    wb_arena_finish(&arena);
    return 0;
}

#ifndef WB_LIBFUZZER
#include <stdio.h>
#include <stdlib.h>

enum { MAX_INPUT = 16 * 1024 * 1024, FLIPS = 6 };

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/* The file as it is, then `copies` damaged ones. Every copy is the same in every run. */
static void replay(struct wb_arena *arena, const struct wb_bytes *file, unsigned copies)
{
    LLVMFuzzerTestOneInput(file->data, file->size);
    uint8_t *copy = wb_arena_alloc(arena, file->size + 1);
    uint64_t state = file->size;
    for (unsigned i = 0; i < copies && file->size; i++) {
        memcpy(copy, file->data, file->size);
        for (unsigned k = 0; k < FLIPS; k++) {
            copy[next_random(&state) % file->size] ^= (uint8_t)(1u << next_random(&state) % 8);
        }
        LLVMFuzzerTestOneInput(copy, file->size);
    }
}

int main(int argc, char **argv)
{
    struct wb_arena arena;
    struct wb_status status = {0};
    unsigned copies = argc > 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    bool done = argc > 2;
    wb_arena_init(&arena);
    for (int i = 2; i < argc && done; i++) {
        struct wb_bytes bytes;
        done = wb_file_read(&bytes, &arena, argv[i], MAX_INPUT, &status);
        if (done) {
            replay(&arena, &bytes, copies);
        }
    }
    if (!done) {
        fprintf(stderr, "%s\n", argc > 2 ? status.message : "usage: fuzz_exec COPIES FILE...");
    }
    wb_arena_finish(&arena);
    return done ? 0 : 1;
}
#endif
