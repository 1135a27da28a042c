#!/usr/bin/env python3
"""The Debian package: what it holds, what it depends on, and that it installs and works from where it was put. The manual page and the
completions, which it holds, know every verb and option.

Usage: package.py SOURCE_DIR BUILD_DIR
"""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def rows(table, name):
    """The first argument of each row of a .def file that begins with `name`."""
    text = (SOURCE / "compiler/cli" / table).read_text(encoding="utf-8")
    return re.findall(rf'^{name}\((?:\w+, )?"?([^",]+)', text, re.M)


VERBS = re.findall(r"^COMMAND\((\w+),", (SOURCE / "compiler/cli/command.def").read_text(encoding="utf-8"), re.M)
OPTIONS = [o for o in rows("option.def", "OPTION") if o.startswith("--")]


def owner(path):
    """The package that a file came with; Debian keeps some under /lib and some under /usr/lib."""
    real = os.path.realpath(path)
    for name in (path, real, re.sub("^/usr", "", real), "/usr" + real):
        done = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    sys.exit(f"no package holds {path}")


def needed(files, environment):
    """The packages of the libraries that files are linked with themselves."""
    names, places = set(), {}
    for file in files:
        names |= set(re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", file)))
        places |= dict(re.findall(r"(\S+) => (/\S+)", run("ldd", file, env=environment)))
    return {owner(places[name]) for name in names if name in places and not name.startswith("libworld")}


def check_fields(package, root, environment):
    fields = {f: set(re.findall(r"([\w.+-]+) \(>= [^)]+\)", run("dpkg-deb", "-f", package, f))) for f in ("Depends", "Recommends")}
    library = next(root.rglob("libworld.so.*.*"))
    depends = needed([root / "usr/bin/worldc", library], environment)
    recommends = needed(root.rglob("libworld-*.so"), environment) - depends
    if fields["Depends"] != depends or fields["Recommends"] != recommends:
        sys.exit(f"the package says {fields}, its files {depends} and {recommends}")


def check_missing(folder):
    """Where a library is not to be found there is no package, rather than one that depends on less."""
    blind = folder / "blind"
    blind.mkdir()
    (blind / "ldconfig").write_text("#!/bin/sh\n")
    (blind / "ldconfig").chmod(0o755)
    done = subprocess.run(["sh", SOURCE / "deb.sh", BUILD, folder / "less.deb"], capture_output=True, text=True,
                          env=dict(os.environ, PATH=f"{blind}:{os.environ['PATH']}"))
    if done.returncode == 0 or "is not installed" not in done.stderr or (folder / "less.deb").exists():
        sys.exit(f"a package was made without its libraries: {done.stdout}{done.stderr}")


def check_page(root):
    page = gzip.decompress((root / "usr/share/man/man1/worldc.1.gz").read_bytes()).decode().replace("\\-", "-")
    missing = [v for v in VERBS if f"worldc {v} " not in page and f"worldc [{v}] " not in page] + [o for o in OPTIONS if o not in page]
    if missing or len(VERBS) < 15 or len(OPTIONS) < 20:
        sys.exit(f"the manual page lacks {missing}")


def completed(script, *words):
    ask = f'source {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _worldc; printf "%s\\n" "${{COMPREPLY[@]}}"'
    return run("bash", "-c", ask, "bash", *words).split()


def check_bash(root):
    script = root / "usr/share/bash-completion/completions/worldc.bash"
    assert completed(script, "worldc", "ex") == ["explain", "export"], completed(script, "worldc", "ex")
    assert set(VERBS) <= set(completed(script, "worldc", ""))
    assert completed(script, "worldc", "fmt", "--c") == ["--check"]
    assert "--radius" in completed(script, "worldc", "explain", "a.world", "--r")
    assert "--radius" not in completed(script, "worldc", "ask", "a.world", "--")
    zsh = (root / "usr/share/zsh/vendor-completions/_worldc").read_text(encoding="utf-8")
    assert all(f"'{verb}:" in zsh for verb in VERBS) and all(f"'{option}[" in zsh for option in OPTIONS)


def main():
    with tempfile.TemporaryDirectory() as folder:
        package, root, admin = (pathlib.Path(folder) / name for name in ("worldc.deb", "root", "dpkg"))
        run("sh", SOURCE / "deb.sh", BUILD, package)
        root.mkdir()
        for name in ("info", "updates", "triggers"):
            (admin / name).mkdir(parents=True)
        shutil.copy("/var/lib/dpkg/status", admin / "status")  # so that what it depends on is looked for
        run("dpkg", f"--admindir={admin}", f"--instdir={root}", "--force-not-root", "--force-script-chrootless", "--no-triggers", "-i", package)
        environment = dict(os.environ, LD_LIBRARY_PATH=str(next(root.rglob("libworld.so")).parent), HOME=folder)
        check_fields(package, root, environment)
        check_missing(pathlib.Path(folder))
        check_page(root)
        check_bash(root)
        program, grove = root / "usr/bin/worldc", SOURCE / "examples/grove.world"
        at_home = run(BUILD / "compiler/cli/worldc", "hash", grove)
        if run(program, "hash", grove, env=environment) != at_home:
            sys.exit("the installed program builds another world")
        run(program, "doc", "--html", f"{folder}/manual", env=environment)
        print("package: fine")


main()
