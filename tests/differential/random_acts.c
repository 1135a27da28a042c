/* Random worlds that run: the interpreter against machine code, tick by tick, the whole state to the bit and faults to the word.
 *
 *     random_acts [worlds] [seed]
 *
 * A world has parts with fields of every kind that can be state, and handlers whose triggers and acts are random; it runs in two
 * engines, and in a third that is read from the state in the middle. What differs is told by tick and line of the state, which
 * names the part and the field, and the world is printed.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/world.h"

enum { TEXT = 1 << 16, TICKS = 24, MIDDLE = 11 };

typedef struct Gen {
    uint64_t state;
    char text[TEXT];
    size_t length;
} Gen;

static uint32_t draw(Gen *g, uint32_t below) {
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 33) % below;
}

static void put(Gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Gen *g, const char *format, ...) {
    va_list args;
    va_start(args, format);
    g->length += (size_t)vsnprintf(g->text + g->length, TEXT - g->length, format, args);
    va_end(args);
    if (g->length >= TEXT) abort();
}

static const char *const parts[] = {"a", "b", "c"};
static const char *part(Gen *g) { return parts[draw(g, 3)]; }

static void number(Gen *g, int depth) {
    static const char *const leaves[] = {"clock.now / 1 s", "%s.x", "%s.xs.length()", "%s.n", "apart(self, %s) / 1 m", "%s.bit.length()"};
    uint32_t pick = depth > 2 ? draw(g, 7) : draw(g, 11);
    if (pick < 6) {
        put(g, leaves[pick], part(g));
        return;
    }
    if (pick == 6) {
        put(g, "%d.%d", draw(g, 20), draw(g, 10));
        return;
    }
    static const char *const joins[] = {" + ", " - ", " * ", " / "};
    put(g, pick == 7 ? "sin(1 rad * (" : pick == 8 ? "number(random(7, int(floor(clamp(" : "(");
    number(g, depth + 1);
    if (pick == 7) {
        put(g, "))");
    } else if (pick == 8) {
        put(g, ", -1000, 1000))))) / 1000000000");
    } else {
        put(g, "%s", joins[draw(g, 3)]);
        number(g, depth + 1);
        put(g, ")");
    }
}

static void condition(Gen *g) {
    number(g, 1);
    put(g, draw(g, 2) ? " > " : " < ");
    number(g, 1);
}

static void act(Gen *g, int depth);

static void acts(Gen *g, int depth) {
    put(g, "{ ");
    for (uint32_t i = 1 + draw(g, 3); i; i--) {
        act(g, depth + 1);
        if (i > 1) put(g, "; ");
    }
    put(g, " }");
}

static void act(Gen *g, int depth) {
    const char *of = part(g);
    switch (draw(g, depth > 2 ? 9 : 14)) {
    case 0:
        put(g, "%s.x += clamp(", of);
        number(g, 0);
        put(g, ", -100, 100)");
        return;
    case 1:
        put(g, "y = clamp(");
        number(g, 0);
        put(g, ", -9, 9)");
        return;
    case 2:
        put(g, "%s.n += %d", of, draw(g, 5));
        return;
    case 3:
        put(g, "%s.at.%c += %d.5 m", of, 'x' + (char)draw(g, 3), draw(g, 9));
        return;
    case 4:
        put(g, "xs += [int(floor(clamp(");
        number(g, 1);
        put(g, ", -9, 9)))]");
        return;
    case 5:
        put(g, "if xs.length() > 0 { xs[0] = n }");
        return;
    case 6:
        put(g, "said = \"\\{x} \\{n}\"");
        return;
    case 7:
        put(g, "friend = %s.friend", of);
        return;
    case 8:
        put(g, "kept = pair(x: x, names: [said, \"%d\"])", draw(g, 9));
        return;
    case 9:
        put(g, "friend = spawn(bit(k: n), under: %s, at: (x * 1 m, 0 m, 0 m)%s)", of, draw(g, 2) ? ", lifetime: 0.3 s" : "");
        return;
    case 10:
        put(g, "if ");
        condition(g);
        put(g, " ");
        acts(g, depth);
        return;
    case 11:
        put(g, "each i in 0 ..< %d { %s.n += i }", draw(g, 4), of);
        return;
    case 12:
        put(g, "after(0.%d s, ", draw(g, 9));
        acts(g, depth);
        put(g, ")");
        return;
    default:
        put(g, "if %s.bit.length() > 1 { remove(%s.bit.first()) }", of, of);
    }
}

static void handler(Gen *g) {
    put(g, "  on(");
    switch (draw(g, 4)) {
    case 0:
        put(g, "every(0.%d s)", 1 + draw(g, 9));
        break;
    case 1:
        put(g, "entered(%s, %d m)", part(g), 1 + draw(g, 9));
        break;
    case 2:
        put(g, "key(\"%c\")", 'g' + (char)draw(g, 2));
        break;
    default:
        put(g, "became(");
        condition(g);
        put(g, ")");
    }
    put(g, ", ");
    acts(g, 0);
    put(g, ")\n");
}

static void generate(Gen *g) {
    put(g, "field step: seconds = 0.1 s\n"
           "record pair\n  x: number\n  names: List[text]\n"
           "fn first(xs: List[bit]) bit { xs[0] }\n"
           "part bit\n  field k: int\n  field age = 0\n"
           "  on(every(0.15 s), { age += 1; parent_() })\n  fn parent_() { at.y = age * 1 m }\n"
           "part nest\n  on(key(\"none\"), { spawn(bit(k: 0)) })\n");
    for (int i = 0; i < 3; i++) {
        put(g, "part %s, at: (%d m, 0 m, clock.now * %d m / 1 s)\n", parts[i], draw(g, 9), draw(g, 3));
        put(g, "  field x: number, within: -1000 ..= 1000 = %d\n  field y = x * 2\n  field n = 0\n  field xs: List[int] = []\n"
               "  field said: text = \"\"\n  field friend: anyPart = self\n  field kept: pair? = none\n",
            draw(g, 9));
        for (uint32_t k = 1 + draw(g, 4); k; k--)
            handler(g);
    }
}

/* -- running -- */

typedef struct Side {
    WorldEngine *engine;
    World *world;
    WorldStatus status;
    char said[1024]; /* of the last tick */
} Side;

static int give_up(const Side *side, const char *text) {
    fputs(text, stdout);
    fputs(world_diagnostics_text(side->engine, side->world, WORLD_STYLE_ONE_LINE), stdout);
    return 1;
}

static bool open_side(Side *side, const WorldEngineDesc *desc, const char *text) {
    *side = (Side){0};
    if (world_engine_create(desc, &side->engine) != WORLD_OK) return false;
    side->status = world_open_text(side->engine, text, strlen(text), &(WorldDesc){0}, &side->world);
    return side->status == WORLD_OK;
}

static void close_side(Side *side) {
    if (side->world) world_close(side->world);
    if (side->engine) world_engine_destroy(side->engine);
}

static void tick(Side *side, int number) {
    if (number % 5 == 2) world_press(side->world, "g");
    if (number % 7 == 3) world_press(side->world, "h");
    side->status = world_tick(side->world);
    snprintf(side->said, sizeof side->said, "%s", world_diagnostics_text(side->engine, side->world, WORLD_STYLE_ONE_LINE));
}

static int tell(const char *text, int number, const char *a, const char *b, const char *who) {
    size_t line = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '\n') line = i + 1;
    printf("%s\ntick %d differs from that of the %s:\n%.*s\n%.*s\n", text, number, who, (int)strcspn(a + line, "\n"), a + line,
           (int)strcspn(b + line, "\n"), b + line);
    return 1;
}

static int compare(const Side *a, const Side *b, const char *text, int number, const char *who) {
    const char *mine, *others;
    if (a->status != b->status) return tell(text, number, world_status_text(a->status), world_status_text(b->status), who);
    if (strcmp(a->said, b->said) != 0) return tell(text, number, a->said, b->said, who);
    if (world_state_save(a->world, &mine) != WORLD_OK || world_state_save(b->world, &others) != WORLD_OK) return 1;
    return strcmp(mine, others) == 0 ? 0 : tell(text, number, mine, others, who);
}

static int run(const char *text, const WorldEngineDesc *desc, int *faults) {
    Side one, two, late = {0};
    int bad = 0;
    const char *state;
    if (!open_side(&one, &(WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER, .threads = 1}, text)) return give_up(&one, text);
    if (!open_side(&two, desc, text)) return give_up(&two, text);
    for (int i = 0; i < TICKS && !bad; i++) {
        if (i == MIDDLE) {
            bad = !open_side(&late, desc, text) || world_state_save(one.world, &state) != WORLD_OK ||
                  world_state_load(late.world, state, strlen(state)) != WORLD_OK;
            if (bad) give_up(&late, text);
        }
        tick(&one, i);
        tick(&two, i);
        if (late.world) tick(&late, i);
        bad = bad || compare(&one, &two, text, i, "other executor");
        bad = bad || (late.world && compare(&one, &late, text, i, "one that was read in the middle"));
        *faults += one.status != WORLD_OK;
    }
    close_side(&one);
    close_side(&two);
    close_side(&late);
    return bad;
}

int main(int argc, char **argv) {
    static Gen gen;
    int worlds = argc > 1 ? atoi(argv[1]) : 20, bad = 0, faults = 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    static const WorldEngineDesc descs[] = {
#ifdef NO_MACHINE_CODE
        {.exec = WORLD_EXEC_INTERPRETER, .threads = 2},
#else
        {.exec = WORLD_EXEC_JIT_ALWAYS, .threads = 2},
        {.exec = WORLD_EXEC_JIT_ALWAYS, .threads = 1, .optimize = 1, .width = 1},
#endif
        {.exec = WORLD_EXEC_INTERPRETER, .threads = 2, .optimize = 4},
    };
    for (int i = 0; i < worlds && !bad; i++) {
        gen.length = 0;
        gen.state = (seed + (uint64_t)i) * 0x2545f4914f6cdd1du;
        generate(&gen);
        bad = run(gen.text, &descs[(size_t)i % (sizeof descs / sizeof *descs)], &faults);
        if (bad) printf("random_acts 1 %" PRIu64 "\n", seed + (uint64_t)i);
    }
    printf("%d worlds, %d of their ticks failed alike\n", worlds, faults);
    return bad;
}
