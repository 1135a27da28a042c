#!/bin/sh
# Installs what worldc needs on Debian 12 and configures the build. The one list of packages and versions.
#
#   sh setup.sh BUILD_DIR [meson options]     installs what is missing, configures BUILD_DIR, builds it
#
# examples/run.sh and tests/run.sh both begin here; nothing is fetched when everything is already there.
set -eu

# Pinned where the answer could depend on it: LLVM 19. The rest is Debian 12's own.
LLVM=19
BUILD_TOOLS="gcc pkg-config meson ninja-build re2c lemon python3 python3-glad"
LIBRARIES="libtiff-dev libopenmpi-dev openmpi-bin libffi-dev libedit-dev libjansson-dev libpng-dev zlib1g-dev libopenexr-dev libxxhash-dev libmeshoptimizer-dev"
JIT="llvm-$LLVM-dev"
GRAPHICS="libglfw3-dev libegl-dev libgl-dev libegl1 libegl-mesa0 libgl1-mesa-dri"
# The page of `worldc web` (-Dweb=enabled); what npm brings to it is pinned in web/package-lock.json.
WEB="emscripten node-acorn $(command -v npm >/dev/null || echo npm)"
TESTING="libcmocka-dev libmpfr-dev clang-$LLVM libclang-rt-$LLVM-dev xvfb xauth libxtst6 g++ libbullet-dev libsleef-dev python3-numpy"

root=$(cd "$(dirname "$0")" && pwd)
build=${1:-$root/build}
[ $# -gt 0 ] && shift

missing=
for package in $BUILD_TOOLS $LIBRARIES $JIT $GRAPHICS ${WORLD_WEB:+$WEB} ${WORLD_TESTING:+$TESTING}; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
    echo "installing:$missing"
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

if [ -f "$build/build.ninja" ]; then
    [ $# -eq 0 ] || meson configure "$build" "$@"
else
    meson setup "$build" "$root" "$@"
fi
ninja -C "$build"
