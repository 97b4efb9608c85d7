/* SPDX-License-Identifier: MIT
 * Making a device, mapping memory, loading modules.
 */
#include "sim.h"

#include "fast.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool wb_sim_create(struct wb_sim **out, struct wb_status *status)
{
    struct wb_sim *sim = calloc(1, sizeof *sim);
    if (!sim) {
        return WB_FAIL(status, NO_MEMORY, "There is not enough memory for the embedded device.");
    }
    wb_arena_init(&sim->arena);
    sim->engine = wb_engine_choose();
    *out = sim;
    return true;
}

void wb_sim_destroy(struct wb_sim *sim)
{
    if (sim) {
        wb_arena_finish(&sim->arena);
        free(sim);
    }
}

struct wb_memory *wb_sim_memory(struct wb_sim *sim)
{
    return &sim->memory;
}

uint64_t wb_sim_map(struct wb_sim *sim, void *host, size_t size, const char *name)
{
    return wb_memory_add(&sim->memory, &sim->arena, host, size,
                         wb_arena_strdup(&sim->arena, name ? name : "an array"));
}

/* ---- modules --------------------------------------------------------------------------------- */

/* The image of a constant bank that kernels of a module share. */
static void copy_bank(uint8_t **data, size_t *size, struct wb_arena *arena,
                      const struct wb_cubin *cubin, int bank)
{
    for (size_t k = 0; k < cubin->kernel_count; k++) {
        const struct wb_const_bank *b = &cubin->kernels[k].bank[bank];
        if (b->data && b->size > *size) {
            *data = wb_arena_copy(arena, b->data, b->size);
            *size = b->size;
        }
    }
}

/* System functions get addresses of their own: 16 bytes each in the call window. */
static uint64_t service_address(struct wb_sim *sim, const char *name)
{
    size_t n = 0;
    while (n < sim->service_count && strcmp(sim->services[n], name) != 0) {
        n++;
    }
    if (n == sim->service_count) {
        sim->services = wb_arena_grow(&sim->arena, sim->services, &sim->service_capacity, n,
                                      sizeof *sim->services);
        sim->services[sim->service_count++] = wb_arena_strdup(&sim->arena, name);
    }
    return WB_CALL_WINDOW + 16 * n;
}

const char *wb_sim_service(const struct wb_sim *sim, uint64_t address)
{
    uint64_t n = (address - WB_CALL_WINDOW) / 16;
    return address >= WB_CALL_WINDOW && n < sim->service_count ? sim->services[n] : NULL;
}

#define MAX_GLOBALS (UINT64_C(1) << 30) /* bytes of a module's variables */

static bool place_globals(struct wb_sim *sim, struct wb_module *module, struct wb_status *status)
{
    const struct wb_cubin *cubin = module->cubin;
    if (cubin->global_size == 0) {
        return true;
    }
    if (cubin->global_size > MAX_GLOBALS || cubin->global_init_size > cubin->global_size) {
        return WB_FAIL(status, LIMIT, "The module's variables are larger than %llu bytes.",
                       (unsigned long long)MAX_GLOBALS);
    }
    module->global_host = wb_arena_alloc(&sim->arena, cubin->global_size);
    if (cubin->global_init_size) {
        memcpy(module->global_host, cubin->global_init, cubin->global_init_size);
    }
    module->global =
        wb_sim_map(sim, module->global_host, cubin->global_size, "the module's variables");
    return true;
}

/* Address of a symbol of the module. */
static uint64_t address_of(struct wb_sim *sim, const struct wb_module *module,
                           const struct wb_relocation *r)
{
    if (!r->defined) {
        return service_address(sim, r->symbol);
    }
    return (r->target_bank < 0 ? module->global : module->constants) + r->target_offset;
}

/* Writes addresses into bank 4 and wherever else the module asks for them. */
static bool relocate(struct wb_sim *sim, struct wb_module *module, struct wb_status *status)
{
    const struct wb_cubin *cubin = module->cubin;
    for (size_t i = 0; i < cubin->relocation_count; i++) {
        const struct wb_relocation *r = &cubin->relocations[i];
        uint8_t *image = r->bank == 4   ? module->bank4
                         : r->bank == 3 ? module->bank3
                         : r->bank < 0  ? module->global_host
                                        : NULL;
        uint64_t size = r->bank == 4   ? module->bank4_size
                        : r->bank == 3 ? module->bank3_size
                        : r->bank < 0  ? cubin->global_size
                                       : 0;
        if (!image || size < 8 || r->offset > size - 8) {
            return WB_FAIL(status, BAD_INPUT,
                           "The module wants the address of `%s` in a place that does not exist.",
                           r->symbol);
        }
        uint64_t value = address_of(sim, module, r);
        memcpy(image + r->offset, &value, sizeof value);
    }
    return true;
}

bool wb_sim_load(struct wb_sim *sim, const struct wb_cubin *cubin, struct wb_status *status)
{
    if (cubin->arch != 90) {
        return WB_FAIL(status, UNSUPPORTED,
                       "The embedded device runs code for sm_90, but this module is for sm_%u; "
                       "compile with -arch=sm_90.",
                       cubin->arch);
    }
    struct wb_module *module = wb_arena_alloc(&sim->arena, sizeof *module);
    module->cubin = cubin;
    copy_bank(&module->bank3, &module->bank3_size, &sim->arena, cubin, 3);
    if (module->bank3_size) { /* its variables have addresses like those in global memory */
        module->constants =
            wb_sim_map(sim, module->bank3, module->bank3_size, "the module's constants");
    }
    copy_bank(&module->bank4, &module->bank4_size, &sim->arena, cubin, 4);
    if (!place_globals(sim, module, status) || !relocate(sim, module, status)) {
        return false;
    }
    module->next = sim->modules;
    sim->modules = module;
    for (size_t k = 0; k < cubin->kernel_count; k++) {
        const struct wb_kernel *kernel = &cubin->kernels[k];
        sim->kernels = wb_arena_grow(&sim->arena, sim->kernels, &sim->kernel_capacity,
                                     sim->kernel_count, sizeof *sim->kernels);
        struct wb_sim_kernel *loaded = &sim->kernels[sim->kernel_count++];
        loaded->kernel = kernel;
        loaded->module = module;
        wb_decode(&loaded->program, &sim->arena, kernel->code, kernel->code_size,
                  sim->engine->table);
        wb_program_specialise(&loaded->program, sim->engine);
    }
    return true;
}

void *wb_sim_variable(struct wb_sim *sim, const char *name, size_t *size)
{
    for (struct wb_module *m = sim->modules; m; m = m->next) {
        for (size_t i = 0; i < m->cubin->variable_count; i++) {
            const struct wb_variable *v = &m->cubin->variables[i];
            uint8_t *image = v->bank < 0 ? m->global_host : v->bank == 3 ? m->bank3 : NULL;
            uint64_t image_size = v->bank < 0 ? m->cubin->global_size : m->bank3_size;
            bool inside = image && v->size <= image_size && v->offset <= image_size - v->size;
            if (inside && strcmp(v->name, name) == 0) {
                *size = v->size;
                return image + v->offset;
            }
        }
    }
    return NULL;
}

const struct wb_sim_kernel *wb_sim_find_kernel(const struct wb_sim *sim, const char *name)
{
    for (size_t k = sim->kernel_count; k-- > 0;) { /* the module that was loaded last wins */
        if (strcmp(sim->kernels[k].kernel->name, name) == 0) {
            return &sim->kernels[k];
        }
    }
    return NULL;
}
