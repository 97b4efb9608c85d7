/* SPDX-License-Identifier: MIT
 * report_render TREE FORMAT [--colour] [--ascii] [--width N] [--folder DIR]: writes one of the
 * test trees to standard output; without arguments lists the trees. For looking at reports, and
 * for tests in which another program reads them.
 */
#include "report_trees.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct wb_report_format *find_format(const char *name)
{
    for (int i = 0; wb_report_formats[i]; i++) {
        if (strcmp(wb_report_formats[i]->name, name) == 0) {
            return wb_report_formats[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct wb_report_options options = {.lesson = &report_lesson};
    if (argc < 3) {
        for (size_t i = 0; i < report_tree_count; i++) {
            puts(report_trees[i].name);
        }
        return 0;
    }
    for (int i = 3; i < argc; i++) {
        options.colour = options.colour || strcmp(argv[i], "--colour") == 0;
        options.ascii = options.ascii || strcmp(argv[i], "--ascii") == 0;
        if (strcmp(argv[i], "--width") == 0 && i + 1 < argc) {
            options.width = (unsigned)atoi(argv[++i]);
        } else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc) {
            options.folder = argv[++i];
        }
    }
    const struct wb_report_format *format = find_format(argv[2]);
    if (!format) {
        fprintf(stderr, "no format %s\n", argv[2]);
        return 2;
    }
    struct wb_arena arena;
    struct wb_result result;
    struct wb_str out;
    wb_arena_init(&arena);
    wb_str_init(&out, &arena);
    report_tree_make(&result, &arena, argv[1], NULL);
    format->render(&out, &result, &options);
    fwrite(out.data, 1, out.length, stdout);
    wb_arena_finish(&arena);
    return 0;
}
