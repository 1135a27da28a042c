/* One table of ratios: bench ISLAND WORLDC PROGRAMS [land|compile|scatter|seeds|geometry|programs|plants|ocean|water|live|math]; after `programs` the
 * names of single programs (programs.def). Nothing is asserted but that the rivals' answers agree; README.md tells how to read it.
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/table.h"

static const struct {
    const char *name;
    void (*run)(const BenchPlace *place);
} sections[] = {{"land", bench_land},
                {"compile", bench_compile},
                {"scatter", bench_scatter},
                {"seeds", bench_seeds},
                {"geometry", bench_geometry},
                {"programs", bench_programs},
                {"plants", bench_plants},
                {"ocean", bench_ocean},
                {"water", bench_water},
                {"live", bench_live},
                {"math", bench_math}};

int bench_is_named(const BenchPlace *place, const char *name) {
    for (int i = 0; i < place->name_count; i++)
        if (strcmp(name, place->names[i]) == 0) return 1;
    return 0;
}

int main(int argc, char **argv) {
    bench_require(argc >= 4, "usage: bench ISLAND WORLDC PROGRAMS [land|compile|scatter|seeds|geometry|programs|plants|ocean|water|live|math]");
    BenchPlace place = {argv[1], argv[2], argv[3], argc - 4, argv + 4};
    double load = 0;
    mallopt(M_MMAP_THRESHOLD, 1 << 30); /* the C keeps its memory from turn to turn, as we do */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    bench_head();
    if (getloadavg(&load, 1) == 1)
        bench_note("programs that ran beside this one in the last minute: %.1f on %ld processors",
                   load, sysconf(_SC_NPROCESSORS_ONLN));
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (argc == 4 || bench_is_named(&place, sections[i].name)) sections[i].run(&place);
    return 0;
}
