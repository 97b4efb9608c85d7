/* SPDX-License-Identifier: MIT
 * See crash.h. The handler does things that are not safe in general: it looks for the line, and
 * allocates. If that does not come to an end, because the C library's own lists are damaged, an
 * alarm says so and ends the program, which is lost in any case. To explain one more way to crash:
 * a function and its row in `causes`, the most particular first.
 */
#include "crash.h"

#include "copy.h"
#include "enter.h"
#include "heap.h"
#include "line.h"
#include "log.h"
#include "misuse.h"
#include "pending.h"
#include "watch.h"

#include <warpbook/cudart.h>

#include <dlfcn.h>
#include <execinfo.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    NULL_PAGES = 64 * 1024, /* bytes that are never mapped: a null pointer and an index */
    STACK_NEAR = 64 * 1024, /* bytes that a function takes of the stack at once, about */
    ALARM = 3,              /* seconds that the handler may take */
    FREE_LOOKS_BACK = 16,   /* bytes before its argument that free() looks at */
    OWN_STACK = 256 * 1024, /* bytes: a stack overflow needs another stack to be told on */
};

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

/* What is known of a crash, and what is to be said of it. */
struct crash {
    int number, code;
    uintptr_t address; /* that was touched, or of the instruction */
    uintptr_t pc, stack;
    const struct wb_call *call; /* that it happened in, NULL: between calls */
    char message[700];
    const char *advice;
};

/* ---- where ----------------------------------------------------------------------------------- */

/* Instruction and stack pointer; 0 on machines where we do not know how to ask. */
static void read_registers(struct crash *crash, const ucontext_t *context)
{
#if defined(__x86_64__)
    crash->pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    crash->stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    crash->pc = (uintptr_t)context->uc_mcontext.pc;
    crash->stack = (uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
#endif
}

/* Did the instruction write? False on machines where we do not know how to ask. */
static bool is_write(const ucontext_t *context)
{
#if defined(__x86_64__)
    return context->uc_mcontext.gregs[REG_ERR] & 2;
#else
    (void)context;
    return false;
#endif
}

/* An address in this library. */
static bool is_ours(const void *address)
{
    Dl_info ours, its;
    return dladdr(caught, &ours) && dladdr(address, &its) && its.dli_fbase == ours.dli_fbase;
}

/* The innermost frame of the program with a line of source, else the instruction itself: memcpy has
 * none, its caller in the program may have; a call that was given a wrong pointer crashes in here.
 */
static const struct wb_place *place_of_crash(uintptr_t pc)
{
    enum { FRAMES = 48 };
    void *frames[FRAMES];
    const void *at = (const void *)(pc + 1);
    const struct wb_place *place = wb_place_of(at);
    bool found = place->file && !is_ours(at);
    int count = found ? 0 : backtrace(frames, FRAMES), i = 0;
    while (i < count && (uintptr_t)frames[i] != pc) {
        i++;
    }
    for (i++; i < count && !found; i++) {
        const struct wb_place *caller = wb_place_of(frames[i]);
        found = caller->file && !is_ours(frames[i]);
        place = found ? caller : place;
    }
    return place;
}

/* ---- why ------------------------------------------------------------------------------------- */

static bool is_access(const struct crash *crash)
{
    return crash->number == SIGSEGV || crash->number == SIGBUS;
}

static bool explain_device_pointer(struct crash *crash)
{
    uint64_t address = crash->address;
    char what[500] = "";
    for (unsigned back = 8; back <= FREE_LOOKS_BACK && !wb_heap_find(address); back += 8) {
        address = wb_heap_find(crash->address + back) ? crash->address + back : address;
    }
    if (!is_access(crash) || !wb_heap_is_device_address(address)) {
        return false;
    }
    if (wb_misuse_describe(what, sizeof what - 2, address)) {
        memmove(what + 2, what, strlen(what) + 1);
        memcpy(what, ", ", 2);
    }
    crash->advice = "Copy the data to the host with cudaMemcpy and use the copy; free device "
                    "memory with cudaFree.";
    snprintf(crash->message, sizeof crash->message,
             "the program used a device pointer (0x%" PRIx64 "%s) on the host", address, what);
    return true;
}

/* Memory of the host that a copy was given and that is not there. */
static bool explain_copy(struct crash *crash)
{
    uint64_t extent;
    bool source;
    const struct wb_op_side *side = wb_copy_side(&source, &extent, crash->address);
    if (!crash->call || !is_access(crash) || !side) {
        return false;
    }
    bool whole = crash->address == side->address;
    snprintf(crash->message, sizeof crash->message,
             "%s %s %" PRIu64 " bytes of host memory at its %s, 0x%" PRIx64 ", but %s",
             wb_call_name(crash->call), source ? "reads" : "writes", extent,
             source ? "source" : "destination", side->address,
             whole ? "no memory is there" : "the memory there ends before");
    crash->advice = whole ? "Look where this pointer was set: it must come from malloc, new or an "
                            "array, and not be freed yet."
                          : "Compare the size, in bytes, with that of the array on the host.";
    return true;
}

/* A call was given a pointer that it cannot read or write through. */
static bool explain_argument(struct crash *crash)
{
    if (!crash->call || !is_access(crash) || !is_ours((const void *)crash->pc)) {
        return false;
    }
    snprintf(crash->message, sizeof crash->message,
             "one of the pointers that %s was given points to no memory of the host",
             wb_call_name(crash->call));
    crash->advice = "Give the address of a variable that is there, as in &variable.";
    return true;
}

static bool explain_null(struct crash *crash)
{
    if (!is_access(crash) || crash->code <= 0 || crash->code == SI_KERNEL ||
        crash->address >= NULL_PAGES) {
        return false;
    }
    snprintf(crash->message, sizeof crash->message,
             "the program used a null pointer (address 0x%" PRIxPTR ") on the host",
             crash->address);
    crash->advice = "Give the pointer memory first, and look at whether that succeeded.";
    return true;
}

static bool explain_stack(struct crash *crash)
{
    if (crash->number != SIGSEGV || !crash->stack || crash->address + STACK_NEAR < crash->stack ||
        crash->address > crash->stack + STACK_NEAR) {
        return false;
    }
    snprintf(crash->message, sizeof crash->message, "the program used up its stack on the host");
    crash->advice = "Put large arrays into memory from malloc, new or std::vector, and look for "
                    "functions that call themselves without end.";
    return true;
}

static bool explain_division(struct crash *crash)
{
    if (crash->number != SIGFPE || crash->code != FPE_INTDIV) {
        return false;
    }
    snprintf(crash->message, sizeof crash->message,
             "the program divided an integer by zero on the host");
    crash->advice = "Find out why the divisor is 0: often an argument that was not given.";
    return true;
}

static bool explain_access(struct crash *crash)
{
    if (!is_access(crash)) {
        return false;
    }
    if (crash->code == SI_KERNEL) {
        snprintf(crash->message, sizeof crash->message,
                 "the program used a pointer on the host whose value cannot be an address");
    } else {
        snprintf(crash->message, sizeof crash->message,
                 "the program used an address (0x%" PRIxPTR ") on the host where no memory is",
                 crash->address);
    }
    crash->advice = "Look for a pointer that was never set, memory that was freed, or an index far "
                    "outside of an array.";
    return true;
}

static bool explain_rest(struct crash *crash)
{
    snprintf(crash->message, sizeof crash->message, "the program crashed on the host (%s)",
             strsignal(crash->number));
    crash->advice = NULL;
    return true;
}

static bool (*const causes[])(struct crash *crash) = {
    explain_device_pointer, explain_copy,     explain_argument, explain_null,
    explain_stack,          explain_division, explain_access,   explain_rest,
};

/* ---- telling --------------------------------------------------------------------------------- */

/* "; the last CUDA call was cudaMalloc at main.cu:9 (cudaErrorMemoryAllocation)" */
static const char *last_call_text(char *text, size_t size)
{
    const struct wb_last_call last = wb_call_last();
    char place[WB_PLACE_TEXT];
    *text = '\0';
    if (last.name) {
        snprintf(
            text, size, "; the last CUDA call was %s at %s (%s)", last.name,
            wb_place_text(place, sizeof place, last.place ? last.place : wb_place_of(last.from)),
            wb_cudart_error_name((int)last.result));
    }
    return text;
}

static void tell(struct crash *crash, const struct wb_call *call)
{
    char last[WB_PLACE_TEXT + 100] = "";
    crash->call = call->outer && call->outer->api < WB_API_COUNT ? call->outer : NULL;
    for (size_t i = 0; i < sizeof causes / sizeof causes[0] && !causes[i](crash); i++) {
    }
    const struct wb_place *place = place_of_crash(crash->pc);
    if (wb_watch_wanted() && !crash->call) {
        last_call_text(last, sizeof last);
    }
    wb_log_finding(WB_REASON_CRASH, place, crash->advice, "%s%s", crash->message, last);
}

static bool steps;                    /* on_step is told */
static volatile sig_atomic_t crashed; /* the signal that is being told */

/* The handler hangs. */
static void on_alarm(int number)
{
    static const char words[] =
        "{\"type\":\"finding\",\"kind\":\"crash\",\"file\":null,\"line\":0,\"text\":\"the C "
        "library\",\"message\":\"the program crashed on the host, inside of malloc or free: "
        "something wrote past the end of an array, or freed it twice\",\"advice\":\"Compile the "
        "program's host code with -Xcompiler -fsanitize=address to find the place.\",\"pid\":";
    char line[sizeof words + 20];
    sigset_t set;
    (void)number;
    int size = snprintf(line, sizeof line, "%s%d}\n", words, (int)getpid());
    wb_line_write(line, (size_t)size);
    signal(crashed, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, crashed);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(crashed);
}

/* Whether a signal comes behind the next instruction; never on machines where we do not know how.
 */
static void set_stepping(ucontext_t *context, bool on)
{
#if defined(__x86_64__)
    enum { TRAP_FLAG = 1 << 8 };
    greg_t *flags = &context->uc_mcontext.gregs[REG_EFL];
    *flags = on && steps ? *flags | TRAP_FLAG : *flags & ~(greg_t)TRAP_FLAG;
#else
    (void)context, (void)on;
#endif
}

static void on_step(int number, siginfo_t *info, void *context)
{
    struct wb_call call;
    if (info->si_code != TRAP_TRACE) { /* somebody sent it */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    set_stepping(context, false);
    wb_lock(&call, NULL);
    wb_pending_lower();
    wb_unlock(&call);
}

/* Memory that the host should have waited for (pending.c). */
static bool is_pending(const struct crash *crash, ucontext_t *context)
{
    struct wb_call call;
    if (crash->number != SIGSEGV || crash->code != SEGV_ACCERR || crash->address == crash->pc ||
        !wb_pending_ever()) {
        return false;
    }
    wb_lock(&call, NULL);
    enum wb_pending found = wb_pending_fault(crash->address, is_write(context),
                                             call.outer ? NULL : place_of_crash, crash->pc);
    wb_unlock(&call);
    if (found == WB_PENDING_STEP && !call.outer) {
        set_stepping(context, true);
    }
    return found != WB_PENDING_NOT;
}

/* Under `warpbook exec` every crash is told; elsewhere only that of a device pointer, which nobody
 * else can explain (host-runner tells of the others). */
static void on_crash(int number, siginfo_t *info, void *context)
{
    struct wb_call call;
    struct crash crash = {
        .number = number, .code = info->si_code, .address = (uintptr_t)info->si_addr};
    read_registers(&crash, context);
    if (is_pending(&crash, context)) {
        return;
    }
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++) {
        signal(caught[i], SIG_DFL);
    }
    if (crash.code > 0 &&
        (wb_watch_wanted() || wb_heap_is_device_address(crash.address + FREE_LOOKS_BACK))) {
        crashed = number;
        signal(SIGALRM, on_alarm);
        alarm(ALARM);
        wb_lock(&call, NULL);
        wb_pending_lift(); /* who walks the stack may read anywhere */
        tell(&crash, &call);
        wb_unlock(&call);
        alarm(0);
    }
    /* The instruction is tried again, and now it ends the program. */
    if (crash.code <= 0) {
        raise(number); /* nobody's instruction: somebody sent it */
    }
}

bool wb_crash_is_watched(void)
{
    struct sigaction action;
    return sigaction(SIGSEGV, NULL, &action) == 0 && action.sa_flags & SA_SIGINFO &&
           action.sa_sigaction == on_crash;
}

void wb_crash_watch(void)
{
    static uint8_t stack[OWN_STACK];
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack}, old;
    struct sigaction before,
        step = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO | SA_ONSTACK},
        action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    void *frame;
    if (!wb_log_wanted()) {
        return;
    }
    backtrace(&frame, 1); /* loads what it needs now, not in a handler */
    if (sigaltstack(NULL, &old) == 0 && old.ss_flags & SS_DISABLE) {
        sigaltstack(&own, NULL);
    }
    steps = sigaction(SIGTRAP, NULL, &before) == 0 && before.sa_handler == SIG_DFL &&
            sigaction(SIGTRAP, &step, NULL) == 0;
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++) {
        if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
            sigaction(caught[i], &action, NULL);
        }
    }
}
