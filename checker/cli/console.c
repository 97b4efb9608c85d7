/* SPDX-License-Identifier: MIT
 * See console.h.
 */
#include "console.h"

#include <warpbook/proc.h>

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void cli_console_start(void)
{
    /* The wrong direction on purpose: reading or writing fails as it does on a closed one. */
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0) {
            _exit(CLI_BROKEN);
        }
    }
    setlocale(LC_CTYPE, "");
    wb_proc_catch_signals();
}

void cli_obey_signals(void)
{
    const int number = wb_proc_interrupted();
    if (number) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static unsigned console_width(int fd)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col < 120 ? size.ws_col : 120; /* longer lines are hard to read */
    }
    int wanted = columns ? atoi(columns) : 0;
    return wanted > 0 && wanted < 1000 ? (unsigned)wanted : 0;
}

struct wb_report_options cli_console_options(int fd)
{
    return (struct wb_report_options){.colour = wb_report_wants_colour(fd),
                                      .ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
                                      .width = console_width(fd)};
}

void cli_console_paint(struct wb_paint *paint, struct wb_str *out, int fd)
{
    struct wb_report_options options = cli_console_options(fd);
    wb_paint_init(paint, out, options.colour, options.ascii, options.width);
}

/* 0 or an errno. */
static int write_all(int fd, const char *data, size_t size)
{
    while (size) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return errno;
        }
        data += n;
        size -= (size_t)n;
    }
    return 0;
}

bool cli_console_write(int fd, const struct wb_str *text)
{
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    int error = write_all(fd, wb_str_get(text), text->length);
    signal(SIGPIPE, before);
    if (error != 0 && error != EPIPE) {
        if (fd != STDERR_FILENO) {
            cli_complain("Standard output cannot be written: %s.", strerror(error));
        }
        return false;
    }
    return true;
}

void cli_complain(const char *format, ...)
{
    struct wb_arena arena;
    struct wb_str text;
    struct wb_paint paint;
    va_list arguments;
    wb_arena_init(&arena);
    wb_str_init(&text, &arena);
    cli_console_paint(&paint, &text, STDERR_FILENO);
    wb_paint_text(&paint, WB_STYLE_BAD_STRONG, "warpbook:");
    wb_paint_to(&paint, paint.column + 1);
    va_start(arguments, format);
    wb_paint_wrapped(&paint, WB_STYLE_PLAIN, 2, wb_arena_vprintf(&arena, format, arguments));
    va_end(arguments);
    wb_paint_line(&paint);
    cli_console_write(STDERR_FILENO, &text);
    wb_arena_finish(&arena);
}

int cli_fail(const struct wb_status *status)
{
    if (status->code == WB_INTERNAL && status->place) {
        cli_complain("%s (defect at %s)", status->message, status->place);
    } else {
        cli_complain("%s", status->message);
    }
    return CLI_BROKEN;
}

int cli_exit_of(enum wb_verdict verdict)
{
    static const int codes[] = {[WB_PASSED] = CLI_PASSED,
                                [WB_FAILED] = CLI_FAILED,
                                [WB_ERROR] = CLI_BROKEN,
                                [WB_SKIPPED] = CLI_SKIPPED,
                                [WB_NOT_STARTED] = CLI_SKIPPED};
    return codes[verdict];
}
