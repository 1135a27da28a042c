/* The host processor with all its features, code that may lie anywhere (so that it can be cached),
 * and the passes of each level. Floating point keeps LLVM's strict default: no pass and no
 * instruction choice here reassociates, contracts or approximates.
 */
#include "compiler/llvm/target.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>

#include "compiler/llvm/jit.h"

static pthread_once_t targets_once =
    PTHREAD_ONCE_INIT; /* LLVM's table of targets is the process's */

static void register_targets(void) {
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
}

/* Level 2 generates as level 1 does: a fifth less time, and code that is as fast. */
static LLVMCodeGenOptLevel codegen_level(int level) {
    static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                                 LLVMCodeGenLevelLess, LLVMCodeGenLevelAggressive};
    return levels[level];
}

/* Does `all` name every feature that `wanted` does? Both separate by commas. */
static bool has_features(const char *all, const char *wanted) {
    for (const char *at = wanted; *at;) {
        size_t length = strcspn(at, ",");
        const char *found = memmem(all, strlen(all), at, length);
        if (!found || (found[length] != ',' && found[length] != '\0')) return false;
        at += length + (at[length] == ',');
    }
    return true;
}

bool target_is_wasm(const Target *target) {
    return strncmp(target->triple, "wasm32", 6) == 0;
}

/* floor must be an instruction: without SSE4.1 LLVM would call the platform's libm. */
static bool is_exact(const Target *target, Str *error) {
    bool x86 = strncmp(target->triple, "x86_64", 6) == 0;
    bool arm = strncmp(target->triple, "aarch64", 7) == 0;
    if (arm || target_is_wasm(target) || (x86 && has_features(target->features, "+sse4.1"))) return true;
    *error =
        STR_LIT("machine code needs an x86-64 processor with SSE4.1, or an ARM one of 64 bits");
    return false;
}

/* One AVX-512 register a value, or two of AVX2: on the island's land those two are a quarter faster
 * than one, for each waits less for the other. */
static int best_lanes(const Target *target) {
    if (target_is_wasm(target)) return JIT_WASM_LANES;
    return has_features(target->features, "+avx2") ? 8 : 2;
}

static TargetAbility abilities(const Target *target) {
    bool x86 = strncmp(target->triple, "x86_64", 6) == 0, wasm = target_is_wasm(target);
    return (TargetAbility){.ints_by_lane = !wasm && (!x86 || has_features(target->features, "+avx512dq")),
                           .fused = !wasm && (!x86 || has_features(target->features, "+fma")),
                           .pointer = wasm ? 4 : 8};
}

static char *host_layout(LLVMTargetMachineRef machine) {
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    char *text = LLVMCopyStringRepOfTargetData(layout);
    LLVMDisposeTargetData(layout);
    return text;
}

/* Older processors that this one can stand for. */
typedef struct Generation {
    const char *cpu, *features;
} Generation;

static const Generation generations[] = {
    {"x86-64-v2", "+sse4.1"},
    {"x86-64-v3", "+sse4.1,+avx2,+bmi2,+fma"},
    {"x86-64-v4", "+sse4.1,+avx2,+bmi2,+fma,+avx512f,+avx512dq,+avx512bw,+avx512vl"},
};

static const Generation *find_generation(const char *processor) {
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        if (strcmp(processor, generations[i].cpu) == 0) return &generations[i];
    return NULL;
}

static void become(Target *target, const Generation *generation) {
    LLVMDisposeMessage(target->cpu);
    LLVMDisposeMessage(target->features);
    target->cpu = LLVMCreateMessage(generation->cpu);
    target->features = LLVMCreateMessage(generation->features);
}

/* Takes the host for an older processor; false when there is none of that name, or the host is
 * older still. */
static bool pretend(Target *target, const char *processor) {
    const Generation *generation = find_generation(processor);
    if (!generation || !has_features(target->features, generation->features)) return false;
    become(target, generation);
    return true;
}

static bool create_machine(Target *target, Arena *arena, Str *error) {
    LLVMTargetRef found;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(target->triple, &found, &message)) {
        LLVMDisposeMessage(message);
        *error = str_printf(arena, "this LLVM has no code generator for '%s'", target->triple);
        return false;
    }
    bool is_static = target_is_wasm(target) && strstr(target->triple, "emscripten") == NULL; /* no module that finds its place when it is loaded */
    target->machine =
        LLVMCreateTargetMachine(found, target->triple, target->cpu, target->features,
                                codegen_level(target->level), is_static ? LLVMRelocStatic : LLVMRelocPIC, LLVMCodeModelSmall);
    target->layout = host_layout(target->machine);
    return true;
}

bool target_init(Target *target, int level, const char *processor, Arena *arena, Str *error) {
    pthread_once(&targets_once, register_targets);
    *target = (Target){.level = level < 0 ? 0 : level > 3 ? 3 : level};
    target->triple = LLVMGetDefaultTargetTriple();
    target->cpu = LLVMGetHostCPUName();
    target->features = LLVMGetHostCPUFeatures();
    if (processor && !pretend(target, processor)) {
        *error = STR_LIT("no machine code: this machine cannot run what is made for that processor");
        return false;
    }
    target->lanes = best_lanes(target);
    target->can = abilities(target);
    return is_exact(target, error) && create_machine(target, arena, error);
}

/* -- object files: for this machine or others -- */

static pthread_once_t all_targets_once = PTHREAD_ONCE_INIT;

static void register_all_targets(void) {
    LLVMInitializeAllTargetInfos();
    LLVMInitializeAllTargets();
    LLVMInitializeAllTargetMCs();
    LLVMInitializeAllAsmPrinters();
}

static bool is_linux(const char *triple, const char *machine) {
    size_t length = strlen(machine);
    return strncmp(triple, machine, length) == 0 && triple[length] == '-' && strstr(triple, "linux");
}

/* The least of its kind that is compiled for, unless another is named. */
static bool choose_processor(Target *target, bool x86, const char *processor, Arena *arena, Str *error) {
    static const Generation arm = {"generic", "+neon"};
    static const Generation wasm = {"mvp", "+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext,+mutable-globals"};
    const Generation *least = target_is_wasm(target) ? &wasm : &arm;
    const Generation *generation = x86 ? find_generation(processor ? processor : "x86-64-v2") : processor ? NULL : least;
    if (processor && strcmp(processor, "native") == 0) {
        char *host = LLVMGetDefaultTargetTriple();
        bool same = is_linux(host, x86 ? "x86_64" : "aarch64");
        LLVMDisposeMessage(host);
        if (same) return true;
        *error = STR_LIT("this machine's own processor is none of that target");
        return false;
    }
    if (generation)
        become(target, generation);
    else
        *error = str_printf(arena, "'%s' is no processor of that target: native%s", processor,
                            x86 ? ", x86-64-v2, x86-64-v3 or x86-64-v4" : ", or none named");
    return generation != NULL;
}

bool target_init_object(Target *target, int level, const char *triple, const char *processor, Arena *arena, Str *error) {
    pthread_once(&all_targets_once, register_all_targets);
    *target = (Target){.level = level < 0 ? 0 : level > 3 ? 3 : level};
    target->triple = triple ? LLVMNormalizeTargetTriple(triple) : LLVMGetDefaultTargetTriple();
    target->cpu = LLVMGetHostCPUName();
    target->features = LLVMGetHostCPUFeatures();
    bool x86 = is_linux(target->triple, "x86_64");
    if (!x86 && !is_linux(target->triple, "aarch64") && !target_is_wasm(target)) {
        *error = str_printf(arena, "objects are made for x86_64-linux-gnu, aarch64-linux-gnu and wasm32, not for '%s'", triple);
        return false;
    }
    if (!choose_processor(target, x86, processor, arena, error)) return false;
    target->lanes = best_lanes(target);
    target->can = abilities(target);
    return is_exact(target, error) && create_machine(target, arena, error);
}

void target_fini(Target *target) {
    if (target->machine) LLVMDisposeTargetMachine(target->machine);
    LLVMDisposeMessage(target->layout);
    LLVMDisposeMessage(target->triple);
    LLVMDisposeMessage(target->cpu);
    LLVMDisposeMessage(target->features);
    *target = (Target){0};
}

void target_prepare(const Target *target, LLVMModuleRef module) {
    LLVMSetTarget(module, target->triple);
    LLVMSetDataLayout(module, target->layout);
}

/* Lanes are made by the emitter, so LLVM's own vectorizer is for loops over lists whose checks were asked before them.
 * Level 2 is a few passes that find nearly all that default<O3> (level 3) finds in such code, in a quarter of the time. */
#define LEVEL_2                                                                                     \
    "always-inline,cgscc(inline),globaldce,"                                                        \
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,"                          \
    "loop-mssa(loop-rotate,licm),loop(indvars),jump-threading,simplifycfg)"

static const char *passes_of(int level, bool vectors) {
    switch (level) {
    case 0:
        return "";
    case 1:
        return "always-inline,function(sroa,early-cse,simplifycfg),globaldce";
    case 2:
        return vectors ? LEVEL_2 ",function(loop-vectorize,instcombine<no-verify-fixpoint>,simplifycfg)" : LEVEL_2;
    default:
        return "default<O3>";
    }
}

static bool failed(char *message, Arena *arena, Str *error) {
    *error = str_printf(arena, "LLVM: %s", message);
    LLVMDisposeMessage(message);
    return false;
}

bool target_optimize(const Target *target, LLVMModuleRef module, bool vectors, Arena *arena, Str *error) {
    char *message = NULL;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
        return failed(message, arena, error);
    LLVMDisposeMessage(message);
    if (target->level == 0) return true;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, vectors);
    LLVMPassBuilderOptionsSetSLPVectorization(options, false);
    LLVMErrorRef problem =
        LLVMRunPasses(module, passes_of(target->level, vectors), target->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!problem) return true;
    char *text = LLVMGetErrorMessage(problem);
    *error = str_printf(arena, "LLVM: %s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}

LLVMMemoryBufferRef target_generate(const Target *target, LLVMModuleRef module, bool assembly,
                                    Arena *arena, Str *error) {
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    LLVMCodeGenFileType kind = assembly ? LLVMAssemblyFile : LLVMObjectFile;
    if (LLVMTargetMachineEmitToMemoryBuffer(target->machine, module, kind, &message, &buffer)) {
        failed(message, arena, error);
        return NULL;
    }
    return buffer;
}
