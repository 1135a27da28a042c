#include "gpu/material.h"

#include "gpu/buffer.h"
#include "gpu/content.h"
#include "runtime/base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_BINDING = 7 }; /* as the texts declare it */

void materials_fini(Materials *materials) {
    for (int i = 1; i < materials->count; i++) {
        const Material *material = &materials->items[i];
        glDeleteProgram(material->land);
        glDeleteProgram(material->field);
        glDeleteProgram(material->water);
        glDeleteProgram(material->things);
        glDeleteProgram(material->cards);
        glDeleteBuffers(1, &material->words);
    }
    free(materials->items);
    *materials = (Materials){0};
}

static bool is_of_things(const WorldScene *scene, int number) {
    for (size_t m = 0; m < scene->mesh_count; m++)
        if (scene->meshes[m].material == number) return true;
    return false;
}

static bool is_of_cards(const WorldScene *scene, int number) {
    for (size_t m = 0; m < scene->mesh_count; m++)
        for (const WorldMesh *mesh = &scene->meshes[m]; mesh; mesh = mesh->coarser)
            if (mesh->material == number && mesh->picture) return true;
    return false;
}

static bool build(Material *material, const Programs *programs, const WorldScene *scene, int number, char *error, size_t size) {
    const WorldCard *card = &scene->materials[number - 1];
    GLint most = 0;
    glGetIntegerv(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    if (card->word_count > (size_t)most / sizeof *card->words) {
        snprintf(error, size, "a material reads %zu numbers of grids, lists and maps; this driver takes %zu", card->word_count,
                 (size_t)most / sizeof *card->words);
        return false;
    }
    material->words = buffer_create(card->words, card->word_count * sizeof *card->words);
    if (scene->land_material == number) {
        material->land = program_with(programs, PROGRAM_LAND, card->text, error, size);
        material->water = material->land ? program_with(programs, PROGRAM_WATER, card->text, error, size) : 0;
        if (!material->water) return false;
        material->field = scene->has_sea ? 0 : program_with(programs, PROGRAM_FIELD, card->text, error, size);
        if (!scene->has_sea && !material->field) return false;
    }
    if (!is_of_things(scene, number)) return true;
    material->things = program_with(programs, PROGRAM_THINGS, card->text, error, size);
    if (!material->things || !is_of_cards(scene, number)) return material->things != 0;
    material->cards = program_with(programs, PROGRAM_CARDS, card->text, error, size);
    return material->cards != 0;
}

static Material plain_of(const Programs *programs) {
    return (Material){.land = programs->names[PROGRAM_LAND],
                      .field = programs->names[PROGRAM_FIELD],
                      .water = programs->names[PROGRAM_WATER],
                      .things = programs->names[PROGRAM_THINGS],
                      .cards = programs->names[PROGRAM_CARDS]};
}

static uint64_t content_of(const Programs *programs, const WorldScene *scene) {
    uint64_t made_of[] = {content_of_materials(scene), program_scene_number(&programs->scene)};
    return hash_bytes(made_of, sizeof made_of, 0) | 1;
}

bool materials_set(Materials *materials, const Programs *programs, const WorldScene *scene, char *error, size_t size) {
    uint64_t content = content_of(programs, scene);
    if (materials->count) materials->items[0] = plain_of(programs); /* the view's own may be others than they were, whatever comes of these */
    if (content == materials->content) return true;
    Materials made = {.content = content, .items = calloc(scene->material_count + 1, sizeof *made.items), .count = 1, .ground = scene->land_material};
    if (made.items == NULL) {
        snprintf(error, size, "out of memory");
        return false;
    }
    made.items[0] = plain_of(programs);
    for (size_t i = 0; i < scene->material_count; i++) {
        made.count++;
        made.timed |= strstr(scene->materials[i].text, "#define MATERIAL_TIMED\n") != NULL;
        if (build(&made.items[i + 1], programs, scene, (int)i + 1, error, size)) continue;
        materials_fini(&made);
        return false;
    }
    materials_fini(materials);
    *materials = made;
    return true;
}

void material_use(const Material *material) {
    if (material->words) state_storage(WORDS_BINDING, material->words);
}
