/* The scene that a picture is taken of, as the options want it: after some time, at a moment, at an hour, with what is laid on its ground. */
#ifndef WORLD_COMPILER_CLI_SCENE_H
#define WORLD_COMPILER_CLI_SCENE_H

#include "compiler/cli/cli.h"

/* Opens the world, lets it run as far as it shall, and takes its scene. An exit code; what is wrong is told. */
int scene_open(Cli *cli, const WorldScene **scene);
/* In place of what world_scene answered, the same as the options light and paint it; it lives until the next. `fresh`: the world was read anew. */
int scene_dress(Cli *cli, bool fresh, const WorldScene **scene);
/* The scene round an eye, all of it; NULL: round each world's own viewer. Of a build with a view. */
int scene_follow(Cli *cli, const double eye[3], const WorldScene **scene);

#endif
