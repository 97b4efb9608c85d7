/* SPDX-License-Identifier: MIT
 * warpbook exec PROGRAM [ARGS...]: runs any program that uses the CUDA runtime on the embedded
 * device and says what its kernels did. The program's input, output and exit code stay its own.
 */
#include "exec.h"

#include <warpbook/proc.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char patience[] = "5"; /* CPU seconds until a kernel that does not end is told of */

struct exec_arguments {
    const char *counters, *report;
    bool trace, unguarded;
    char **argv; /* the program and its arguments, NULL-terminated */
};

/* What one run needs; what is still there at the end is taken away. */
struct run {
    struct cli *cli;
    const struct exec_arguments *arguments;
    const char *program; /* its path */
    struct wb_cudart_setup setup;
    char *folder; /* temporary, holds the run log */
    struct cli_exec_file counters, report;
    struct wb_runlog log;
    int wait_status;
};

/* ---- before ---------------------------------------------------------------------------------- */

/* The library lies beside this program, in its build folder. */
static bool find_library(struct run *run, struct wb_status *status)
{
    struct wb_arena *arena = &run->cli->arena;
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    run->setup.library = wb_path_join(arena, wb_path_folder(arena, self), "cudart/libcudart.so.13");
    return wb_file_exists(run->setup.library) ||
           WB_FAIL(status, NOT_FOUND,
                   "The embedded device's CUDA library %s is not built. `ninja -C %s` builds it.",
                   run->setup.library, cli_build_root());
}

static bool find_program(struct run *run, struct wb_status *status)
{
    const char *name = run->arguments->argv[0];
    char *found = wb_proc_which(&run->cli->arena, name);
    run->program = found ? found : name;
    if (!found && !strchr(name, '/') && !wb_file_exists(name)) {
        return WB_FAIL(status, NOT_FOUND, "There is no program %s in PATH.", name);
    }
    if (!found && !strchr(name, '/')) {
        return WB_FAIL(status, NOT_FOUND, "There is no program %s in PATH; did you mean ./%s?",
                       name, name);
    }
    return wb_cudart_examine(&run->setup.preload, run->program, status);
}

static bool make_folder(struct run *run, struct wb_status *status)
{
    const char *where = getenv("TMPDIR");
    struct wb_arena *arena = &run->cli->arena;
    char *folder = wb_path_join(arena, where && *where ? where : "/tmp", "warpbook-exec-XXXXXX");
    if (!mkdtemp(folder)) {
        return WB_FAIL(status, IO,
                       "No temporary folder could be made in %s; set TMPDIR to a folder that can "
                       "be written.",
                       where && *where ? where : "/tmp");
    }
    run->folder = folder;
    run->setup.log = wb_path_join(arena, folder, "log");
    return true;
}

static bool is_same_path(struct run *run, const char *a, const char *b)
{
    struct wb_arena *arena = &run->cli->arena;
    return a && b && strcmp(wb_path_target(arena, a), wb_path_target(arena, b)) == 0;
}

/* What is written must not take the place of the program, or of the other file. */
static bool files_differ(struct run *run, struct wb_status *status)
{
    const char *counters = run->arguments->counters, *report = run->arguments->report;
    if (is_same_path(run, counters, report) && strncmp(counters, "/dev/", 5) != 0) {
        return WB_FAIL(status, BAD_INPUT, "The counters and the report cannot both go to %s.",
                       counters);
    }
    if (is_same_path(run, counters, run->program) || is_same_path(run, report, run->program)) {
        return WB_FAIL(status, BAD_INPUT,
                       "%s is the program itself; give another file to write to.", run->program);
    }
    return true;
}

static bool prepare(struct run *run, struct wb_status *status)
{
    struct wb_arena *arena = &run->cli->arena;
    const struct exec_arguments *arguments = run->arguments;
    run->setup.trace = arguments->trace;
    run->setup.guard = !arguments->unguarded;
    run->setup.watch = getenv("WARPBOOK_WATCH") ? getenv("WARPBOOK_WATCH") : patience;
    return find_library(run, status) && find_program(run, status) && files_differ(run, status) &&
           make_folder(run, status) &&
           cli_exec_file_open(&run->counters, arena, arguments->counters, status) &&
           cli_exec_file_open(&run->report, arena, arguments->report, status);
}

static void clean_up(struct run *run)
{
    cli_exec_file_finish(&run->counters);
    cli_exec_file_finish(&run->report);
    if (run->folder) {
        unlink(run->setup.log);
        rmdir(run->folder);
    }
}

/* ---- after ----------------------------------------------------------------------------------- */

static bool write_files(struct run *run, struct wb_status *status)
{
    if (run->counters.stream) {
        cli_exec_write_counters(run->counters.stream, &run->log);
    }
    if (run->report.stream) {
        cli_exec_write_report(run->report.stream, &run->log, run->arguments->trace);
    }
    return cli_exec_file_commit(&run->counters, status) &&
           cli_exec_file_commit(&run->report, status);
}

static void show(struct run *run)
{
    struct wb_str text;
    struct wb_paint paint;
    wb_str_init(&text, &run->cli->arena);
    cli_console_paint(&paint, &text, STDERR_FILENO);
    cli_exec_show(&paint, &run->log);
    cli_console_write(STDERR_FILENO, &text);
}

static bool found_something(const struct wb_runlog *log)
{
    return log->finding_count > 0;
}

/* The program's exit code; 128 + the signal that ended it; 1 if it was 0 and something was found.
 */
static int exit_code(const struct run *run)
{
    if (WIFSIGNALED(run->wait_status)) {
        int number = WTERMSIG(run->wait_status);
        cli_complain("%s was ended by signal %d (%s).", run->program, number, strsignal(number));
        return 128 + number;
    }
    int code = WEXITSTATUS(run->wait_status);
    return code == 0 && found_something(&run->log) ? CLI_FAILED : code;
}

static int run_program(struct run *run)
{
    struct wb_status status = {0};
    struct wb_arena *arena = &run->cli->arena;
    if (!prepare(run, &status) ||
        !cli_exec_child(&run->wait_status, run->program, run->arguments->argv,
                        wb_cudart_environment(arena, &run->setup), &status)) {
        return cli_fail(&status);
    }
    if (!wb_runlog_read(&run->log, arena, run->setup.log, &status)) {
        cli_complain("%s What stands before that line is shown.", status.message);
    }
    show(run);
    int code = exit_code(run);
    return write_files(run, &status) ? code : cli_fail(&status);
}

/* ---- options --------------------------------------------------------------------------------- */

enum { KEY_DEVICE = 0x100, KEY_COUNTERS, KEY_REPORT, KEY_NO_GUARD, KEY_TRACE };

static void check_device(const char *name, struct argp_state *state)
{
    if (strcmp(name, "sim") != 0 && strcmp(name, "auto") != 0) {
        argp_error(state,
                   "exec runs programs on the embedded device (--device sim) only; on a GPU, start "
                   "the program by itself");
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct exec_arguments *arguments = state->input;
    switch (key) {
    case KEY_DEVICE:
        check_device(argument, state);
        return 0;
    case KEY_COUNTERS:
        arguments->counters = argument;
        return 0;
    case KEY_REPORT:
        arguments->report = argument;
        return 0;
    case KEY_NO_GUARD:
        arguments->unguarded = true;
        return 0;
    case KEY_TRACE:
        arguments->trace = true;
        return 0;
    case ARGP_KEY_ARG: /* the program; everything behind it is the program's */
        arguments->argv = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which program?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cli_cmd_exec(struct cli *cli, int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"device", KEY_DEVICE, "sim", 0, "the device; only the embedded one", 0},
        {"counters", KEY_COUNTERS, "FILE", 0, "write the counters of each launch as JSON", 0},
        {"report", KEY_REPORT, "FILE", 0, "write what was found as JSON", 0},
        {"trace", KEY_TRACE, NULL, 0, "list every CUDA call with its result", 0},
        {"no-guard", KEY_NO_GUARD, NULL, 0, "look for no races; faster", 0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "PROGRAM [ARGS...]",
        .doc = "Runs a CUDA program on the embedded device and says what its kernels did.\v"
               "Build the program with `" WB_CUDART_BUILD
               " -o PROGRAM program.cu`. Its input, output and exit code stay its own; the exit "
               "code is 1 if the program's is 0 and something was found (leaks alone do not "
               "count)."};
    struct exec_arguments arguments = {0};
    struct run run = {.cli = cli, .arguments = &arguments};
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &arguments);
    int code = run_program(&run);
    clean_up(&run);
    return code;
}
