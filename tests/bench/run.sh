#!/bin/sh
# Builds (installing what is missing) and prints the benchmark's table; README.md tells how to read it.
#
#   sh tests/bench/run.sh [land|compile|scatter|seeds|geometry|programs|plants|ocean ...]     BUILD_DIR from the environment, or build-bench
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD_DIR:-$root/build-bench}

WORLD_TESTING=1 sh "$root/setup.sh" "$build" >&2
ninja -C "$build" tests/bench/bench >&2
exec "$build/tests/bench/bench" "$root/examples/island.world" "$build/compiler/cli/worldc" \
    "$root/tests/bench/programs.world" "$@"
