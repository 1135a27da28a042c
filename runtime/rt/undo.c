/* What a tick that fails puts back beside its acts: the members that loops made anew in it, because of the clock or of what was set before it,
 * and who listens. */
#include "runtime/rt/life_inside.h"

void life_may_undo(RtLife *life) {
    life->undoable = true;
    life->found = false;
}

void life_note_members(RtLife *life, RtPart *part) {
    if (life == NULL || !life->undoable) return;
    VEC_ROOM(&life->arena, &life->replaced, 1);
    RtMembers was = {part, part->members, part->member_index, part->member_count, part->member_index_size, part->members_by};
    if (was.by) was.by->refs++;
    VEC_PUSH(&life->arena, &life->replaced, was);
}

void life_note_gone(RtLife *life, RtPart *part) {
    if (life && life->undoable) VEC_PUSH(&life->arena, &life->went, part);
}

void life_note_listeners(RtLife *life) {
    for (int h = 0; h < life->handler_count && !life->found; h++) {
        Handler *handler = &life->handlers[h];
        handler->before_count = handler->listeners.count;
        handler->before = ARENA_ARRAY(&life->tick_arena, RtListener, handler->before_count + 1);
        if (handler->before_count) memcpy(handler->before, handler->listeners.items, sizeof *handler->before * (size_t)handler->before_count);
    }
    life->found = true;
}

static void undo_listeners(RtLife *life) {
    for (int h = 0; h < life->handler_count && life->found; h++)
        for (int i = 0; i < life->handlers[h].listeners.count; i++)
            life->handlers[h].listeners.items[i].part->listens = false;
    for (int h = 0; h < life->handler_count && life->found; h++) {
        Handler *handler = &life->handlers[h];
        handler->listeners.count = handler->before_count;
        for (int i = 0; i < handler->before_count; i++) {
            handler->listeners.items[i] = handler->before[i];
            handler->before[i].part->listens = true;
        }
    }
    if (life->found) life->walked = false;
}

void life_undo_members(RtLife *life) {
    life->undoable = false;
    for (int i = 0; i < life->went.count; i++)
        part_back(life->world, life->went.items[i]);
    for (int i = life->replaced.count - 1; i >= 0; i--)
        part_members_back(life->world, &life->replaced.items[i]);
    life->went.count = life->replaced.count = 0;
    undo_listeners(life);
}

void life_keep_members(RtLife *life) {
    for (int i = 0; i < life->replaced.count; i++)
        version_release(life->world, life->replaced.items[i].by);
    life->went.count = life->replaced.count = 0;
    life->undoable = false;
}
