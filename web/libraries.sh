#!/bin/sh
# The sources of the libraries that the engine calls, as Debian has them for this system: sh libraries.sh DIR
# They come by apt-get from a list of their own; nothing is installed, and nothing is fetched when they are there.
set -eu
mkdir -p "$1"
cd "$1"
[ ! -f complete ] || exit 0
. /etc/os-release
apt=$PWD/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
: >"$apt/status"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $VERSION_CODENAME main" >"$apt/sources.list"
source_of() {
    apt-get -qq -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State="$apt" -o Dir::State::status="$apt/status" \
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root "$@"
}
source_of update
source_of source --download-only zlib libpng1.6 meshoptimizer
for library in zlib libpng meshoptimizer; do
    rm -rf "$library"
    mkdir "$library"
    tar -xf "$library"*.orig.tar.* --strip-components 1 -C "$library"
done
cp libpng/scripts/pnglibconf.h.prebuilt libpng/pnglibconf.h
rm -rf "$apt"
: >complete
