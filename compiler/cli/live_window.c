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

static void add_taps(LiveWindow *live, const char *const *keys, int count) {
    for (int i = 0; i < count && live->tap_count < LIVE_TAPS; i++) /* more than there is room for are too many for anybody */
        if (strlen(keys[i]) < LIVE_TAP_BYTES) strcpy(live->taps[live->tap_count++], keys[i]);
}

static bool was_given(const LiveWindow *live, const char *key) {
    for (int i = 0; i < live->given; i++)
        if (strcmp(live->taps[i], key) == 0) return true;
    return false;
}

/* Those that were not pressed in this tick, up to the first that was: they keep their order. */
static void give_taps(LiveWindow *live, World *world) {
    while (live->given < live->tap_count && !was_given(live, live->taps[live->given]))
        world_press(world, live->taps[live->given++]);
}

static void drop_given(LiveWindow *live) {
    live->tap_count -= live->given;
    memmove(live->taps, live->taps[live->given], sizeof live->taps[0] * (size_t)live->tap_count);
    live->given = 0;
}

/* In one stride, but for keys that wait for a tick each. */
static WorldStatus step_taps(LiveWindow *live, World *world, double seconds) {
    WorldTime time = {.size = sizeof time};
    WorldStatus status = world_time(world, &time);
    while (status == WORLD_OK) {
        give_taps(live, world);
        double stride = live->given < live->tap_count && time.step < seconds ? time.step : seconds;
        int64_t tick = time.tick;
        status = world_step(world, stride);
        seconds -= stride;
        if (status == WORLD_OK) status = world_time(world, &time);
        if (time.tick != tick) drop_given(live);
        if (!(seconds > 0)) break;
    }
    return status;
}

const char *live_window_run(LiveWindow *live, Cli *cli, double seconds, const char *const *keys, int key_count) {
    WorldEvent event = {.size = sizeof event};
    WorldTime before = {.size = sizeof before}, after = {.size = sizeof after};
    live->words[0] = '\0';
    if (live->news[0]) add_words(live, live->news);
    live->news[0] = '\0';
    if (live->halted || world_time(cli->world, &before) != WORLD_OK) return live->words[0] ? live->words : NULL;
    add_taps(live, keys, key_count);
    WorldStatus status = step_taps(live, cli->world, seconds);
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

static void tell(LiveWindow *live, const char *news) {
    fprintf(stderr, "worldc: %s\n", news);
    snprintf(live->news, sizeof live->news, "%s", news);
}

/* The state of now; when there is none to be had, of a text before this one that could not take it, that one. */
static void keep_state(LiveWindow *live, Cli *cli) {
    WorldTime time = {.size = sizeof time};
    const char *json;
    char *state = world_state_save(cli->world, &json) == WORLD_OK ? strdup(json) : NULL;
    if (state) {
        free(live->state);
        live->state = state;
    } else if (live->state == NULL && world_time(cli->world, &time) == WORLD_OK && time.tick > 0) {
        tell(live, "its state could not be kept: it begins anew");
    }
}

/* What is wrong with a text, or lost of the state, is said over the picture. */
static void keep_first(LiveWindow *live, const Cli *cli) {
    WorldDiagnostic first = {.size = sizeof first};
    if (world_diagnostic(cli->engine, cli->world, 0, &first) == WORLD_OK) snprintf(live->news, sizeof live->news, "%s", first.message);
}

WorldStatus live_window_reload(LiveWindow *live, Cli *cli) {
    keep_state(live, cli);
    WorldStatus status = world_reload(cli->world);
    if (status == WORLD_OK && live->state) status = world_state_load(cli->world, live->state, strlen(live->state));
    if (status != WORLD_OK || live->state) keep_first(live, cli);
    if (status == WORLD_OK) {
        live_window_end(live);
        live->halted = false;
    }
    return status;
}

void live_window_end(LiveWindow *live) {
    free(live->state);
    live->state = NULL;
}
