#include "compiler/files/csv.h"

#include "runtime/base/watch.h"

void csv_open(Csv *csv, Arena *arena, DiagList *diags, uint32_t file) {
    *csv = (Csv){.arena = arena,
                 .diags = diags,
                 .file = file,
                 .text = sources_get(diags->sources, file)->text};
    if (str_starts(csv->text, STR_LIT("\xEF\xBB\xBF"))) csv->at = 3; /* a byte order mark */
}

static char peek(const Csv *csv) {
    return csv->at < csv->text.len ? csv->text.ptr[csv->at] : '\0';
}

static bool at_line_end(const Csv *csv) {
    if (csv->at >= csv->text.len || peek(csv) == '\n') return true;
    return peek(csv) == '\r' &&
           (csv->at + 1 == csv->text.len || csv->text.ptr[csv->at + 1] == '\n');
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static Span span_from(const Csv *csv, size_t start) {
    return (Span){csv->file, (uint32_t)start, (uint32_t)csv->at};
}

static bool fail(Csv *csv, size_t start, const char *what) {
    diag_add(csv->diags, DIAG_E_TABLE_QUOTE, span_from(csv, start), what);
    csv->failed = true;
    return false;
}

/* From its opening quote to the ',' or line end behind it. */
static bool read_quoted(Csv *csv, CsvCell *cell) {
    size_t start = csv->at++, text = csv->at;
    bool doubled = false;
    for (;; csv->at++) {
        if (csv->at >= csv->text.len) {
            csv->at = start + 1;
            return fail(csv, start, "this quote is never closed");
        }
        if (peek(csv) != '"') continue;
        if (csv->at + 1 >= csv->text.len || csv->text.ptr[csv->at + 1] != '"') break;
        doubled = true;
        csv->at++;
    }
    cell->text = (Str){csv->text.ptr + text, csv->at - text};
    csv->at++;
    cell->span = span_from(csv, start);
    if (doubled) {
        StrBuf out = {.arena = csv->arena};
        for (size_t i = 0; i < cell->text.len; i++) {
            strbuf_char(&out, cell->text.ptr[i]);
            i += cell->text.ptr[i] == '"';
        }
        cell->text = strbuf_take(&out);
    }
    while (is_blank(peek(csv)))
        csv->at++;
    size_t behind = csv->at;
    if (at_line_end(csv) || peek(csv) == ',') return true;
    csv->at++;
    return fail(csv, behind, "a cell ends with its closing quote");
}

static bool read_plain(Csv *csv, CsvCell *cell) {
    size_t start = csv->at, end = start;
    while (!at_line_end(csv) && peek(csv) != ',') {
        if (peek(csv) == '"') {
            csv->at++;
            return fail(csv, csv->at - 1, "a quote stands round a whole cell");
        }
        csv->at++;
        if (!is_blank(csv->text.ptr[csv->at - 1])) end = csv->at;
    }
    cell->text = (Str){csv->text.ptr + start, end - start};
    cell->span = (Span){csv->file, (uint32_t)start, (uint32_t)end};
    return true;
}

static bool read_cell(Csv *csv) {
    CsvCell cell = {0};
    while (is_blank(peek(csv)))
        csv->at++;
    if (!(peek(csv) == '"' ? read_quoted(csv, &cell) : read_plain(csv, &cell))) return false;
    VEC_PUSH(csv->arena, &csv->cells, cell);
    return true;
}

static void skip_line_end(Csv *csv) {
    if (peek(csv) == '\r') csv->at++;
    if (csv->at < csv->text.len) csv->at++;
}

bool csv_next(Csv *csv) {
    while (csv->at < csv->text.len && at_line_end(csv)) {
        skip_line_end(csv);
        csv->row++;
    }
    if (csv->at >= csv->text.len || csv->failed) return false;
    size_t start = csv->at;
    watch_work(csv->cells.count);
    csv->row++;
    csv->cells.count = 0;
    if (!read_cell(csv)) return false;
    while (peek(csv) == ',') {
        csv->at++;
        if (!read_cell(csv)) return false;
    }
    csv->span = span_from(csv, start);
    skip_line_end(csv);
    return true;
}
