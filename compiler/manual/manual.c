#include "compiler/manual/manual_inside.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "runtime/file/file.h"

enum { LARGEST = 16 << 20 };

static const Document documents[MANUAL_DOCUMENTS] = {
    {.path = "lang/MANUAL.md", .slug = "index", .name = "Manual"},
    {.path = "lang/COOKBOOK.md", .slug = "cookbook", .name = "Cookbook", .cut = true, .listed = true},
    {.path = "lang/REFERENCE.md", .slug = "reference", .name = "Reference", .cut = true},
    {.path = "lang/LIBRARY.md", .slug = "library", .name = "Library", .cut = true, .entries = true},
    {.slug = "commands", .name = "Commands"},
    {.path = "examples/README.md", .slug = "gallery", .name = "Gallery"},
    {.path = "examples/import/README.md", .slug = "programs", .name = "Other programs"},
};

bool manual_fail(Manual *m, const char *format, ...) {
    va_list arguments;
    char text[1024];
    if (m->problem.len) return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    m->problem = str_printf(m->arena, "%s", text);
    return false;
}

void names_add(Arena *arena, Names *names, Str name) {
    for (int i = 0; i < names->count; i++)
        if (str_equal(names->items[i], name)) return;
    VEC_PUSH(arena, names, name);
}

/* -- files -- */

/* Where its bytes are no text; its length: they are. */
static size_t damage(Str text) {
    size_t at = 0;
    while (at < text.len) {
        size_t taken = text.ptr[at] ? str_character((Str){text.ptr + at, text.len - at}) : 0;
        if (!taken) return at;
        at += taken;
    }
    return at;
}

bool manual_read(Manual *m, Str path, bool picture, Str *bytes) {
    bool missing;
    const char *why, *whole = str_printf(m->arena, "%s/%.*s", m->desc->share, STR_ARG(path)).ptr;
    if (!file_read(m->arena, whole, LARGEST, bytes, &missing, &why)) return manual_fail(m, "cannot read '%s': %s", whole, why);
    if (picture && !str_starts(*bytes, STR_LIT("\x89PNG\r\n\x1a\n"))) return manual_fail(m, "'%s' is damaged: it is no PNG", whole);
    size_t at = picture ? bytes->len : damage(*bytes);
    if (at < bytes->len) return manual_fail(m, "'%s' is damaged: its byte %zu is of no text in UTF-8", whole, at);
    return true;
}

static const char *out_path(Manual *m, Str file) {
    return str_printf(m->arena, "%s/%.*s", m->desc->out, STR_ARG(file)).ptr;
}

static bool make_folder(Manual *m, const char *path) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
    return manual_fail(m, "cannot make the folder '%s': %s", path, strerror(errno));
}

bool manual_put(Manual *m, Str file, Str bytes) {
    WholeFile out;
    bool good = file_open(&out, out_path(m, file)) && file_add(&out, bytes.ptr, bytes.len);
    good = file_commit(&out) && good;
    return good || manual_fail(m, "%.*s", STR_ARG(file_sentence(&out, m->arena)));
}

static bool copy(Manual *m, Str from, Str to, bool picture) {
    Str bytes;
    return manual_read(m, from, picture, &bytes) && manual_put(m, to, bytes);
}

/* -- pictures -- */

/* The folder that "pictures/cookbook/road.png" lies in; they lie at most so deep. */
static bool make_folder_of(Manual *m, Str file) {
    while (file.len && file.ptr[file.len - 1] != '/')
        file.len--;
    return make_folder(m, out_path(m, file));
}

/* A picture under a world of the cookbook is of that world, seen from its first camera. */
static bool draw_pictures(Manual *m, int document) {
    const Blocks *blocks = &m->documents[document].blocks;
    LinkFrom from = {m, document};
    for (int i = 1; i < blocks->count; i++) {
        const Block *world = &blocks->items[i - 1], *picture = &blocks->items[i];
        Str target = picture->kind == BLOCK_PARAGRAPH && world->kind == BLOCK_CODE ? markdown_picture(picture->text) : (Str){0};
        if (target.len == 0) continue;
        Str file = link_resolve(&from, target, picture->line);
        if (m->problem.len || !make_folder_of(m, file) || !m->desc->picture(m->desc->user, world->text, out_path(m, file))) return false;
        names_add(m->arena, &m->drawn, file);
    }
    return true;
}

static bool is_drawn(const Manual *m, Str file) {
    for (int i = 0; i < m->drawn.count; i++)
        if (str_equal(m->drawn.items[i], file)) return true;
    return false;
}

static bool put_picture(Manual *m, Str path) {
    Str file = link_picture(path);
    return is_drawn(m, file) || (make_folder_of(m, file) && copy(m, path, file, true));
}

/* -- all of it -- */

static bool read_documents(Manual *m) {
    for (int i = 0; i < MANUAL_DOCUMENTS; i++)
        if (!document_read(m, i)) return false;
    return true;
}

static bool write_pages(Manual *m) {
    for (int i = 0; i < m->pages.count; i++)
        if (!page_write(m, &m->pages.items[i])) return false;
    for (int i = 0; i < m->examples.count; i++)
        if (!page_write_example(m, m->examples.items[i])) return false;
    return true;
}

static bool write_pictures(Manual *m) {
    for (int i = 0; m->desc->picture && i < MANUAL_DOCUMENTS; i++)
        if (!draw_pictures(m, i)) return false;
    for (int i = 0; i < m->pictures.count; i++)
        if (!put_picture(m, m->pictures.items[i])) return false;
    return true;
}

bool manual_write(Arena *arena, const ManualDesc *desc, Str *problem) {
    Manual m = {.arena = arena, .desc = desc, .index = {.arena = arena}};
    memcpy(m.documents, documents, sizeof documents);
    symbols_init(&m.names, arena);
    bool good = read_documents(&m) && make_folder(&m, desc->out) && make_folder(&m, out_path(&m, STR_LIT("pictures"))) && write_pages(&m) &&
                write_pictures(&m) && copy(&m, STR_LIT("manual/manual.css"), STR_LIT("manual.css"), false) &&
                copy(&m, STR_LIT("manual/manual.js"), STR_LIT("manual.js"), false) && manual_put(&m, STR_LIT("search.js"), search_script(&m));
    *problem = m.problem;
    return good;
}
