/* SPDX-License-Identifier: MIT
 * Names and texts of errors: those of NVIDIA's own library, where the toolkit has it beside nvcc
 * (no GPU is needed to ask it).
 */
#include "abi.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char *cudaGetErrorName(enum cudaError error);
const char *cudaGetErrorString(enum cudaError error);

static const char *(*their_name)(int);
static const char *(*their_text)(int);

static void find_theirs(void)
{
#ifndef __SANITIZE_ADDRESS__ /* which forbids RTLD_DEEPBIND */
    static const char *const folders[] = {"lib64", "lib"};
    char path[4200], real[4096];
    const char *nvcc = getenv("WARPBOOK_NVCC");
    if (!nvcc || !realpath(nvcc, real)) {
        return;
    }
    for (size_t i = 0; i < 2 && !their_text; i++) {
        char *slash = strrchr(real, '/');
        snprintf(path, sizeof path, "%.*s/../%s/libcudart.so.13", (int)(slash - real), real,
                 folders[i]);
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
        if (library) {
            *(void **)(&their_name) = dlsym(library, "cudaGetErrorName");
            *(void **)(&their_text) = dlsym(library, "cudaGetErrorString");
        }
    }
#endif
}

static void same_as_theirs(void **state)
{
    (void)state;
    find_theirs();
    if (!their_name || !their_text) {
        print_message("# there is no library of NVIDIA's to compare with\n");
        return;
    }
    for (int i = -2; i <= 10001; i++) {
        assert_string_equal(cudaGetErrorName((enum cudaError)i), their_name(i));
        assert_string_equal(cudaGetErrorString((enum cudaError)i), their_text(i));
    }
}

static void known_ones(void **state)
{
    (void)state;
    assert_string_equal(cudaGetErrorName(cudaSuccess), "cudaSuccess");
    assert_string_equal(cudaGetErrorString(cudaErrorIllegalAddress),
                        "an illegal memory access was encountered");
    assert_string_equal(cudaGetErrorName((enum cudaError)10), "unrecognized error code");
    assert_string_equal(cudaGetErrorString((enum cudaError) - 1), "unrecognized error code");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_ones),
        cmocka_unit_test(same_as_theirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
