#include "gpu/lamps.h"

#include "gpu/buffer.h"
#include "gpu/state.h"

#include <math.h>
#include <stdlib.h>

enum { LAMPS_UNIFORMS = 5 }; /* as light.glsl has it */

/* Of the view's light, in which a wall in the sun has 3: by day 30 000 would be it, in the dark eyes and pictures take much less for as bright. */
static const double lux = 260;

/* The uniform block of light.glsl, laid out as std140. */
typedef struct LampsBlock {
    int32_t count[4];
    float at[LAMPS_MOST][4], color[LAMPS_MOST][4];
} LampsBlock;

void lamps_init(Lamps *lamps) {
    *lamps = (Lamps){.uniforms = buffer_create_dynamic(sizeof(LampsBlock))};
}

void lamps_fini(Lamps *lamps) {
    glDeleteBuffers(1, &lamps->uniforms);
    free(lamps->items);
    *lamps = (Lamps){0};
}

bool lamps_set(Lamps *lamps, const WorldScene *scene) {
    Lamp *items = calloc(scene->lamp_count + 1, sizeof *items);
    if (items == NULL) return false;
    for (size_t i = 0; i < scene->lamp_count; i++) {
        const WorldLamp *lamp = &scene->lamps[i];
        items[i].at = (Vec){lamp->at[0], lamp->at[1], lamp->at[2]};
        items[i].reach = lamp->reach;
        items[i].number = i;
        for (int k = 0; k < 3; k++)
            items[i].color[k] = lamp->color[k] * lamp->lumens / (4 * M_PI * lux);
    }
    free(lamps->items);
    lamps->items = items;
    lamps->count = scene->lamp_count;
    lamps->shine = 0;
    return true;
}

static int by_distance(const void *a, const void *b) {
    const Lamp *first = a, *second = b;
    if (first->away != second->away) return first->away < second->away ? -1 : 1;
    return first->number < second->number ? -1 : 1; /* not as the frame before left them */
}

void lamps_choose(Lamps *lamps, const Eye *eye, bool day) {
    for (size_t i = 0; i < lamps->count; i++)
        lamps->items[i].away = vec_length(vec_sub(lamps->items[i].at, eye->at)) - lamps->items[i].reach;
    if (!day && lamps->count) qsort(lamps->items, lamps->count, sizeof *lamps->items, by_distance);
    lamps->shine = day ? 0 : lamps->count < LAMPS_MOST ? lamps->count : LAMPS_MOST;
}

void lamps_use(const Lamps *lamps, const Eye *eye) {
    LampsBlock block = {.count = {(int32_t)lamps->shine}};
    for (size_t i = 0; i < lamps->shine; i++) {
        const Lamp *lamp = &lamps->items[i];
        Vec at = vec_sub(lamp->at, eye->at);
        const double place[4] = {at.x, at.y, at.z, lamp->reach}, color[4] = {lamp->color[0], lamp->color[1], lamp->color[2], lamp->layer};
        for (int k = 0; k < 4; k++)
            block.at[i][k] = (float)place[k], block.color[i][k] = (float)color[k];
    }
    glNamedBufferSubData(lamps->uniforms, 0, sizeof block, &block);
    state_uniforms(LAMPS_UNIFORMS, lamps->uniforms);
}
