/* A trigger as the library declares it (living.trigger), slot by slot. stdlib/layout.c holds these against it. */
#ifndef WORLD_RT_TRIGGER_H
#define WORLD_RT_TRIGGER_H

enum { TRIGGER_KIND, TRIGGER_HOLDS, TRIGGER_PERIOD, TRIGGER_NAME, TRIGGER_SLOTS };
enum { TRIGGER_CHANGE, TRIGGER_BEAT, TRIGGER_PRESS };

#endif
