/* Object code into this process: an ORC session with one namespace that knows only what it was
 * told. A name that nobody defined (a function of the platform's libm, say) is an error, not a
 * silent lookup in the process.
 */
#ifndef WORLD_COMPILER_LLVM_SESSION_H
#define WORLD_COMPILER_LLVM_SESSION_H

#include <llvm-c/LLJIT.h>

#include "runtime/base/str.h"

typedef struct Session {
    LLVMOrcLLJITRef orc;
    LLVMOrcJITDylibRef names;
} Session;

/* All answer false with a text in `arena`. */
bool session_init(Session *session, Arena *arena, Str *error);
void session_fini(Session *session); /* frees all code */
bool session_define(Session *session, const char *name, uint64_t address, Arena *arena, Str *error);
/* Takes the buffer. */
bool session_add(Session *session, LLVMMemoryBufferRef object, Arena *arena, Str *error);
bool session_find(Session *session, const char *name, uint64_t *address, Arena *arena, Str *error);

#endif
