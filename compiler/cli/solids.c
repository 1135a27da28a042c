/* list --solids: what there is to bump into, a row for each thing that has a copy; as JSON the arrays that a host is handed. */
#include "compiler/cli/cli.h"

static const char *const kinds[] = {"box", "capsule", "hull", "mesh"};

static void print_numbers(const char *name, const double *values, size_t count) {
    printf(", \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        if (i) fputs(", ", stdout);
        output_json_number(stdout, values[i]);
    }
    putchar(']');
}

static void print_solid(const WorldSolid *solid) {
    printf("{\"kind\": \"%s\"", kinds[solid->kind]);
    if (solid->kind == WORLD_SOLID_BOX) {
        print_numbers("middle", solid->middle, 3);
        print_numbers("half", solid->half, 3);
        print_numbers("axes", solid->axes, 9);
    } else if (solid->kind == WORLD_SOLID_CAPSULE) {
        print_numbers("from", solid->from, 3);
        print_numbers("to", solid->to, 3);
        output_json_member("radius", solid->radius);
    } else {
        print_numbers("points", solid->points, 3 * (size_t)solid->point_count);
        printf(", \"triangles\": [");
        for (uint32_t i = 0; i < 3 * solid->triangle_count; i++)
            printf(i ? ", %u" : "%u", solid->triangles[i]);
        putchar(']');
    }
    putchar('}');
}

static void print_copy(const WorldSolids *all, const WorldSolidGroup *group, uint32_t copy) {
    const WorldThing *thing = all->scene->things[group->things[copy]];
    fputs("{\"path\": ", stdout);
    output_json_text(stdout, thing->path);
    fputs(", \"design\": ", stdout);
    output_json_text(stdout, thing->design);
    fputs(", \"id\": ", stdout);
    output_json_text(stdout, thing->id);
    printf(", \"transform\": [");
    for (int i = 0; i < 12; i++) {
        if (i) fputs(", ", stdout);
        output_json_number(stdout, (double)group->transforms[12 * (size_t)copy + (size_t)i]);
    }
    fputs("]}", stdout);
}

static void print_json(const WorldSolids *all) {
    fputs("{\"solids\": [", stdout);
    for (size_t i = 0; i < all->solid_count; i++) {
        fputs(i ? ",\n  " : "\n  ", stdout);
        print_solid(&all->solids[i]);
    }
    fputs("],\n \"groups\": [", stdout);
    for (size_t i = 0; i < all->group_count; i++) {
        const WorldSolidGroup *group = &all->groups[i];
        printf("%s\n  {\"first\": %u, \"count\": %u, \"copies\": [", i ? "," : "", group->first, group->count);
        for (uint32_t k = 0; k < group->copies; k++) {
            fputs(k ? ",\n    " : "\n    ", stdout);
            print_copy(all, group, k);
        }
        fputs("]}", stdout);
    }
    puts("]}");
}

/* "3 capsules, 1 box". */
static void print_kinds(const WorldSolids *all, const WorldSolidGroup *group) {
    static const char *const many[] = {"boxes", "capsules", "hulls", "meshes"};
    bool first = true;
    for (int kind = 0; kind < 4; kind++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < group->count; i++)
            count += (int)all->solids[group->first + i].kind == kind;
        if (count) printf("%s%u %s", first ? "" : ", ", count, count == 1 ? kinds[kind] : many[kind]);
        if (count) first = false;
    }
}

static void print_text(const WorldSolids *all) {
    for (size_t i = 0; i < all->group_count; i++) {
        const WorldSolidGroup *group = &all->groups[i];
        const WorldThing *thing = all->scene->things[group->things[0]];
        printf("%-40s %-20s", thing->path, thing->design);
        print_kinds(all, group);
        if (group->copies > 1) printf("  x %u", group->copies);
        putchar('\n');
    }
}

int list_solids(Cli *cli) {
    const WorldSolids *all;
    if (cli->word_count > 1 || cli->has[OPTION_CSV]) return usage_error(cli, "--solids lists those of the whole world, as text or as --json");
    WorldStatus status = world_solids(cli->world, &all);
    session_clear_progress(cli);
    if (status == WORLD_OK && cli->has[OPTION_JSON])
        print_json(all);
    else if (status == WORLD_OK)
        print_text(all);
    return session_report(cli, status);
}
