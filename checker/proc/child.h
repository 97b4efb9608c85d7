/* SPDX-License-Identifier: MIT
 * The child's side of a start: everything between fork and the program or function.
 */
#ifndef WB_PROC_CHILD_H
#define WB_PROC_CHILD_H

#include <warpbook/proc.h>

#include <sys/types.h>

/* Prepared by the parent, so that the child has nothing left to allocate. */
struct wb_child_plan {
    const struct wb_proc_spec *spec;
    const char *program;    /* path for exec; unused for an entry */
    char *const *env;       /* the whole environment */
    uint64_t address_space; /* bytes, 0: no limit */
    pid_t parent;
    int out, err, message; /* writing ends of the pipes */
    int ready;             /* closed when the child runs, or gets a child_failure first */
};

enum wb_child_step { WB_CHILD_PREPARE, WB_CHILD_CWD, WB_CHILD_EXEC };

struct wb_child_failure {
    enum wb_child_step step;
    int error; /* errno */
};

/* Never returns. */
_Noreturn void wb_child_run(struct wb_child_plan *plan);
/* Keeps this process and all that it starts in their process group, so that one kill reaches
 * every one of them. A no-op where the kernel refuses seccomp. (seal.c) */
void wb_child_hold_group(void);

#endif
