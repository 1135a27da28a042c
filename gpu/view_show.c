/* What is shown over a picture and beside it: words, what the device draws, how long it takes, the minimap; and ways to look at how it is drawn. */
#include "gpu/view_parts.h"

#include "gpu/font.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BORDER = 12, STATUS_BYTES = 1024 };

void view_set_words(View *view, const char *words) {
    snprintf(view->words, sizeof view->words, "%s", words);
}

void view_set_time(View *view, double time) {
    view->time = time;
}

void view_set_looks(View *view, unsigned looks) {
    view->looks = looks;
    view->minimap.shown = looks & VIEW_MINIMAP;
    view->timer.running = looks & VIEW_TIMES;
}

void view_status(const View *view, char *text, size_t size) {
    char cover[STATUS_BYTES], times[STATUS_BYTES];
    cover_note(&view->cover, cover, sizeof cover);
    timer_text(&view->timer, times, sizeof times);
    snprintf(text, size, "quality %s, %s\n%llu triangles of at most %llu%s%s%s%s", view->low ? "low" : "high",
             view->chosen ? "as asked" : view->low ? "for the processor draws" : "for a card draws", (unsigned long long)view_triangles(view),
             (unsigned long long)view_most_triangles(view), cover[0] ? "\n" : "", cover, view->timer.running ? "\n" : "", view->timer.running ? times : "");
}

static int longest_line(const char *text) {
    int most = 0, line = 0;
    for (; *text; text++) {
        line = *text == '\n' ? 0 : line + 1;
        most = line > most ? line : most;
    }
    return most;
}

static void add_status(View *view, int scale) {
    char text[3 * STATUS_BYTES];
    view_status(view, text, sizeof text);
    int width = (longest_line(text) * FONT_ADVANCE + 2 * BORDER) * scale, under = BORDER;
    double map = view->minimap.shown ? minimap_side(view->picture.width, view->picture.height) : 0;
    if (map > 0) under += (int)map + BORDER;
    overlay_text(&view->overlay, text, view->picture.width - width, under, scale);
}

int view_words_height(const View *view, int scale) {
    return view->words[0] ? BORDER + overlay_height(view->words, scale) : 0;
}

void view_add_overlay(View *view) {
    int height = view->picture.height, scale = overlay_scale(height);
    if (view->words[0]) overlay_text(&view->overlay, view->words, BORDER, height - view_words_height(view, scale), scale);
    if (view->looks & (VIEW_STATUS | VIEW_TIMES)) add_status(view, scale);
}
