/* explain: the land's answers at a place, and what decided each spot tried near it; as text or
 * JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compiler/cli/cli.h"

static const double usual_radius = 5; /* meters */

typedef struct Explanation {
    WorldTable *answers, *trials;
    double x, z, radius;
} Explanation;

/* One of its trials. */
typedef struct Trial {
    const WorldTable *table;
    size_t row;
} Trial;

static const char *text(const Trial *trial, const char *column) {
    return table_text(trial->table, trial->row, column);
}

static double number(const Trial *trial, const char *column) {
    return table_number(trial->table, trial->row, column);
}

static bool has(const Trial *trial, const char *column) {
    return !world_table_is_empty(trial->table, trial->row, world_table_find(trial->table, column));
}

static bool outcome_is(const Trial *trial, const char *outcome) {
    return strcmp(text(trial, "outcome"), outcome) == 0;
}

/* -- text -- */

/* A literal says its value already. */
static bool says_more(const char *side, const char *value) {
    return side[0] && strcmp(side, value) != 0;
}

static void print_sides(const Trial *trial) {
    const char *left = text(trial, "left.text"), *left_value = text(trial, "left.value");
    const char *right = text(trial, "right.text"), *right_value = text(trial, "right.value");
    bool say_left = says_more(left, left_value), say_right = says_more(right, right_value);
    if (!say_left && !say_right) return;
    fputs("      ", stdout);
    if (say_left) printf("%s is %s", left, left_value);
    if (say_right) printf("%s%s is %s", say_left ? ", " : "", right, right_value);
    putchar('\n');
}

static void print_reason(const Trial *trial) {
    if (outcome_is(trial, "keep")) {
        print_sides(trial);
    } else if (outcome_is(trial, "footprint")) {
        printf("      %.3f m inside %s grown by %.3f m\n", number(trial, "otherDistance"),
               text(trial, "other"), number(trial, "needed"));
    } else if (outcome_is(trial, "offLand")) {
        printf("      %s ends %.3f m before it\n", text(trial, "other"),
               number(trial, "otherDistance"));
    } else if (has(trial, "other")) {
        printf("      %s is %.3f m away, and %.3f m are needed\n", text(trial, "other"),
               number(trial, "otherDistance"), number(trial, "needed"));
    }
}

static void print_trial(const Trial *trial) {
    printf("  %-24s (%.3f, %.3f)  %5.2f m  ", text(trial, "id"), number(trial, "x"),
           number(trial, "z"), number(trial, "distance"));
    if (outcome_is(trial, "placed"))
        printf("stands%s%s\n", has(trial, "reason") ? ": " : "", text(trial, "reason"));
    else if (outcome_is(trial, "keep"))
        printf("keep: %s\n", text(trial, "condition"));
    else
        printf("%s%s%s\n", text(trial, "outcome"), has(trial, "reason") ? ": " : "",
               text(trial, "reason"));
    print_reason(trial);
    if (!has(trial, "advice")) return;
    printf("      %s", text(trial, "advice"));
    if (has(trial, "edit.text"))
        printf(" (%s:%" PRId64 ":%" PRId64 ")", text(trial, "edit.file"),
               table_int(trial->table, trial->row, "edit.line"),
               table_int(trial->table, trial->row, "edit.column"));
    putchar('\n');
}

static bool same_rule(const Trial *a, const Trial *b) {
    return strcmp(text(a, "path"), text(b, "path")) == 0 &&
           strcmp(text(a, "rule"), text(b, "rule")) == 0;
}

static void print_text(const Explanation *e) {
    for (size_t i = 0; i < world_table_rows(e->answers); i++)
        printf("%-20s %s\n", table_text(e->answers, i, "text"), table_text(e->answers, i, "value"));
    for (size_t i = 0; i < world_table_rows(e->trials); i++) {
        Trial trial = {e->trials, i}, before = {e->trials, i - 1};
        if (i == 0 || !same_rule(&before, &trial))
            printf("%s, rule %s\n", text(&trial, "path"), text(&trial, "rule"));
        print_trial(&trial);
    }
    if (world_table_rows(e->trials) == 0) printf("no rule tried a spot within %g m\n", e->radius);
}

/* -- JSON -- */

static void print_words(const char *before, const char *words) {
    fputs(before, stdout);
    output_json_text(stdout, words);
}

static void print_answer_json(const char *of, const char *value, double exact) {
    print_words("{\"text\": ", of);
    print_words(", \"value\": ", value);
    output_json_member("number", exact);
    putchar('}');
}

static void print_keep_json(const Trial *trial) {
    print_words(", \"condition\": ", text(trial, "condition"));
    if (!has(trial, "left.text")) return;
    fputs(", \"left\": ", stdout);
    print_answer_json(text(trial, "left.text"), text(trial, "left.value"),
                      number(trial, "left.number"));
    fputs(", \"right\": ", stdout);
    print_answer_json(text(trial, "right.text"), text(trial, "right.value"),
                      number(trial, "right.number"));
}

static void print_numbers(const Trial *trial, const char *const *columns) {
    for (; *columns; columns++)
        output_json_member(*columns, number(trial, *columns));
}

static void print_edit_json(const Trial *trial) {
    print_words(", \"edit\": {\"file\": ", text(trial, "edit.file"));
    static const char *const places[][2] = {{"line", "edit.line"},
                                            {"column", "edit.column"},
                                            {"endLine", "edit.endLine"},
                                            {"endColumn", "edit.endColumn"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        printf(", \"%s\": %" PRId64, places[i][0],
               table_int(trial->table, trial->row, places[i][1]));
    print_words(", \"text\": ", text(trial, "edit.text"));
    putchar('}');
}

static void print_trial_json(const Trial *trial) {
    static const char *const place[] = {"x", "z", "distance", NULL};
    static const char *const radii[] = {"size", "spacing", "test", "room", NULL};
    static const char *const clash[] = {"otherDistance", "needed", "testAllowed",
                                        "moveX",         "moveZ",  NULL};
    print_words("{\"path\": ", text(trial, "path"));
    print_words(", \"rule\": ", text(trial, "rule"));
    print_words(", \"id\": ", text(trial, "id"));
    printf(", \"k\": %" PRId64, table_int(trial->table, trial->row, "k"));
    print_numbers(trial, place);
    print_words(", \"outcome\": ", text(trial, "outcome"));
    print_numbers(trial, radii);
    if (outcome_is(trial, "keep")) print_keep_json(trial);
    if (has(trial, "step"))
        printf(", \"step\": %" PRId64, table_int(trial->table, trial->row, "step"));
    if (has(trial, "reason")) print_words(", \"reason\": ", text(trial, "reason"));
    if (has(trial, "edited")) print_words(", \"edited\": ", text(trial, "edited"));
    if (has(trial, "other")) {
        print_words(", \"other\": ", text(trial, "other"));
        print_numbers(trial, clash);
    }
    if (has(trial, "pastCap"))
        printf(", \"pastCap\": %" PRId64, table_int(trial->table, trial->row, "pastCap"));
    if (has(trial, "advice")) print_words(", \"advice\": ", text(trial, "advice"));
    if (has(trial, "edit.text")) print_edit_json(trial);
    putchar('}');
}

static void print_json(const Explanation *e) {
    printf("{\"x\": %.17g, \"z\": %.17g, \"radius\": %.17g,\n \"answers\": [", e->x, e->z,
           e->radius);
    for (size_t i = 0; i < world_table_rows(e->answers); i++) {
        if (i) fputs(",\n  ", stdout);
        print_answer_json(table_text(e->answers, i, "text"), table_text(e->answers, i, "value"),
                          table_number(e->answers, i, "number"));
    }
    fputs("],\n \"trials\": [", stdout);
    for (size_t i = 0; i < world_table_rows(e->trials); i++) {
        if (i) fputs(",\n  ", stdout);
        print_trial_json(&(Trial){e->trials, i});
    }
    puts("]}");
}

/* -- the verb -- */

static bool read_place(const Cli *cli, double *x, double *z, double *radius) {
    *radius = usual_radius;
    if (!options_numbers(cli->words[1], 1, x) || !options_numbers(cli->words[2], 1, z))
        return false;
    return isfinite(*x) && isfinite(*z);
}

static WorldStatus explain(World *world, const char *path, Explanation *e) {
    WorldStatus status = world_answers(world, e->x, e->z, &e->answers);
    return status == WORLD_OK ? world_explain(world, path, e->x, e->z, e->radius, &e->trials)
                              : status;
}

int command_explain(Cli *cli) {
    Explanation e = {0};
    if (cli->word_count < 3 || !read_place(cli, &e.x, &e.z, &e.radius))
        return usage_error(cli, "which place? worldc explain FILE X Z, in meters");
    if (cli->has[OPTION_RADIUS] &&
        (!options_numbers(cli->value[OPTION_RADIUS], 1, &e.radius) || !(e.radius >= 0)))
        return usage_error(cli, "--radius takes meters");
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    const char *path = cli->word_count > 3 ? cli->words[3] : "";
    WorldStatus status = explain(cli->world, path, &e);
    if (status == WORLD_OK && cli->has[OPTION_JSON])
        print_json(&e);
    else if (status == WORLD_OK)
        print_text(&e);
    world_table_destroy(e.answers);
    world_table_destroy(e.trials);
    return status == WORLD_ERROR_NOT_FOUND ? session_no_layout(cli, path) : session_report(cli, status);
}
