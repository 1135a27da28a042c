#!/bin/sh
# The page of `worldc web` in headless Chromium: sh tests/web/run.sh [BUILD [WORD...]]
#
# BUILD has it (-Dweb=enabled), or is made ($PWD/build-web when left out). What npm brings stays in $WORK ($PWD/web-test), with a picture of each
# world that was shown. WORD: only the tests with it in their names. A command of its own: it wants emscripten, npm and a browser. $CHROMIUM: which.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${1:-build-web}
[ $# -eq 0 ] || shift
mkdir -p "${WORK:=web-test}"
command -v "${CHROMIUM:=chromium}" >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; }
if [ -f "$build/build.ninja" ]; then
    ninja -C "$build" >/dev/null
else
    WORLD_WEB=1 sh "$root/setup.sh" "$build" -Dweb=enabled
fi
cp "$root/web/package.json" "$root/web/package-lock.json" "$WORK"
[ -d "$WORK/node_modules/playwright-core" ] || (cd "$WORK" && npm ci --ignore-scripts --no-audit --no-fund --silent)
exec node "$here/test.cjs" "$build/compiler/cli/worldc" "$WORK" "$(command -v "$CHROMIUM")" "$@"
