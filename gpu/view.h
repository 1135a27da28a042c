/* The view: draws a WorldScene with GL 4.5, in a window or offscreen, through one renderer.
 *
 * Knows the runtime's data (world.h's scene), never the compiler. The land is drawn from the very
 * triangles that `land.height` answers from. Linear light, tone mapped at the end.
 */
#ifndef WORLD_GPU_VIEW_H
#define WORLD_GPU_VIEW_H

#include "world/world.h"

typedef struct View View;

typedef struct ViewCamera {
    double from[3], to[3]; /* meters */
    double fov;            /* vertical, radians; 0: 50 degrees */
    bool orthographic;     /* then `extent` meters are seen from top to bottom */
    double extent;
    double up[3]; /* the way that is up in the picture; none: y */
} ViewCamera;

enum { VIEW_LONGEST = 86400 }; /* seconds, of a time */

/* How much is drawn: low at most 400 000 triangles, one sample a pixel whose edges are smoothed afterwards, one tap of a shadow map half as fine, maps
 * filtered within a level, 0.62 of the cover's reach at 0.4 of its density, a coarser sea, and leaves that stand still in a window; high at most 1 200 000 and all of that whole. By the device: low where the processor draws, high on a card. */
typedef enum ViewQuality { VIEW_BY_DEVICE, VIEW_LOW, VIEW_HIGH } ViewQuality;

/* Ways to look at how a picture is drawn, to be added up. */
enum {
    VIEW_WIRE = 1,    /* triangles as lines */
    VIEW_LEVELS = 2,  /* things colored by their level of detail (white, green, yellow, orange, violet for pictures), the ground by its own (white, green, yellow, orange, red, blue) */
    VIEW_MINIMAP = 4, /* the whole from above at the top right, and where the eye is */
    VIEW_STATUS = 8,  /* the quality and what is drawn, as words */
    VIEW_TIMES = 16   /* and how long the card takes for it */
};

typedef struct ViewDesc {
    int width, height; /* pixels; 0: 1280 x 720 */
    bool window;       /* GLFW window; else offscreen through EGL surfaceless */
    const char *title;
    bool validate; /* GL debug output: messages are collected, view_messages counts them */
    double time;   /* of what moves, seconds: the same gives the same picture. A window's goes on from there */
    bool magenta;  /* to look for holes: no sky, sea or shadows, over pure magenta */
    bool no_compute; /* as on a device without: what needs it is left out */
    ViewQuality quality;
} ViewDesc;

/* NULL with a reason in error (size bytes) when there is no display or no GL 4.5. */
View *view_create(const ViewDesc *desc, char *error, size_t size);
void view_destroy(View *view);
/* Uploads what the card has not: what was in the scene before, by what lies in it, is not uploaded again. May be called again after the
 * world changed. The scene is not kept. */
bool view_set_scene(View *view, const WorldScene *scene, char *error, size_t size);
/* How many bytes of the land, of meshes and their copies, and of the cover that took, the last time. */
size_t view_uploaded(const View *view);
/* A camera that shows the whole scene well. */
ViewCamera view_default_camera(const WorldScene *scene);
/* One of the world's, once that share of its time is over, 0 to 1. */
ViewCamera view_camera_of(const WorldCamera *camera, double share);
/* What moves is as it is then, seconds. */
void view_set_time(View *view, double time);
/* VIEW_WIRE and so on, from now on. */
void view_set_looks(View *view, unsigned looks);
/* What VIEW_STATUS shows, of the last frame. */
void view_status(const View *view, char *text, size_t size);
/* Lines that stand at the bottom left of every picture from now on; "": none. */
void view_set_words(View *view, const char *words);
/* Draws one frame. */
void view_draw(View *view, const ViewCamera *camera);
/* RGBA8, sRGB, row by row from the top; width * height * 4 bytes. */
void view_read_color(View *view, uint8_t *rgba);
/* Height of what is seen, in meters, for an orthographic camera looking straight down: width *
 * height doubles, row by row from the top of the picture; NaN where nothing of the land was drawn.
 * Only the land is drawn. */
void view_read_land_height(View *view, const ViewCamera *camera, double *heights);
int view_messages(const View *view); /* GL complaints so far */
/* Whether some of a land that is a function could not be worked out since this was asked last: it is level there. */
bool view_land_failed(View *view);
/* Of the land, the cover and the things of the last frame, its shadows left out. About as many as the quality lets there be; things then show
 * coarser levels. */
uint64_t view_triangles(const View *view);
uint64_t view_most_triangles(const View *view);

/* Of the ground's cover in the last frame: how much is drawn, and what the device leaves of it or that it draws none; empty without any. */
void view_cover_note(const View *view, char *text, size_t size);

/* The window's loop; returns when the window is closed. `ground` answers the land's height in the
 * land's own frame; NULL: nobody walks, and the eye may go under the ground.
 */
typedef struct ViewEdits { /* what the pointer does to placed things; each answers words to be shown */
    const char *(*pick)(void *user, const WorldThing *thing);
    /* Of what was picked last, and of the last edit. The scene is not looked at again until `changed`, which is asked behind it, answers one. */
    const char *(*remove)(void *user);
    const char *(*move)(void *user, const double to[3]); /* a place of the world, meters */
    const char *(*undo)(void *user);
} ViewEdits;
typedef struct ViewNumbers { /* numbers of the text, a line each, that the pointer turns */
    /* `most` lines from the one on, with newlines between, to be shown; NULL: there are none from there. */
    const char *(*list)(void *user, int first, int most);
    /* The line's number goes by so much of its range; `done`: it is set, and `changed` is asked behind it. Words to be shown, or NULL. */
    const char *(*turn)(void *user, int line, double by, bool done);
    const char *(*save)(void *user); /* into the text; words to be shown */
} ViewNumbers;
typedef struct ViewLoop {
    double (*ground)(void *user, double x, double z);
    /* Asked every frame, of where the eye is. False: what is shown is as it was; else a new scene, or NULL: there is none, and the one before is no
     * more. */
    bool (*changed)(void *user, const double eye[3], const WorldScene **scene);
    /* What a walker bumps into, and stands on, by now; NULL: nothing. Asked while somebody walks. */
    const WorldSolids *(*solids)(void *user);
    /* The world runs on by the seconds since the frame before, with the keys that were pressed in it; answers what it says, to be shown, or
     * NULL. NULL: it stands still. `changed` is asked behind it. */
    const char *(*live)(void *user, double seconds, const char *const *keys, int key_count);
    /* A land that is a function could not be worked out for the frame that was drawn: answers why, to be shown. */
    const char *(*failed)(void *user);
    /* It is so many hours later, or earlier; answers words to be shown. `changed` is asked behind it. NULL: the day stands still. */
    const char *(*pass)(void *user, double hours);
    const ViewEdits *edits;  /* NULL: nothing is edited */
    const ViewNumbers *numbers; /* NULL: there are none */
    const WorldScene *scene; /* of edits: what is shown at first */
    void *user;
} ViewLoop;
void view_run(View *view, ViewCamera camera, const ViewLoop *loop);

#endif
