#!/bin/sh
# Installs, builds and passes every test: sh tests/run.sh. The last line reads "N passed, N failed".
#
# The suites run in turn: the normal build's (unit, golden, differential, public API, pictures), a smoke of the same
# under address and undefined-behaviour sanitizers, and the builds without LLVM and without GL. The latter two are compiled at -O1:
# in half the time, and a world's bits may not hang on the level of our own compiler.
# Fuzzing and benchmarks have commands of their own: tests/fuzz/run.sh, tests/bench/run.sh.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
build=${WORLD_BUILD:-$root/build}
passed=0
failed=0

# suite NAME BUILD_DIR [meson test arguments]: runs Meson's tests there and adds up what they report.
suite() {
    name=$1
    dir=$2
    shift 2
    echo "== $name"
    meson test -C "$dir" --setup full --no-rebuild --print-errorlogs "$@" >"$dir/suite.log" 2>&1
    grep -vE '^(ninja|Ok:|Expected Fail:|Fail:|Unexpected Pass:|Skipped:|Timeout:|$)' "$dir/suite.log" | tail -n 200
    ok=$(sed -n 's/^Ok: *//p' "$dir/suite.log" | tail -n 1)
    bad=$(sed -n 's/^Fail: *//p' "$dir/suite.log" | tail -n 1)
    late=$(sed -n 's/^Timeout: *//p' "$dir/suite.log" | tail -n 1)
    if [ -z "$ok" ]; then # nothing ran at all
        ok=0
        bad=1
    fi
    passed=$((passed + ok))
    failed=$((failed + ${bad:-0} + ${late:-0}))
}

# variant NAME DIR [meson options]: configures and builds; a build that fails is one failed test.
variant() {
    name=$1
    dir=$2
    shift 2
    echo "== build: $name"
    if WORLD_TESTING=1 sh "$root/setup.sh" "$dir" "$@" >"$dir.log" 2>&1; then
        return 0
    fi
    tail -n 40 "$dir.log"
    failed=$((failed + 1))
    return 1
}

mkdir -p "$build"
variant "all" "$build" -Dtests=enabled -Dwerror=true && suite "all" "$build"
variant "sanitizers" "$build-asan" -Dtests=enabled -Dwerror=true -Db_sanitize=address,undefined -Db_lundef=false -Dgpu=disabled -Doptimization=1 &&
    suite "sanitizers" "$build-asan" --suite smoke
variant "without LLVM and GL" "$build-bare" -Dtests=enabled -Dwerror=true -Dllvm=disabled -Dgpu=disabled -Dtiny=true -Doptimization=1 &&
    suite "without LLVM and GL, tiny tables" "$build-bare" --suite smoke

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
