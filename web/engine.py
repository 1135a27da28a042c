"""The one recipe by which the engine becomes WebAssembly: for the page (build.py) and for tests/portable.

emcc, node and apt-get are the system's. The sources are those of libworld and of its exports, in a build of this project whose generated
texts are compiled too, and those of zlib, libpng and meshoptimizer (libraries.sh). Left out are LLVM, GL, OpenEXR and libtiff, and
libffi, in whose place stands absent.c. There is one thread.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
HERE = ROOT / "web"
HEADERS = ["xxhash.h", "*/ffi.h", "*/ffitarget.h"]
ELSEWHERE = {"world-gpu", "world-kernels_avx2"}
# What the engine calls of each.
LIBRARIES = {
    "zlib": "adler32 crc32 deflate inffast inflate inftrees trees zutil compress uncompr".split(),
    "libpng": "png pngerror pngget pngmem pngpread pngread pngrio pngrtran pngrutil pngset pngtrans pngwio pngwrite pngwtran pngwutil".split(),
    "meshoptimizer": ["src/allocator", "src/simplifier", "src/vcacheoptimizer"],
}
ALWAYS = ["-O2", "-msimd128", "-mmutable-globals", "-ffp-contract=off", "-w"]  # vectors, which browsers have since 2021: a seventh faster, to the same bits
FLAGS = [*ALWAYS, "-std=c17", "-D_GNU_SOURCE", "-fno-math-errno", "-DXXH_INLINE_ALL", "-DKERNEL_SET=kernels_plain", '-DWORLD_LIBDIR="/none"',
         f"-I{ROOT}", f"-I{ROOT}/runtime/include"]
LINK = ["-O2", "-sALLOW_MEMORY_GROWTH=1", "-sMAXIMUM_MEMORY=4GB", "-sINITIAL_MEMORY=64MB", "-sTOTAL_STACK=8MB"]
# Debian's emcc looks for acorn where Debian's node has it.
ENVIRONMENT = dict(os.environ, NODE_PATH="/usr/share/nodejs")
if shutil.which("ccache"):
    ENVIRONMENT.setdefault("EM_COMPILER_WRAPPER", "ccache")


def emcc(*arguments):
    done = subprocess.run(["emcc", *map(str, arguments)], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    if done.returncode:
        sys.exit(done.stderr[-4000:])


def engine_sources(build, rooms=None):
    """Those of some of its libraries, or of all that there are."""
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        library = re.search(r"/lib(world-[^/]*)\.a\.p/", entry["output"])
        if library and (library[1] in rooms if rooms else library[1] not in ELSEWHERE):
            yield pathlib.Path(os.path.normpath(build / entry["file"]))


def library_sources(folder):
    for library, names in LIBRARIES.items():
        for name in names:
            yield next((folder / library).glob(name + ".c*"))


def is_made(made):
    """Whether an object is newer than all that it was made of, and than this recipe."""
    needs = made.with_suffix(".d")
    if not made.exists() or not needs.exists():
        return False
    words = needs.read_text(encoding="utf-8").replace("\\\n", " ").split()[1:] + [__file__]
    return all(os.path.exists(word) and os.path.getmtime(word) <= made.stat().st_mtime for word in words)


def compile_one(source, into, flags):
    made = into / (str(source).strip("/").replace("/", "_") + ".o")
    if not is_made(made):
        emcc(*flags, "-c", "-MMD", source, "-o", made)
    return made


def compile_all(build, out, own, rooms=None):
    """The objects of `own`, of the engine, or of some of its libraries, and of what they stand on."""
    objects, include, libraries = out / "objects", out / "include", out / "libraries"
    objects.mkdir(parents=True, exist_ok=True)
    include.mkdir(exist_ok=True)
    subprocess.run(["sh", HERE / "libraries.sh", libraries], check=True)
    for pattern in HEADERS:
        for header in pathlib.Path("/usr/include").glob(pattern):
            if not (include / header.name).exists():
                shutil.copy2(header, include)
    of_libraries = [f"-I{libraries / 'zlib'}", f"-I{libraries / 'libpng'}", f"-I{libraries / 'meshoptimizer/src'}"]
    sources = [(source, [*ALWAYS, *of_libraries]) for source in library_sources(libraries)]
    sources += [(source, [*FLAGS, f"-I{build}", f"-I{include}", *of_libraries])
                for source in [*engine_sources(build, rooms), HERE / "engine/absent.c", *own]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda row: compile_one(row[0], objects, row[1]), sources))


def make(build, out, own, link, target):
    """The engine and the sources of `own` as `target`."""
    made = compile_all(build, out, own)
    if not target.exists() or any(part.stat().st_mtime > target.stat().st_mtime for part in [*made, *HERE.glob("*.py")]):
        emcc(*LINK, *link, *made, "-o", target)
