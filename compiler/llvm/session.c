/* ORC, as little of it as is needed; see session.h. */
#include "compiler/llvm/session.h"

#include <llvm-c/Error.h>
#include <llvm-c/Orc.h>

static bool check(LLVMErrorRef problem, Arena *arena, Str *error) {
    if (!problem) return true;
    char *text = LLVMGetErrorMessage(problem);
    *error = str_printf(arena, "LLVM: %s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}

/* Every failure is answered to whoever asked; nothing is printed. */
static void ignore_report(void *user, LLVMErrorRef problem) {
    (void)user;
    LLVMConsumeError(problem);
}

bool session_init(Session *session, Arena *arena, Str *error) {
    *session = (Session){0};
    if (!check(LLVMOrcCreateLLJIT(&session->orc, NULL), arena, error)) return false;
    LLVMOrcExecutionSessionRef inner = LLVMOrcLLJITGetExecutionSession(session->orc);
    LLVMOrcExecutionSessionSetErrorReporter(inner, ignore_report, NULL);
    session->names = LLVMOrcExecutionSessionCreateBareJITDylib(inner, "world");
    return true;
}

void session_fini(Session *session) {
    if (session->orc) LLVMConsumeError(LLVMOrcDisposeLLJIT(session->orc));
    *session = (Session){0};
}

bool session_define(Session *session, const char *name, uint64_t address, Arena *arena,
                    Str *error) {
    LLVMOrcCSymbolMapPair pair = {
        .Name = LLVMOrcLLJITMangleAndIntern(session->orc, name),
        .Sym = {.Address = address, .Flags = {.GenericFlags = LLVMJITSymbolGenericFlagsExported}},
    };
    LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(&pair, 1);
    LLVMErrorRef problem = LLVMOrcJITDylibDefine(session->names, unit);
    if (problem) LLVMOrcDisposeMaterializationUnit(unit);
    return check(problem, arena, error);
}

bool session_add(Session *session, LLVMMemoryBufferRef object, Arena *arena, Str *error) {
    return check(LLVMOrcLLJITAddObjectFile(session->orc, session->names, object), arena, error);
}

typedef struct Found {
    LLVMErrorRef problem;
    uint64_t address;
} Found;

/* The session has no threads of its own, so this is called before the lookup returns. */
static void take_result(LLVMErrorRef problem, LLVMOrcCSymbolMapPairs pairs, size_t count,
                        void *user) {
    Found *found = user;
    found->problem = problem;
    if (!problem && count == 1) found->address = pairs[0].Sym.Address;
}

bool session_find(Session *session, const char *name, uint64_t *address, Arena *arena, Str *error) {
    LLVMOrcCLookupSetElement wish = {
        .Name = LLVMOrcLLJITMangleAndIntern(session->orc, name),
        .LookupFlags = LLVMOrcSymbolLookupFlagsRequiredSymbol,
    };
    LLVMOrcCJITDylibSearchOrderElement where = {
        .JD = session->names,
        .JDLookupFlags = LLVMOrcJITDylibLookupFlagsMatchAllSymbols,
    };
    Found found = {0};
    LLVMOrcExecutionSessionLookup(LLVMOrcLLJITGetExecutionSession(session->orc),
                                  LLVMOrcLookupKindStatic, &where, 1, &wish, 1, take_result,
                                  &found);
    *address = found.address;
    return check(found.problem, arena, error);
}
