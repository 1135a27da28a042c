/* Comma-separated values (RFC 4180): rows of cells, each with its place in the text.
 *
 * A cell in quotes is exactly what stands in them, "" for a quote, line ends included; one without is
 * what is left when blanks on both sides are dropped. Lines end in LF or CRLF; empty ones are no rows.
 */
#ifndef WORLD_COMPILER_FILES_CSV_H
#define WORLD_COMPILER_FILES_CSV_H

#include "lang/diag.h"

typedef struct CsvCell {
    Str text;
    Span span;
} CsvCell;

typedef struct Csv {
    Arena *arena; /* of texts that are not as they stand */
    DiagList *diags;
    uint32_t file;
    Str text;
    size_t at;
    int row; /* of the row read last, from 1: the header's */
    Span span;
    VEC(CsvCell) cells; /* of that row */
    bool failed;
} Csv;

void csv_open(Csv *csv, Arena *arena, DiagList *diags, uint32_t file);
/* False at the end, and after a mistake, which is reported and ends the reading. */
bool csv_next(Csv *csv);

#endif
