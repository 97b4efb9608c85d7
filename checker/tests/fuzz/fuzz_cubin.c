/* SPDX-License-Identifier: MIT
 * Feeds bytes to the cubin reader. Built with -fsanitize=fuzzer (clang) and WB_LIBFUZZER it
 * searches; built plainly it replays the files that it is given. An input that once did harm goes
 * into tests/fixtures/cubin-corpus and into the list in sass/meson.build.
 */
#include <warpbook/sass.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wb_arena arena;
    struct wb_status status = {0};
    struct wb_cubin *cubin;
    wb_arena_init(&arena);
    if (wb_cubin_parse(&cubin, &arena, data, size, &status)) {
        for (size_t i = 0; i < cubin->kernel_count; i++) {
            const char *file;
            unsigned line;
            wb_kernel_line(&file, &line, &cubin->kernels[i], (uint32_t)cubin->kernels[i].code_size);
        }
    }
    wb_arena_finish(&arena);
    return 0;
}

#ifndef WB_LIBFUZZER
#include <stdio.h>

enum { MAX_INPUT = 16 * 1024 * 1024 };

int main(int argc, char **argv)
{
    struct wb_arena arena;
    struct wb_status status = {0};
    bool done = argc > 1;
    wb_arena_init(&arena);
    for (int i = 1; i < argc && done; i++) {
        struct wb_bytes bytes;
        done = wb_file_read(&bytes, &arena, argv[i], MAX_INPUT, &status);
        if (done) {
            LLVMFuzzerTestOneInput(bytes.data, bytes.size);
        }
    }
    if (!done) {
        fprintf(stderr, "%s\n", argc > 1 ? status.message : "usage: fuzz_cubin FILE...");
    }
    wb_arena_finish(&arena);
    return done ? 0 : 1;
}
#endif
