#include "compiler/cli/number_window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void numbers_forget(NumberWindow *numbers) {
    world_table_destroy(numbers->table);
    free(numbers->now);
    free(numbers->turned);
    numbers->table = NULL;
    numbers->now = NULL;
    numbers->turned = NULL;
    numbers->held = 0;
}

/* How many there are. */
static size_t ask(NumberWindow *n, Cli *cli) {
    if (n->table) return world_table_rows(n->table);
    if (world_numbers(cli->world, &n->table) != WORLD_OK) return 0;
    size_t count = world_table_rows(n->table);
    n->now = calloc(count + 1, sizeof *n->now);
    n->turned = calloc(count + 1, sizeof *n->turned);
    if (n->now == NULL || n->turned == NULL) {
        numbers_forget(n);
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        n->now[i] = table_number(n->table, i, "value");
    return count;
}

/* -- one number -- */

typedef struct Reach {
    double low, high, wide;
    int decimals;
} Reach;

/* Of its `within`; without one, as far again as it is from 0 either way. */
static Reach reach_of(const NumberWindow *n, size_t row) {
    Reach reach = {.low = table_number(n->table, row, "low"), .high = table_number(n->table, row, "high")};
    double value = table_number(n->table, row, "value"), about = value != 0 ? 2 * fabs(value) : 1;
    if (isnan(reach.low)) reach.low = fmin(value - about, isnan(reach.high) ? INFINITY : reach.high);
    if (isnan(reach.high)) reach.high = fmax(value + about, reach.low);
    reach.wide = fmin(reach.high - reach.low, 10 * about); /* up to 86400 s is too far for a hand */
    reach.decimals = table_int(n->table, row, "whole") || !(reach.wide > 0) ? 0 : (int)fmin(9, fmax(0, 3 - ceil(log10(reach.wide))));
    return reach;
}

/* With no more decimals than it needs. */
static void print_short(double number, int decimals, char *out, size_t size) {
    snprintf(out, size, "%.*f", decimals, number);
    if (decimals == 0) return;
    char *end = out + strlen(out);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.') end[-1] = '\0';
}

/* As the text says it: the number, and behind it what its literal has. */
static void print_number(const NumberWindow *n, size_t row, char *out, size_t size) {
    const char *literal = table_text(n->table, row, "text");
    char *unit, number[64];
    strtod(literal, &unit);
    print_short(n->now[row], reach_of(n, row).decimals, number, sizeof number);
    if (n->turned[row])
        snprintf(out, size, "%s%s", number, unit);
    else
        snprintf(out, size, "%s", literal);
}

const char *numbers_list(NumberWindow *n, Cli *cli, int first, int most) {
    size_t count = ask(n, cli), at = 0;
    if ((size_t)first >= count) return NULL;
    for (size_t row = (size_t)first; row < count && row < (size_t)first + (size_t)most; row++) {
        char now[64];
        double low = table_number(n->table, row, "low"), high = table_number(n->table, row, "high");
        print_number(n, row, now, sizeof now);
        at += (size_t)snprintf(n->text + at, sizeof n->text - at, "%s%-26.40s %s%s", at ? "\n" : "", table_text(n->table, row, "path"), now, n->turned[row] ? " (TURNED)" : "");
        if (at < sizeof n->text && !isnan(low) && !isnan(high)) at += (size_t)snprintf(n->text + at, sizeof n->text - at, "  (%.6g TO %.6g)", low, high);
        if (at >= sizeof n->text) break;
    }
    return n->text;
}

static const char *set_field(NumberWindow *n, Cli *cli, size_t row, bool *set) {
    char value[64];
    print_number(n, row, value, sizeof value);
    WorldStatus status = world_set(cli->world, table_text(n->table, row, "path"), value);
    *set = status == WORLD_OK;
    if (*set) return NULL;
    WorldDiagnostic first = {.size = sizeof first};
    bool told = world_diagnostic(cli->engine, cli->world, 0, &first) == WORLD_OK;
    snprintf(n->words, sizeof n->words, "%s", told ? first.message : world_status_text(status));
    session_report(cli, status);
    n->now[row] = n->from;
    return n->words;
}

const char *numbers_turn(NumberWindow *n, Cli *cli, int line, double by, bool done, bool *set) {
    size_t count = ask(n, cli), row = (size_t)line;
    *set = false;
    if (line < 0 || row >= count) return NULL;
    if (n->held != line + 1) n->from = n->now[row];
    n->held = done ? 0 : line + 1;
    Reach reach = reach_of(n, row);
    double power = pow(10, reach.decimals), next = round((n->from + by * reach.wide) * power) / power;
    n->now[row] = fmin(reach.high, fmax(reach.low, next));
    n->turned[row] = true;
    return done ? set_field(n, cli, row, set) : NULL;
}

/* -- into the text -- */

/* Whether the literals still stand where they were read. */
static bool is_the_same(const NumberWindow *n, const char *text, size_t length) {
    for (size_t row = 0; row < world_table_rows(n->table); row++) {
        const char *literal = table_text(n->table, row, "text");
        size_t start = (size_t)table_int(n->table, row, "start");
        if (start + strlen(literal) > length || memcmp(text + start, literal, strlen(literal)) != 0) return false;
    }
    return true;
}

/* Rows are in the order of the text. */
static bool write_text(const NumberWindow *n, const char *path, const char *text, size_t length) {
    WholeFile file;
    size_t at = 0;
    if (!file_open(&file, path)) return false;
    for (size_t row = 0; row < world_table_rows(n->table); row++) {
        char now[64];
        size_t start = (size_t)table_int(n->table, row, "start");
        if (!n->turned[row]) continue;
        print_number(n, row, now, sizeof now);
        file_add(&file, text + at, start - at);
        file_add(&file, now, strlen(now));
        at = (size_t)table_int(n->table, row, "end");
    }
    file_add(&file, text + at, length - at);
    return file_commit(&file);
}

const char *numbers_save(NumberWindow *n, Cli *cli) {
    size_t count = ask(n, cli), length, turned = 0;
    for (size_t row = 0; row < count; row++)
        turned += n->turned[row];
    if (turned == 0) return "NO NUMBER WAS TURNED";
    const char *path = table_text(n->table, 0, "file");
    char *text = input_read(path, &length);
    if (text == NULL)
        snprintf(n->words, sizeof n->words, "NOT SAVED: %.200s CANNOT BE READ", path);
    else if (!is_the_same(n, text, length))
        snprintf(n->words, sizeof n->words, "NOT SAVED: THE TEXT IS ANOTHER BY NOW");
    else
        snprintf(n->words, sizeof n->words, write_text(n, path, text, length) ? "SAVED %zu OF ITS NUMBERS" : "NOT SAVED", turned);
    free(text);
    return n->words;
}
