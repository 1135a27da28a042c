#!/bin/sh
# Installs, builds and shows a world: sh examples/run.sh [FILE]. Without a display it leaves a picture beside
# where you stand and says so.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
sh "$root/setup.sh" "$root/build"
exec "$root/build/compiler/cli/worldc" "${1:-$root/examples/island.world}"
