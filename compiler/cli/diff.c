/* diff: what moved, rule by rule, between two worlds. A thing is the same when its field and its
 * id are. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/cli.h"

typedef struct Thing {
    const char *path;
    Placed placed;
    const Placed *twin; /* in the other world; NULL: none */
} Thing;

typedef struct Layouts { /* everything a world's scatters placed, in order */
    World *world;
    WorldTable **tables; /* that hold the texts: the stats, then a table a layout */
    size_t table_count;
    Thing *things;
    size_t count;
} Layouts;

typedef struct RuleDiff {
    const char *path, *rule;
    int before, after, added, removed, moved, changed;
    double farthest; /* meters */
} RuleDiff;

typedef struct Diff {
    Layouts before, after;
    RuleDiff *rules;
    int rule_count;
} Diff;

/* -- reading -- */

static bool keep_table(Layouts *layouts, WorldTable *table) {
    WorldTable **tables =
        realloc(layouts->tables, (layouts->table_count + 1) * sizeof(WorldTable *));
    if (tables == NULL) {
        world_table_destroy(table);
        return false;
    }
    layouts->tables = tables;
    layouts->tables[layouts->table_count++] = table;
    return true;
}

static WorldStatus add_layout(Layouts *layouts, const char *path) {
    WorldTable *table;
    WorldStatus status = world_table(layouts->world, path, &table);
    if (status != WORLD_OK) return status;
    size_t rows = world_table_rows(table);
    if (!keep_table(layouts, table)) return WORLD_ERROR_MEMORY;
    if (world_table_find(table, "id") < 0) return WORLD_ERROR_NOT_FOUND;
    Thing *things = realloc(layouts->things, (layouts->count + rows + 1) * sizeof *things);
    if (things == NULL) return WORLD_ERROR_MEMORY;
    layouts->things = things;
    for (size_t i = 0; i < rows; i++)
        layouts->things[layouts->count++] = (Thing){path, placed_read(table, i), NULL};
    return WORLD_OK;
}

/* `path` "": every field that a scatter fills. */
static WorldStatus read_layouts(Layouts *layouts, const char *path) {
    WorldTable *stats;
    if (path[0]) return add_layout(layouts, path);
    WorldStatus status = world_stats(layouts->world, "", &stats);
    if (status != WORLD_OK) return status;
    if (!keep_table(layouts, stats)) return WORLD_ERROR_MEMORY;
    for (size_t i = 0; status == WORLD_OK && i < world_table_rows(stats); i++) {
        const char *field = table_text(stats, i, "path");
        if (i == 0 || strcmp(field, table_text(stats, i - 1, "path")) != 0)
            status = add_layout(layouts, field);
    }
    return status;
}

static void drop_layouts(Layouts *layouts) {
    for (size_t i = 0; i < layouts->table_count; i++)
        world_table_destroy(layouts->tables[i]);
    free(layouts->tables);
    free(layouts->things);
}

/* -- comparing -- */

static int compare(const void *a, const void *b) {
    const Thing *const *x = a, *const *y = b;
    int by_path = strcmp((*x)->path, (*y)->path);
    return by_path ? by_path : strcmp((*x)->placed.id, (*y)->placed.id);
}

static Thing **sort_things(const Layouts *layouts) {
    Thing **sorted = calloc(layouts->count + 1, sizeof *sorted);
    for (size_t i = 0; sorted && i < layouts->count; i++)
        sorted[i] = &layouts->things[i];
    if (sorted && layouts->count) qsort(sorted, layouts->count, sizeof *sorted, compare);
    return sorted;
}

static bool match(Diff *diff) {
    Thing **a = sort_things(&diff->before), **b = sort_things(&diff->after);
    for (size_t i = 0, j = 0; a && b && i < diff->before.count && j < diff->after.count;) {
        int order = compare(&a[i], &b[j]);
        if (order == 0) {
            a[i]->twin = &b[j]->placed;
            b[j]->twin = &a[i]->placed;
        }
        i += order <= 0;
        j += order >= 0;
    }
    bool good = a && b;
    free(a);
    free(b);
    return good;
}

static double distance(const Placed *a, const Placed *b) {
    double dx = b->at[0] - a->at[0], dy = b->at[1] - a->at[1], dz = b->at[2] - a->at[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static bool differs(const Placed *a, const Placed *b) {
    return strcmp(a->kind, b->kind) != 0 || a->variant != b->variant || a->turn != b->turn ||
           memcmp(a->up, b->up, sizeof a->up) != 0 || a->size != b->size || a->sink != b->sink || a->room != b->room;
}

static RuleDiff *rule_of(Diff *diff, const Thing *thing) {
    for (int i = 0; i < diff->rule_count; i++)
        if (strcmp(diff->rules[i].path, thing->path) == 0 &&
            strcmp(diff->rules[i].rule, thing->placed.rule) == 0)
            return &diff->rules[i];
    diff->rules[diff->rule_count] = (RuleDiff){.path = thing->path, .rule = thing->placed.rule};
    return &diff->rules[diff->rule_count++];
}

static bool count_rules(Diff *diff) {
    diff->rules = calloc(diff->before.count + diff->after.count + 1, sizeof *diff->rules);
    if (diff->rules == NULL) return false;
    for (size_t i = 0; i < diff->before.count; i++) {
        const Thing *thing = &diff->before.things[i];
        RuleDiff *rule = rule_of(diff, thing);
        rule->before++;
        rule->removed += thing->twin == NULL;
        if (thing->twin == NULL) continue;
        double far = distance(&thing->placed, thing->twin);
        rule->moved += far > 0;
        rule->changed += far <= 0 && differs(&thing->placed, thing->twin);
        if (far > rule->farthest) rule->farthest = far;
    }
    for (size_t i = 0; i < diff->after.count; i++) {
        RuleDiff *rule = rule_of(diff, &diff->after.things[i]);
        rule->after++;
        rule->added += diff->after.things[i].twin == NULL;
    }
    return true;
}

/* -- text -- */

static void print_alone(char sign, const Thing *thing) {
    const Placed *t = &thing->placed;
    printf("%c %-28s %s %" PRId64 " at (%.3f, %.3f, %.3f)\n", sign, t->id, t->kind, t->variant,
           t->at[0], t->at[1], t->at[2]);
}

static void print_pair(const Placed *a, const Placed *b) {
    double far = distance(a, b);
    printf("~ %-28s", a->id);
    if (far > 0) printf(" moved %.3f m to (%.3f, %.3f, %.3f)", far, b->at[0], b->at[1], b->at[2]);
    if (strcmp(a->kind, b->kind) != 0 || a->variant != b->variant)
        printf(" %s %" PRId64 " -> %s %" PRId64, a->kind, a->variant, b->kind, b->variant);
    if (a->turn != b->turn) printf(" turn %.3f -> %.3f deg", a->turn * degrees, b->turn * degrees);
    if (memcmp(a->up, b->up, sizeof a->up) != 0)
        printf(" up (%.3f, %.3f, %.3f) -> (%.3f, %.3f, %.3f)", a->up[0], a->up[1], a->up[2],
               b->up[0], b->up[1], b->up[2]);
    if (a->size != b->size) printf(" size %.3f -> %.3f", a->size, b->size);
    if (a->sink != b->sink) printf(" sink %.3f -> %.3f", a->sink, b->sink);
    if (a->room != b->room) printf(" room %.3f -> %.3f m", a->room, b->room);
    putchar('\n');
}

static void print_text(const Diff *diff) {
    const char *path = "";
    for (int i = 0; i < diff->rule_count; i++) {
        const RuleDiff *r = &diff->rules[i];
        if (strcmp(path, r->path) != 0)
            printf("%s\n  %-16s %7s %7s %7s %7s %7s %7s %9s\n", r->path, "rule", "before", "after",
                   "added", "removed", "moved", "changed", "farthest");
        path = r->path;
        printf("  %-16s %7d %7d %7d %7d %7d %7d %7.3f m\n", r->rule, r->before, r->after, r->added,
               r->removed, r->moved, r->changed, r->farthest);
    }
    for (size_t i = 0; i < diff->before.count; i++) {
        const Thing *thing = &diff->before.things[i];
        if (thing->twin == NULL)
            print_alone('-', thing);
        else if (distance(&thing->placed, thing->twin) > 0 || differs(&thing->placed, thing->twin))
            print_pair(&thing->placed, thing->twin);
    }
    for (size_t i = 0; i < diff->after.count; i++)
        if (diff->after.things[i].twin == NULL) print_alone('+', &diff->after.things[i]);
    if (diff->rule_count == 0) puts("nothing placed in either");
}

/* -- JSON -- */

static void print_side(const char *name, const Placed *t) {
    printf(", \"%s\": ", name);
    if (t == NULL) {
        fputs("null", stdout);
        return;
    }
    fputs("{\"kind\": ", stdout);
    output_json_text(stdout, t->kind);
    printf(", \"variant\": %" PRId64, t->variant);
    output_json_member("x", t->at[0]);
    output_json_member("y", t->at[1]);
    output_json_member("z", t->at[2]);
    output_json_member("turn", t->turn);
    output_json_member("up.x", t->up[0]);
    output_json_member("up.y", t->up[1]);
    output_json_member("up.z", t->up[2]);
    output_json_member("size", t->size);
    output_json_member("sink", t->sink);
    output_json_member("room", t->room);
    putchar('}');
}

static void print_thing_json(const Thing *thing, const Placed *before, const Placed *after,
                             bool *first) {
    fputs(*first ? "{\"path\": " : ",\n  {\"path\": ", stdout);
    *first = false;
    output_json_text(stdout, thing->path);
    fputs(", \"id\": ", stdout);
    output_json_text(stdout, thing->placed.id);
    if (before && after) output_json_member("moved", distance(before, after));
    print_side("before", before);
    print_side("after", after);
    putchar('}');
}

static void print_rule_json(const RuleDiff *r) {
    fputs("{\"path\": ", stdout);
    output_json_text(stdout, r->path);
    fputs(", \"rule\": ", stdout);
    output_json_text(stdout, r->rule);
    printf(", \"before\": %d, \"after\": %d, \"added\": %d, \"removed\": %d, \"moved\": %d, "
           "\"changed\": %d",
           r->before, r->after, r->added, r->removed, r->moved, r->changed);
    output_json_member("farthest", r->farthest);
    putchar('}');
}

static void print_json(const Diff *diff) {
    bool first = true;
    fputs("{\"rules\": [", stdout);
    for (int i = 0; i < diff->rule_count; i++) {
        if (i) fputs(",\n  ", stdout);
        print_rule_json(&diff->rules[i]);
    }
    fputs("],\n \"things\": [", stdout);
    for (size_t i = 0; i < diff->before.count; i++) {
        const Thing *thing = &diff->before.things[i];
        if (thing->twin && distance(&thing->placed, thing->twin) <= 0 &&
            !differs(&thing->placed, thing->twin))
            continue;
        print_thing_json(thing, &thing->placed, thing->twin, &first);
    }
    for (size_t i = 0; i < diff->after.count; i++)
        if (diff->after.things[i].twin == NULL)
            print_thing_json(&diff->after.things[i], NULL, &diff->after.things[i].placed, &first);
    puts("]}");
}

/* -- the verb -- */

/* Opens the first word's world and reads its layouts; the world stays open, for its texts. */
static int open_side(Cli *cli, Layouts *side, const char *path) {
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    side->world = cli->world;
    WorldStatus status = read_layouts(side, path);
    if (status == WORLD_OK) return EXIT_FINE;
    return status == WORLD_ERROR_NOT_FOUND ? session_no_layout(cli, path) : session_report(cli, status);
}

static int compare_worlds(Cli *cli, Diff *diff) {
    const char *path = cli->word_count > 2 ? cli->words[2] : "";
    int code = open_side(cli, &diff->before, path);
    if (code != EXIT_FINE) return code;
    cli->world = NULL;
    cli->words++;
    cli->word_count--;
    code = open_side(cli, &diff->after, path);
    cli->words--;
    cli->word_count++;
    if (code != EXIT_FINE) return code;
    if (!match(diff) || !count_rules(diff)) return session_report(cli, WORLD_ERROR_MEMORY);
    session_clear_progress(cli);
    if (cli->has[OPTION_JSON])
        print_json(diff);
    else
        print_text(diff);
    return EXIT_FINE;
}

int command_diff(Cli *cli) {
    Diff diff = {0};
    if (cli->word_count < 2) return usage_error(cli, "which two worlds?");
    int code = compare_worlds(cli, &diff);
    drop_layouts(&diff.before);
    drop_layouts(&diff.after);
    if (diff.before.world != cli->world) world_close(diff.before.world);
    free(diff.rules);
    return code;
}
