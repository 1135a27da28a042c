/* What a picture is taken with: the camera, the size and the time that the options ask for. */
#ifndef WORLD_COMPILER_CLI_SHOT_H
#define WORLD_COMPILER_CLI_SHOT_H

#include "compiler/cli/cli.h"
#include "gpu/view.h"

enum { SHOT_ERROR = 256 }; /* bytes of a reason */

typedef struct Shot {
    ViewDesc desc;
    ViewCamera camera;
    bool framed;              /* it shows the whole scene, from as far as that takes: the eye is nobody's */
    int found; /* which of the scene's cameras; -1: it has none, or --from says where */
    unsigned looks;           /* VIEW_WIRE and so on */
    bool lifted;              /* it was told that the eye was under the ground */
} Shot;

/* An exit code; what is wrong is told. The camera stands as at `desc.time` of its way. */
int shot_read(Cli *cli, const WorldScene *scene, Shot *shot);
/* The camera as the scene has it by now, once that many seconds of its way are over. */
int shot_at(Cli *cli, Shot *shot, const WorldScene *scene, double seconds);
/* Where who looks stands; NULL: nowhere. */
const double *shot_eye(const Shot *shot);
/* The time of the camera's way, seconds; 0: it stands. */
double shot_lasts(const Shot *shot, const WorldScene *scene);
/* Opens a view as the options want it; NULL with a reason. */
View *shot_open(const Shot *shot, char *error, size_t size);
/* Draws it, and says with -v what of. An exit code; a land that could not be worked out is told. */
int shot_draw(Cli *cli, View *view, const ViewCamera *camera);
/* Tells a reason, answers the exit code. */
int shot_fail(const char *reason);

/* Draws the film that --frames asks for. */
int film_render(Cli *cli, View *view, Shot *shot, const WorldScene *scene, int frames, const char *path);
/* Of `-o` of a film: what is wrong with it is told. */
int film_check(const Cli *cli, const char *path, int *frames);

#endif
