#!/bin/sh
# The packages of another machine in a root of their own: sh root.sh ARCH DIR PACKAGE...
# Debian's, with all they depend on; nothing of the system's own packages is touched, and nothing is run.
set -eu
. /etc/os-release
arch=$1 dir=$2
shift 2
mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/apt/etc"
dir=$(cd "$dir" && pwd)
: >"$dir/apt/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $VERSION_CODENAME main" >"$dir/apt/etc/sources.list"
apt() {
    apt-get -qq -o Dir::Etc::sourcelist="$dir/apt/etc/sources.list" -o Dir::Etc::sourceparts=- -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Dir::State="$dir/apt" -o Dir::State::status="$dir/apt/status" \
        -o Dir::State::lists="$dir/apt/lists" -o Dir::Cache="$dir/apt/cache" -o Debug::NoLocking=1 "$@"
}
apt update
apt install -y --no-install-recommends --download-only "$@"
for package in "$dir"/apt/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$dir" --exclude=./usr/share/doc --exclude=./usr/share/locale
done
# What links lead to lies in the root, not in the system.
find "$dir/usr/lib" "$dir/lib" -type l -lname '/*' 2>/dev/null | while read -r link; do
    ln -sf "$dir$(readlink "$link")" "$link"
done
rm -rf "$dir/apt"
