/* SPDX-License-Identifier: MIT
 * warpbook lesson check [N]: runs check programs with --author. All of them: as many at a time as
 * there are processors, each into a file of its own, shown in the order of the lessons.
 */
#include "lesson.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_JOBS = 64, CHUNK = 4096 };

struct job {
    pid_t child;  /* 0: not started, -1: could not be */
    FILE *output; /* NULL: our own standard output */
};

static void heading(struct cli *cli, const struct wb_book_lesson *lesson)
{
    wb_paint_printf(&cli->paint, WB_STYLE_STRONG, "Lesson %02d: %s", lesson->number, lesson->title);
    wb_paint_line(&cli->paint);
    cli_flush(cli);
}

/* ---- children ----------------------------------------------------------------------------- */

static void start(struct job *job, struct cli *cli, const struct wb_book_lesson *lesson)
{
    static const char *const arguments[] = {"--author"};
    job->child = fork();
    if (job->child == 0) {
        if (job->output && (dup2(fileno(job->output), STDOUT_FILENO) < 0 ||
                            dup2(fileno(job->output), STDERR_FILENO) < 0)) {
            _exit(CLI_BROKEN);
        }
        _exit(cli_exec_checker(cli, lesson, arguments, WB_ARRAY_LENGTH(arguments)));
    }
}

static int finish(const struct job *job, const struct wb_book_lesson *lesson)
{
    int status = 0;
    if (job->child < 0 || waitpid(job->child, &status, 0) != job->child) {
        cli_complain("The check program of lesson %s could not be run.", lesson->name);
        return CLI_BROKEN;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_BROKEN;
}

/* ---- one ---------------------------------------------------------------------------------- */

static int run_one(struct cli *cli, const struct wb_book_lesson *lesson)
{
    struct job job = {0};
    heading(cli, lesson);
    start(&job, cli, lesson);
    return finish(&job, lesson);
}

/* ---- all ---------------------------------------------------------------------------------- */

static void copy_output(struct cli *cli, FILE *file)
{
    char chunk[CHUNK];
    size_t size;
    rewind(file);
    while ((size = fread(chunk, 1, sizeof chunk, file)) > 0) {
        wb_str_add_bytes(&cli->out, chunk, size);
    }
    fclose(file);
    cli_flush(cli);
}

static size_t job_limit(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > MAX_JOBS ? MAX_JOBS : (size_t)processors;
}

/* The worst exit code wins; a lesson that was skipped is no failure of the others. */
static int worse(int a, int b)
{
    a = a == CLI_SKIPPED ? CLI_PASSED : a;
    return b == CLI_SKIPPED || b < a ? a : b;
}

static int run_all(struct cli *cli)
{
    int worst = cli_open_book(cli);
    size_t count = cli->book.lesson_count, started = 0, limit = job_limit();
    if (worst != CLI_PASSED) {
        return worst;
    }
    struct job *jobs = wb_arena_alloc(&cli->arena, count * sizeof *jobs);
    for (size_t i = 0; i < count; i++) {
        for (; started < count && started < i + limit; started++) {
            jobs[started].output = tmpfile();
            start(&jobs[started], cli, &cli->book.lessons[started]);
        }
        int code = finish(&jobs[i], &cli->book.lessons[i]);
        heading(cli, &cli->book.lessons[i]);
        if (jobs[i].output) {
            copy_output(cli, jobs[i].output);
        }
        worst = worse(worst, code);
    }
    return worst;
}

int cli_lesson_check(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {
        .arguments = "[LESSON]",
        .doc = "Checks that a lesson checks: its files are complete, its solution passes, its stub "
               "fails, each wrong attempt gets the verdict that its first line names, and the "
               "limits separate them. Without LESSON, all of them.",
        .takes_lesson = true};
    const struct wb_book_lesson *lesson;
    struct cli_arguments arguments;
    cli_parse(&arguments, &usage, argc, argv);
    if (!arguments.lesson) {
        return run_all(cli);
    }
    int code = cli_find_lesson(&lesson, cli, arguments.lesson);
    return code == CLI_PASSED ? run_one(cli, lesson) : code;
}
