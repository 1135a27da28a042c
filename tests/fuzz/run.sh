#!/bin/sh
# Fuzzes each target for a while: sh tests/fuzz/run.sh [SECONDS a target, 60] [TARGET...]
#
#   fuzz_check        bytes through lexer, parser and checker, and what is a world through every pass
#   fuzz_interp_jit   programs made of bytes, interpreted against machine code
#   fuzz_ir           bytes as IR: read, verified, through every pass
#   fuzz_heights      bytes as files of heights: ground, or a fault
#
# A clang build under address and undefined-behaviour sanitizers; the worlds and IR of tests/golden are the first inputs.
# What was found stays in BUILD/found, the inputs that reached something new in BUILD/corpus.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${WORLD_FUZZ_BUILD:-$root/build-fuzz}
seconds=${1:-60}
[ $# -gt 0 ] && shift
targets=${*:-fuzz_check fuzz_interp_jit fuzz_ir fuzz_heights}

[ -f "$build/build.ninja" ] || CC=clang-19 meson setup "$build" "$root" -Dfuzz=true -Dgpu=disabled \
    -Db_sanitize=address,undefined -Db_lundef=false >/dev/null
wanted='compiler/llvm/libworld-jit.so runtime/rasters/libworld-rasters.so'
for target in $targets; do wanted="$wanted tests/fuzz/$target"; done
# shellcheck disable=SC2086
ninja -C "$build" $wanted >"$build/ninja.log" || { tail -n 30 "$build/ninja.log"; exit 1; }

# seeds TARGET FOLDER: the first inputs, each under a name of its own.
seeds() {
    case $1 in
    fuzz_check) find "$root/tests/golden" "$root/examples" -name '*.world' ;;
    fuzz_ir) find "$root/tests/golden/ir" -name '*.ir' ;;
    fuzz_heights) find "$root/tests/fuzz/heights" -type f ;;
    esac | while read -r file; do
        cp "$file" "$2/$(echo "${file#"$root"/}" | tr / _)"
    done
}

export WORLD_JIT_LIBRARY="$build/compiler/llvm/libworld-jit.so"
export WORLD_RASTERS_LIBRARY="$build/runtime/rasters/libworld-rasters.so"
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
failed=0
mkdir -p "$build/found"
for target in $targets; do
    corpus=$build/corpus/$target
    mkdir -p "$corpus"
    seeds "$target" "$corpus"
    echo "== $target, $seconds seconds"
    "$build/tests/fuzz/$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=8192 -print_final_stats=1 \
        -dict="$root/tests/fuzz/world.dict" -artifact_prefix="$build/found/$target-" "$corpus" >"$build/$target.log" 2>&1 ||
        { failed=$((failed + 1)); grep -vE '^#' "$build/$target.log" | tail -n 60; }
    grep -E '^(Done|stat::number_of_executed_units)' "$build/$target.log" || true
done
echo "$failed targets with finds"
[ "$failed" -eq 0 ]
