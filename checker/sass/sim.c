/* SPDX-License-Identifier: MIT
 * Making a device, mapping memory, loading modules.
 */
#include "sim.h"

#include "fast.h"
#include "ptx.h"
#include "shadow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
        wb_memory_finish(&sim->memory);
        wb_heap_finish(&sim->heap);
        wb_replay_destroy(sim->replay);
        wb_textures_finish(&sim->textures);
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

bool wb_sim_map_at(struct wb_sim *sim, uint64_t address, void *host, size_t size, const char *name)
{
    struct wb_region region = {.address = address, .size = size, .host = host, .name = name};
    return wb_memory_place(&sim->memory, &sim->arena, &region);
}

bool wb_sim_unmap(struct wb_sim *sim, uint64_t address)
{
    return wb_memory_remove(&sim->memory, address);
}

const struct wb_ptx *wb_sim_ptx(struct wb_sim *sim, const struct wb_kernel *kernel)
{
    for (size_t i = 0; i < sim->kernel_count; i++) {
        struct wb_sim_kernel *k = &sim->kernels[i];
        if (k->kernel == kernel) {
            k->ptx = k->has_ptx ? k->ptx : wb_ptx_read(&sim->arena, kernel);
            k->has_ptx = true;
            return k->ptx;
        }
    }
    return NULL;
}

bool wb_sim_protect(struct wb_sim *sim, uint64_t address)
{
    struct wb_region *r = wb_memory_region(&sim->memory, address);
    struct wb_shadow *shadow = r && !r->freed ? wb_region_shadow(r) : NULL;
    if (shadow) {
        shadow->read_only = true;
    }
    return shadow != NULL;
}

bool wb_sim_define(struct wb_sim *sim, uint64_t address, uint64_t size, bool defined)
{
    struct wb_region *r = wb_memory_region(&sim->memory, address);
    if (!r || r->freed || address - r->address >= r->size) {
        return false;
    }
    bool marked = r->shadow || !defined; /* without marks everything is defined */
    struct wb_shadow *shadow = marked ? wb_region_shadow(r) : NULL;
    return !marked || (shadow && wb_shadow_define(shadow, address - r->address, size, defined));
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

/* Memory on pages of its own, zeroed: who owns the device may take them from the host for a time.
 */
static uint8_t *alloc_pages(struct wb_arena *arena, uint64_t size)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)wb_arena_alloc(arena, (size + page - 1) / page * page + page);
    return (uint8_t *)((start + page - 1) / page * page);
}

static bool place_globals(struct wb_sim *sim, struct wb_module *module, bool managed,
                          struct wb_status *status)
{
    static const char name[] = "the module's variables";
    const struct wb_cubin *cubin = module->cubin;
    if (cubin->global_size == 0) {
        return true;
    }
    if (cubin->global_size > MAX_GLOBALS || cubin->global_init_size > cubin->global_size) {
        return WB_FAIL(status, LIMIT, "The module's variables are larger than %llu bytes.",
                       (unsigned long long)MAX_GLOBALS);
    }
    module->global_host = managed ? alloc_pages(&sim->arena, cubin->global_size)
                                  : wb_arena_alloc(&sim->arena, cubin->global_size);
    if (cubin->global_init_size) {
        memcpy(module->global_host, cubin->global_init, cubin->global_init_size);
    }
    if (!managed) {
        module->global = wb_sim_map(sim, module->global_host, cubin->global_size, name);
        return true;
    }
    module->global = (uintptr_t)module->global_host;
    return wb_sim_map_at(sim, module->global, module->global_host, cubin->global_size, name) ||
           WB_FAIL(status, INTERNAL, "The module's variables lie where other memory does.");
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

/* A kernel's code with the addresses that it asks for. */
static const uint8_t *patched_code(struct wb_sim *sim, const struct wb_module *module,
                                   const struct wb_kernel *kernel, size_t size)
{
    if (kernel->patch_count == 0) {
        return kernel->code;
    }
    uint8_t *code = wb_arena_copy(&sim->arena, kernel->code, size);
    for (size_t i = 0; i < kernel->patch_count; i++) {
        const struct wb_patch *patch = &kernel->patches[i];
        uint64_t value = address_of(sim, module, &patch->target);
        uint32_t half = (uint32_t)(patch->high ? value >> 32 : value);
        memcpy(code + patch->pc + 4, &half, sizeof half);
    }
    return code;
}

static bool load(struct wb_sim *sim, const struct wb_cubin *cubin, bool managed,
                 struct wb_status *status)
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
    if (!place_globals(sim, module, managed, status) || !relocate(sim, module, status)) {
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
        size_t size = kernel->linked_size ? kernel->linked_size : kernel->code_size;
        wb_decode(&loaded->program, &sim->arena, patched_code(sim, module, kernel, size), size,
                  sim->engine->table);
        wb_program_specialise(&loaded->program, sim->engine);
    }
    return true;
}

bool wb_sim_load(struct wb_sim *sim, const struct wb_cubin *cubin, struct wb_status *status)
{
    return load(sim, cubin, false, status);
}

bool wb_sim_load_managed(struct wb_sim *sim, const struct wb_cubin *cubin, struct wb_status *status)
{
    return load(sim, cubin, true, status);
}

/* ---- what modules contain -------------------------------------------------------------------- */

bool wb_sim_variable_at(struct wb_sim_variable *out, const struct wb_sim *sim,
                        const struct wb_cubin *cubin, const char *name)
{
    for (const struct wb_module *m = sim->modules; m; m = m->next) {
        for (size_t i = 0; i < m->cubin->variable_count && (!cubin || cubin == m->cubin); i++) {
            const struct wb_variable *v = &m->cubin->variables[i];
            uint8_t *image = v->bank < 0 ? m->global_host : v->bank == 3 ? m->bank3 : NULL;
            uint64_t image_size = v->bank < 0 ? m->cubin->global_size : m->bank3_size;
            bool inside = image && v->size <= image_size && v->offset <= image_size - v->size;
            if (inside && strcmp(v->name, name) == 0) {
                *out = (struct wb_sim_variable){
                    .address = (v->bank < 0 ? m->global : m->constants) + v->offset,
                    .host = image + v->offset,
                    .size = v->size,
                };
                return true;
            }
        }
    }
    return false;
}

void *wb_sim_variable(struct wb_sim *sim, const char *name, size_t *size)
{
    struct wb_sim_variable variable;
    if (!wb_sim_variable_at(&variable, sim, NULL, name)) {
        return NULL;
    }
    *size = variable.size;
    return variable.host;
}

const struct wb_sim_kernel *wb_sim_find_kernel(const struct wb_sim *sim,
                                               const struct wb_cubin *cubin, const char *name)
{
    for (size_t k = sim->kernel_count; k-- > 0;) { /* the module that was loaded last wins */
        const struct wb_sim_kernel *kernel = &sim->kernels[k];
        if ((!cubin || kernel->module->cubin == cubin) && strcmp(kernel->kernel->name, name) == 0) {
            return kernel;
        }
    }
    return NULL;
}
