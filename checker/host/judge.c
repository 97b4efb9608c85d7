/* SPDX-License-Identifier: MIT
 * From how a runner ended, and what it said, to a fault. It is believed only as a whole: LOADED,
 * CALLED, RETURNED, exit code 0 and a run log with an end, in this order and nothing else, is a
 * function that returned.
 */
#include "host.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* The events of a runner; those that do not belong to its life are not there. */
struct story {
    const struct wb_runner_event *loaded, *called, *returned, *signalled, *trouble;
    bool nonsense; /* an event too many, or none of ours */
};

static const struct wb_runner_event **place_of(struct story *story, uint32_t kind)
{
    switch (kind) {
    case WB_RUNNER_TROUBLE:
    case WB_RUNNER_UNLOADABLE:
    case WB_RUNNER_NO_FUNCTION:
        return &story->trouble;
    case WB_RUNNER_LOADED:
        return &story->loaded;
    case WB_RUNNER_CALLED:
        return &story->called;
    case WB_RUNNER_RETURNED:
        return &story->returned;
    case WB_RUNNER_SIGNALLED:
        return &story->signalled;
    default:
        return NULL;
    }
}

static struct story read_story(struct wb_arena *arena, const struct wb_proc_result *ended)
{
    struct story story = {0};
    size_t count = ended->message_size / sizeof(struct wb_runner_event);
    struct wb_runner_event *events = wb_arena_copy(arena, ended->message, ended->message_size);
    story.nonsense = ended->message_size % sizeof *events != 0;
    for (size_t i = 0; i < count && !story.nonsense; i++) {
        const struct wb_runner_event **place = place_of(&story, events[i].kind);
        bool early = (events[i].kind == WB_RUNNER_CALLED && !story.loaded) ||
                     (events[i].kind == WB_RUNNER_RETURNED && !story.called);
        events[i].text[WB_RUNNER_TEXT - 1] = '\0';
        story.nonsense = !place || *place || early;
        if (place) {
            *place = &events[i];
        }
    }
    return story;
}

/* ---- what to say ---------------------------------------------------------------------------- */

static void WB_PRINTF(3, 4)
    set_fault(struct wb_fault *fault, enum wb_reason kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault->kind = kind;
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
}

/* The linker's name of what is missing: "... undefined symbol: helper" */
static void explain_unloadable(struct wb_fault *fault, const struct wb_runner_event *event)
{
    static const char mark[] = "undefined symbol: ";
    const char *symbol = strstr(event->text, mark);
    if (symbol) {
        set_fault(fault, WB_REASON_LAUNCH_FAILED,
                  "The file calls `%.*s`, which nothing defines. Check its spelling, and that a "
                  "function which is declared is also written.",
                  (int)strcspn(symbol + strlen(mark), ", \n"), symbol + strlen(mark));
    } else {
        set_fault(fault, WB_REASON_LAUNCH_FAILED, "The compiled file cannot be loaded: %s.",
                  event->text);
    }
}

static bool explain_trouble(struct wb_fault *fault, const struct wb_runner_event *event,
                            const char *function, struct wb_status *status)
{
    switch (event->kind) {
    case WB_RUNNER_UNLOADABLE:
        explain_unloadable(fault, event);
        return true;
    case WB_RUNNER_NO_FUNCTION:
        set_fault(fault, WB_REASON_LAUNCH_FAILED,
                  "The file has no function `%s`. Does it still have this name, and `extern \"C\"` "
                  "before it?",
                  function);
        return true;
    default:
        return WB_FAIL(status, INTERNAL, "A host function could not be run: %s", event->text);
    }
}

static void explain_signal(struct wb_fault *fault, const struct wb_host_attempt *attempt,
                           const struct wb_host *host, const struct story *story)
{
    const struct wb_runner_event *event = story->signalled;
    const char *function = attempt->call->function;
    char where[160];
    if (story->loaded) {
        fault->line = wb_host_line(host, event->frames, WB_RUNNER_FRAMES, story->loaded->frames[0],
                                   story->loaded->frames[1]);
        fault->file = fault->line ? host->source : NULL;
    }
    if (event->value && event->address >= event->value &&
        wb_arrays_near(where, sizeof where, &attempt->arrays, attempt->call,
                       event->address - event->value)) {
        set_fault(fault, WB_REASON_OUT_OF_BOUNDS, "`%s` touched memory %s, on the host", function,
                  where);
    } else if (event->near_stack) {
        set_fault(fault, WB_REASON_CRASH,
                  "`%s` used up its stack: a function that calls itself without end, or a very "
                  "large local array",
                  function);
    } else if (event->number == SIGSEGV && event->address < WB_PLAN_PAGE) {
        set_fault(fault, WB_REASON_CRASH, "`%s` used a null pointer on the host", function);
    } else if (event->number == SIGSEGV || event->number == SIGBUS) {
        set_fault(fault, WB_REASON_CRASH,
                  "`%s` used an address (0x%llx) on the host that is no host memory; device memory "
                  "can be reached by kernels and by cudaMemcpy only",
                  function, (unsigned long long)event->address);
    } else {
        set_fault(fault, WB_REASON_CRASH, "`%s` crashed on the host: %s (signal %d)", function,
                  strsignal(event->number), event->number);
    }
    if (story->returned) {
        set_fault(fault, WB_REASON_CRASH, "The program crashed after `%s` had returned: %s",
                  function, strsignal(event->number));
    }
}

static void explain_timeout(struct wb_fault *fault, const struct wb_host_attempt *attempt)
{
    const char *function = attempt->call->function;
    if (attempt->result->output_cut) {
        set_fault(fault, WB_REASON_TIMEOUT, "`%s` printed without end", function);
    } else {
        set_fault(fault, WB_REASON_TIMEOUT, "`%s` did not return within %g s", function,
                  attempt->time_limit);
    }
}

/* The value goes to the buffer that takes what is returned. */
static void keep_value(const struct wb_host_attempt *attempt, const struct wb_runner_event *event)
{
    const struct wb_host_call *call = attempt->call;
    if (call->result >= 0) {
        struct wb_device_buffer *buffer = &call->arguments->buffers[call->result];
        memcpy(buffer->data, &event->value,
               buffer->size < sizeof event->value ? buffer->size : sizeof event->value);
    }
}

bool wb_host_judge(struct wb_host_attempt *attempt, const struct wb_host *host,
                   const struct wb_proc_result *ended, struct wb_status *status)
{
    struct wb_fault *fault = &attempt->result->fault;
    const char *function = attempt->call->function;
    struct story story = read_story(host->arena, ended);
    if (ended->end == WB_PROC_TIMEOUT) {
        explain_timeout(fault, attempt);
    } else if (story.nonsense) {
        set_fault(fault, WB_REASON_CRASH,
                  "The process of `%s` said things that make no sense. Does it write to files that "
                  "it did not open?",
                  function);
    } else if (story.trouble && !story.called) {
        return explain_trouble(fault, story.trouble, function, status);
    } else if (story.signalled) {
        explain_signal(fault, attempt, host, &story);
    } else if (ended->end == WB_PROC_SIGNALED) {
        set_fault(fault, WB_REASON_CRASH, "The process of `%s` was ended by a signal: %s", function,
                  strsignal(ended->signal));
    } else if (!story.loaded) {
        set_fault(fault, WB_REASON_CRASH,
                  "The file's initialisers ended the process (exit code %d)", ended->exit_code);
    } else if (!story.returned || story.trouble) {
        set_fault(fault, WB_REASON_CRASH,
                  "`%s` ended the process (exit code %d) instead of returning", function,
                  ended->exit_code);
    } else if (ended->exit_code != 0) {
        set_fault(fault, WB_REASON_CRASH,
                  "After `%s` returned, the process ended with exit code %d", function,
                  ended->exit_code);
    } else if (!attempt->result->log.ended) { /* by _exit, or somebody wrote into the log */
        set_fault(
            fault, WB_REASON_CRASH,
            "The process of `%s` left no whole record of its CUDA calls. Does it end by itself, "
            "or write to files that it did not open?",
            function);
    } else {
        keep_value(attempt, story.returned);
    }
    return true;
}
