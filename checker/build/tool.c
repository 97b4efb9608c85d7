/* SPDX-License-Identifier: MIT
 * Troubles of the tool chain as one table: how a line of the output begins, and what the user is
 * told. To recognise one more, add a row; $1 is what the first % stood for. First match wins.
 */
#include "tool.h"

#include "pattern.h"

#include <string.h>

#define INSTALL_GCC "Install it (on Debian and Ubuntu: sudo apt install g++) and check again."
#define REINSTALL   "Install the CUDA toolkit again, or let `sh setup.sh` do it."

static const struct {
    enum wb_code code;
    const char *pattern; /* from the start of a line */
    const char *sentence;
} problems[] = {
    {WB_IO, "%o space left on device", "The disk is full: nvcc could not write its files."},
    {WB_IO, "nvcc fatal   : Could not open output file '%'",
     "nvcc could not write $1. Is the disk full?"},
    {WB_IO, "ptxas fatal   : Output file '%' could not be opened",
     "ptxas could not write $1. Is the disk full?"},
    {WB_TOOL_MISSING, "%unsupported GNU version!%later than % are not supported",
     "The host compiler g++ is too new for this nvcc, which takes versions up to $3. Install "
     "g++-$3 and set NVCC_CCBIN=g++-$3."},
    {WB_TOOL_MISSING, "%unsupported clang version!",
     "The host compiler clang is too new for this nvcc. Install g++ and unset NVCC_CCBIN."},
    {WB_TOOL_MISSING, "nvcc fatal   : Failed to preprocess host compiler properties.",
     "nvcc needs the host compiler g++, which is missing or does not work. " INSTALL_GCC},
    {WB_TOOL_MISSING, "%annot execute 'cc1plus'",
     "nvcc needs the host compiler g++; only a part of it is installed. " INSTALL_GCC},
    {WB_TOOL_MISSING, "cc1plus: fatal error: cuda_runtime.h: No such file",
     "nvcc is there, but the CUDA headers are not. " REINSTALL},
    {WB_TOOL_MISSING, "sh: %: %: not found", "nvcc is not complete: $2 is missing. " REINSTALL},
    {WB_TOOL_MISSING, "sh: line %: %: command not found",
     "nvcc is not complete: $2 is missing. " REINSTALL},
    {WB_TOOL_MISSING, "sh: %: %: Permission denied",
     "nvcc is not complete: $2 cannot be run. " REINSTALL},
    {WB_TOOL_MISSING, "%: error while loading shared libraries: %: ",
     "nvcc is not complete: $2 is missing. " REINSTALL},
    {WB_TOOL_MISSING, "nvcc fatal   : Unsupported gpu architecture '%'",
     "This nvcc cannot compile for $1. A newer CUDA toolkit can; `sh setup.sh` installs one."},
    {WB_TOOL_MISSING, "nvcc fatal   : Value '%' is not defined for option 'gpu-architecture'",
     "This nvcc cannot compile for $1. A newer CUDA toolkit can; `sh setup.sh` installs one."},
    {WB_TOOL_MISSING, "nvcc fatal   : %", "nvcc refuses to work: $1."},
};

static bool check_line(struct wb_status *status, struct wb_arena *arena, const char *line,
                       const struct wb_toolchain *toolchain)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(problems); i++) {
        struct wb_captures captures = {0};
        if (wb_pattern_matches(&captures, problems[i].pattern, line)) {
            char *sentence = wb_pattern_fill(arena, problems[i].sentence, &captures);
            wb_status_set(status, problems[i].code, __FILE__ ":" WB_STRINGIFY(__LINE__),
                          "%s (nvcc %s: %s)", sentence, toolchain->version, toolchain->nvcc);
            return true;
        }
    }
    return false;
}

bool wb_tool_has_problem(struct wb_status *status, struct wb_arena *arena, const char *output,
                         const char *source, const struct wb_toolchain *toolchain)
{
    while (*output) {
        size_t length = strcspn(output, "\n");
        bool quotes = *output == ' ' || wb_starts_with(output, source);
        if (!quotes &&
            check_line(status, arena, wb_arena_strndup(arena, output, length), toolchain)) {
            return true;
        }
        output += length + (output[length] == '\n');
    }
    return false;
}
