/* The core package's native part: texts. */
#include "stdlib/stdlib_externs.h"

bool core_textEqual(Rt *rt, const RtText *a, const RtText *b) {
    (void)rt;
    return str_equal(a->text, b->text);
}

const RtText *core_textJoin(Rt *rt, const RtText *a, const RtText *b) {
    StrBuf joined = {.arena = rt->arena};
    strbuf_str(&joined, a->text);
    strbuf_str(&joined, b->text);
    return rt_text(rt, strbuf_take(&joined));
}
