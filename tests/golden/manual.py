#!/usr/bin/env python3
"""The manual of `worldc doc --html`: no link and no picture leads nowhere, every id stands once, the search finds pages that are there and every
entry of the library, and damaged files are errors. manual.py WORLDC ROOT
"""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

VOID = {"meta", "link", "img", "input", "br"}
WORLDC, ROOT = (pathlib.Path(a).resolve() for a in sys.argv[1:3])


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path, self.ids, self.targets, self.open, self.wrong = path, [], [], [], []
        self.feed(path.read_text(encoding="utf-8"))
        self.wrong += [f"<{tag}> is never closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        self.targets += [attrs[name] for name in ("href", "src") if name in attrs]
        if tag == "img" and not attrs.get("alt") and not self.path.name.startswith("example-"):
            self.wrong.append(f"{attrs['src']} says nothing to who cannot see it")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()} closes nothing")


def wrong_target(pages, folder, page, target):
    name, _, anchor = target.partition("#")
    if target.startswith("https://"):
        return None
    if name and not (folder / name).is_file():
        return f"{target} is not there"
    if anchor and anchor not in pages[name or page.path.name].ids:
        return f"{target}: its page has no such place"
    return None


def check_pages(folder):
    pages = {path.name: Page(path) for path in sorted(folder.glob("*.html"))}
    for page in pages.values():
        wrong = page.wrong + [f"id {i} stands twice" for i in {i for i in page.ids if page.ids.count(i) > 1}]
        wrong += [w for w in (wrong_target(pages, folder, page, t) for t in page.targets) if w]
        for w in wrong:
            yield f"{page.path.name}: {w}"
    rows = json.loads((folder / "search.js").read_text(encoding="utf-8").removeprefix("var manualIndex = ").rstrip(";\n"))
    for row in rows:
        if len(row) != 5 or (said := wrong_target(pages, folder, pages["index.html"], row[2])):
            yield f"search.js: {row[:3]}: {said}"
    titles = {title for _, title, *_ in rows}
    library = (ROOT / "lang/LIBRARY.md").read_text(encoding="utf-8")
    for package, body in re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", library, re.M | re.S):
        for name in re.findall(r"^- `(?:\w+ )*?(?:fn|part|record|contract|field|type) (\w+)", body, re.M):
            if f"{package}.{name}" not in titles:
                yield f"search.js: nothing finds {package}.{name}"
    for chapter in re.findall(r"^## (.*)$", (ROOT / "lang/REFERENCE.md").read_text(encoding="utf-8"), re.M):
        if chapter not in titles:
            yield f"search.js: nothing finds the chapter {chapter}"
    for example in (ROOT / "examples").glob("*.world"):
        if f"example-{example.stem}.html" not in pages:
            yield f"examples/README.md links no {example.name}"
    recipes = re.findall(r"^## ", (ROOT / "lang/COOKBOOK.md").read_text(encoding="utf-8"), re.M)
    if len(recipes) != 20:
        yield f"the cookbook has {len(recipes)} tasks"


def write(worldc, out, environment=None):
    done = subprocess.run([worldc, "doc", "--html", out], capture_output=True, text=True, env=environment)
    return done.returncode, done.stderr


def put(path, content):
    """In place of what is there, which may be a link to a file of ours."""
    path.unlink()
    path.write_bytes(content)


def damages(share):
    """Of an installed tree: one change each, and what is then said."""
    cookbook, reference = share / "lang/COOKBOOK.md", share / "lang/REFERENCE.md"
    yield cookbook.unlink, "cannot read '.*COOKBOOK.md': No such file"
    yield lambda: put(cookbook, b"# A\n\n\xff\n"), r"COOKBOOK.md' is damaged: its byte 5 is of no text in UTF-8"
    yield lambda: put(cookbook, b""), "COOKBOOK.md is damaged: it does not begin with a heading"
    yield lambda: put(cookbook, b"# A\n\n[b](no.md)\n"), r"COOKBOOK.md:3: the link 'no.md' leads nowhere"
    yield lambda: put(reference, reference.read_bytes()[:9000]), r"\.md:\d+: the link '.*#.*' leads nowhere"
    yield lambda: put(share / "examples/pictures/island.png", b"GIF"), "island.png' is damaged: it is no PNG"
    yield lambda: shutil.rmtree(share / "manual"), "cannot read '.*share/worldc/"


def installed(folder):
    """The program with its files as they are installed, found from where it lies; and each damage to them."""
    (folder / "bin").mkdir()
    program = shutil.copy(WORLDC, folder / "bin/worldc")
    library = next(WORLDC.parents[2].rglob("libworld.so.0"))
    environment = dict(os.environ, LD_LIBRARY_PATH=str(library.parent))
    share = folder / "share/worldc"

    def fresh():
        shutil.rmtree(share, ignore_errors=True)
        for name, there in (("lang", "lang"), ("examples", "examples"), ("manual", "compiler/manual")):
            shutil.copytree(ROOT / there, share / name, copy_function=os.symlink)

    fresh()
    code, said = write(program, folder / "out", environment)
    if code:
        yield f"an installed program: {said}"
    for damage, wanted in damages(share):
        fresh()
        damage()
        code, said = write(program, folder / "out", environment)
        if code != 2 or not re.search(wanted, said):
            yield f"not {wanted!r} but {code}: {said}"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        code, said = write(WORLDC, folder / "manual")
        wrong = [said] if code else list(check_pages(folder / "manual"))
        code, said = write(WORLDC, "/dev/null/manual")
        if code != 2 or "cannot make the folder" not in said:
            wrong.append(f"a folder that cannot be: {code}: {said}")
        wrong += installed(folder)
        count = len(list((folder / "manual").glob("*.html")))
    print("\n".join(wrong) if wrong else f"{count} pages, no dead link")
    return 1 if wrong else 0


sys.exit(main())
