#!/bin/sh
# Makes a Debian package of a build: sh deb.sh BUILD_DIR OUT.deb
#
# What the program and the library are linked with they depend on, in at least the versions here; what only the libraries that are
# loaded when wanted need (machine code, measured heights, tiles by MPI) is recommended: all works without it.
set -eu
root=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

DESTDIR=$work/built meson install -C "$build" --no-rebuild --quiet >/dev/null
prefix=$(meson introspect --buildoptions "$build" | python3 -c 'import json, sys; print(next(o["value"] for o in json.load(sys.stdin) if o["name"] == "prefix"))')
tree=$work/tree
mkdir -p "$tree/DEBIAN"
mv "$work/built$prefix" "$tree/usr"
find "$tree/usr" -name '*.pc' -exec sed -i "s|^prefix=.*|prefix=/usr|" {} +
mkdir -p "$tree/usr/share/doc/worldc"
cp "$root/LICENSE" "$tree/usr/share/doc/worldc/copyright"
gzip -9 -n -c "$root/CHANGELOG.md" >"$tree/usr/share/doc/worldc/changelog.gz"
find "$tree/usr/share/man" -type f -exec gzip -9 -n {} +
find "$tree/usr" -type f \( -name '*.so*' -o -path '*/bin/*' \) -exec strip --strip-unneeded {} +

fail() {
    echo "deb.sh: $*" >&2
    exit 1
}
# The package that a library came with: "libpng16-16 (>= 1.6.39-2)".
package_of() {
    path=$(ldconfig -p | sed -n "s|^\t$1 (.*x86-64.*) => ||p; s|^\t$1 (.*AArch64.*) => ||p" | head -n 1)
    [ -n "$path" ] || fail "$1, which it is linked with, is not installed"
    real=$(readlink -f "$path")
    for name in "$path" "$real" "${real#/usr}"; do
        found=$(dpkg -S "$name" 2>/dev/null) || continue
        versions=$(dpkg-query -W -f '${Package} (>= ${Version})\n' "${found%%:*}")
        echo "$versions" | head -n 1
        return
    done
    fail "no package holds $path"
}
# Those of all that files are linked with but what is our own, a line each. No pipelines: a step that fails ends it.
packages() {
    for file in "$@"; do objdump -p "$file"; done >"$work/objects"
    sed -n 's/^ *NEEDED *//p' "$work/objects" | sort -u >"$work/libraries"
    while read -r library; do
        [ -n "$(find "$tree/usr" -name "$library")" ] || package_of "$library"
    done <"$work/libraries" >"$work/packages"
    sort -u "$work/packages"
}
joined() { paste -sd ',' | sed 's/,/, /g'; }

linked=$(find "$tree/usr" -type f \( -name 'libworld.so*' -o -name worldc \))
loaded=$(find "$tree/usr" -type f -name 'libworld-*.so')
# shellcheck disable=SC2086
packages $linked >"$work/depends"
# shellcheck disable=SC2086
packages $loaded >"$work/loaded"
grep -vxFf "$work/depends" "$work/loaded" >"$work/recommends" || [ $? -eq 1 ]
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" "$root/meson.build" | head -n 1)
cat >"$tree/DEBIAN/control" <<CONTROL
Package: worldc
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: The worldc authors <worldc@localhost>
Section: devel
Priority: optional
Installed-Size: $(du -sk "$tree/usr" | cut -f1)
Depends: $(joined <"$work/depends")
Recommends: $(joined <"$work/recommends")
Description: compiler and runtime of a language in which people write worlds
 worldc checks, builds, asks and shows worlds: texts of parts, fields, lands
 made of formulas, and rules that say what grows where. The same text builds
 the same world, bit for bit, on every machine. libworld embeds it in hosts.
CONTROL
printf 'activate-noawait ldconfig\n' >"$tree/DEBIAN/triggers"
# Most of it is pictures, which are packed already: xz takes fifteen seconds to find that out.
dpkg-deb --root-owner-group -Zgzip --build "$tree" "$out" >/dev/null
echo "$out"
