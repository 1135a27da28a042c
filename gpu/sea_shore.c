#include "gpu/sea.h"

#include <stdlib.h>
#include <string.h>

enum { DRY, WET, OPEN };

static void mark_wet(const WorldGridView *grid, int block, int columns, uint8_t *state) {
    for (int j = 0; j < grid->rows; j++)
        for (int i = 0; i < grid->columns; i++)
            if (grid->heights[(size_t)j * (size_t)grid->columns + (size_t)i] < 0) state[(j / block) * columns + i / block] = WET;
}

static void spread_open(int columns, int rows, uint8_t *state, int *queue) {
    static const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    int count = 0;
    for (int k = 0; k < columns * rows; k++) {
        int i = k % columns, j = k / columns;
        bool border = i == 0 || j == 0 || i == columns - 1 || j == rows - 1;
        if (!border || state[k] != WET) continue;
        state[k] = OPEN;
        queue[count++] = k;
    }
    for (int next = 0; next < count; next++)
        for (int way = 0; way < 4; way++) {
            int i = queue[next] % columns + ways[way][0], j = queue[next] / columns + ways[way][1], k = j * columns + i;
            if (i < 0 || j < 0 || i >= columns || j >= rows || state[k] != WET) continue;
            state[k] = OPEN;
            queue[count++] = k;
        }
}

static bool touches_open(int columns, int rows, const uint8_t *state, int i, int j) {
    for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < rows; y++)
        for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < columns; x++)
            if (state[y * columns + x] == OPEN) return true;
    return false;
}

bool sea_shore(const WorldGridView *grid, int block, uint8_t *out) {
    int columns = (grid->columns + block - 1) / block, rows = (grid->rows + block - 1) / block;
    size_t count = (size_t)columns * (size_t)rows;
    uint8_t *state = calloc(count, 1);
    int *queue = malloc(count * sizeof *queue);
    bool good = state && queue;
    if (good) {
        mark_wet(grid, block, columns, state);
        spread_open(columns, rows, state, queue);
        for (size_t k = 0; k < count; k++)
            out[k] = touches_open(columns, rows, state, (int)(k % (size_t)columns), (int)(k / (size_t)columns)) ? 255 : 0;
    }
    free(state);
    free(queue);
    return good;
}
