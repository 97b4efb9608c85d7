/* SPDX-License-Identifier: MIT
 * launch_check: every refusal with its sentence, and what must not be refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "launch_check.h"

#include <string.h>

/* ---- the name ----------------------------------------------------------------------------- */

static struct wb_kernel kernels[] = {
    {.name = "k_muldiv"}, {.name = "k_third"},       {.name = "_Z9transposePfS_ii"},
    {.name = "k_guard"},  {.name = "_ZN2ns3runEPf"}, {.name = "k_switch"},
};

static const char *find(struct wb_fault *fault, size_t kernel_count, const char *name)
{
    const struct wb_kernel *kernel;
    struct wb_cubin cubin = {.kernels = kernels, .kernel_count = kernel_count};
    memset(fault, 0, sizeof *fault);
    bool found = wb_launch_find(&kernel, fault, &cubin, name);
    assert_int_equal(found, fault->kind == WB_REASON_NONE);
    assert_int_equal(found, kernel != NULL);
    if (found) {
        assert_string_equal(kernel->name, name);
    } else {
        assert_int_equal(fault->kind, WB_REASON_LAUNCH_FAILED);
    }
    return fault->message;
}

static void kernel_is_found(void **state)
{
    (void)state;
    struct wb_fault fault;
    assert_string_equal(find(&fault, 6, "k_third"), "");
}

static void missing_kernel_lists_the_others(void **state)
{
    (void)state;
    struct wb_fault fault;
    const char *message = find(&fault, 6, "k_other");
    assert_non_null(strstr(message, "no kernel `k_other`. It has `k_muldiv`, `k_third`"));
    assert_non_null(strstr(message, " and 2 more"));
    assert_null(strstr(find(&fault, 4, "k_other"), "more"));
}

static void mangled_kernel_asks_for_extern_c(void **state)
{
    (void)state;
    struct wb_fault fault;
    const char *message = find(&fault, 6, "transpose");
    assert_non_null(strstr(message, "`_Z9transposePfS_ii`"));
    assert_non_null(strstr(message, "extern \"C\""));
    assert_non_null(strstr(find(&fault, 6, "run"), "`_ZN2ns3runEPf`"));
}

static void near_misses_are_not_mangled_names(void **state)
{
    (void)state;
    struct wb_fault fault;
    static const char *const names[] = {"transpos", "transposeP", "ranspose", "ns", "", "Z"};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(names); i++) {
        assert_null(strstr(find(&fault, 6, names[i]), "C++ name"));
    }
}

static void odd_symbols_do_no_harm(void **state)
{
    (void)state;
    static const char *const symbols[] = {
        "", "_", "_Z", "_ZN", "_Z999999999999999x", "_Z4abc", "_ZN3abc9x", "_Z0k", "_Z1"};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(symbols); i++) {
        const struct wb_kernel *kernel;
        struct wb_fault fault = {0};
        struct wb_kernel odd = {.name = symbols[i]};
        struct wb_cubin cubin = {.kernels = &odd, .kernel_count = 1};
        assert_false(wb_launch_find(&kernel, &fault, &cubin, "k"));
        assert_null(strstr(fault.message, "C++ name"));
    }
}

static void file_without_kernels(void **state)
{
    (void)state;
    struct wb_fault fault;
    assert_non_null(strstr(find(&fault, 0, "k"), "no kernel `k`, and no other"));
}

/* ---- the parameters ----------------------------------------------------------------------- */

static struct wb_device_buffer buffers[] = {{.name = "in"}, {.name = "out"}};

static const char *check_params(struct wb_fault *fault, unsigned count, const unsigned *sizes,
                                unsigned arg_count)
{
    struct wb_kernel_param params[WB_MAX_ARGS] = {{0}};
    for (unsigned i = 0; i < count; i++) {
        params[i].size = sizes[i];
    }
    struct wb_kernel kernel = {.name = "k", .params = params, .param_count = count};
    struct wb_device_case c = {.buffers = buffers,
                               .buffer_count = 2,
                               .args = {{.buffer = 0},
                                        {.buffer = 1},
                                        {.buffer = -1, .size = 4},
                                        {.buffer = -1, .size = 8}},
                               .arg_count = arg_count};
    memset(fault, 0, sizeof *fault);
    bool ok = wb_launch_check_params(fault, &kernel, &c);
    assert_int_equal(fault->kind, ok ? WB_REASON_NONE : WB_REASON_LAUNCH_FAILED);
    return fault->message;
}

static void right_parameters_pass(void **state)
{
    (void)state;
    struct wb_fault fault;
    const unsigned sizes[] = {8, 8, 4, 8};
    assert_string_equal(check_params(&fault, 4, sizes, 4), "");
    assert_string_equal(check_params(&fault, 0, sizes, 0), "");
}

static void wrong_number_of_parameters(void **state)
{
    (void)state;
    struct wb_fault fault;
    const unsigned sizes[] = {8, 8, 4, 8};
    assert_non_null(strstr(check_params(&fault, 3, sizes, 4),
                           "`k` takes 3 parameters, but the checker passes 4: the pointer `in`, "
                           "the pointer `out`, a value of 4 bytes, a value of 8 bytes."));
    assert_non_null(strstr(check_params(&fault, 1, sizes, 0),
                           "takes 1 parameter, but the checker passes 0: none."));
}

static void wrong_size_of_a_parameter(void **state)
{
    (void)state;
    struct wb_fault fault;
    const unsigned value[] = {8, 8, 8, 8}, pointer[] = {8, 4, 4, 8};
    assert_non_null(strstr(check_params(&fault, 4, value, 4),
                           "Parameter 3 of `k` has 8 bytes, but the checker passes a value of 4"));
    assert_non_null(strstr(check_params(&fault, 4, pointer, 4),
                           "Parameter 2 of `k` has 4 bytes, but the checker passes the pointer "
                           "`out` (8 bytes)."));
}

/* ---- the shape ---------------------------------------------------------------------------- */

struct shape {
    struct wb_dim3 grid, block;
    unsigned dynamic_shared;
    struct wb_kernel kernel;
    const char *message; /* part of it; NULL: it may be launched */
};

static const struct shape shapes[] = {
    {{1, 1, 1}, {1024, 1, 1}, 0, {.registers = 64}, NULL},
    {{0x7fffffff, 65535, 65535}, {16, 1, 64}, 0, {.registers = 32}, NULL},
    {{1, 1, 1}, {32, 32, 1}, 227 * 1024, {.registers = 1}, NULL},
    {{4, 2, 1}, {32, 1, 1}, 0, {.cluster = {2, 2, 1}}, NULL},
    {{1, 1, 1}, {64, 1, 1}, 0, {.max_threads = 64}, NULL},
    {{1, 1, 1}, {2048, 1, 1}, 0, {0}, "2048 x 1 x 1 = 2048 threads; at most 1024"},
    {{1, 1, 1}, {32, 32, 2}, 0, {0}, "= 2048 threads"},
    {{1, 1, 1}, {0xffffffff, 0xffffffff, 64}, 0, {0}, "at most 1024"},
    {{1, 1, 1}, {1, 1, 65}, 0, {0}, "65 threads in z; at most 64"},
    {{1, 1, 1}, {0, 1, 1}, 0, {0}, "at least one thread"},
    {{0, 1, 1}, {32, 1, 1}, 0, {0}, "at least one block"},
    {{1, 65536, 1}, {32, 1, 1}, 0, {0}, "at most 2147483647 x 65535 x 65535"},
    {{0x80000000, 1, 1}, {32, 1, 1}, 0, {0}, "Put the largest dimension in x"},
    {{3, 2, 1}, {32, 1, 1}, 0, {.cluster = {2, 2, 1}}, "clusters of 2 x 2 x 1"},
    {{1, 1, 1}, {65, 1, 1}, 0, {.max_threads = 64}, "__launch_bounds__"},
    {{1, 1, 1}, {32, 1, 1}, 227 * 1024, {.static_shared = 4}, "232452 bytes of shared memory"},
    {{1, 1, 1}, {32, 1, 1}, 0xffffffff, {.static_shared = 1}, "at most 232448"},
    {{1, 1, 1}, {1024, 1, 1}, 0, {.registers = 65}, "73728 registers"},
};

static void shapes_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(shapes); i++) {
        const struct shape *shape = &shapes[i];
        struct wb_kernel kernel = shape->kernel;
        struct wb_fault fault = {0};
        struct wb_device_case c = {
            .grid = shape->grid, .block = shape->block, .dynamic_shared = shape->dynamic_shared};
        kernel.name = "k";
        bool ok = wb_launch_check_shape(&fault, &kernel, &c, &wb_launch_limits_sm_90);
        print_message("# shape %zu: %s\n", i, ok ? "may be launched" : fault.message);
        assert_int_equal(ok, shape->message == NULL);
        assert_int_equal(fault.kind, ok ? WB_REASON_NONE : WB_REASON_LAUNCH_FAILED);
        if (shape->message) {
            assert_non_null(strstr(fault.message, shape->message));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_is_found),
        cmocka_unit_test(missing_kernel_lists_the_others),
        cmocka_unit_test(mangled_kernel_asks_for_extern_c),
        cmocka_unit_test(near_misses_are_not_mangled_names),
        cmocka_unit_test(odd_symbols_do_no_harm),
        cmocka_unit_test(file_without_kernels),
        cmocka_unit_test(right_parameters_pass),
        cmocka_unit_test(wrong_number_of_parameters),
        cmocka_unit_test(wrong_size_of_a_parameter),
        cmocka_unit_test(shapes_are_checked),
    };
    return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}
