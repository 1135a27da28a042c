/* Why things stand or do not: what stats and explain say, and that what explain advises is so.
 *
 * The long test asks for every refused spot of a world with rules of every sort, changes the text for that spot alone (a
 * number n becomes `if k == 17 { advised } else { n }`), and looks at the spot again: it stands, or something else is in its
 * way. SPOTS says how many of them are tried.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world/world.h"

enum { TEXT_LIMIT = 1 << 16, MAX_RULES = 16 };

static const double everywhere = 1000; /* meters */

typedef struct Host {
    WorldEngine *engine;
    World *world;
} Host;

static void must(const Host *host, WorldStatus status) {
    if (status == WORLD_OK) return;
    fail_msg("%s\n%s", world_status_text(status),
             world_diagnostics_text(host->engine, host->world, WORLD_STYLE_HUMAN));
}

static void read_text(const char *path, char text[TEXT_LIMIT]) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, TEXT_LIMIT - 1, file);
    text[length] = '\0';
    fclose(file);
}

static World *open_text(Host *host, const char *text) {
    World *world = NULL;
    must(host, world_open_text(host->engine, text, strlen(text), &(WorldDesc){0}, &world));
    return world;
}

static int open_why(void **state) {
    Host *host = calloc(1, sizeof *host);
    WorldEngineDesc desc = {.threads = 1, .exec = WORLD_EXEC_INTERPRETER};
    must(host, world_engine_create(&desc, &host->engine));
    must(host, world_open_file(host->engine, getenv("WHY_WORLD"), &(WorldDesc){0}, &host->world));
    *state = host;
    return 0;
}

static int close_why(void **state) {
    Host *host = *state;
    world_engine_destroy(host->engine);
    free(host);
    return 0;
}

static const WorldExplanation *explain_all(const Host *host) {
    const WorldExplanation *explanation = NULL;
    must(host, world_explain(host->world, "", 0, 0, everywhere, &explanation));
    return explanation;
}

static size_t read_stats(const Host *host, WorldRuleStats rows[MAX_RULES]) {
    size_t count;
    must(host, world_stats(host->world, "grove.layout", MAX_RULES, rows, &count));
    assert_in_range(count, 1, MAX_RULES);
    return count;
}

/* -- what the counts say -- */

static void test_stats_sum(void **state) {
    const Host *host = *state;
    WorldRuleStats rows[MAX_RULES];
    size_t rules = read_stats(host, rows), things;
    must(host, world_placed(host->world, "grove.layout", 0, NULL, &things));
    WorldPlaced *placed = calloc(things, sizeof *placed);
    must(host, world_placed(host->world, "grove.layout", things, placed, &things));
    int64_t all = 0;
    for (size_t r = 0; r < rules; r++) {
        int64_t sum = 0, stands = 0;
        for (int i = 0; i < WORLD_OUTCOME_COUNT; i++) sum += rows[r].outcomes[i];
        for (size_t i = 0; i < things; i++) stands += strcmp(placed[i].rule, rows[r].rule) == 0;
        assert_int_equal(sum, rows[r].candidates);
        assert_int_equal(rows[r].candidates - rows[r].outcomes[WORLD_REFUSED_KEEP], rows[r].kept);
        assert_int_equal(stands, rows[r].outcomes[WORLD_PLACED]);
        all += stands;
    }
    assert_int_equal(all, things);
    assert_int_equal(rows[0].candidates, 30 * 30);
    assert_int_equal(rows[0].cap, 55);
    assert_int_equal(rows[4].outcomes[WORLD_REFUSED_FOOTPRINT], 1); /* the post in the house; the others ask nothing */
    assert_int_equal(rows[4].draws, 0);
    free(placed);
}

/* Every spot the counts know of is told of, with the same outcome. */
static void test_trials_match_stats(void **state) {
    const Host *host = *state;
    WorldRuleStats rows[MAX_RULES];
    size_t rules = read_stats(host, rows);
    const WorldExplanation *all = explain_all(host);
    for (size_t i = 0; i < all->trial_count; i++) {
        const WorldTrial *trial = &all->trials[i];
        size_t r = 0;
        while (r < rules && strcmp(rows[r].rule, trial->rule) != 0) r++;
        assert_true(r < rules);
        rows[r].outcomes[trial->outcome]--;
        if (trial->outcome == WORLD_REFUSED_KEEP) assert_true(trial->condition[0]);
    }
    for (size_t r = 0; r < rules; r++)
        for (int i = 0; i < WORLD_OUTCOME_COUNT; i++) assert_int_equal(rows[r].outcomes[i], 0);
}

/* Looking changes nothing: neither what is built nor how often cells are worked out. */
static void test_looking_changes_nothing(void **state) {
    const Host *host = *state;
    uint64_t before, after;
    must(host, world_hash(host->world, &before));
    uint64_t evaluations = world_evaluations(host->world);
    explain_all(host);
    explain_all(host);
    WorldRuleStats rows[MAX_RULES];
    read_stats(host, rows);
    assert_int_equal(world_evaluations(host->world), evaluations);
    must(host, world_hash(host->world, &after));
    assert_true(before == after);
}

static void test_known_spots(void **state) {
    const Host *host = *state;
    const WorldExplanation *at;
    must(host, world_explain(host->world, "grove.layout", 10, -14, 0, &at));
    assert_int_equal(at->trial_count, 1);
    assert_string_equal(at->trials[0].id, "posts/1");
    assert_int_equal(at->trials[0].outcome, WORLD_REFUSED_FOOTPRINT);
    assert_string_equal(at->trials[0].other, "house");
    assert_true(at->trials[0].needed == 0.5);
    assert_true(fabs(at->trials[0].other_distance - 3.5) < 1e-12); /* to the nearer side: 3 m, and the margin */
    assert_true(isnan(at->trials[0].test) && isnan(at->trials[0].test_allowed));
    must(host, world_explain(host->world, "", 0, 0, 0, &at));
    assert_int_equal(at->trial_count, 1);
    assert_int_equal(at->trials[0].outcome, WORLD_PLACED);
    assert_string_equal(at->answers[1].text, "height");
    assert_true(at->answers[1].number == 5);
    assert_int_equal(world_explain(host->world, "land", 0, 0, 1, &at), WORLD_ERROR_NOT_FOUND);
    assert_int_equal(world_explain(host->world, "", NAN, 0, 1, &at), WORLD_ERROR_ARGUMENT);
}

/* -- advice -- */

static size_t offset_of(const char *text, int line, int column) {
    const char *at = text;
    for (int i = 1; i < line; i++) at = strchr(at, '\n') + 1;
    return (size_t)(at - text) + (size_t)column - 1;
}

/* The text with [begin, end) replaced by a choice for spot k alone. */
static void choose(const char *text, size_t begin, size_t end, const WorldTrial *trial, const char *with,
                   char out[TEXT_LIMIT]) {
    int written = snprintf(out, TEXT_LIMIT, "%.*s(if k == %lld { %s } else { %.*s })%s", (int)begin, text,
                           (long long)trial->k, with, (int)(end - begin), text + begin, text + end);
    assert_in_range(written, 1, TEXT_LIMIT - 1);
}

/* Where the rule's option `name` stands, and the end of its expression: a comma or the call's end. */
static size_t find_option(const char *text, const char *rule, const char *name, size_t *end) {
    char head[64];
    snprintf(head, sizeof head, "field %s = rule", rule);
    const char *at = strstr(strstr(text, head), name) + strlen(name);
    *end = (size_t)(at - text) + strcspn(at, ",)\n");
    return (size_t)(at - text);
}

/* Changes the text as advised, for that spot alone. False: there was no advice that a text can take. */
static bool follow(const char *text, const WorldTrial *trial, char out[TEXT_LIMIT]) {
    char with[64];
    size_t end;
    if (trial->outcome == WORLD_REFUSED_KEEP) {
        if (trial->edit.text == NULL) return false;
        const WorldEdit *edit = &trial->edit;
        choose(text, offset_of(text, edit->line, edit->column), offset_of(text, edit->end_line, edit->end_column), trial,
               edit->text, out);
        return true;
    }
    if (trial->outcome == WORLD_REFUSED_CAP) {
        size_t begin = find_option(text, trial->rule, "atMost: ", &end);
        long long cap = atoll(text + begin) + (long long)trial->past_cap;
        snprintf(out, TEXT_LIMIT, "%.*s%lld%s", (int)begin, text, cap, text + end);
        return true;
    }
    if (isnan(trial->test_allowed)) return false;
    size_t begin = find_option(text, trial->rule, " test: ", &end);
    snprintf(with, sizeof with, "%.17g m", trial->test_allowed);
    char old[64];
    snprintf(old, sizeof old, "%.*s", (int)(end - begin), text + begin);
    bool plain = strcmp(old, "0.5 * size") == 0; /* a number that stands for meters */
    if (plain) with[strlen(with) - 2] = '\0';
    choose(text, begin, end, trial, with, out);
    return true;
}

static void check_next(const WorldTrial *before, const WorldTrial *after) {
    if (after->outcome == WORLD_PLACED) return;
    bool same = false;
    switch (before->outcome) {
    case WORLD_REFUSED_KEEP: same = after->outcome == WORLD_REFUSED_KEEP && strstr(after->condition, "if k ==") != NULL; break;
    case WORLD_REFUSED_CAP: same = after->outcome == WORLD_REFUSED_CAP || after->outcome == WORLD_REFUSED_KEEP; break;
    case WORLD_REFUSED_CIRCLE: case WORLD_REFUSED_DISC: case WORLD_REFUSED_CLEARANCE: case WORLD_REFUSED_FOOTPRINT:
        same = after->outcome == WORLD_REFUSED_KEEP || strcmp(before->other, after->other) == 0;
        break;
    case WORLD_PLACED: case WORLD_OUTCOME_COUNT: break;
    }
    if (same)
        fail_msg("%s: '%s' was followed, and it is still refused by %s %s%s", before->id, before->advice,
                 world_outcome_text(after->outcome), after->condition, after->other);
}

typedef struct Tally {
    int tried, stand, next;
    int by_outcome[WORLD_OUTCOME_COUNT];
} Tally;

static void try_advice(Host *host, const char *text, const WorldTrial *trial, Tally *tally) {
    static char changed[TEXT_LIMIT];
    if (!follow(text, trial, changed)) return;
    World *world = open_text(host, changed);
    const WorldExplanation *again;
    Host other = {host->engine, world};
    must(&other, world_explain(world, trial->path, trial->x, trial->z, 1e-6, &again));
    const WorldTrial *after = NULL;
    for (size_t i = 0; i < again->trial_count; i++)
        if (strcmp(again->trials[i].id, trial->id) == 0 && again->trials[i].k == trial->k) after = &again->trials[i];
    assert_non_null(after);
    check_next(trial, after);
    tally->tried++;
    tally->by_outcome[trial->outcome]++;
    if (after->outcome == WORLD_PLACED) tally->stand++;
    else tally->next++;
    world_close(world);
}

static void test_advice_holds(void **state) {
    Host *host = *state;
    static char text[TEXT_LIMIT];
    const char *wanted = getenv("SPOTS");
    int spots = wanted ? atoi(wanted) : 40, refused = 0, seen = 0;
    read_text(getenv("WHY_WORLD"), text);
    const WorldExplanation *all = explain_all(host);
    Tally tally = {0};
    for (size_t i = 0; i < all->trial_count; i++) refused += all->trials[i].outcome != WORLD_PLACED;
    int every = refused > spots ? refused / spots : 1;
    for (size_t i = 0; i < all->trial_count; i++)
        if (all->trials[i].outcome != WORLD_PLACED && seen++ % every == 0) try_advice(host, text, &all->trials[i], &tally);
    print_message("%d spots refused; %d followed what was advised: %d stand, %d meet the next reason\n", refused,
                  tally.tried, tally.stand, tally.next);
    for (int i = WORLD_REFUSED_KEEP; i < WORLD_OUTCOME_COUNT; i++)
        print_message("  refused by %-10s %d\n", world_outcome_text((WorldOutcome)i), tally.by_outcome[i]);
    assert_true(tally.tried * 4 >= spots * 3 || tally.tried >= 1000);
    assert_true(tally.stand > tally.tried / 4);
}

/* The change is the least, up to a twentieth of the way. */
static void test_advice_is_least(void **state) {
    const Host *host = *state;
    const WorldExplanation *all = explain_all(host);
    int edits = 0;
    for (size_t i = 0; i < all->trial_count; i++) {
        const WorldTrial *trial = &all->trials[i];
        if (trial->outcome != WORLD_REFUSED_KEEP || trial->edit.text == NULL) continue;
        bool degrees = strstr(trial->edit.text, "deg") != NULL;
        double now = strtod(trial->edit.text, NULL) * (degrees ? 0.017453292519943295 : 1);
        double gap = fabs(trial->left.number - trial->right.number);
        double moved = fmin(fabs(now - trial->left.number), fabs(now - trial->right.number));
        bool whole = strstr(trial->condition, "k % 7") != NULL;
        assert_true(moved <= 0.05 * gap + 2e-5 || (whole && moved <= 1));
        edits++;
    }
    assert_in_range(edits, 300, 100000);
}

/* -- worlds with little to tell -- */

static void test_no_scatter(void **state) {
    Host host = {((Host *)*state)->engine, NULL};
    static const char *const texts[] = {"", "field a: meters = 3 m\n", "part p\n  field list: List[int] = []\n",
                                        "part p\n  field list: List[placed] = []\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        host.world = open_text(&host, texts[i]);
        size_t count = 9;
        const WorldExplanation *at = NULL;
        must(&host, world_stats(host.world, "", 0, NULL, &count));
        assert_int_equal(count, 0);
        must(&host, world_explain(host.world, "", 1, 2, 3, &at));
        assert_int_equal(at->trial_count + at->answer_count, 0);
        assert_int_equal(world_stats(host.world, "p.list", 0, NULL, &count), i == 3 ? WORLD_OK :
                         i == 2 ? WORLD_ERROR_NOT_FOUND : WORLD_ERROR_WORLD);
        world_close(host.world);
    }
}

/* -- warnings -- */

static int count_warnings(const Host *host, const char *id) {
    int found = 0;
    for (size_t i = 0; i < world_diagnostic_count(host->engine, host->world); i++) {
        WorldDiagnostic diagnostic;
        must(host, world_diagnostic(host->engine, host->world, i, &diagnostic));
        found += strcmp(diagnostic.id, id) == 0 && strcmp(diagnostic.severity, "warning") == 0 && diagnostic.line > 0;
    }
    return found;
}

static void test_warnings(void **state) {
    Host host = {((Host *)*state)->engine, NULL};
    static char text[TEXT_LIMIT], more[TEXT_LIMIT];
    read_text(getenv("WHY_WORLD"), text);
    char *at = strstr(text, "[trees, rocks");
    assert_non_null(at);
    snprintf(more, sizeof more, "%.*s[never, twin, full, trees, rocks%s%s", (int)(at - text), text, at + 13,
             "  field never = rule(candidates: [(1, 0, 2)], keep: here.x > 5 m, place: rock())\n"
             "  field other = randomStream(seed: seed + u32(int(land.height((0, 0, 0)) / 1 m)) - u32(5), salt: 1)\n"
             "  field twin = rule(draws: other, candidates: [(40, 0, 44)], place: rock())\n"
             "  field full = rule(draws: other, candidates: [(44, 0, 44), (45, 0, 44)], place: rock(), atMost: 1)\n");
    host.world = open_text(&host, more);
    must(&host, world_build(host.world));
    assert_int_equal(count_warnings(&host, "W0720"), 1); /* never */
    assert_int_equal(count_warnings(&host, "W0721"), 3); /* full, trees, shrubs */
    assert_int_equal(count_warnings(&host, "W0722"), 2); /* rocks and shrubs draw what twin and full do */
    world_close(host.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stats_sum),       cmocka_unit_test(test_trials_match_stats),
        cmocka_unit_test(test_looking_changes_nothing), cmocka_unit_test(test_known_spots),
        cmocka_unit_test(test_advice_is_least), cmocka_unit_test(test_no_scatter),
        cmocka_unit_test(test_warnings),        cmocka_unit_test(test_advice_holds),
    };
    return cmocka_run_group_tests(tests, open_why, close_why);
}
