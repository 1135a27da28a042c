#include "compiler/cli/live_window.h"

#include <stdlib.h>
#include <string.h>

static void add_words(LiveWindow *live, const char *text) {
    size_t length = strlen(live->words);
    snprintf(live->words + length, sizeof live->words - length, "%s%s", length ? "\n" : "", text);
}

const char *live_window_tell(LiveWindow *live, Cli *cli, WorldStatus status) {
    WorldDiagnostic first = {.size = sizeof first};
    bool told = world_diagnostic(cli->engine, cli->world, 0, &first) == WORLD_OK;
    add_words(live, told ? first.message : world_status_text(status));
    session_report(cli, status);
    return live->words;
}

const char *live_window_run(LiveWindow *live, Cli *cli, double seconds, const char *const *keys, int key_count) {
    WorldEvent event = {.size = sizeof event};
    WorldTime before = {.size = sizeof before}, after = {.size = sizeof after};
    live->words[0] = '\0';
    if (live->halted || world_time(cli->world, &before) != WORLD_OK) return NULL;
    for (int i = 0; i < key_count; i++)
        world_press(cli->world, keys[i]); /* more than there is room for are too many for anybody */
    WorldStatus status = world_step(cli->world, seconds);
    if (status != WORLD_OK) {
        add_words(live, "IT STANDS STILL:");
        live_window_tell(live, cli, status);
        live->halted = true;
    }
    while (world_event_next(cli->world, &event)) {
        if (event.kind != WORLD_EVENT_SAID) continue;
        puts(event.text);
        add_words(live, event.text);
    }
    fflush(stdout);
    live->ran |= world_time(cli->world, &after) == WORLD_OK && after.tick != before.tick;
    return live->words[0] ? live->words : NULL;
}

WorldStatus live_window_reload(LiveWindow *live, Cli *cli) {
    const char *json;
    char *state = world_state_save(cli->world, &json) == WORLD_OK ? strdup(json) : NULL;
    WorldStatus status = world_reload(cli->world);
    if (status == WORLD_OK && state) status = world_state_load(cli->world, state, strlen(state));
    live->halted = live->halted && status != WORLD_OK;
    free(state);
    return status;
}
