/* SPDX-License-Identifier: MIT
 * See inject.h. To give a function another error than the usual one: a row in `usual`.
 */
#include "inject.h"

#include <warpbook/cudart.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLANS = 64 };

struct plan {
    enum wb_api api;
    unsigned long number; /* which call of the program, from 1 */
    enum cudaError error;
};

static struct plan plans[MAX_PLANS];
static size_t plan_count;
static unsigned long calls[WB_API_COUNT];

/* What fails in the field, by the beginning of the function's name; the first that fits. */
static const struct {
    const char *prefix;
    enum cudaError error;
} usual[] = {
    {"cudaMalloc", cudaErrorMemoryAllocation},
    {"cudaHostAlloc", cudaErrorMemoryAllocation},
    {"cudaHostRegister", cudaErrorMemoryAllocation},
    {"cudaLaunch", cudaErrorLaunchOutOfResources},
    {"__cudaLaunch", cudaErrorLaunchOutOfResources},
    {"cudaDeviceSynchronize", cudaErrorLaunchFailure},
    {"cudaStreamSynchronize", cudaErrorLaunchFailure},
    {"cudaEventSynchronize", cudaErrorLaunchFailure},
    {"cudaMemcpy", cudaErrorInvalidValue},
    {"cudaMemset", cudaErrorInvalidValue},
    {"cuda", cudaErrorUnknown},
};

static enum cudaError usual_error(const char *name)
{
    size_t i = 0;
    while (i + 1 < WB_ARRAY_LENGTH(usual) && !wb_starts_with(name, usual[i].prefix)) {
        i++;
    }
    return usual[i].error;
}

/* WB_API_COUNT when there is no such function. A launch <<<...>>> is meant by its everyday name. */
static enum wb_api find_api(const char *name)
{
    if (strcmp(name, "cudaLaunchKernel") == 0) {
        return WB_API___cudaLaunchKernel;
    }
    int api = 0;
    while (api < WB_API_COUNT && strcmp(wb_api_name[api], name) != 0) {
        api++;
    }
    return (enum wb_api)api;
}

/* NAME:NUMBER[:ERROR]; a sentence about what is wrong with it, or NULL. */
static const char *add_plan(char *text)
{
    char *name = strsep(&text, ":"), *number = strsep(&text, ":"), *error = strsep(&text, ":");
    struct plan plan = {.api = find_api(name)};
    char *end;
    if (plan.api == WB_API_COUNT) {
        return "there is no such function";
    }
    if (!number || *number < '0' || *number > '9') {
        return "which call? A number from 1 stands behind the name and a colon";
    }
    errno = 0;
    plan.number = strtoul(number, &end, 10);
    if (errno || *end || plan.number == 0) {
        return "the number of the call must be a whole number from 1";
    }
    int code = error ? wb_cudart_error_find(error) : (int)usual_error(name);
    if (code <= cudaSuccess || text) {
        return "there is no such error (they are called cudaErrorUnknown and so on)";
    }
    if (plan_count == MAX_PLANS) {
        return "there are too many";
    }
    plan.error = (enum cudaError)code;
    plans[plan_count++] = plan;
    return NULL;
}

static void read_plans(void)
{
    const char *wanted = getenv("WARPBOOK_INJECT");
    char *copy = wanted ? strdup(wanted) : NULL, *rest = copy, *plan;
    while ((plan = strsep(&rest, ","))) {
        char *whole = strdup(plan);
        const char *wrong = *plan ? add_plan(plan) : NULL;
        if (wrong) {
            fprintf(stderr, "warpbook: WARPBOOK_INJECT: \"%s\": %s. It is ignored.\n",
                    whole ? whole : plan, wrong);
        }
        free(whole);
    }
    free(copy);
}

/* <<<...>>> and cudaLaunchKernel are one function to whoever plans a failure. */
static enum wb_api counted_as(enum wb_api api)
{
    return api == WB_API_cudaLaunchKernel ? WB_API___cudaLaunchKernel : api;
}

enum cudaError wb_inject(enum wb_api api)
{
    static bool read;
    if (!read) {
        read_plans();
        read = true;
    }
    if (plan_count == 0) {
        return cudaSuccess;
    }
    api = counted_as(api);
    unsigned long number = ++calls[api];
    for (size_t i = 0; i < plan_count; i++) {
        if (plans[i].api == api && plans[i].number == number) {
            return plans[i].error;
        }
    }
    return cudaSuccess;
}
