#include "runtime/base/effect.h"

NativeEffect native_effect_named(Str name) {
#define EFFECT(NAME, text)                                                                         \
    if (str_equal(name, STR_LIT(text))) return NATIVE_##NAME;
#include "runtime/base/effect.def"
#undef EFFECT
    return NATIVE_UNSTATED;
}
