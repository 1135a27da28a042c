/* A world that runs in the window: time and keys go in, what it says comes out; a text that is saved anew goes on from the state. */
#ifndef WORLD_COMPILER_CLI_LIVE_WINDOW_H
#define WORLD_COMPILER_CLI_LIVE_WINDOW_H

#include "compiler/cli/cli.h"

enum { LIVE_TAPS = 64, LIVE_TAP_BYTES = 32 };

typedef struct LiveWindow {
    bool halted;     /* a tick failed, which was told: until the text is another */
    bool ran;        /* since the scene was asked for last */
    char words[512]; /* what it said in this frame */
    char news[256];  /* what is to be said in the next */
    char taps[LIVE_TAPS][LIVE_TAP_BYTES]; /* keys that wait for their tick: each is pressed once in one */
    int tap_count, given;                 /* the first `given` of them were pressed, and their tick is not over */
    char *state;     /* written down, of a world whose text could not be read or could not take it */
} LiveWindow;

/* Tells what failed; its first line. */
const char *live_window_tell(LiveWindow *live, Cli *cli, WorldStatus status);
/* What it says, or NULL. */
const char *live_window_run(LiveWindow *live, Cli *cli, double seconds, const char *const *keys, int key_count);
/* Reads the text again; the state that it still has a place for goes on, and what is lost of it is told. */
WorldStatus live_window_reload(LiveWindow *live, Cli *cli);
void live_window_end(LiveWindow *live);

#endif
