/* The fewest lines to take out and put in: Myers, "An O(ND) difference algorithm and its variations" (1986). Texts that differ
 * in more than MOST lines are shown as one change from where they begin to differ. */
#include "compiler/cli/line_diff.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 2000, CONTEXT = 3 };

typedef struct Lines {
    const char **starts; /* one more than there are lines */
    char *changed;       /* by line: it is only in this text */
    int count;
} Lines;

typedef struct Diff {
    Lines a, b;
} Diff;

static bool split(Lines *lines, const char *text) {
    size_t count = 0;
    for (const char *at = text; *at; at++)
        count += *at == '\n' || at[1] == '\0';
    lines->starts = malloc((count + 1) * sizeof *lines->starts);
    lines->changed = calloc(count + 1, 1);
    if (lines->starts == NULL || lines->changed == NULL) return false;
    for (const char *at = text; *at; at += *at == '\n') {
        lines->starts[lines->count++] = at;
        at += strcspn(at, "\n");
    }
    lines->starts[lines->count] = text + strlen(text);
    return true;
}

static bool same(const Diff *diff, int i, int j) {
    const char *const *a = diff->a.starts + i, *const *b = diff->b.starts + j;
    return a[1] - a[0] == b[1] - b[0] && memcmp(a[0], b[0], (size_t)(a[1] - a[0])) == 0;
}

/* How far in `a` one comes by d changes on the diagonal k, from -d to d in steps of 2. */
static int *end_at(int *ends, int d, int k) {
    return ends + (size_t)d * (size_t)(d + 1) / 2 + (size_t)((k + d) / 2);
}

/* Whether the diagonal k is best reached, in the d-th change, by a line of `b`. */
static bool comes_down(int *ends, int d, int k) {
    return k == -d || (k != d && *end_at(ends, d - 1, k - 1) < *end_at(ends, d - 1, k + 1));
}

/* Marks the changes of the path that came to the ends of both. */
static void mark(Diff *diff, int *ends, int d) {
    for (int x = diff->a.count, k = x - diff->b.count; d > 0; d--) {
        bool down = comes_down(ends, d, k);
        k += down ? 1 : -1;
        x = *end_at(ends, d - 1, k);
        if (down) diff->b.changed[x - k] = 1;
        else diff->a.changed[x] = 1;
    }
}

/* True: d changes are enough. */
static bool go_on(Diff *diff, int *ends, int d) {
    for (int k = -d; k <= d; k += 2) {
        bool down = d > 0 && comes_down(ends, d, k);
        int x = d == 0 ? 0 : *end_at(ends, d - 1, down ? k + 1 : k - 1) + !down;
        while (x < diff->a.count && x - k < diff->b.count && same(diff, x, x - k))
            x++;
        *end_at(ends, d, k) = x;
        if (x >= diff->a.count && x - k >= diff->b.count) return true;
    }
    return false;
}

static void mark_all(Diff *diff) {
    int from = 0;
    while (from < diff->a.count && from < diff->b.count && same(diff, from, from))
        from++;
    memset(diff->a.changed + from, 1, (size_t)(diff->a.count - from));
    memset(diff->b.changed + from, 1, (size_t)(diff->b.count - from));
}

static bool compare(Diff *diff) {
    int lines = diff->a.count + diff->b.count, most = lines < MOST ? lines : MOST;
    int *ends = malloc(((size_t)most + 1) * ((size_t)most + 2) / 2 * sizeof *ends);
    if (ends == NULL) return false;
    int d = 0;
    while (d <= most && !go_on(diff, ends, d))
        d++;
    if (d <= most) mark(diff, ends, d);
    else mark_all(diff);
    free(ends);
    return true;
}

/* -- printing -- */

static void put_line(FILE *out, char sign, const Lines *lines, int i) {
    const char *text = lines->starts[i];
    int length = (int)strcspn(text, "\n");
    fprintf(out, "%c%.*s\n%s", sign, length, text, text[length] ? "" : "\\ No newline at end of file\n");
}

/* Past the lines from (i, j) on that are printed together: changes with at most twice the context between them. */
static void find_end(const Diff *diff, int *i, int *j) {
    int end_i = *i, end_j = *j;
    for (int equal = 0; (*i < diff->a.count || *j < diff->b.count) && equal <= 2 * CONTEXT;) {
        bool gone = *i < diff->a.count && diff->a.changed[*i], new = *j < diff->b.count && diff->b.changed[*j];
        equal = gone || new ? 0 : equal + 1;
        *i += gone || !new;
        *j += !gone;
        if (equal <= CONTEXT) end_i = *i, end_j = *j;
    }
    *i = end_i;
    *j = end_j;
}

static void put_range(FILE *out, char sign, int from, int to) {
    fprintf(out, to - from == 1 ? "%c%d" : "%c%d,%d", sign, to > from ? from + 1 : from, to - from);
}

static void print_hunk(FILE *out, const Diff *diff, int i, int j, int end_i, int end_j) {
    fputs("@@ ", out);
    put_range(out, '-', i, end_i);
    fputc(' ', out);
    put_range(out, '+', j, end_j);
    fputs(" @@\n", out);
    while (i < end_i || j < end_j) {
        if (i < end_i && diff->a.changed[i]) put_line(out, '-', &diff->a, i++);
        else if (j < end_j && diff->b.changed[j]) put_line(out, '+', &diff->b, j++);
        else put_line(out, ' ', &diff->a, i++), j++;
    }
}

static void print(FILE *out, const char *path, const Diff *diff) {
    fprintf(out, "--- %s\n+++ %s\n", path, path);
    for (int i = 0, j = 0; i < diff->a.count || j < diff->b.count;) {
        bool gone = i < diff->a.count && diff->a.changed[i], new = j < diff->b.count && diff->b.changed[j];
        if (!gone && !new) {
            i++, j++;
            continue;
        }
        int before = i < j ? i : j;
        before = before < CONTEXT ? before : CONTEXT;
        int end_i = i, end_j = j;
        find_end(diff, &end_i, &end_j);
        print_hunk(out, diff, i - before, j - before, end_i, end_j);
        i = end_i;
        j = end_j;
    }
}

static void drop(Lines *lines) {
    free(lines->starts);
    free(lines->changed);
}

bool line_diff_print(FILE *out, const char *path, const char *before, const char *after) {
    Diff diff = {0};
    bool good = split(&diff.a, before) && split(&diff.b, after) && compare(&diff);
    if (good && strcmp(before, after) != 0) print(out, path, &diff);
    drop(&diff.a);
    drop(&diff.b);
    return good;
}
