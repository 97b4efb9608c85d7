/* SPDX-License-Identifier: MIT
 * warpbook lesson stamp [N]: notes in a translation which English text it follows; with --stale,
 * says so on top of each that is behind.
 */
#include "lesson.h"

static bool stamp(struct cli *cli, const struct wb_book_lesson *lesson, struct wb_status *status)
{
    enum wb_translation state;
    if (!wb_translation_look(&state, lesson, status)) {
        return false;
    }
    if (state == WB_TRANSLATION_CURRENT) {
        return true;
    }
    cli_say(cli, "%s: stamped. It says what README.md says now.", lesson->name);
    return wb_translation_stamp(lesson, status);
}

static bool warn(struct cli *cli, const struct wb_book_lesson *lesson, struct wb_status *status)
{
    enum wb_translation state;
    if (!wb_translation_look(&state, lesson, status)) {
        return false;
    }
    if (state == WB_TRANSLATION_UNSTAMPED) {
        return WB_FAIL(status, BAD_INPUT,
                       "Nothing says which English text the translation of %s follows. When it is "
                       "complete, run `" WB_PROGRAM " lesson stamp %d`.",
                       lesson->name, lesson->number);
    }
    if (state != WB_TRANSLATION_STALE) {
        return true;
    }
    cli_say(cli, "%s: README.md has changed; the translation says so now.", lesson->name);
    return wb_translation_warn(lesson, status);
}

int cli_lesson_stamp(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {
        .arguments = "[LESSON]",
        .doc = "Notes that README.zh-CN.md says what README.md says now. Without LESSON, for all "
               "lessons.",
        .takes_lesson = true,
        .flag = "stale",
        .flag_doc = "Only put a banner over each translation that is older than its README.md"};
    struct cli_arguments arguments;
    const struct wb_book_lesson *only = NULL;
    int worst = CLI_PASSED;
    cli_parse(&arguments, &usage, argc, argv);
    int code =
        arguments.lesson ? cli_find_lesson(&only, cli, arguments.lesson) : cli_open_book(cli);
    for (size_t i = 0; code == CLI_PASSED && i < cli->book.lesson_count; i++) {
        const struct wb_book_lesson *lesson = &cli->book.lessons[i];
        struct wb_status status = {0};
        if (only && only != lesson) {
            continue;
        }
        if (!(arguments.flag ? warn : stamp)(cli, lesson, &status)) {
            worst = cli_fail(&status);
        }
    }
    return code == CLI_PASSED ? worst : code;
}
