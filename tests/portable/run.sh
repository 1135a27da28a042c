#!/bin/sh
# One hash everywhere: sh tests/portable/run.sh [MACHINE...]
#
# Builds the interpreter alone for each machine and compares what it answers (answers.py: hashes, maps, exports, goldens) with this
# machine's gcc at -O2. Another machine's compiler and qemu are the system's (Debian: gcc-TRIPLE, g++-TRIPLE, qemu-user-static), its
# libraries lie in a root of their own. What differs is printed; the exit code is 1 then.
#
#   gcc1 gcc3 clang1 clang3   this machine at -O1 for any processor, at -O3 for this very one (AVX2, AVX-512 as it has them)
#   arm64                     aarch64; with $WORLDC_BUILD, a build with LLVM, objects of `worldc compile` too
#   i386                      pointers of four bytes
#   wasm                      WebAssembly by emcc, in node: hashes alone (wasm.py); with $WORLDC_BUILD, objects of `worldc compile` too
#   s390x                     the bytes the other way round; by its name only, for qemu takes its time
#
# $WORK: where builds, roots and answers lie, and stay ($PWD/portable).  $EXAMPLES: "grove.world island.world"; all when empty.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "${WORK:=portable}"
work=$(cd "$WORK" && pwd)
failed=

build() { # NAME OPTIONS...: the programs of a build folder
    name=$1
    shift
    [ -f "$work/$name/build.ninja" ] || meson setup "$work/$name" "$root" -Dllvm=disabled -Dgpu=disabled -Dmpi=disabled -Dtests=disabled "$@" \
        >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; exit 1; }
    ninja -C "$work/$name" >"$work/$name.log" 2>&1 || { tail -n 30 "$work/$name.log"; exit 1; }
}

native() { # NAME COMPILER LEVEL FLAG
    CC=$2 build "$1" -Doptimization="$3" -Dc_args="$4"
    compare "$1" "$work/$1/compiler/cli/worldc"
}

# meshoptimizer as this machine's is: Debian's is compiled with fused multiplications where a processor has them, and then thins other
# triangles out.
meshoptimizer() { # ROOT COMPILER FLAGS...
    into=$1/usr/lib/$(ls "$1/usr/lib" | grep -m 1 -e '-linux-gnu')
    compiler=$2
    shift 2
    source=$(ls -d "$work"/meshoptimizer-*/src 2>/dev/null || true)
    if [ -z "$source" ]; then
        version=$(dpkg-query -W -f '${Version}' libmeshoptimizer-dev)
        file=meshoptimizer_${version%-*}.orig.tar.xz
        (cd "$work" && curl -sSfO "http://deb.debian.org/debian/pool/main/m/meshoptimizer/$file" && tar -xf "$file")
        source=$(ls -d "$work"/meshoptimizer-*/src)
    fi
    "$compiler" -O2 -ffp-contract=off "$@" -fPIC -shared -static-libstdc++ -static-libgcc -Wl,-soname,libmeshoptimizer.so.2d "$source"/*.cpp \
        -o "$into/libmeshoptimizer.so.2d"
}

cross() { # NAME TRIPLE LIBRARIES CPU ENDIAN RUNNER FLAGS
    name=$1 triple=$2 machine=$work/$1-root
    if [ ! -d "$machine/usr" ]; then
        sh "$here/root.sh" "$name" "$machine" libc6-dev libxxhash-dev libpng-dev zlib1g-dev libmeshoptimizer-dev libffi-dev libjansson-dev \
            libedit-dev libtiff-dev libopenexr-dev
        # shellcheck disable=SC2086
        meshoptimizer "$machine" "$triple-g++" $7
    fi
    printf '#!/bin/sh\nexec %s "$@"\n' "$(echo "$6" | sed "s|ROOT|$machine|g")" >"$work/$name-run"
    printf '#!/bin/sh\nexec %s-gcc %s --sysroot=%s -isystem %s/usr/include/%s -Wl,-rpath-link,%s/usr/lib/%s "$@"\n' "$triple" "$7" "$machine" \
        "$machine" "$3" "$machine" "$3" >"$work/$name-cc"
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$work/$name-run" "$work/$name/compiler/cli/worldc" >"$work/$name-worldc"
    chmod +x "$work/$name-run" "$work/$name-cc" "$work/$name-worldc"
    cat >"$work/$name.cross" <<END
[binaries]
c = '$work/$name-cc'
ar = '$triple-ar'
strip = '$triple-strip'
pkgconfig = 'pkg-config'
exe_wrapper = '$work/$name-run'
[properties]
sys_root = '$machine'
pkg_config_libdir = '$machine/usr/lib/$3/pkgconfig:$machine/usr/share/pkgconfig'
needs_exe_wrapper = true
[host_machine]
system = 'linux'
cpu_family = '$4'
cpu = '$4'
endian = '$5'
END
    build "$name" --cross-file "$work/$name.cross" -Doptimization=2
    compare "$name" "$work/$name-worldc"
}

compare() { # NAME WORLDC
    # shellcheck disable=SC2086
    python3 "$here/answers.py" "$2" "$work/$1.txt" ${EXAMPLES:-}
    if [ "$1" = reference ]; then
        echo "$(wc -l <"$work/$1.txt") answers"
    elif diff "$work/reference.txt" "$work/$1.txt" >"$work/$1.diff"; then
        echo "$1: the same"
    else
        echo "$1: differs"
        cat "$work/$1.diff"
        failed="$failed $1"
    fi
}

wasm() {
    if python3 "$here/wasm.py" "$work/reference" "$work/wasm" "$work/reference.txt"; then
        echo "wasm: the same hashes"
    else
        failed="$failed wasm"
    fi
    [ -z "${WORLDC_BUILD:-}" ] || {
        python3 "$here/wasm_objects.py" "$work/reference" "$work/wasm" "$WORLDC_BUILD" && echo "wasm: objects the same"
    } || failed="$failed wasm-objects"
}

objects() { # of aarch64, run by its own engine's side
    python3 "$root/tests/api/ahead.py" "$root" "$WORLDC_BUILD" aarch64-linux-gnu "$work/arm64" "$work/arm64-cc" "$work/arm64-run" &&
        echo "arm64: objects the same" || failed="$failed objects"
}

run_machine() {
    case $1 in
    gcc1) native gcc1 gcc 1 "" ;;
    gcc3) native gcc3 gcc 3 -march=native ;;
    clang1) native clang1 "${CLANG:-clang-19}" 1 "" ;;
    clang3) native clang3 "${CLANG:-clang-19}" 3 -march=native ;;
    arm64)
        cross arm64 aarch64-linux-gnu aarch64-linux-gnu aarch64 little "qemu-aarch64-static -L ROOT" ""
        [ -z "${WORLDC_BUILD:-}" ] || objects
        ;;
    i386)
        cross i386 i686-linux-gnu i386-linux-gnu x86 little \
            "ROOT/lib/ld-linux.so.2 --library-path ROOT/lib/i386-linux-gnu:ROOT/usr/lib/i386-linux-gnu" "-msse2 -mfpmath=sse"
        ;;
    wasm) wasm ;;
    s390x) cross s390x s390x-linux-gnu s390x-linux-gnu s390x big "qemu-s390x-static -L ROOT" "" ;;
    *)
        echo "there is no machine '$1'" >&2
        exit 2
        ;;
    esac
}

CC=gcc build reference -Doptimization=2
compare reference "$work/reference/compiler/cli/worldc"
[ $# -gt 0 ] || set -- gcc1 gcc3 clang1 clang3 arm64 i386 wasm
for machine in "$@"; do
    run_machine "$machine"
done
[ -z "$failed" ] || { echo "not everywhere the same:$failed"; exit 1; }
echo "the same everywhere"
