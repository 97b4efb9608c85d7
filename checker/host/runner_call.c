/* SPDX-License-Identifier: MIT
 * The call itself, through libffi: arguments by the plan's list, in the machine's own convention.
 */
#include "runner.h"

#include <ffi.h>

#include <string.h>

static ffi_type *type_of(bool is_float, unsigned size)
{
    if (is_float) {
        return size == sizeof(double) ? &ffi_type_double : &ffi_type_float;
    }
    return size == sizeof(uint64_t) ? &ffi_type_sint64 : &ffi_type_sint32;
}

bool runner_call(uint64_t *value, const struct wb_plan *plan, uint8_t *memory, void *function)
{
    ffi_cif interface;
    ffi_type *types[WB_MAX_ARGS];
    void *pointers[WB_MAX_ARGS], *values[WB_MAX_ARGS];
    for (unsigned i = 0; i < plan->arg_count; i++) {
        const struct wb_device_arg *arg = &plan->args[i];
        if (arg->buffer >= 0) {
            pointers[i] = memory + plan->arrays[arg->buffer].at;
            values[i] = &pointers[i];
            types[i] = &ffi_type_pointer;
        } else {
            values[i] = (void *)(uintptr_t)arg->value;
            types[i] = type_of(arg->is_float, arg->size);
        }
    }
    ffi_type *result =
        plan->result_size ? type_of(plan->result_is_float, plan->result_size) : &ffi_type_void;
    if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, plan->arg_count, result, types) != FFI_OK) {
        return false;
    }
    ffi_arg returned = 0; /* libffi widens small integers to this */
    ffi_call(&interface, FFI_FN(function), &returned, values);
    memcpy(value, &returned, sizeof *value);
    return true;
}
