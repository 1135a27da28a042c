/* Where the members of the runtime's structs lie for a processor whose pointers have another size: what code that is made here
 * for there must know.
 *
 * A struct is told member by member: p pointer or size_t, i 64 bits, w 32 bits, b bool, {...} a struct inside. Members are
 * aligned to their size, as every compiler that is compiled for does.
 */
#ifndef WORLD_RT_LAYOUT_H
#define WORLD_RT_LAYOUT_H

#include "runtime/rt/part.h"

#define LAYOUT_RtObject "ww"
#define LAYOUT_Str "pp"
#define LAYOUT_RtText "{" LAYOUT_RtObject "}{" LAYOUT_Str "}"
#define LAYOUT_RtList "{" LAYOUT_RtObject "}{wi}ipip"
#define LAYOUT_RtClosure "{" LAYOUT_RtObject "}wpwwwbipi"
#define LAYOUT_RtStream "{" LAYOUT_RtObject "}wwwii"
#define LAYOUT_RtGrid "{" LAYOUT_RtObject "}wwiiiip{iiiiwb}bwi"
#define LAYOUT_RtFault "w" "www" "ii{" LAYOUT_Str "}pw"
#define LAYOUT_Rt "pppp" "wwww" "iiiw" "p" "iii" "p{pi}w{" LAYOUT_RtFault "}{pppp}"
#define LAYOUT_RtPart                                                                                                   \
    "{" LAYOUT_RtObject "}ppp" "wpppp" "wp" "wwi" "ppp" "wpw" "pp{" LAYOUT_Str "}pppp" "wbbb"
#define LAYOUT_RtField "{" LAYOUT_Str "}ww" "pp" "ww" "bbb" "www"
#define LAYOUT_RtChild "{" LAYOUT_Str "}w"
#define LAYOUT_RtFamily "{" LAYOUT_Str "}w"
#define LAYOUT_RtHandler "ww" "www"
#define LAYOUT_RtClass "{" LAYOUT_RtObject "}{" LAYOUT_Str "}ww" "pww" "pw" "pw" "pw" "pw" "pw" "pw" "www"
#define LAYOUT_RtLimits "iii"

/* Bytes of one, where pointers have that many. */
size_t layout_size(const char *layout, size_t pointer);
/* Of the member that lies `offset` bytes into the struct here, or of what lies so deep inside of it. */
size_t layout_place(const char *layout, size_t offset, size_t pointer);
/* One of them from here as it lies there, what is between its members left alone; of pointers and sizes the low bytes. */
void layout_copy(const char *layout, size_t pointer, const void *from, void *to);

#endif
