/* stats: what each rule of the scatters tried, placed and refused, and why; as a table or JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/cli.h"

enum { FIRST_ROOM = 64 }; /* rows: asking twice would run the scatters twice */

static void print_json(const WorldRuleStats *row, bool first) {
    fputs(first ? "[{\"path\": " : ",\n {\"path\": ", stdout);
    output_json_text(stdout, row->path);
    fputs(", \"rule\": ", stdout);
    output_json_text(stdout, row->rule);
    printf(", \"candidates\": %" PRId64 ", \"kept\": %" PRId64, row->candidates, row->kept);
    for (int i = 0; i < WORLD_OUTCOME_COUNT; i++)
        printf(", \"%s\": %" PRId64, world_outcome_text((WorldOutcome)i), row->outcomes[i]);
    printf(", \"draws\": %" PRIu64 ", \"atMost\": ", row->draws);
    if (row->cap < 0)
        fputs("null}", stdout);
    else
        printf("%" PRId64 "}", row->cap);
}

static void print_head(const char *path) {
    printf("%s\n  %-16s %10s %8s %8s", path, "rule", "candidates", "kept", "placed");
    for (int i = WORLD_REFUSED_KEEP; i < WORLD_OUTCOME_COUNT; i++)
        printf(" %9s", world_outcome_text((WorldOutcome)i));
    printf(" %9s %7s\n", "draws", "atMost");
}

static void print_row(const WorldRuleStats *row) {
    printf("  %-16s %10" PRId64 " %8" PRId64 " %8" PRId64, row->rule, row->candidates, row->kept,
           row->outcomes[WORLD_PLACED]);
    for (int i = WORLD_REFUSED_KEEP; i < WORLD_OUTCOME_COUNT; i++)
        printf(" %9" PRId64, row->outcomes[i]);
    printf(" %9" PRIu64, row->draws);
    if (row->cap >= 0) printf(" %7" PRId64, row->cap);
    putchar('\n');
}

static void print_rows(const Cli *cli, const WorldRuleStats *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (cli->has[OPTION_JSON]) {
            print_json(&rows[i], i == 0);
            continue;
        }
        if (i == 0 || strcmp(rows[i].path, rows[i - 1].path) != 0) print_head(rows[i].path);
        print_row(&rows[i]);
    }
    if (cli->has[OPTION_JSON])
        puts(count ? "]" : "[]");
    else if (count == 0)
        puts("no scatter");
}

static int tell_status(Cli *cli, WorldStatus status, const char *path) {
    if (status != WORLD_ERROR_NOT_FOUND) return session_report(cli, status);
    fprintf(stderr, "worldc: '%s' holds no placed things\n", path);
    return EXIT_WORLD;
}

WorldStatus stats_read(World *world, const char *path, WorldRuleStats **rows, size_t *count) {
    size_t room = FIRST_ROOM;
    for (;;) {
        *rows = calloc(room, sizeof **rows);
        if (*rows == NULL) return WORLD_ERROR_MEMORY;
        WorldStatus status = world_stats(world, path, room, *rows, count);
        if (status == WORLD_OK && *count <= room) return WORLD_OK;
        free(*rows);
        *rows = NULL;
        if (status != WORLD_OK) return status;
        room = *count;
    }
}

int command_stats(Cli *cli) {
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    const char *path = cli->word_count > 1 ? cli->words[1] : "";
    size_t count;
    WorldRuleStats *rows;
    WorldStatus status = stats_read(cli->world, path, &rows, &count);
    if (status != WORLD_OK) return tell_status(cli, status, path);
    print_rows(cli, rows, count);
    free(rows);
    return session_report(cli, status);
}
