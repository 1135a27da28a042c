#!/bin/sh
# A minute on the island at dawn, as a film: the island's own text, and below it birds, a wind, a sea and a camera that flies in from the bay.
#
#     sh dawn.sh [OUT.webm or OUT.png [FRAMES [options of worldc render]]]
#     sh dawn.sh --window      the same to walk in, while the birds fly
#     sh dawn.sh --text        the text itself
#
# The island's text stays as it is (its hash is the specification's); worldc reads what is put together here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

text() {
    cat "$here/island.world" - <<'END'

use boidflock
use sky
use camera
use oceanwaves
use weather

part dawn: sky.day(hour: 5, date: 172, latitude: 45 deg, haze: 0.45, clouds: 0.45)
part air: weather.wind(direction: (0.8, 0, 0.6), speed: 6 m/s)
part surf: oceanwaves.ocean(spec: forSea(air.sea(fetch: 60 km), seed: 3))

/// What the birds fly over: the ground, and where that lies under it the sea.
fn surface(here: point) meters { max(0, land.height(here)) }
part birds: boidflock.flocks(ground: surface, seed: seed, kin: [
    boidflock.flock(home: (-20, 0, 420)), boidflock.flock(home: (20, 0, 340)), boidflock.flock(home: (-10, 0, 380), size: 1)])

part path: camera.path(along: spine.through([(70, 0, 560), (10, 0, 520), (-22, 0, 480), (-30, 0, 440), (-26, 0, 400), (-24, 0, 372)], kind: centripetal).laidOn(land),
                       rise: 7 m, ahead: 30 m, lasts: 60 s)
END
}

if [ "${1:-}" = --text ]; then
    text
    exit
fi
if [ "${1:-}" = --window ]; then
    PATH=$here/../build/compiler/cli:$PATH
    text | exec worldc view -
fi
out=${1:-dawn.webm} frames=${2:-1500}
if [ $# -gt 2 ]; then shift 2; else shift $#; fi
PATH=$here/../build/compiler/cli:$PATH
text | worldc render - -o "$out" --camera path --frames "$frames" "$@"
