/* SPDX-License-Identifier: MIT
 * One row per option, in `rows` for argp and in `fields` for where it goes.
 */
#include "check_options.h"

#include <warpbook/grade.h>

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_ATTEMPT = 0x100, KEY_DEVICE, KEY_JSON, KEY_HTML, KEY_JUNIT, KEY_SEED, KEY_THOROUGH };

static const struct argp_option rows[] = {
    {"attempt", KEY_ATTEMPT, "FILE", 0, "Check this .cu file instead of the one in exercises/", 1},
    {"device", KEY_DEVICE, "D", 0,
     "gpu, sim (the embedded device) or auto: a GPU that works, else sim", 1},
    {"seed", KEY_SEED, "N", 0, "Seed of the input data; the report names the one it used", 1},
    {"thorough", KEY_THOROUGH, NULL, 0,
     "Run every kernel in many other orders of blocks, warps and lanes, too", 1},
    {"json", KEY_JSON, "FILE", 0, "Write the report as JSON, too (docs/report-schema.json)", 2},
    {"html", KEY_HTML, "FILE", 0, "Write the report as a page for a browser, too", 2},
    {"junit", KEY_JUNIT, "FILE", 0, "Write the report as JUnit XML, too", 2},
    {NULL, 0, NULL, OPTION_DOC,
     "FILE may be - for standard output; the report for people then goes to standard error.", 3},
    {0}};

static const struct {
    int key;
    const char *name;
    size_t offset;
    bool is_flag; /* it has no value */
} fields[CLI_CHECK_OPTION_COUNT] = {
    {KEY_ATTEMPT, "attempt", offsetof(struct cli_check_options, attempt)},
    {KEY_DEVICE, "device", offsetof(struct cli_check_options, device)},
    {KEY_JSON, "json", offsetof(struct cli_check_options, json)},
    {KEY_HTML, "html", offsetof(struct cli_check_options, html)},
    {KEY_JUNIT, "junit", offsetof(struct cli_check_options, junit)},
    {KEY_SEED, "seed", offsetof(struct cli_check_options, seed)},
    {KEY_THOROUGH, "thorough", offsetof(struct cli_check_options, thorough), true},
};

static char **field_of(struct cli_check_options *options, size_t i)
{
    return (char **)((char *)options + fields[i].offset);
}

/* JSON readers agree on whole numbers up to 2^53. */
static bool seed_parse(uint64_t *out, const char *text)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *out <= 1ull << 53;
}

static unsigned count_stdout(const struct cli_check_options *options)
{
    const char *paths[] = {options->json, options->html, options->junit};
    unsigned count = 0;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(paths); i++) {
        count += paths[i] && strcmp(paths[i], "-") == 0;
    }
    return count;
}

bool cli_check_to_stdout(const struct cli_check_options *options)
{
    return count_stdout(options) > 0;
}

static bool is_device(const char *name)
{
    bool known = strcmp(name, "auto") == 0;
    for (size_t i = 0; wb_devices[i]; i++) {
        known = known || strcmp(name, wb_devices[i]->name) == 0;
    }
    return known;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct cli_check_options *options = state->input;
    uint64_t seed;
    if (key == ARGP_KEY_END) {
        if (count_stdout(options) > 1) {
            argp_error(state, "only one report can go to standard output");
        }
        return 0;
    }
    for (size_t i = 0; i < CLI_CHECK_OPTION_COUNT; i++) {
        if (fields[i].key != key) {
            continue;
        }
        if (fields[i].is_flag) {
            static char given[] = "";
            *field_of(options, i) = given;
            return 0;
        }
        if (!*argument) {
            argp_error(state, "--%s needs a value", fields[i].name);
        }
        if (key == KEY_SEED && !seed_parse(&seed, argument)) {
            argp_error(state, "--seed must be a whole number from 0 to 2^53, not '%s'", argument);
        }
        if (key == KEY_DEVICE && !is_device(argument)) {
            argp_error(state, "--device is auto, gpu, sim or none, not '%s'", argument);
        }
        *field_of(options, i) = argument;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

const struct argp cli_check_argp = {.options = rows, .parser = parse};

size_t cli_check_arguments(const char **argv, size_t count, struct wb_arena *arena,
                           const struct cli_check_options *options)
{
    struct cli_check_options copy = *options;
    for (size_t i = 0; i < CLI_CHECK_OPTION_COUNT; i++) {
        const char *value = *field_of(&copy, i);
        if (value) {
            argv[count++] = fields[i].is_flag
                                ? wb_arena_printf(arena, "--%s", fields[i].name)
                                : wb_arena_printf(arena, "--%s=%s", fields[i].name, value);
        }
    }
    return count;
}

uint64_t cli_check_seed(const struct cli_check_options *options)
{
    uint64_t seed = WB_DEFAULT_SEED;
    if (options->seed) {
        seed_parse(&seed, options->seed);
    }
    return seed;
}
