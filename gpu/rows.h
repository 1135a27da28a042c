/* Rows of a buffer that grows, lent out in spans: what comes and goes touches its own rows only. Plain C, tested without GL. */
#ifndef WORLD_GPU_ROWS_H
#define WORLD_GPU_ROWS_H

#include "runtime/base/memory.h"

typedef struct RowSpan {
    uint32_t first, count;
} RowSpan;

typedef struct Rows {
    RowSpan *free; /* by their first rows; no two touch */
    size_t free_count, free_room;
    uint32_t count, used; /* of all rows */
} Rows;

/* False: no free span is so long. */
bool rows_take(Rows *rows, uint32_t count, uint32_t *first);
/* Those that rows_take answered come back. May leave through memory_fail. */
void rows_give(Rows *rows, Memory *memory, uint32_t first, uint32_t count);
/* So many more lie behind the others. May leave likewise. */
void rows_add(Rows *rows, Memory *memory, uint32_t more);
void rows_fini(Rows *rows, Memory *memory);

#endif
