/* Looking into the generated tables. */
#include "stdlib/stdlib.h"

#include "stdlib/stdlib_tables.h"

const StdlibPackage *stdlib_packages(int *count) {
    *count = stdlib_package_count;
    return stdlib_package_table;
}

const StdlibExtern *stdlib_externs(int *count) {
    *count = stdlib_extern_count;
    return stdlib_extern_table;
}

const StdlibExtern *stdlib_find_extern(Str name) {
    int low = 0, high = stdlib_extern_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = str_compare(str_of(stdlib_extern_table[middle].name), name);
        if (order == 0) return &stdlib_extern_table[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

RtThunk stdlib_find(Str name) {
    const StdlibExtern *row = stdlib_find_extern(name);
    return row ? row->thunk : NULL;
}
