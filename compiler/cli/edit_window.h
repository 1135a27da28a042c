/* Editing in the window: what a picked thing is and why it stands, and what is done to it, kept at once. */
#ifndef WORLD_COMPILER_CLI_EDIT_WINDOW_H
#define WORLD_COMPILER_CLI_EDIT_WINDOW_H

#include "compiler/cli/cli.h"
#include "gpu/view.h"

typedef struct EditWindow {
    Cli *cli;
    char layout[512], id[256]; /* of what was picked last; "": nothing */
    char words[512];
    bool edited; /* since the scene was last asked for */
} EditWindow;

/* Of a ViewLoop whose `user` begins with an EditWindow. */
extern const ViewEdits edit_window;

#endif
