/* SPDX-License-Identifier: MIT
 * Sentences for the results of the CUDA driver and of CUPTI: three tables, one row a result. One
 * that has no row is reported with its number and NVIDIA's name for it.
 */
#include "gpu_error.h"

#include <stdio.h>

/* ---- the driver: the machine is to blame -------------------------------------------------- */

struct failure {
    int result; /* CUresult */
    enum wb_code code;
    const char *sentence;
};

static const struct failure failures[] = {
    {CUDA_OUT_OF_MEMORY, WB_NO_MEMORY,
     "The GPU has too little free memory. See with nvidia-smi who uses it, and try again."},
    {34, WB_NO_DEVICE,
     "The libcuda.so.1 that was found is the toolkit's empty stub. Take the folder `stubs` out of "
     "LD_LIBRARY_PATH and install the NVIDIA driver."},
    {46, WB_NO_DEVICE,
     "The GPU is in use by another program and allows only one. Wait for it, or use --device sim."},
    {CUDA_NO_DEVICE, WB_NO_DEVICE,
     "The NVIDIA driver is installed but sees no GPU. Look at nvidia-smi and CUDA_VISIBLE_DEVICES; "
     "in a container, start it with --gpus all."},
    {101, WB_NO_DEVICE, "There is no GPU number 0. Look at CUDA_VISIBLE_DEVICES."},
    {200, WB_NO_DEVICE,
     "The driver does not understand what the compiler made: it is older than the compiler. "
     "Install a newer driver, or an older CUDA toolkit."},
    {209, WB_NO_DEVICE,
     "The file was compiled for another kind of GPU. Run `" WB_PROGRAM " doctor` and check again."},
    {214, WB_NO_DEVICE, "The GPU found an error in its memory that it could not correct."},
    {802, WB_NO_DEVICE,
     "The GPU is not ready yet: on machines with NVSwitch, the fabric manager must run."},
    {803, WB_NO_DEVICE,
     "The driver in the kernel and its library have different versions. Restart the machine."},
    {804, WB_NO_DEVICE,
     "The forward-compatibility libraries do not work with this GPU. Install a newer driver."},
};

static void cuda_names(const struct wb_cuda *cuda, int result, const char **name, const char **text)
{
    *name = *text = NULL;
    if (cuda->error_name) {
        cuda->error_name(result, name);
    }
    if (cuda->error_text) {
        cuda->error_text(result, text);
    }
    *name = *name ? *name : "no name";
    *text = *text ? *text : "unknown error";
}

bool wb_cuda_fail(struct wb_status *status, const struct wb_cuda *cuda, int result,
                  const char *what)
{
    const char *name, *text;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(failures); i++) {
        if (failures[i].result == result) {
            return wb_status_set(status, failures[i].code, __FILE__, "%s (%s: %d)",
                                 failures[i].sentence, what, result);
        }
    }
    cuda_names(cuda, result, &name, &text);
    return WB_FAIL(status, NO_DEVICE, "The GPU does not work: %s reported %d, %s (%s).", what,
                   result, name, text);
}

/* ---- the driver: the kernel is to blame --------------------------------------------------- */

struct fault_row {
    int result; /* CUresult */
    enum wb_reason kind;
    const char *before, *after; /* the kernel's name */
};

#define SEE_SIM " The GPU does not say where; --device sim names the line."

static const struct fault_row faults[] = {
    {1, WB_REASON_LAUNCH_FAILED, "The GPU refused to launch ",
     ": one of its numbers is not possible. Check grid, block and shared memory."},
    {700, WB_REASON_OUT_OF_BOUNDS, "A thread of ",
     " read or wrote memory that belongs to no array." SEE_SIM},
    {701, WB_REASON_LAUNCH_FAILED, "A block of ",
     " needs more registers or shared memory than there are. Use smaller blocks."},
    {702, WB_REASON_TIMEOUT, "",
     " ran so long that the driver ended it. Check the condition of its loops."},
    {710, WB_REASON_TRAP, "An assert() in ", " failed. What it said is in the output."},
    {714, WB_REASON_OUT_OF_BOUNDS, "A thread of ",
     " used up its stack: the recursion is too deep, or a local array too large."},
    {715, WB_REASON_TRAP, "",
     " stopped itself with __trap(), or ran into an instruction that does not exist."},
    {716, WB_REASON_MISALIGNED, "A thread of ",
     " used an address that is not a multiple of the size it read or wrote." SEE_SIM},
    {717, WB_REASON_OUT_OF_BOUNDS, "A thread of ",
     " used an address of the wrong kind of memory." SEE_SIM},
    {718, WB_REASON_CRASH, "A thread of ", " jumped to a place where there is no code." SEE_SIM},
    {719, WB_REASON_TRAP, "",
     " was stopped: by __trap(), or by a wrong address in shared or local memory." SEE_SIM},
    {912, WB_REASON_LAUNCH_FAILED, "The clusters of ", " have a size that is not possible."},
};

bool wb_cuda_fault(struct wb_fault *fault, int result, const char *kernel)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(faults); i++) {
        if (faults[i].result == result) {
            fault->kind = faults[i].kind;
            snprintf(fault->message, sizeof fault->message, "%s`%s`%s", faults[i].before, kernel,
                     faults[i].after);
            return true;
        }
    }
    return false;
}

/* ---- CUPTI -------------------------------------------------------------------------------- */

struct explanation {
    int result; /* CUptiResult */
    const char *sentence;
};

static const struct explanation explanations[] = {
    {8, "CUPTI had too little memory."},
    {14, "CUPTI and the driver do not fit together. Install a newer driver or the "
         "CUPTI of the driver's CUDA version."},
    {26, "Another program holds the counters (NVIDIA DCGM does on many servers). "
         "Pause it with `dcgmi profile --pause`."},
    {27, "CUPTI does not support this GPU."},
    {33, "CUPTI cannot count on this virtual GPU."},
    {35,
     "The driver lets only administrators use the counters. As root, put "
     "`options nvidia NVreg_RestrictProfilingToAdminUsers=0` into a file in /etc/modprobe.d and "
     "restart; in a container, add --cap-add SYS_ADMIN."},
    {38, "CUPTI does not support this GPU."},
    {39, "Another profiler or debugger is attached. Run without it."},
    {40, "The host of this virtual machine does not allow the counters."},
    {41, "The GPU runs in confidential computing mode, which has no counters."},
    {42, "Mining processors have no counters."},
    {43, "This GPU is divided by MIG, and CUPTI cannot count on a part."},
    {44, "CUPTI cannot count on GPUs that are joined by SLI."},
    {45, "CUPTI cannot count under WSL on this system. Allow the counters in the "
         "NVIDIA control panel of Windows, or use --device sim."},
};

void wb_cupti_explain(char *out, size_t size, int result, const char *what)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(explanations); i++) {
        if (explanations[i].result == result) {
            snprintf(out, size, "%s (%s: %d)", explanations[i].sentence, what, result);
            return;
        }
    }
    snprintf(out, size, "%s of CUPTI reported error %d.", what, result);
}
