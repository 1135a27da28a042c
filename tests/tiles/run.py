#!/usr/bin/env python3
"""Lands by tiles: run.py WORLDC. One process, ranks of MPI, parts of a job array, and builds that were killed make the same files, bit for
bit, as the land built whole; what cannot be done tile by tile is refused. Without mpirun or libworld-mpi the ranks are left out, and that is said.
"""
import filecmp
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
WORLD = HERE / "tiles.world"
WORLDC = pathlib.Path(sys.argv[1]).resolve()
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", NO_COLOR="1")
MPIRUN = ["mpirun", "--oversubscribe", "-n"]
failures = 0


def demand(holds, what):
    global failures
    if not holds:
        failures += 1
        print(f"FAILED: {what}")


def command(folder, *more, land=None, tile=129):
    return [str(WORLDC), "build", str(WORLD), *([land] if land else []), "--tiles", str(folder), "--tile", str(tile), *more]


def run(words, code=0):
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, env=ENVIRONMENT, check=False)
    demand(done.returncode == code, f"{' '.join(words)}: code {done.returncode}, wanted {code}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def names_in(folder, but):
    """What is killed while it gives a file its name leaves that file under another too (runtime/file): no part of a build."""
    return sorted(p.name for p in folder.iterdir() if p.name not in but and not p.name.endswith(".part"))


def same(a, b, but=()):
    names, others = names_in(a, but), names_in(b, but)
    demand(names == others, f"{a.name} holds {names}, {b.name} {others}")
    different = [name for name in names if name in others and not filecmp.cmp(a / name, b / name, shallow=False)]
    demand(not different, f"{a.name} and {b.name} differ in {different[:3]}")


def until_some(folder, process, count=3):
    """Waits until that many tiles are there."""
    for _ in range(2000):
        if process.poll() is not None or (folder.exists() and len(list(folder.glob("x*"))) >= count):
            return
        time.sleep(0.01)


def has_mpi(scratch):
    if not shutil.which("mpirun"):
        return False
    done = subprocess.run([*MPIRUN, "1", *command(scratch / "probe")], capture_output=True, text=True, timeout=120, env=ENVIRONMENT, check=False)
    if done.returncode and "no MPI" not in done.stderr:
        demand(False, f"mpirun -n 1: {done.stderr}")
    return done.returncode == 0


def kill_one_rank(process):
    """The last of mpirun's children."""
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=False).stdout.split()
    if children:
        os.kill(int(children[-1]), signal.SIGKILL)


def test_alone(scratch):
    one, whole = scratch / "one", scratch / "whole"
    run([str(WORLDC), "check", str(WORLD)])
    demand("16 made now" in run(command(one)), "16 tiles are made")
    run(command(whole, land="land.whole"))
    same(one, whole, but=("tiles.json",))
    tiles = json.loads((one / "tiles.json").read_text())
    demand(tiles["across"] == 4 and len(tiles["tiles"]) == 16 and tiles["tiles"][5]["bytes"] == 129 * 129 * 4, "the manifest says what there is")
    demand("16 were there" in run(command(one)), "what is there is not made again")
    run(command(one, "--verify"))
    # 100 does not divide 512: the last tiles are smaller
    run(command(scratch / "odd", tile=100))
    demand(json.loads((scratch / "odd" / "tiles.json").read_text())["tiles"][-1]["bytes"] == 18 * 18 * 4, "the last tile is smaller")


def test_damage(scratch):
    one, hurt = scratch / "one", scratch / "hurt"
    shutil.copytree(one, hurt)
    (hurt / "x1_y1.r32").unlink()
    with open(hurt / "x2_y0.r32", "r+b") as file:
        file.write(b"?")
    said = run(command(hurt, "--verify"), code=1)
    demand("x2_y0.r32: it is not what was built" in said and "x1_y1.r32: it is not built" in said and "14 of 16" in said, said)
    (hurt / "x2_y0.r32").unlink()
    demand("2 made now, 14 were there" in run(command(hurt)), "what is gone is made again")
    same(one, hurt)
    demand("another land" in run(command(hurt, tile=65), code=2), "tiles of another size are not mixed")
    demand("another land" in run(command(hurt, "--seed", "9"), code=2), "tiles of another seed are not mixed")
    for text in ("", "{", "[]", '{"manifest": "worldc tiles 1", "key": 5}', (one / "tiles.json").read_text().replace('"column": 0', '"column": 99', 1)):
        (hurt / "tiles.json").write_text(text)
        run(command(hurt), code=2)


def test_parts(scratch):
    parts = scratch / "parts"
    for k in (3, 1, 2):
        run(command(parts, "--part", f"{k}/3"))
    same(scratch / "one", parts)


def test_killed(scratch):
    killed = scratch / "killed"
    process = subprocess.Popen(command(killed, tile=65), env=ENVIRONMENT, stderr=subprocess.DEVNULL)
    until_some(killed, process)
    process.kill()
    process.wait()
    run(command(killed, tile=65))
    run(command(scratch / "calm", tile=65))
    same(scratch / "calm", killed)


def test_ranks(scratch):
    for n in ("2", "4"):
        run([*MPIRUN, n, *command(scratch / f"ranks{n}")])
        same(scratch / "one", scratch / f"ranks{n}")
    killed = scratch / "rank_killed"
    process = subprocess.Popen([*MPIRUN, "4", *command(killed, tile=65)], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until_some(killed, process)
    kill_one_rank(process)
    process.wait()
    run([*MPIRUN, "2", *command(killed, tile=65)])
    same(scratch / "calm", killed)
    for k in (2, 1):
        run([*MPIRUN, "1", *command(scratch / "started", "--part", f"{k}/2")])
    same(scratch / "one", scratch / "started")


def test_stages(scratch):
    run(command(scratch / "soft", land="land.soft"))
    said = run(command(scratch / "torn", land="land.torn"), code=1)
    demand("do not meet" in said and "halo" in said, said)
    demand("E0524" in run(command(scratch / "alone", land="land.alone"), code=1), "what looks at all of a land is refused")


def test_refused(scratch):
    none = scratch / "none"
    for words, what in ((["--part", "0/3"], "--part takes"), (["--part", "4/3"], "--part takes"), (["--part", "x"], "--part takes"), (["--tile", "1"], "--tile takes"),
                        (["--format", "bmp"], "--format is"), (["--format", "r16"], "--scale LO,HI"), (["--scale", "0,1"], "--scale is of"), (["-o", "x"], "one of the two"),
                        (["--set", "land.at=(0,0,0)"], "without --set"), (["--format", "png", "--scale", "5,1"], "of which HI is more"), (["--time"], "whole build"),
                        (["--format", "r16", "--scale", "-1,1"], "does not hold them")):
        said = run(command(none, *words), code=2)
        demand(what in said, f"{words}: {said}")
    demand("tiles are of a heightGrid or an expanse" in run(command(none, land="land.road"), code=1), "what has no windows is none")
    run(command(scratch / "empty", "--verify"), code=2)
    run(command(scratch / "nowhere" / "deep"), code=2)
    run(command(scratch / "sixteen", "--format", "r16", "--scale", "-100,100"))
    demand(json.loads((scratch / "sixteen" / "tiles.json").read_text())["valueLow"] == -100, "the scale stands in the manifest")


def main():
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        test_alone(scratch)
        test_damage(scratch)
        test_parts(scratch)
        test_killed(scratch)
        if has_mpi(scratch):
            same(scratch / "one", scratch / "probe")
            test_ranks(scratch)
        else:
            print("mpirun or libworld-mpi is not there: the ranks are left out")
        test_stages(scratch)
        test_refused(scratch)
    print(f"{failures} failures")
    sys.exit(failures != 0)


main()
