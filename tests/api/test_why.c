/* Why things stand or do not: what stats and explain say, and that what explain advises is so.
 *
 * The long test asks for every refused spot of a world with rules of every sort, changes the text for that spot alone (a
 * number n becomes `if k == 17 { advised } else { n }`), and looks at the spot again: it stands, or something else is in its
 * way. SPOTS says how many of them are tried.
 */
#include <math.h>

#include "tests/support/host.h"
#include "tests/support/things.h"

enum { TEXT_LIMIT = 1 << 16, MAX_RULES = 16 };
/* As the columns of world_stats are called. */
typedef enum Outcome { PLACED, KEEP, CIRCLE, DISC, CLEARANCE, FOOTPRINT, OFF_LAND, CAP, OUTCOME_COUNT } Outcome;
static const char *const outcome_texts[OUTCOME_COUNT] = {"placed", "keep", "circle", "disc", "clearance", "footprint", "offLand", "cap"};

static const double everywhere = 1000; /* meters */

typedef struct RuleStats {
    char rule[32];
    int64_t candidates, kept, draws, cap, outcomes[OUTCOME_COUNT];
} RuleStats;

typedef struct Trial {
    const char *path, *rule, *id, *condition, *other, *advice, *edit; /* edit "": none */
    Outcome outcome;
    int64_t k, past_cap, line, column, end_line, end_column;
    double x, z, test, other_distance, needed, test_allowed, left, right;
} Trial;

typedef struct Trials { /* texts live as long as the table */
    WorldTable *table;
    Trial *items;
    size_t count;
} Trials;

static void read_text(const char *path, char text[TEXT_LIMIT]) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, TEXT_LIMIT - 1, file);
    text[length] = '\0';
    fclose(file);
}

static int open_why(void **state) {
    Host *host = calloc(1, sizeof *host);
    WorldEngineDesc desc = {.threads = 1, .exec = WORLD_EXEC_INTERPRETER};
    must(host, world_engine_create(&desc, &host->engine));
    must(host, world_open_file(host->engine, getenv("WHY_WORLD"), &(WorldDesc){0}, &host->world));
    *state = host;
    return 0;
}

static Outcome outcome_of(const char *text) {
    int outcome = 0;
    while (outcome < OUTCOME_COUNT && strcmp(outcome_texts[outcome], text) != 0) outcome++;
    assert_in_range(outcome, 0, OUTCOME_COUNT - 1);
    return (Outcome)outcome;
}

static Trial read_trial(const WorldTable *t, size_t i) {
    return (Trial){.path = table_text(t, i, "path"), .rule = table_text(t, i, "rule"), .id = table_text(t, i, "id"),
                   .condition = table_text(t, i, "condition"), .other = table_text(t, i, "other"),
                   .advice = table_text(t, i, "advice"), .edit = table_text(t, i, "edit.text"),
                   .outcome = outcome_of(table_text(t, i, "outcome")), .k = table_int(t, i, "k"),
                   .past_cap = table_int(t, i, "pastCap"), .line = table_int(t, i, "edit.line"),
                   .column = table_int(t, i, "edit.column"), .end_line = table_int(t, i, "edit.endLine"),
                   .end_column = table_int(t, i, "edit.endColumn"), .x = table_number(t, i, "x"),
                   .z = table_number(t, i, "z"), .test = table_number(t, i, "test"),
                   .other_distance = table_number(t, i, "otherDistance"), .needed = table_number(t, i, "needed"),
                   .test_allowed = table_number(t, i, "testAllowed"), .left = table_number(t, i, "left.number"),
                   .right = table_number(t, i, "right.number")};
}

static Trials explain(const Host *host, const char *path, double x, double z, double radius) {
    Trials trials = {0};
    must(host, world_explain(host->world, path, x, z, radius, &trials.table));
    trials.count = world_table_rows(trials.table);
    trials.items = calloc(trials.count + 1, sizeof *trials.items);
    for (size_t i = 0; i < trials.count; i++) trials.items[i] = read_trial(trials.table, i);
    return trials;
}

static Trials explain_all(const Host *host) {
    return explain(host, "", 0, 0, everywhere);
}

static void drop(Trials *trials) {
    world_table_destroy(trials->table);
    free(trials->items);
}

static size_t read_stats(const Host *host, RuleStats rows[MAX_RULES]) {
    WorldTable *table;
    must(host, world_stats(host->world, "grove.layout", &table));
    size_t count = world_table_rows(table);
    assert_in_range(count, 1, MAX_RULES);
    for (size_t r = 0; r < count; r++) {
        assert_string_equal(table_text(table, r, "path"), "grove.layout");
        rows[r] = (RuleStats){.candidates = table_int(table, r, "candidates"), .kept = table_int(table, r, "kept"),
                              .draws = table_int(table, r, "draws"), .cap = table_int(table, r, "atMost")};
        snprintf(rows[r].rule, sizeof rows[r].rule, "%s", table_text(table, r, "rule"));
        for (int i = 0; i < OUTCOME_COUNT; i++) rows[r].outcomes[i] = table_int(table, r, outcome_texts[i]);
    }
    world_table_destroy(table);
    return count;
}

/* -- what the counts say -- */

static void test_stats_sum(void **state) {
    const Host *host = *state;
    RuleStats rows[MAX_RULES];
    size_t rules = read_stats(host, rows);
    Things things;
    must(host, things_read(host->world, "grove.layout", &things));
    int64_t all = 0;
    for (size_t r = 0; r < rules; r++) {
        int64_t sum = 0, stands = 0;
        for (int i = 0; i < OUTCOME_COUNT; i++) sum += rows[r].outcomes[i];
        for (size_t i = 0; i < things.count; i++) stands += strcmp(things.items[i].rule, rows[r].rule) == 0;
        assert_int_equal(sum, rows[r].candidates);
        assert_int_equal(rows[r].candidates - rows[r].outcomes[KEEP], rows[r].kept);
        assert_int_equal(stands, rows[r].outcomes[PLACED]);
        all += stands;
    }
    assert_int_equal(all, things.count);
    assert_int_equal(rows[0].candidates, 30 * 30);
    assert_int_equal(rows[0].cap, 55);
    assert_int_equal(rows[4].outcomes[FOOTPRINT], 1); /* the post in the house; the others ask nothing */
    assert_int_equal(rows[4].draws, 0);
    things_free(&things);
}

/* Every spot the counts know of is told of, with the same outcome; those past a cap have the numbers from 1 on. */
static void test_trials_match_stats(void **state) {
    const Host *host = *state;
    RuleStats rows[MAX_RULES];
    size_t rules = read_stats(host, rows);
    Trials all = explain_all(host);
    int64_t past[MAX_RULES] = {0}; /* the sum of the numbers of those past the cap */
    for (size_t r = 0; r < rules; r++) past[r] = rows[r].outcomes[CAP] * (rows[r].outcomes[CAP] + 1) / 2;
    for (size_t i = 0; i < all.count; i++) {
        const Trial *trial = &all.items[i];
        size_t r = 0;
        while (r < rules && strcmp(rows[r].rule, trial->rule) != 0) r++;
        assert_true(r < rules);
        rows[r].outcomes[trial->outcome]--;
        if (trial->outcome == CAP) past[r] -= trial->past_cap;
        if (trial->outcome == KEEP) assert_true(trial->condition[0]);
    }
    for (size_t r = 0; r < rules; r++) {
        assert_int_equal(past[r], 0);
        for (int i = 0; i < OUTCOME_COUNT; i++) assert_int_equal(rows[r].outcomes[i], 0);
    }
    drop(&all);
}

/* Looking changes nothing: neither what is built nor how often cells are worked out. */
static void test_looking_changes_nothing(void **state) {
    const Host *host = *state;
    uint64_t before, after;
    must(host, world_hash(host->world, &before));
    uint64_t evaluations = world_evaluations(host->world);
    for (int i = 0; i < 2; i++) {
        Trials all = explain_all(host);
        drop(&all);
    }
    RuleStats rows[MAX_RULES];
    read_stats(host, rows);
    assert_int_equal(world_evaluations(host->world), evaluations);
    must(host, world_hash(host->world, &after));
    assert_true(before == after);
}

static void test_known_spots(void **state) {
    const Host *host = *state;
    WorldTable *table = NULL;
    Trials at = explain(host, "grove.layout", 10, -14, 0);
    assert_int_equal(at.count, 1);
    const Trial *post = &at.items[0];
    assert_string_equal(post->id, "posts/1");
    assert_int_equal(post->outcome, FOOTPRINT);
    assert_string_equal(post->other, "house");
    assert_true(post->needed == 0.5);
    assert_true(fabs(post->other_distance - 3.5) < 1e-12); /* to the nearer side: 3 m, and the margin */
    assert_true(isnan(post->test) && isnan(post->test_allowed));
    drop(&at);
    at = explain(host, "", 0, 0, 0);
    assert_int_equal(at.count, 1);
    assert_int_equal(at.items[0].outcome, PLACED);
    drop(&at);
    must(host, world_answers(host->world, 0, 0, &table));
    assert_string_equal(table_text(table, 1, "text"), "height");
    assert_string_equal(table_text(table, 1, "value"), "5 m");
    assert_true(table_number(table, 1, "number") == 5);
    world_table_destroy(table);
    assert_int_equal(world_explain(host->world, "land", 0, 0, 1, &table), WORLD_ERROR_NOT_FOUND);
    assert_int_equal(world_explain(host->world, "", NAN, 0, 1, &table), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_answers(host->world, NAN, 0, &table), WORLD_ERROR_ARGUMENT);
}

/* -- advice -- */

static size_t offset_of(const char *text, int64_t line, int64_t column) {
    const char *at = text;
    for (int64_t i = 1; i < line; i++) at = strchr(at, '\n') + 1;
    return (size_t)(at - text) + (size_t)column - 1;
}

/* The text with [begin, end) replaced by a choice for spot k alone. */
static void choose(const char *text, size_t begin, size_t end, const Trial *trial, const char *with,
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
static bool follow(const char *text, const Trial *trial, char out[TEXT_LIMIT]) {
    char with[64];
    size_t end;
    if (trial->outcome == KEEP) {
        if (trial->edit[0] == '\0') return false;
        choose(text, offset_of(text, trial->line, trial->column), offset_of(text, trial->end_line, trial->end_column), trial,
               trial->edit, out);
        return true;
    }
    if (trial->outcome == CAP) {
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

static void check_next(const Trial *before, const Trial *after) {
    if (after->outcome == PLACED) return;
    bool same = false;
    switch (before->outcome) {
    case KEEP: same = after->outcome == KEEP && strstr(after->condition, "if k ==") != NULL; break;
    case CAP: same = after->outcome == CAP || after->outcome == KEEP; break;
    case CIRCLE: case DISC: case CLEARANCE: case FOOTPRINT: case OFF_LAND:
        same = after->outcome == KEEP || strcmp(before->other, after->other) == 0;
        break;
    case PLACED: case OUTCOME_COUNT: break;
    }
    if (same)
        fail_msg("%s: '%s' was followed, and it is still refused by %s %s%s", before->id, before->advice,
                 outcome_texts[after->outcome], after->condition, after->other);
}

typedef struct Tally {
    int tried, stand, next;
    int by_outcome[OUTCOME_COUNT];
} Tally;

static void try_advice(Host *host, const char *text, const Trial *trial, Tally *tally) {
    static char changed[TEXT_LIMIT];
    if (!follow(text, trial, changed)) return;
    World *world = open_text(host, changed);
    Host other = {host->engine, world};
    Trials again = explain(&other, trial->path, trial->x, trial->z, 1e-6);
    const Trial *after = NULL;
    for (size_t i = 0; i < again.count; i++)
        if (strcmp(again.items[i].id, trial->id) == 0 && again.items[i].k == trial->k) after = &again.items[i];
    assert_non_null(after);
    check_next(trial, after);
    tally->tried++;
    tally->by_outcome[trial->outcome]++;
    if (after->outcome == PLACED) tally->stand++;
    else tally->next++;
    drop(&again);
    world_close(world);
}

/* Out of the house, which is turned by 25 degrees: straight through one of its sides. */
static void test_ways_out(void **state) {
    static const char text[] =
        "part land\n  fn height(here: point) meters { 0 m }\n  fn gradient(here: point) direction { (0, 0, 0) }\n"
        "  fn slope(here: point) number { 0 }\n  fn normal(here: point) direction { (0, 1, 0) }\n"
        "  fn curvature(here: point, over: meters) number { 0 }\npart post\n"
        "part house, at: (10, 0, -14), turn: 25 deg, footprint: [rectangle(x0: -5 m, x1: 5 m, z0: -3 m, z1: 3 m)]\n"
        "part yard\n  field layout = scatter(over: land, rules: [posts])\n"
        "  field posts = rule(candidates: [(10, 0, -14), (13, 0, -15), (7, 0, -13), (9, 0, -12), (11, 0, -16), (14, 0, -16.5)],\n"
        "      test: none, footprintMargin: 0.5 m, place: post(turn: 0 deg))\n";
    const double turn = 25 * 3.14159265358979323846 / 180, half[] = {5, 3};
    Host *host = *state, own = {.engine = host->engine};
    must(&own, world_open_text(own.engine, text, sizeof text - 1, &(WorldDesc){0}, &own.world));
    Trials all = explain_all(&own);
    int met = 0;
    for (size_t i = 0; i < all.count; i++) {
        if (all.items[i].outcome != FOOTPRINT) continue;
        const double places[2][2] = {{all.items[i].x - 10, all.items[i].z + 14},
                                     {table_number(all.table, i, "moveX") - 10, table_number(all.table, i, "moveZ") + 14}};
        double local[2][2];
        for (int k = 0; k < 2; k++) {
            local[k][0] = places[k][0] * cos(turn) - places[k][1] * sin(turn);
            local[k][1] = places[k][0] * sin(turn) + places[k][1] * cos(turn);
        }
        bool along[2] = {fabs(local[0][0] - local[1][0]) < 0.01, fabs(local[0][1] - local[1][1]) < 0.01};
        assert_true(along[0] != along[1]);
        assert_true(fabs(local[1][along[0]]) > half[along[0]]);
        met++;
    }
    assert_int_equal(met, 6);
    drop(&all);
    world_close(own.world);
}

/* What a rule does not say is an empty cell, not one with no number in it. */
static void test_empty_cells(void **state) {
    Trials all = explain_all(*state);
    int rocks = 0, posts = 0;
    for (size_t i = 0; i < all.count; i++) {
        bool size = !world_table_is_empty(all.table, i, world_table_find(all.table, "size"));
        bool test = !world_table_is_empty(all.table, i, world_table_find(all.table, "test"));
        if (strcmp(all.items[i].rule, "posts") == 0) posts += !size && !test;
        if (strcmp(all.items[i].rule, "rocks") == 0 && all.items[i].outcome == CIRCLE) rocks += size && test;
    }
    assert_int_equal(posts, 4);
    assert_true(rocks > 0);
    drop(&all);
}

static void test_advice_holds(void **state) {
    Host *host = *state;
    static char text[TEXT_LIMIT];
    const char *wanted = getenv("SPOTS");
    int spots = wanted ? atoi(wanted) : 40, refused = 0, seen = 0;
    read_text(getenv("WHY_WORLD"), text);
    Trials all = explain_all(host);
    Tally tally = {0};
    for (size_t i = 0; i < all.count; i++) refused += all.items[i].outcome != PLACED;
    int every = refused > spots ? refused / spots : 1;
    for (size_t i = 0; i < all.count; i++)
        if (all.items[i].outcome != PLACED && seen++ % every == 0) try_advice(host, text, &all.items[i], &tally);
    print_message("%d spots refused; %d followed what was advised: %d stand, %d meet the next reason\n", refused,
                  tally.tried, tally.stand, tally.next);
    for (int i = KEEP; i < OUTCOME_COUNT; i++)
        print_message("  refused by %-10s %d\n", outcome_texts[i], tally.by_outcome[i]);
    assert_true(tally.tried * 4 >= spots * 3 || tally.tried >= 1000);
    assert_true(tally.stand > tally.tried / 4);
    drop(&all);
}

/* The change is the least, up to a twentieth of the way. */
static void test_advice_is_least(void **state) {
    const Host *host = *state;
    Trials all = explain_all(host);
    int edits = 0;
    for (size_t i = 0; i < all.count; i++) {
        const Trial *trial = &all.items[i];
        if (trial->outcome != KEEP || trial->edit[0] == '\0') continue;
        bool degrees = strstr(trial->edit, "deg") != NULL;
        double now = strtod(trial->edit, NULL) * (degrees ? 0.017453292519943295 : 1);
        double gap = fabs(trial->left - trial->right);
        double moved = fmin(fabs(now - trial->left), fabs(now - trial->right));
        bool whole = strstr(trial->condition, "k % 7") != NULL;
        assert_true(moved <= 0.05 * gap + 2e-5 || (whole && moved <= 1));
        edits++;
    }
    assert_in_range(edits, 300, 100000);
    drop(&all);
}

/* -- worlds with little to tell -- */

static void test_no_scatter(void **state) {
    Host host = {((Host *)*state)->engine, NULL};
    static const char *const texts[] = {"", "field a: meters = 3 m\n", "part p\n  field list: List[int] = []\n",
                                        "part p\n  field list: List[placed] = []\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        host.world = open_text(&host, texts[i]);
        WorldTable *tables[4] = {0};
        must(&host, world_stats(host.world, "", &tables[0]));
        must(&host, world_explain(host.world, "", 1, 2, 3, &tables[1]));
        must(&host, world_answers(host.world, 1, 2, &tables[2]));
        assert_int_equal(world_stats(host.world, "p.list", &tables[3]), i == 3 ? WORLD_OK :
                         i == 2 ? WORLD_ERROR_NOT_FOUND : WORLD_ERROR_WORLD);
        for (int t = 0; t < 4; t++) {
            assert_int_equal(world_table_rows(tables[t]), 0);
            world_table_destroy(tables[t]);
        }
        world_close(host.world);
    }
}

/* -- warnings -- */

static int count_warnings(const Host *host, const char *id) {
    int found = 0;
    for (size_t i = 0; i < world_diagnostic_count(host->engine, host->world); i++) {
        WorldDiagnostic diagnostic = {.size = sizeof diagnostic};
        must(host, world_diagnostic(host->engine, host->world, i, &diagnostic));
        found += strcmp(diagnostic.id, id) == 0 && diagnostic.severity == WORLD_SEVERITY_WARNING && diagnostic.line > 0;
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

/* What one literal of the text gives one field, in the literal's own unit; nothing that is worked out, or given to many. */
static void test_numbers(void **state) {
    static const char text[] = "use sky\n"
                               "field low = 2\n"
                               "field wide: meters, within: 1 m ..= 2 km = 150 cm\n"
                               "field count: int = -3\n"
                               "field double: meters = wide * 2\n"
                               "field name = \"7\"\n"
                               "part post\n"
                               "  field height: meters = 9 m\n"
                               "part a: post\n"
                               "part b: post, at: (3, 0, 0)\n"
                               "part c: post(height: 4 m)\n"
                               "part air: sky.day(hour: 7.5)\n";
    static const struct {
        const char *path, *literal;
        double value, low, high;
        int64_t whole;
    } known[] = {{"low", "2", 2, NAN, NAN, 1}, {"wide", "150 cm", 150, 100, 200000, 0}, {"count", "-3", -3, NAN, NAN, 1}, {"c.height", "4 m", 4, NAN, NAN, 0}, {"air.hour", "7.5", 7.5, 0, 24, 0}};
    Host host = {((Host *)*state)->engine, NULL};
    host.world = open_text(&host, text);
    WorldTable *table;
    must(&host, world_numbers(host.world, &table));
    assert_int_equal(world_table_rows(table), sizeof known / sizeof *known);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t start = (size_t)table_int(table, i, "start"), end = (size_t)table_int(table, i, "end");
        assert_string_equal(table_text(table, i, "path"), known[i].path);
        assert_string_equal(table_text(table, i, "text"), known[i].literal);
        assert_memory_equal(text + start, known[i].literal, strlen(known[i].literal));
        assert_int_equal(end - start, strlen(known[i].literal));
        assert_true(fabs(table_number(table, i, "value") - known[i].value) < 1e-9);
        double low = table_number(table, i, "low"), high = table_number(table, i, "high");
        assert_true(isnan(known[i].low) ? isnan(low) : fabs(low - known[i].low) < 1e-9);
        assert_true(isnan(known[i].high) ? isnan(high) : fabs(high - known[i].high) < 1e-6);
        assert_int_equal(table_int(table, i, "whole"), known[i].whole);
    }
    world_table_destroy(table);
    world_close(host.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stats_sum),       cmocka_unit_test(test_trials_match_stats),
        cmocka_unit_test(test_looking_changes_nothing), cmocka_unit_test(test_known_spots),
        cmocka_unit_test(test_advice_is_least), cmocka_unit_test(test_no_scatter), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_warnings),        cmocka_unit_test(test_ways_out),
        cmocka_unit_test(test_empty_cells),     cmocka_unit_test(test_advice_holds),
    };
    return cmocka_run_group_tests(tests, open_why, end_host);
}
