/* edit: what was placed, changed by hand and kept in the layout's file of edits. */
#include <math.h>
#include <string.h>

#include "compiler/cli/cli.h"

static const double radians = 0.017453292519943295; /* a degree, as the language counts it */

/* What is written behind the name of an edit, after the id or the kind. */
typedef struct Form {
    const char *name;
    int numbers;        /* how many; */
    bool places;        /* they are x and z, or x, y and z */
    bool names;         /* or the name of a design */
    const char *usage, *done;
} Form;

static const Form forms[] = {
    {"remove", 0, false, false, "remove ID", "removed"},    {"move", 2, true, false, "move ID X [Y] Z", "moved"},
    {"turn", 1, false, false, "turn ID DEGREES", "turned"}, {"size", 1, false, false, "size ID SIZE", "sized"},
    {"kind", 0, false, true, "kind ID NAME", "changed"},    {"add", 2, true, false, "add KIND X [Y] Z", "added"},
};

static const Form *find_form(const char *name) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, name) == 0) return &forms[i];
    return NULL;
}

static bool is(const Form *form, const char *name) {
    return strcmp(form->name, name) == 0;
}

/* -- one edit -- */

/* The words behind FILE and WHAT, and a layout's path where there is one. False: they are not those of the form. */
static bool read_words(const Cli *cli, const Form *form, WorldEdit *edit) {
    int count = form->numbers + form->names, rest = cli->word_count - 3, given = form->numbers;
    double numbers[3] = {0};
    if (form->places && rest > count && options_numbers(cli->words[3 + count], 1, numbers)) given++, count++;
    if (rest != count && rest != count + 1) return false;
    for (int i = 0; i < given; i++)
        if (!options_numbers(cli->words[3 + i], 1, &numbers[i]) || !isfinite(numbers[i])) return false;
    *edit = (WorldEdit){.size = sizeof *edit,
                        .kind = is(form, "remove") ? WORLD_EDIT_REMOVE
                                : is(form, "add")  ? WORLD_EDIT_ADD
                                                   : WORLD_EDIT_CHANGE,
                        .id = cli->words[2],
                        .layout = rest > count ? cli->words[3 + count] : NULL,
                        .has_x = form->places,
                        .has_y = given == 3,
                        .has_z = form->places,
                        .x = numbers[0],
                        .y = numbers[1],
                        .z = numbers[form->places ? given - 1 : 0],
                        .has_turn = is(form, "turn"),
                        .turn = numbers[0] * radians,
                        .has_scale = is(form, "size"),
                        .scale = numbers[0]};
    if (form->names) edit->design = cli->words[3];
    if (edit->kind == WORLD_EDIT_ADD) edit->design = cli->words[2];
    return true;
}

static int edit_one(Cli *cli, const Form *form) {
    WorldEdit edit;
    const char *id = "";
    if (cli->word_count < 3 || !read_words(cli, form, &edit))
        return usage_error(cli, "worldc edit FILE %s [PATH]", form->usage);
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    WorldStatus status = world_edit(cli->world, &edit, 1, &id);
    if (status == WORLD_OK) status = world_edit_save(cli->world);
    code = session_report(cli, status);
    if (code == EXIT_FINE) printf("%s %s\n", form->done, id);
    return code;
}

/* -- undo and list -- */

static int undo(Cli *cli) {
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    WorldStatus status = world_edit_undo(cli->world, cli->word_count > 2 ? cli->words[2] : NULL);
    if (status == WORLD_OK) status = world_edit_save(cli->world);
    return session_report(cli, status);
}

static int list(Cli *cli) {
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    WorldTable *table;
    WorldStatus status = world_edits(cli->world, cli->word_count > 2 ? cli->words[2] : NULL, &table);
    if (status != WORLD_OK) return session_report(cli, status);
    session_clear_progress(cli);
    bool good = table_print(cli, table, &(TableLayout){.heading = "path"});
    world_table_destroy(table);
    return session_report(cli, good ? WORLD_OK : WORLD_ERROR_MEMORY);
}

int command_edit(Cli *cli) {
    const char *what = cli->word_count > 1 ? cli->words[1] : "";
    const Form *form = find_form(what);
    if (form) return edit_one(cli, form);
    bool undoes = strcmp(what, "undo") == 0, lists = strcmp(what, "list") == 0;
    if ((!undoes && !lists) || cli->word_count > 3)
        return usage_error(cli, "which edit? remove, move, turn, size, kind, add, undo or list");
    return undoes ? undo(cli) : list(cli);
}
