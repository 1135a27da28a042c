/* explain: the land's answers at a place, and what decided each spot tried near it; as text or
 * JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compiler/cli/cli.h"

static const double usual_radius = 5; /* meters */

/* -- text -- */

/* A literal says its value already. */
static bool says_more(const WorldAnswer *side) {
    return side->text && strcmp(side->text, side->value) != 0;
}

static void print_sides(const WorldTrial *trial) {
    bool left = says_more(&trial->left), right = says_more(&trial->right);
    if (!left && !right) return;
    fputs("      ", stdout);
    if (left) printf("%s is %s", trial->left.text, trial->left.value);
    if (right) printf("%s%s is %s", left ? ", " : "", trial->right.text, trial->right.value);
    putchar('\n');
}

static void print_reason(const WorldTrial *trial) {
    if (trial->outcome == WORLD_REFUSED_KEEP) {
        print_sides(trial);
    } else if (trial->outcome == WORLD_REFUSED_FOOTPRINT) {
        printf("      %.3f m inside %s grown by %.3f m\n", trial->other_distance, trial->other,
               trial->needed);
    } else if (trial->other[0]) {
        printf("      %s is %.3f m away, and %.3f m are needed\n", trial->other,
               trial->other_distance, trial->needed);
    }
}

static void print_trial(const WorldTrial *trial) {
    printf("  %-24s (%.3f, %.3f)  %5.2f m  ", trial->id, trial->x, trial->z, trial->distance);
    if (trial->outcome == WORLD_PLACED)
        puts("stands");
    else if (trial->outcome == WORLD_REFUSED_KEEP)
        printf("keep: %s\n", trial->condition);
    else
        printf("%s\n", world_outcome_text(trial->outcome));
    print_reason(trial);
    if (trial->advice[0] == '\0') return;
    printf("      %s", trial->advice);
    if (trial->edit.text)
        printf(" (%s:%d:%d)", trial->edit.file, trial->edit.line, trial->edit.column);
    putchar('\n');
}

static void print_text(const WorldExplanation *e) {
    for (size_t i = 0; i < e->answer_count; i++)
        printf("%-20s %s\n", e->answers[i].text, e->answers[i].value);
    for (size_t i = 0; i < e->trial_count; i++) {
        const WorldTrial *trial = &e->trials[i], *before = i ? trial - 1 : NULL;
        if (before == NULL || strcmp(before->path, trial->path) != 0 ||
            strcmp(before->rule, trial->rule) != 0)
            printf("%s, rule %s\n", trial->path, trial->rule);
        print_trial(trial);
    }
    if (e->trial_count == 0) printf("no rule tried a spot within %g m\n", e->radius);
}

/* -- JSON -- */

static void print_number(const char *name, double value) {
    if (isnan(value))
        printf(", \"%s\": null", name);
    else
        printf(", \"%s\": %.17g", name, value);
}

static void print_words(const char *before, const char *text) {
    fputs(before, stdout);
    output_json_text(stdout, text);
}

static void print_answer_json(const WorldAnswer *answer) {
    print_words("{\"text\": ", answer->text);
    print_words(", \"value\": ", answer->value);
    print_number("number", answer->number);
    putchar('}');
}

static void print_edit_json(const WorldEdit *edit) {
    print_words(", \"edit\": {\"file\": ", edit->file);
    printf(", \"line\": %d, \"column\": %d, \"endLine\": %d, \"endColumn\": %d", edit->line,
           edit->column, edit->end_line, edit->end_column);
    print_words(", \"text\": ", edit->text);
    putchar('}');
}

static void print_keep_json(const WorldTrial *trial) {
    print_words(", \"condition\": ", trial->condition);
    if (trial->left.text == NULL) return;
    fputs(", \"left\": ", stdout);
    print_answer_json(&trial->left);
    fputs(", \"right\": ", stdout);
    print_answer_json(&trial->right);
}

static void print_clash_json(const WorldTrial *trial) {
    print_words(", \"other\": ", trial->other);
    print_number("otherDistance", trial->other_distance);
    print_number("needed", trial->needed);
    print_number("testAllowed", trial->test_allowed);
    print_number("moveX", trial->move_x);
    print_number("moveZ", trial->move_z);
}

static void print_trial_json(const WorldTrial *trial) {
    print_words("{\"path\": ", trial->path);
    print_words(", \"rule\": ", trial->rule);
    print_words(", \"id\": ", trial->id);
    printf(", \"k\": %" PRId64 ", \"x\": %.17g, \"z\": %.17g, \"distance\": %.17g", trial->k,
           trial->x, trial->z, trial->distance);
    print_words(", \"outcome\": ", world_outcome_text(trial->outcome));
    print_number("size", trial->size);
    print_number("spacing", trial->spacing);
    print_number("test", trial->test);
    print_number("room", trial->room);
    if (trial->outcome == WORLD_REFUSED_KEEP) print_keep_json(trial);
    if (trial->other[0]) print_clash_json(trial);
    if (trial->outcome == WORLD_REFUSED_CAP) printf(", \"pastCap\": %" PRId64, trial->past_cap);
    if (trial->advice[0]) print_words(", \"advice\": ", trial->advice);
    if (trial->edit.text) print_edit_json(&trial->edit);
    putchar('}');
}

static void print_json(const WorldExplanation *e) {
    printf("{\"x\": %.17g, \"z\": %.17g, \"radius\": %.17g,\n \"answers\": [", e->x, e->z,
           e->radius);
    for (size_t i = 0; i < e->answer_count; i++) {
        if (i) fputs(",\n  ", stdout);
        print_answer_json(&e->answers[i]);
    }
    fputs("],\n \"trials\": [", stdout);
    for (size_t i = 0; i < e->trial_count; i++) {
        if (i) fputs(",\n  ", stdout);
        print_trial_json(&e->trials[i]);
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

int command_explain(Cli *cli) {
    double x, z, radius;
    const WorldExplanation *explanation;
    if (cli->word_count < 3 || !read_place(cli, &x, &z, &radius))
        return usage_error(cli, "which place? worldc explain FILE X Z, in meters");
    if (cli->has[OPTION_RADIUS] &&
        (!options_numbers(cli->value[OPTION_RADIUS], 1, &radius) || !(radius >= 0)))
        return usage_error(cli, "--radius takes meters");
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    const char *path = cli->word_count > 3 ? cli->words[3] : "";
    WorldStatus status = world_explain(cli->world, path, x, z, radius, &explanation);
    if (status == WORLD_ERROR_NOT_FOUND) {
        fprintf(stderr, "worldc: '%s' holds no placed things\n", path);
        return EXIT_WORLD;
    }
    if (status == WORLD_OK && cli->has[OPTION_JSON])
        print_json(explanation);
    else if (status == WORLD_OK)
        print_text(explanation);
    return session_report(cli, status);
}
