/* What a function made in C may do, as the optimizer sees it: how calls of it may be shared, dropped
 * and run many at a time. stdlib/gen reads it off the signature; `effect: NAME` behind an
 * `extern fn` says what the signature cannot tell.
 */
#ifndef WORLD_RUNTIME_BASE_EFFECT_H
#define WORLD_RUNTIME_BASE_EFFECT_H

#include "runtime/base/str.h"

typedef enum NativeEffect {
    NATIVE_UNSTATED,
#define EFFECT(NAME, text) NATIVE_##NAME,
#include "runtime/base/effect.def"
#undef EFFECT
} NativeEffect;

NativeEffect native_effect_named(Str name); /* UNSTATED when no effect is called so */

#endif
