/* SPDX-License-Identifier: MIT
 * Our declarations against a real libcupti: the Range Profiler's host side answers questions about
 * a chip without any GPU. Skipped where no CUPTI 13 is installed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_api.h"

#include <warpbook/metrics.h>

#include <stdio.h>

static struct wb_cupti cupti;
static const char chip[] = "GH100";

static bool open_cupti(void)
{
    struct wb_status status = {0};
    bool ok = wb_cupti_open(&cupti, NULL, 13, &status);
    print_message("# %s\n", ok ? cupti.path : status.message);
    return ok && cupti.major == 13;
}

/* A host object for the chip. */
static void *open_host(void)
{
    struct cupti_host_initialize p = {WB_CUPTI_SIZE(cupti_host_initialize, pHostObject),
                                      NULL,
                                      CUPTI_PROFILER_TYPE_RANGE,
                                      chip,
                                      NULL,
                                      NULL};
    assert_int_equal(cupti.host_initialize(&p), 0);
    assert_non_null(p.pHostObject);
    return p.pHostObject;
}

static void close_host(void *host)
{
    struct cupti_host_deinitialize p = {WB_CUPTI_SIZE(cupti_host_deinitialize, pHostObject), NULL,
                                        host};
    assert_int_equal(cupti.host_deinitialize(&p), 0);
}

static int add_metric(void *host, const char *name)
{
    struct cupti_host_add_metrics p = {WB_CUPTI_SIZE(cupti_host_add_metrics, numMetrics), NULL,
                                       host, &name, 1};
    return cupti.host_add_metrics(&p);
}

static void all_functions_are_there(void **state)
{
    (void)state;
    assert_int_equal(cupti.major, 13);
    assert_true(cupti.has_ranges);
}

static void the_chip_has_the_metrics_we_ask_for(void **state)
{
    (void)state;
    void *host = open_host();
    for (size_t m = 0; m <= WB_METRIC_THREAD_INST_PRED_ON; m++) {
        char name[100];
        snprintf(name, sizeof name, "%s.sum", wb_metric_cupti[m]);
        int result = add_metric(host, name);
        print_message("# %s: %d\n", name, result);
        assert_int_equal(result, 0);
    }
    close_host(host);
}

static void an_unknown_metric_is_refused(void **state)
{
    (void)state;
    void *host = open_host();
    assert_int_not_equal(add_metric(host, "smsp__sass_no_such_thing.sum"), 0);
    close_host(host);
}

static void a_configuration_can_be_made(void **state)
{
    (void)state;
    static uint8_t image[1 << 20];
    void *host = open_host();
    assert_int_equal(add_metric(host, "smsp__sass_branch_targets_threads_uniform.sum"), 0);
    struct cupti_host_image_size size = {WB_CUPTI_SIZE(cupti_host_image_size, configImageSize),
                                         NULL, host, 0};
    assert_int_equal(cupti.host_image_size(&size), 0);
    print_message("# the configuration image has %zu bytes\n", size.configImageSize);
    assert_in_range(size.configImageSize, 1, sizeof image);
    struct cupti_host_image get = {WB_CUPTI_SIZE(cupti_host_image, pConfigImage), NULL, host,
                                   size.configImageSize, image};
    assert_int_equal(cupti.host_image(&get), 0);
    close_host(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_functions_are_there),
        cmocka_unit_test(the_chip_has_the_metrics_we_ask_for),
        cmocka_unit_test(an_unknown_metric_is_refused),
        cmocka_unit_test(a_configuration_can_be_made),
    };
    if (!open_cupti()) {
        printf("1..0 # SKIP no CUPTI 13 is installed\n");
        return 0;
    }
    return cmocka_run_group_tests_name("cupti", tests, NULL, NULL);
}
