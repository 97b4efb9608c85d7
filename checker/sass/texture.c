/* SPDX-License-Identifier: MIT
 * Handles of textures and surfaces. A handle that was removed stays unknown.
 */
#include "texture.h"

#include "sim.h"

#include <stdlib.h>
#include <string.h>

uint64_t wb_sim_texture_add(struct wb_sim *sim, const struct wb_texture *texture)
{
    struct wb_textures *all = &sim->textures;
    struct wb_texture *copy = malloc(sizeof *copy);
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? 2 * all->capacity : 16;
        struct wb_texture **list = realloc(all->list, capacity * sizeof(struct wb_texture *));
        all->list = list ? list : all->list;
        all->capacity = list ? capacity : all->capacity;
    }
    if (!copy || all->count == all->capacity) {
        free(copy);
        return 0;
    }
    *copy = *texture;
    all->list[all->count++] = copy;
    return all->count;
}

/* Instructions use the low 32 bits alone. */
static struct wb_texture **find(const struct wb_sim *sim, uint64_t handle)
{
    uint32_t number = (uint32_t)handle - 1;
    return number < sim->textures.count ? &sim->textures.list[number] : NULL;
}

const struct wb_texture *wb_sim_texture(const struct wb_sim *sim, uint64_t handle)
{
    struct wb_texture **found = find(sim, handle);
    return found ? *found : NULL;
}

bool wb_sim_texture_remove(struct wb_sim *sim, uint64_t handle)
{
    struct wb_texture **found = find(sim, handle);
    if (!found || !*found) {
        return false;
    }
    free(*found);
    *found = NULL;
    sim->textures.removed++;
    return true;
}

void wb_textures_finish(struct wb_textures *textures)
{
    for (size_t i = 0; i < textures->count; i++) {
        free(textures->list[i]);
    }
    free(textures->list);
    memset(textures, 0, sizeof *textures);
}
