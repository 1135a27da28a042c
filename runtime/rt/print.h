/* Values as an author reads them: 4.6 m, 12 deg, (0, 4.6, 330) m, edge(kind: 1, wade: 0.6 m, ...).
 *
 * What slots mean is said by a shape, a text that the compiler writes once for each type (check/shape.c):
 *
 *     b i u          bool, int, u32                    n QUANTITY      a number
 *     t              text, in quotes; top level: s     v QUANTITY      three numbers: point, vector, color
 *     l SHAPE        list                              ? SHAPE         optional
 *     ( SHAPES )     tuple                             r NAME ( NAME : SHAPE ... )   record
 *     k KIND NAME ( LETTERS ; SHAPES )   a container of the library, by its number, which shows the rows that it holds
 *                     (contents.h); the shapes of a row, the letters of a heap's key
 *     e NAME , ... ;  one of                           o NAME ;        object
 *     p d            part, design                      f COUNT : TEXT ;  function values: that many slots, said by the text
 *     " COUNT : BYTES   bytes as they are              QUANTITY: m or -, a whole number, `:` UNIT `;`
 *
 * (written without the blanks). A quantity's letter says whether it has a length, its number which power of an angle it holds.
 */
#ifndef WORLD_RT_PRINT_H
#define WORLD_RT_PRINT_H

#include "runtime/rt/rt.h"

/* Every shape in turn, each taking its slots. */
void print_shapes(StrBuf *out, Str shapes, const Slot *slots);
/* In quotes, as JSON has it. */
void print_quoted(StrBuf *out, Str text);

#endif
