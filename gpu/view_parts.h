/* What a View is made of; for view*.c and pilot*.c only. */
#ifndef WORLD_GPU_VIEW_PARTS_H
#define WORLD_GPU_VIEW_PARTS_H

#include "gpu/contact.h"
#include "gpu/cover.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/lamp_shadow.h"
#include "gpu/lamps.h"
#include "gpu/land.h"
#include "gpu/material.h"
#include "gpu/minimap.h"
#include "gpu/overlay.h"
#include "gpu/program.h"
#include "gpu/scenery.h"
#include "gpu/sea.h"
#include "gpu/shadow.h"
#include "gpu/sky.h"
#include "gpu/state.h"
#include "gpu/target.h"
#include "gpu/things.h"
#include "gpu/timer.h"
#include "gpu/view.h"
#include "gpu/walk.h"

enum { VIEW_WORDS = 512 }; /* bytes */

struct View {
    Device device;
    State state;
    Programs programs;
    Frame frame;
    Land land;
    Materials materials;
    double time; /* seconds */
    Things things;
    Cover cover;
    Scenery scenery;
    Sea sea;
    Lamps lamps;
    LampShadow lamp_shadow;
    Contact contact;
    Shadow shadow;
    Picture picture;
    Overlay overlay;
    Walk walk;
    bool has_sea, has_floor; /* a floor where there is no land */
    bool has_field;          /* level ground round a land that ends in none of the ways that show */
    double level, plane;     /* of the sea; of the floor or the field, meters */
    double bank;             /* how wide the land's border comes down to the field, meters of the land; 0: it does not */
    Vec sun; /* toward it */
    Vec middle;    /* of a planet */
    double radius; /* of it; 0: the ground is a plane */
    float sun_color[4], sky_color[4], ground_color[4], air[4]; /* as FrameBlock has them */
    WorldSky shown_sky; /* its path is not looked at */
    WorldWind wind;     /* likewise, but whether there is one */
    uint64_t shape;     /* of the scene that is shown whole; 0: none */
    size_t land_uploaded; /* bytes of the land's maps, the last time a scene was set */
    bool magenta, has_compute;
    bool low, chosen; /* of the quality: what is drawn; not by the device */
    unsigned looks;
    Minimap minimap;
    Timer timer;
    char words[VIEW_WORDS];
};

/* Whether what is seen changes by itself: while the processor draws, leaves stand still. */
bool view_moves(const View *view);
/* Words and the minimap over the picture in hand. */
void view_add_overlay(View *view);
/* How far up the words of view_set_words reach, pixels. */
int view_words_height(const View *view, int scale);
/* Makes the picture another size; false when the driver refuses. */
bool view_resize(View *view, int width, int height, char *error, size_t size);

#endif
