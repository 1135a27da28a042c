#include "gpu/content.h"

#include "runtime/base/hash.h"

#include <string.h>

static uint64_t add_array(uint64_t hash, const void *array, size_t size) {
    return array && size ? hash_bytes(array, size, hash) : hash * 3 + 1;
}

static uint64_t add_text(uint64_t hash, const char *text) {
    return add_array(hash, text, text ? strlen(text) + 1 : 0);
}

static uint64_t add_picture(uint64_t hash, const WorldPicture *picture) {
    if (picture == NULL) return hash * 3 + 1;
    const int64_t size[] = {picture->width, picture->height};
    return add_array(hash_bytes(size, sizeof size, hash), picture->rgba, 4 * (size_t)picture->width * (size_t)picture->height);
}

static uint64_t add_mesh(uint64_t hash, const WorldMesh *mesh) {
    size_t corner = sizeof(float) * mesh->vertex_count;
    const int64_t shape[] = {mesh->vertex_count, mesh->index_count, mesh->two_sided, mesh->water};
    hash = hash_bytes(shape, sizeof shape, hash);
    hash = hash_bytes(&mesh->coarser_below, sizeof mesh->coarser_below, hash);
    hash = add_array(hash, mesh->positions, 3 * corner);
    hash = add_array(hash, mesh->normals, 3 * corner);
    hash = add_array(hash, mesh->colors, 3 * corner);
    hash = add_array(hash, mesh->coords, 2 * corner);
    hash = add_array(hash, mesh->pivots, 3 * corner);
    hash = add_array(hash, mesh->wind, corner);
    hash = add_array(hash, mesh->indices, sizeof(uint32_t) * mesh->index_count);
    return add_picture(hash, mesh->picture);
}

uint64_t content_of_mesh(const WorldMesh *mesh) {
    uint64_t hash = 0;
    for (; mesh; mesh = mesh->coarser)
        hash = add_mesh(hash, mesh);
    return hash | 1;
}

uint64_t content_of_land(const WorldScene *scene) {
    const WorldGridView *land = &scene->land;
    const double shape[] = {land->columns, land->rows, land->cell, land->x0, land->z0, land->finer};
    uint64_t hash = hash_bytes(shape, sizeof shape, 0);
    hash = add_array(hash, scene->land_fine_over, 2 * sizeof(double) * scene->land_fine_over_count);
    return add_array(hash, land->heights, sizeof(float) * ((size_t)land->columns * (size_t)land->rows + land->tail)) | 1;
}

uint64_t content_of_materials(const WorldScene *scene) {
    const int64_t shape[] = {scene->land_material, scene->has_sea};
    uint64_t hash = hash_bytes(shape, sizeof shape, scene->material_count);
    for (size_t i = 0; i < scene->material_count; i++) {
        const WorldCard *card = &scene->materials[i];
        hash = add_array(add_text(hash, card->text), card->words, sizeof *card->words * card->word_count);
    }
    for (size_t m = 0; m < scene->mesh_count; m++) /* which of them things need, and cards */
        for (const WorldMesh *mesh = &scene->meshes[m]; mesh; mesh = mesh->coarser) {
            const int64_t needs[] = {mesh->material, mesh->picture != NULL};
            hash = hash_bytes(needs, sizeof needs, hash);
        }
    return hash | 1;
}

static uint64_t add_kind(uint64_t hash, const WorldCoverKind *kind) {
    WorldCoverKind numbers = *kind; /* of doubles but for these */
    numbers.function = NULL;
    memset(numbers.meshes, 0, sizeof numbers.meshes);
    hash = add_text(hash_bytes(&numbers, sizeof numbers, hash), kind->function);
    for (int i = 0; i < 3; i++)
        hash = kind->meshes[i] ? add_mesh(hash, kind->meshes[i]) : hash * 3 + 1;
    return hash;
}

uint64_t content_of_cover(const WorldCover *cover) {
    const double far[] = {cover->far_columns, cover->far_rows, cover->far_x0, cover->far_z0, cover->far_cell, cover->far_from, cover->far_to};
    uint64_t hash = hash_bytes(far, sizeof far, cover->kind_count);
    for (size_t k = 0; k < cover->kind_count; k++)
        hash = add_kind(hash, &cover->kinds[k]);
    hash = add_array(add_text(hash, cover->card.text), cover->card.words, sizeof *cover->card.words * cover->card.word_count);
    return add_array(hash, cover->far_look, 4 * sizeof(float) * (size_t)cover->far_columns * (size_t)cover->far_rows) | 1;
}
