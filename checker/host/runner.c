/* SPDX-License-Identifier: MIT
 * host-runner: the process that a learner's host code runs in. It maps the plan and the arrays,
 * loads the CUDA runtime, seals itself, loads the object, calls the function once, and says what
 * happened. It knows nothing of what is right. Seal first, object second: the object's constructors
 * are the learner's, too.
 */
#include "runner.h"
#include "plan.h"

#include <warpbook/proc.h>

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 3 };

#define ADDRESS_SPACE (UINT64_C(8) << 30) /* bytes beyond what is mapped at the start */

void runner_tell(const struct wb_runner_event *event)
{
    ssize_t written = write(WB_PROC_MESSAGE_FD, event, sizeof *event);
    (void)written; /* nobody listens any more: nothing to do about it */
}

static _Noreturn void give_up(enum wb_runner_event_kind kind, const char *text)
{
    struct wb_runner_event event = {.kind = kind};
    snprintf(event.text, sizeof event.text, "%s", text ? text : "unknown");
    runner_tell(&event);
    exit(EXIT_TROUBLE);
}

/* The memory of the plan; the guards between the arrays cannot be touched from here on. */
static uint8_t *map_plan(struct wb_plan *plan)
{
    if (pread(WB_PLAN_FD, plan, sizeof *plan, 0) != (ssize_t)sizeof *plan) {
        give_up(WB_RUNNER_TROUBLE, "There is no plan. `host-runner` is started by check programs.");
    }
    uint8_t *memory = mmap(NULL, plan->size, PROT_READ | PROT_WRITE, MAP_SHARED, WB_PLAN_FD, 0);
    if (memory == MAP_FAILED) {
        give_up(WB_RUNNER_TROUBLE, strerror(errno));
    }
    close(WB_PLAN_FD);
    uint64_t end = 0;
    for (unsigned i = 0; i < plan->array_count; i++) { /* the first guard is the plan itself */
        mprotect(memory + end, plan->arrays[i].pages - end, PROT_NONE);
        end = plan->arrays[i].pages + plan->arrays[i].page_bytes;
    }
    mprotect(memory + end, plan->size - end, PROT_NONE);
    return memory;
}

/* The runtime first, so that it can open its log before the seal. The object then finds it loaded
 * under this name. */
static void load_runtime(void)
{
    void *runtime = dlopen("libcudart.so.13", RTLD_NOW | RTLD_GLOBAL);
    if (!runtime) {
        give_up(WB_RUNNER_TROUBLE, dlerror());
    }
    void *symbol = dlsym(runtime, "cudaPeekAtLastError");
    int (*peek)(void);
    memcpy(&peek, &symbol, sizeof peek); /* C has no cast for this */
    if (symbol) {
        peek();
    }
}

static void limit_address_space(void)
{
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "re");
    if (statm) {
        if (fscanf(statm, "%lu", &pages) != 1) {
            pages = 0;
        }
        fclose(statm);
    }
    rlim_t bytes = (rlim_t)pages * WB_PLAN_PAGE + ADDRESS_SPACE;
    setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
}

/* Where the object lies in memory, for the parent, which reads its line table. */
static int find_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct wb_runner_event *event = context;
    if (!info->dlpi_name || strcmp(info->dlpi_name, event->text) != 0) {
        return 0;
    }
    event->frames[0] = info->dlpi_addr;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        uint64_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && end > event->frames[1]) {
            event->frames[1] = end;
        }
    }
    return 1;
}

static void *load_object(const struct wb_plan *plan)
{
    void *object = dlopen(plan->object, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        give_up(WB_RUNNER_UNLOADABLE, dlerror());
    }
    struct wb_runner_event event = {.kind = WB_RUNNER_LOADED};
    snprintf(event.text, sizeof event.text, "%s", plan->object);
    dl_iterate_phdr(find_object, &event);
    runner_tell(&event);
    void *function = dlsym(object, plan->function);
    if (!function) {
        give_up(WB_RUNNER_NO_FUNCTION, plan->function);
    }
    return function;
}

int main(void)
{
    static struct wb_plan plan;
    uint8_t *memory = map_plan(&plan);
    load_runtime();
    runner_catch_signals(memory);
    if (plan.on_gpu) {
        wb_proc_seal_loosely();
    } else {
        limit_address_space();
        wb_proc_seal_but_reading();
    }
    void *function = load_object(&plan);
    runner_tell(&(struct wb_runner_event){.kind = WB_RUNNER_CALLED});
    struct wb_runner_event returned = {.kind = WB_RUNNER_RETURNED};
    if (!runner_call(&returned.value, &plan, memory, function)) {
        give_up(WB_RUNNER_TROUBLE, "The call could not be prepared.");
    }
    fflush(stdout);
    runner_tell(&returned);
    return 0;
}
