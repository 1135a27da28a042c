/* The edits package's native part: what the checker packed of a file (compiler/check/edits.c), unpacked. */
#include "stdlib/stdlib_externs.h"

/* A kind is packed as its number in the list of kinds. */
const RtList *edits_unpack(Rt *rt, const RtText *packed, const RtList *kinds) {
    const RtList *rows = data_unpackRows(rt, packed, NULL);
    RtList *edits = rt_list_create(rt, STD_SHAPE(StdEdit), rt_list_length(rows));
    for (int64_t i = 0; i < rt_list_length(rows) && !rt_failed(rt); i++) {
        StdEdit edit;
        memcpy(&edit, rt_list_item(rows, i), sizeof edit);
        if (edit.kind.present) {
            const Slot *number = rt_list_item(rows, i) + STD_SLOT(StdEdit, kind.value);
            edit.kind.value = rt_list_item(kinds, number->i)->r;
        }
        rt_retain(rt, edit.id);
        edits = rt_list_append(rt, edits, STD_SHAPE(StdEdit), (const Slot *)(const void *)&edit);
    }
    return edits;
}
