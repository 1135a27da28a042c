/* Exports: the letter F through every writer and back, tiles and sizes, rounding errors, bakes that
 * are refused. */
#include "tests/unit/geometry_rt.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/export/export.h"
#include "runtime/export/heights.h"
#include "runtime/file/bake.h"
#include "runtime/file/file.h"
#include "runtime/grid/divided.h"
#include "runtime/grid/refine.h"

#ifdef WORLD_HAVE_EXR
#include <openexr.h>
#endif

static char directory[64];

static const char *path_of(Arena *arena, const char *name) {
    return str_printf(arena, "%s/%s", directory, name).ptr;
}

/* An F that reads right with north up: 9 m high on ground that rises a little to the south east, so
 * that no turn or mirror image of it is itself. */
static RtGrid *letter_f(Rt *rt, int size) {
    static const char *const rows[] = {"XXXXX", "X....", "XXX..", "X....", "X...."};
    RtGrid *grid = grid_create(rt, &(GridShape){size, size, 0.5, -3, 7, -30});
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++) {
            bool ink = rows[j * 5 / size][i * 5 / size] == 'X';
            assert_true(grid_store(rt, grid, i, j, (ink ? 9 : 0) + 0.01 * i + 0.003 * j));
        }
    return grid;
}

static Str read_all(Arena *arena, const char *path) {
    Str bytes;
    bool missing;
    const char *why;
    if (!file_read(arena, path, SIZE_MAX - 1, &bytes, &missing, &why)) fail_msg("%s", why);
    return bytes;
}

static HeightReport export_as(Arena *arena, const RtGrid *grid, const char *path,
                              HeightExport how) {
    HeightReport report;
    Str error;
    if (!heights_export(arena, grid, path, &how, &report, &error)) fail_msg("%.*s", STR_ARG(error));
    return report;
}

static void test_raw(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Arena *arena = rt->arena;
    RtGrid *grid = letter_f(rt, 33);
    const char *path = path_of(arena, "f.r32");
    HeightReport report = export_as(arena, grid, path, (HeightExport){.format = HEIGHTS_R32});
    Str bytes = read_all(arena, path);
    assert_int_equal(bytes.len, 33 * 33 * 4);
    assert_memory_equal(bytes.ptr, grid->heights, bytes.len);
    assert_true(report.files == 1 && report.step == 0 && report.worst_rounding == 0);
    path = path_of(arena, "f.r16");
    report = export_as(arena, grid, path, (HeightExport){.format = HEIGHTS_R16});
    bytes = read_all(arena, path);
    assert_int_equal(bytes.len, 33 * 33 * 2);
    assert_true(report.worst_rounding <= report.step / 2 * 1.001 && report.worst_rounding > 0);
    for (int i = 0; i < 33 * 33; i++) {
        uint16_t value;
        memcpy(&value, bytes.ptr + 2 * i, 2);
        assert_true(fabs(report.low + value * report.step - (double)grid->heights[i]) <=
                    report.worst_rounding);
    }
    test_rt_close(&test);
}

static void test_png(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Arena *arena = rt->arena;
    RtGrid *grid = letter_f(rt, 33);
    const char *path = path_of(arena, "f.png");
    HeightExport how = {.format = HEIGHTS_PNG16, .has_range = true, .low = -10, .high = 55.535};
    HeightReport report = export_as(arena, grid, path, how);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_true(image.width == 33 && image.height == 33 && image.format == PNG_FORMAT_LINEAR_Y);
    png_image_free(&image);
    FILE *file = fopen(path, "rb"); /* the values as they are, without a color space */
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_read_png(png, info, PNG_TRANSFORM_SWAP_ENDIAN, NULL);
    png_bytepp rows = png_get_rows(png, info);
    for (int j = 0; j < 33; j++)
        for (int i = 0; i < 33; i++) {
            uint16_t value;
            memcpy(&value, rows[j] + 2 * i, 2);
            assert_true(fabs(-10 + value * report.step - (double)grid_get(grid, i, j)) <=
                        0.0005001);
        }
    assert_true(fabs(report.step - 0.001) < 1e-12);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    HeightReport ignored;
    Str error;
    how.low = 1;
    assert_false(heights_export(arena, grid, path, &how, &ignored, &error));
    assert_true(error.len > 0);
    test_rt_close(&test);
}

#ifdef WORLD_HAVE_EXR
static void read_exr(const char *path, int size, float *out) {
    exr_context_t exr;
    assert_int_equal(exr_start_read(&exr, path, NULL), EXR_ERR_SUCCESS);
    int32_t rows;
    assert_int_equal(exr_get_scanlines_per_chunk(exr, 0, &rows), EXR_ERR_SUCCESS);
    exr_decode_pipeline_t pipe = EXR_DECODE_PIPELINE_INITIALIZER;
    for (int row = 0; row < size; row += rows) {
        exr_chunk_info_t chunk;
        assert_int_equal(exr_read_scanline_chunk_info(exr, 0, row, &chunk), EXR_ERR_SUCCESS);
        if (row == 0)
            exr_decoding_initialize(exr, 0, &chunk, &pipe);
        else
            exr_decoding_update(exr, 0, &chunk, &pipe);
        assert_true(pipe.channel_count == 1 && strcmp(pipe.channels[0].channel_name, "Y") == 0);
        pipe.channels[0].user_bytes_per_element = 4;
        pipe.channels[0].user_data_type = EXR_PIXEL_FLOAT;
        pipe.channels[0].user_pixel_stride = 4;
        pipe.channels[0].user_line_stride = size * 4;
        pipe.channels[0].decode_to_ptr = (uint8_t *)(out + row * size);
        if (row == 0) exr_decoding_choose_default_routines(exr, 0, &pipe);
        assert_int_equal(exr_decoding_run(exr, 0, &pipe), EXR_ERR_SUCCESS);
    }
    exr_decoding_destroy(exr, &pipe);
    exr_finish(&exr);
}
#endif

static void test_exr(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Arena *arena = rt->arena;
    RtGrid *grid = letter_f(rt, 65);
    const char *path = path_of(arena, "f.exr");
#ifdef WORLD_HAVE_EXR
    export_as(arena, grid, path, (HeightExport){.format = HEIGHTS_EXR});
    static float back[65 * 65];
    read_exr(path, 65, back);
    assert_memory_equal(back, grid->heights, sizeof back);
#else
    HeightReport report;
    Str error;
    assert_false(
        heights_export(arena, grid, path, &(HeightExport){.format = HEIGHTS_EXR}, &report, &error));
#endif
    test_rt_close(&test);
}

static void test_tiles(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Arena *arena = rt->arena;
    RtGrid *grid = letter_f(rt, 33);
    const char *path = path_of(arena, "t.r32");
    HeightReport report =
        export_as(arena, grid, path, (HeightExport){.format = HEIGHTS_R32, .tile = 17});
    assert_int_equal(report.files, 4);
    for (int ty = 0; ty < 2; ty++)
        for (int tx = 0; tx < 2; tx++) {
            Str bytes =
                read_all(arena, path_of(arena, str_printf(arena, "t_x%d_y%d.r32", tx, ty).ptr));
            assert_int_equal(bytes.len, 17 * 17 * 4);
            for (int j = 0; j < 17; j++)
                for (int i = 0; i < 17; i++) {
                    float value;
                    memcpy(&value, bytes.ptr + 4 * (j * 17 + i), 4);
                    assert_true(value == grid_get(grid, tx * 16 + i, ty * 16 + j));
                }
        }
    Str error, sidecar = read_all(arena, path_of(arena, "t_x1_y0.r32.json"));
    assert_non_null(strstr(sidecar.ptr, "\"west\": 5,"));
    assert_non_null(strstr(sidecar.ptr, "when i+j is even"));
    assert_false(heights_export(
        arena, grid, path, &(HeightExport){.format = HEIGHTS_R32, .tile = 16}, &report, &error));
    assert_true(error.len > 0);
    test_rt_close(&test);
}

static void test_sizes(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Arena *arena = rt->arena;
    RtGrid *grid = letter_f(rt, 33);
    HeightReport report = export_as(arena, grid, path_of(arena, "s.r32"),
                                    (HeightExport){.format = HEIGHTS_R32, .size = 65});
    assert_true(report.columns == 65 &&
                report.worst_resampling == 0); /* every old point is still there */
    report = export_as(arena, grid, path_of(arena, "s.r32"),
                       (HeightExport){.format = HEIGHTS_R32, .size = 50});
    assert_true(report.worst_resampling > 1); /* said, not silent: the letter's edges moved */
    assert_non_null(strstr(heights_describe(arena, &report).ptr, "resampled with a worst error"));
    test_rt_close(&test);
}

static void test_bake(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Arena *arena = rt->arena;
    RtGrid *grid = letter_f(rt, 33), *back;
    const char *path = path_of(arena, "f.bake");
    Str error;
    assert_int_equal(bake_read(arena, path, 7, &back, &error), BAKE_MISSING);
    assert_true(bake_write(arena, path, grid, 7, &error));
    assert_int_equal(bake_read(arena, path, 7, &back, &error), BAKE_OK);
    assert_true(back->columns == 33 && back->cell == 0.5 && back->x0 == -3 && back->z0 == 7 &&
                back->outside == -30);
    assert_memory_equal(back->heights, grid->heights, 33 * 33 * sizeof(float));
    assert_int_equal(bake_read(arena, path, 8, &back, &error), BAKE_OTHER_SOURCE);
    Str bytes = read_all(arena, path);
    char *changed = arena_strndup(arena, bytes.ptr, bytes.len);
    const struct {
        size_t length;
        int at;
        BakeStatus status;
    } damages[] = {{bytes.len, 0, BAKE_FOREIGN},
                   {bytes.len, 8, BAKE_OTHER_VERSION},
                   {bytes.len, 12, BAKE_DAMAGED},
                   {bytes.len, 500, BAKE_DAMAGED},
                   {bytes.len - 1, -1, BAKE_DAMAGED},
                   {70, -1, BAKE_DAMAGED},
                   {3, -1, BAKE_FOREIGN},
                   {0, -1, BAKE_FOREIGN}};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        memcpy(changed, bytes.ptr, bytes.len);
        if (damages[i].at >= 0) changed[damages[i].at] ^= 4;
        FILE *file = fopen(path, "wb");
        fwrite(changed, 1, damages[i].length, file);
        fclose(file);
        assert_int_equal(bake_read(arena, path, 7, &back, &error), damages[i].status);
        assert_true(back == NULL && error.len > 0);
    }
    test_rt_close(&test);
}

static LandExport land_of(const RtGrid *grid) {
    return (LandExport){.columns = grid->columns,
                        .rows = grid->rows,
                        .cell = grid->cell,
                        .x0 = grid->x0,
                        .z0 = grid->z0,
                        .outside = grid->outside,
                        .heights = grid->heights};
}

static void test_unwritable(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = letter_f(rt, 17);
    Str error = {0};
    assert_false(bake_write(rt->arena, "/nowhere/at/all.bake", grid, 1, &error));
    assert_true(error.len > 0);
    char said[256] = "";
    LandExport land = land_of(grid);
    assert_false(export_land("/nowhere/at/all.glb", &land, said, sizeof said));
    assert_string_equal(said, "cannot write /nowhere/at/all.glb: No such file or directory");
    HeightReport report;
    HeightExport how = {.format = HEIGHTS_EXR};
    assert_false(heights_export(rt->arena, grid, "/nowhere/at/all.exr", &how, &report, &error));
    test_rt_close(&test);
}

/* Every triangle of the mesh lies in the ground that the grid answers, and faces up. */
static void test_glb(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Arena *arena = rt->arena;
    RtGrid *grid = letter_f(rt, 17);
    const char *path = path_of(arena, "f.glb");
    char said[256];
    LandExport land = land_of(grid);
    assert_true(export_land(path, &land, said, sizeof said));
    Str bytes = read_all(arena, path);
    uint32_t head[5];
    memcpy(head, bytes.ptr, sizeof head);
    assert_true(head[0] == 0x46546C67 && head[2] == bytes.len && head[3] % 4 == 0);
    const char *bin = bytes.ptr + 28 + head[3];
    const float *positions = (const float *)(const void *)bin;
    const uint32_t *indices = (const uint32_t *)(const void *)(bin + 17 * 17 * 24); /* normals between */
    assert_int_equal((const char *)(indices + 6 * 16 * 16) - bytes.ptr, bytes.len);
    for (int t = 0; t < 2 * 16 * 16; t++) {
        double p[3][3], middle[3] = {0};
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++) {
                p[k][axis] = (double)positions[3 * indices[3 * t + k] + (uint32_t)axis];
                middle[axis] += p[k][axis] / 3;
            }
        double up =
            (p[1][2] - p[0][2]) * (p[2][0] - p[0][0]) - (p[1][0] - p[0][0]) * (p[2][2] - p[0][2]);
        assert_true(up > 0);
        assert_true(fabs(grid_height_at(grid, middle[0], middle[2]) - middle[1]) < 1e-6);
    }
    test_rt_close(&test);
}

/* With divided squares: a bake keeps them, and refuses numbers of patches that are not there; a mesh has their triangles; a larger image all of it. */
static void test_divided(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Arena *arena = rt->arena;
    const Vec3 line[] = {{-3, 0, 9}, {11, 0, 9}};
    RtGrid *grid = grid_refine(rt, letter_f(rt, 33), spine_create(rt, line, 2, SPINE_UNIFORM, SPINE_DOUBLED, 1), 0.5, 0.125), *back;
    FinerTiles tiles = grid_finer(grid);
    assert_true(finer_number(&tiles, 0, 0) == 0 && finer_number(&tiles, 1, 0) == 1 && finer_number(&tiles, 0, 1) < 0);
    ((float *)(uintptr_t)finer_patch(&tiles, 0))[30 * 65 + 31] += 2;
    Str error;
    const char *path = path_of(arena, "fine.bake");
    assert_true(bake_write(arena, path, grid, 7, &error));
    assert_int_equal(bake_read(arena, path, 7, &back, &error), BAKE_OK);
    assert_true(back->finer == 4 && back->tail == grid->tail);
    assert_memory_equal(back->heights, grid->heights, rt_grid_bytes(grid));
    float *number = (float *)(uintptr_t)tiles.numbers, was = *number;
    for (int k = 0; k < 3; k++) {
        *number = (float[]){2, 0.5f, -2}[k];
        assert_true(bake_write(arena, path, grid, 7, &error));
        assert_int_equal(bake_read(arena, path, 7, &back, &error), BAKE_DAMAGED);
    }
    *number = was;
    char said[256];
    LandExport land = land_of(grid);
    land.finer = grid->finer, land.tail = (size_t)grid->tail;
    path = path_of(arena, "fine.glb");
    assert_true(export_land(path, &land, said, sizeof said));
    Str bytes = read_all(arena, path);
    uint32_t head[5];
    memcpy(head, bytes.ptr, sizeof head);
    DividedWindow window = divided_window(grid, 0, 0, 32, 32);
    size_t points, triangles;
    divided_count(&window, &points, &triangles);
    assert_true(points == 2 * 65 * 65 && triangles > 2 * 2 * 64 * 60 && triangles < 2 * 2 * 64 * 64);
    points += 33 * 33, triangles += 2 * 2 * 16 * 16;
    const float *positions = (const float *)(const void *)(bytes.ptr + 28 + head[3]), *normals = positions + 3 * points;
    const uint32_t *indices = (const uint32_t *)(const void *)(normals + 3 * points);
    assert_int_equal((const char *)(indices + 3 * triangles) - bytes.ptr, bytes.len);
    double area = 0;
    for (size_t t = 0; t < triangles; t++) {
        const float *p[3];
        double middle[3] = {0};
        for (size_t k = 0; k < 3; k++) {
            p[k] = positions + 3 * (size_t)indices[3 * t + k];
            for (int axis = 0; axis < 3; axis++)
                middle[axis] += (double)p[k][axis] / 3;
        }
        double twice = (double)((p[1][2] - p[0][2]) * (p[2][0] - p[0][0]) - (p[1][0] - p[0][0]) * (p[2][2] - p[0][2]));
        assert_true(twice > 0);
        area += twice / 2;
        assert_true(fabs(grid_height_at(grid, middle[0], middle[2]) - middle[1]) < 1e-5);
    }
    assert_true(fabs(area - 16 * 16) < 1e-6);
    for (size_t i = 0; i < points; i++)
        assert_true(fabs(sqrt((double)(normals[3 * i] * normals[3 * i] + normals[3 * i + 1] * normals[3 * i + 1] + normals[3 * i + 2] * normals[3 * i + 2])) - 1) < 1e-5);
    path = path_of(arena, "fine.r32");
    assert_true(export_land(path, &land, said, sizeof said));
    assert_non_null(strstr(said, "of refined squares the corners alone: --size 129 keeps all"));
    land.size = 129;
    assert_true(export_land(path, &land, said, sizeof said));
    const float *image = (const float *)(const void *)read_all(arena, path).ptr;
    assert_true(image[30 * 129 + 31] == finer_patch(&tiles, 0)[30 * 65 + 31]);
    test_rt_close(&test);
}

static int make_directory(void **state) {
    (void)state;
    snprintf(directory, sizeof directory, "world-test-export-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state) {
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -r '%s'", directory);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raw),        cmocka_unit_test(test_png),
        cmocka_unit_test(test_exr),        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_sizes),      cmocka_unit_test(test_bake),
        cmocka_unit_test(test_unwritable), cmocka_unit_test(test_glb),
        cmocka_unit_test(test_divided),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
