#!/usr/bin/env python3
"""The language server as an editor meets it: recordings of what is asked and answered, each answer held against what is right.

Usage: test_lsp.py WORLDC EXAMPLES [CASE...]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

WORLDC, EXAMPLES = sys.argv[1], pathlib.Path(sys.argv[2])
URI = "file:///somewhere/a.world"


class Client:
    """Speaks to one server. Positions are told as marks: `at(text, "needle", 2)` is two characters into the needle."""

    def __init__(self, encoding=None, options=()):
        self.process = subprocess.Popen([WORLDC, "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next, self.told, self.texts = 1, {}, {}
        general = {"general": {"positionEncodings": [encoding]}} if encoding else {}
        self.capabilities = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": general})["capabilities"]
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def read(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise EOFError(f"the server is gone: {self.process.wait()}")
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.told[message["params"]["uri"]] = message["params"]
        return message

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params, error=False):
        self.next += 1
        self.send({"id": self.next, "method": method, "params": params})
        while (message := self.read()).get("id") != self.next:
            pass
        if error:
            return message["error"]["message"]
        assert "error" not in message, message
        return message["result"]

    def open(self, text, uri=URI):
        self.texts[uri] = text
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "world", "version": 1, "text": text}})

    def change(self, changes, version, uri=URI):
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes})

    def diagnostics(self, uri=URI):
        """Those of the text as it is: the server tells them when it has nothing else to do."""
        self.told.pop(uri, None)
        while uri not in self.told:
            self.read()
        return self.told[uri]["diagnostics"]

    def at(self, needle, into=0, number=0, uri=URI):
        text, start = self.texts[uri], -1
        for _ in range(number + 1):
            start = text.index(needle, start + 1)
        before = text[: start + into]
        line = before.count("\n")
        return {"line": line, "character": len(before) - (before.rfind("\n") + 1)}

    def place(self, needle, into=0, number=0, uri=URI):
        return {"textDocument": {"uri": uri}, "position": self.at(needle, into, number, uri)}

    def close(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.stdin.close()
        code = self.process.wait()
        assert code == 0, f"the server left with {code}"


def ranged(text, edits):
    """The text with the edits of a client, whose columns are characters here."""
    lines = text.split("\n")
    starts = [sum(len(x) + 1 for x in lines[:n]) for n in range(len(lines) + 1)]

    def offset(p):
        return min(starts[min(p["line"], len(lines))] + p["character"], len(text))

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]):]
    return text


def same(got, wanted):
    assert got == wanted, f"\nwanted {json.dumps(wanted, ensure_ascii=False)}\ngot    {json.dumps(got, ensure_ascii=False)}"


WORLD = """\
world version 1
use noise
/// A post to lean on.
part post
  /// How tall it is.
  field height: meters, within: 0 m ..= 9 m = 2 m
  field wide = height / 4
  fn top(here: point) meters { here.y + height }
part porch
  part left: post, height: 3 m
  field tall = left.height + left.wide
/// Twice as much.
fn twice(x: meters, more: meters = 0) meters {
  let two = x * 2
  two + more
}
record spot
  /// Where it is.
  at: point
  kind: one of (dry, wet) = dry
field spots: List[spot] = [spot(at: (1, 2, 3), kind: wet), spot((4, 5, 6))]
field far: meters = twice(porch.tall, more: 1 m) + spots.map(s => s.at.x).sum()
"""


def test_diagnostics():
    c = Client()
    c.open("field x: meters = 1 m\nfield y: meters = x + 2 s\n")
    found = c.diagnostics()
    same([(d["code"], d["severity"], d["range"]) for d in found],
         [("E0302", 1, {"start": {"line": 1, "character": 18}, "end": {"line": 1, "character": 25}})])
    # A piece of a line, then another in the text that is then.
    c.change([{"range": {"start": {"line": 1, "character": 22}, "end": {"line": 1, "character": 25}}, "text": "3 m"},
              {"range": {"start": {"line": 0, "character": 6}, "end": {"line": 0, "character": 7}}, "text": "x2"}], 2)
    same([(d["code"], d["message"].split("\n")[0]) for d in c.diagnostics()], [("E0201", "nothing here is called 'x'")])
    same(c.told[URI]["version"], 2)
    c.change([{"text": "field x: meters = 1 m\n"}], 3)
    same(c.diagnostics(), [])
    # A warning that needs the ranges of expressions.
    c.change([{"text": "part a\n  fn f(x: number) bool { clamp(x, 0, 1) < 2 }\n"}], 4)
    same([(d["code"], d["severity"]) for d in c.diagnostics()], [("W0704", 2)])
    c.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
    same(c.diagnostics(), [])
    c.close()


def test_encodings():
    text = "// \U0001f332 é\nfield a: text = \"\U0001f332é\" + 1 m\n"
    for encoding, column in ((None, 16), ("utf-8", 16)):
        c = Client(encoding)
        same(c.capabilities["positionEncoding"], encoding or "utf-16")
        c.open(text)
        found = c.diagnostics()[0]["range"]
        end = {None: 16 + 2 + 2 + 1 + 6, "utf-8": 16 + 2 + 4 + 2 + 6}[encoding]
        same(found, {"start": {"line": 1, "character": column}, "end": {"line": 1, "character": end}})
        # The sum is cut off behind the text.
        plus = end - 6
        c.change([{"range": {"start": {"line": 1, "character": plus}, "end": {"line": 1, "character": end}}, "text": ""}], 2)
        same(c.diagnostics(), [])
        c.close()


def names(symbols):
    return [(s["name"], s["kind"], names(s["children"])) for s in symbols]


def test_symbols():
    c = Client()
    c.open(WORLD + "check \"tall enough\" { porch.tall > 1 m }\npart row\n  each i in 0 ..< 3 { part post2[i]: post }\n")
    got = c.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    same(names(got), [("noise", 4, []), ("post", 5, [("height", 8, []), ("wide", 8, []), ("top", 12, [])]), ("porch", 5, [("left", 5, []), ("tall", 8, [])]),
                      ("twice", 12, []), ("spot", 23, []), ("spots", 8, []), ("far", 8, []), ("tall enough", 24, []), ("row", 5, [("post2[i]", 5, [])])])
    same(got[1]["selectionRange"], {"start": c.at("post\n"), "end": c.at("post\n", 4)})
    same(got[1]["range"]["start"], c.at("part post"))
    folds = c.ask("textDocument/foldingRange", {"textDocument": {"uri": URI}})
    same([(f["startLine"], f["endLine"]) for f in folds][:4], [(3, 7), (8, 10), (12, 14), (16, 19)])
    c.close()


def hover(c, *place, **more):
    found = c.ask("textDocument/hover", c.place(*place, **more))
    return found and found["contents"]["value"]


def test_hover():
    c = Client()
    c.open(WORLD)
    same(hover(c, "twice(porch", 2), "```world\nfn twice(x: meters, more: meters = 0) meters\n```\n\nTwice as much.")
    same(hover(c, "left.height", 7), "```world\nfield height: meters, within: 0 m ..= 9 m = 2 m\n```\n\nHow tall it is.")
    same(hover(c, "left.wide", 6), "```world\nfield wide: meters = height / 4\n```")
    same(hover(c, "two + more", 1), "```world\nlet two: meters\n```")
    same(hover(c, "x * 2"), "```world\nparameter x: meters\n```")
    same(hover(c, "more: 1 m", 1), "```world\nparameter more: meters = 0\n```")
    same(hover(c, "s.at.x", 3), "```world\nfield at: point\n```\n\nWhere it is.")
    same(hover(c, "s.at.x"), "```world\nlet s: spot\n```")
    same(hover(c, "wet), spot"), "```world\nwet: one of (dry, wet)\n```")
    same(hover(c, "1 m) + spots"), "```world\nmeters\n```")
    same(hover(c, "post, height", 2), "```world\npart post\n```\n\nA post to lean on.")
    same(hover(c, "height: 3 m", 2), "```world\nfield height: meters, within: 0 m ..= 9 m = 2 m\n```\n\nHow tall it is.")
    assert hover(c, ".sum()", 2).startswith("```world\nfn sum"), hover(c, ".sum()", 2)
    assert hover(c, "use noise", 5).startswith("```world\nuse noise"), hover(c, "use noise", 5)
    same(hover(c, "world version"), None)
    # What is made of numbers alone is told as one, in meters and seconds.
    c.open("field a = 3 m / 4\nfield b: meters = 2 km\nfield c = -(2 + 1) * 5\nfield d = 2 m\nfield e = a * 2\nfield f = 1 m / (1 - 1)\n")
    same([hover(c, f"field {x}", 6).split("\n")[1].partition(" // ")[2] for x in "abcdef"], ["0.75 m", "2000 m", "-15", "", "", ""])
    # Of a type with a dot its package is known as well.
    c.open("use drainage\nfn length(r: drainage.river) meters { 1 m }\n")
    assert hover(c, "drainage.river", 2).startswith("```world\nuse drainage"), hover(c, "drainage.river", 2)
    assert "river" in hover(c, "drainage.river", 10), hover(c, "drainage.river", 10)
    c.open(WORLD)
    # What the compiler makes of a check, to say why it does not hold, has names of its own in the places of the author's.
    c.open(WORLD + "check \"tall\" { spots.all(s => s.at.y >= 0 m) }\n")
    same(hover(c, "spots.all", 2), "```world\nfield spots: List[spot] = [spot(at: (1, 2, 3), kind: wet), spot((4, 5, 6))]\n```")
    same(hover(c, "s.at.y", 0), "```world\nlet s: spot\n```")
    c.close()


def definition(c, *place, **more):
    found = c.ask("textDocument/definition", c.place(*place, **more))
    return found and (found["uri"], found["range"]["start"])


def test_definition():
    c = Client()
    c.open(WORLD)
    for use, into, number, name, at in (("twice(porch", 2, 0, "twice(x", 0), ("left.height", 7, 0, "height: meters, within", 0), ("two + more", 1, 0, "two = x", 0),
                                        ("two + more", 7, 0, "more: meters", 0), ("more: 1 m", 0, 0, "more: meters", 0), ("s.at.x", 2, 0, "at: point", 0),
                                        ("s.at.x", 0, 0, "s => s", 0), ("List[spot]", 6, 0, "spot\n", 0), ("at: (1", 0, 0, "at: point", 0), ("post, height", 0, 0, "post\n", 0),
                                        ("height: 3 m", 0, 0, "height: meters, within", 0), ("porch.tall", 8, 0, "tall = left", 0), ("spots.map", 0, 0, "spots: List", 0)):
        same((use, definition(c, use, into, number)), (use, (URI, c.at(name, at))))
    same(definition(c, ".sum()", 2), None)  # of the library that is built in
    c.close()


def test_library():
    """A library in a folder has files, and so its names have declarations to go to."""
    c = Client(options=["--stdlib", EXAMPLES / "../stdlib"])
    c.open(WORLD)
    uri, start = definition(c, ".sum()", 2)
    path = pathlib.Path(uri.removeprefix("file://"))
    line = path.read_text(encoding="utf-8").split("\n")[start["line"]]
    assert line[start["character"]:].startswith("sum") and line.startswith("fn sum"), (uri, start, line)
    assert "library's" in c.ask("textDocument/rename", {**c.place(".sum()", 2), "newName": "total"}, error=True)
    c.close()


def test_references():
    c = Client()
    c.open(WORLD)
    found = c.ask("textDocument/references", {**c.place("height: meters, within"), "context": {"includeDeclaration": True}})
    same(sorted((r["range"]["start"]["line"], r["range"]["start"]["character"]) for r in found), [(5, 8), (6, 15), (7, 40), (9, 19), (10, 20)])
    found = c.ask("textDocument/references", {**c.place("two + more", 7), "context": {"includeDeclaration": False}})
    same([r["range"]["start"] for r in found], [c.at("two + more", 6), c.at("more: 1 m")])
    marks = c.ask("textDocument/documentHighlight", c.place("two = x"))
    same([(m["range"]["start"], m["kind"]) for m in marks], [(c.at("two = x"), 3), (c.at("two + more"), 2)])
    c.close()


def labels(c, text, mark="|", kind=None):
    """What is offered where the mark stands."""
    at = text.index(mark)
    c.texts[URI] = text
    c.open(text.replace(mark, "", 1))
    c.texts[URI] = text
    items = c.ask("textDocument/completion", {"textDocument": {"uri": URI}, "position": c.at(text[max(0, at - 40): at + 1], min(40, at))})["items"]
    return {i["label"]: i for i in items if kind is None or i["kind"] == kind}


def test_completion():
    c = Client()
    got = labels(c, WORLD + "field z = porch.|\n")
    assert {"left", "tall"} <= got.keys() and "two" not in got, got.keys()
    got = labels(c, WORLD + "field z = spots.map(s => s.|)\n")
    assert {"at", "kind"} <= got.keys() and "spots" not in got, got.keys()
    same([got["at"]["detail"], got["kind"]["detail"]], ["point", "one of (dry, wet)"])
    got = labels(c, WORLD + "field z = noise.f|\n")
    assert "fbm" in got and "spots" not in got, got.keys()
    assert got["fbm"]["detail"].startswith("fn fbm(x: "), got["fbm"]
    got = labels(c, WORLD + "field z = twice(1 m, |)\n")
    assert "more:" in got and "x:" in got and "porch" in got and "two" not in got, got.keys()
    same(got["more:"]["detail"], "more: meters = 0")
    got = labels(c, WORLD + "field z = spot(|\n")
    assert {"at:", "kind:"} <= got.keys(), got.keys()
    got = labels(c, WORLD + "field z = spot((1, 2, 3), kind: |)\n")
    assert {"dry", "wet"} <= got.keys() and "at:" not in got, got.keys()
    got = labels(c, WORLD + "part more: post, |\n")
    assert {"height:", "at:", "turn:"} <= got.keys(), got.keys()
    got = labels(c, WORLD + "field z = 3 |\n")
    assert {"m", "deg", "s"} <= got.keys() and "porch" not in got, got.keys()
    got = labels(c, WORLD.replace("two + more\n", "let three = 3\n  tw|\n"))
    assert {"two", "twice", "startsWith"} <= got.keys() and not {"x", "more", "three", "porch", "if"} & got.keys(), got.keys()
    got = labels(c, WORLD.replace("two + more\n", "let three = 3\n  |\n"))
    assert {"two", "x", "more", "three", "twice", "porch", "if"} <= got.keys(), got.keys()
    same(got["two"]["detail"], "meters")
    got = labels(c, WORLD + "field z: |\n")
    assert {"meters", "List", "spot", "post"} <= got.keys() and "twice" not in got, got.keys()
    # What begins with the word goes before what has its letters; a list that is cut says so, and no more of it is told.
    many = "".join(f"field aTree{n} = {n}\nfield tree{n} = {n}\n" for n in range(450))
    at = len((WORLD + many).split("\n")) - 1
    c.open(WORLD + many + "field z = tree\n")
    got = c.ask("textDocument/completion", {"textDocument": {"uri": URI}, "position": {"line": at, "character": 14}})
    assert got["isIncomplete"] and len(got["items"]) == 200 and all(i["label"].startswith("tree") for i in got["items"]), got["items"][:5]
    got = c.ask("textDocument/completion", {"textDocument": {"uri": URI}, "position": {"line": at, "character": 10}})
    assert got["isIncomplete"] and len(got["items"]) == 200
    for text in ("fn |", "field n|", "let |"):  # a name of its own
        same(labels(c, WORLD + text + "\n"), {})
    same(labels(c, WORLD + "// a comment |\n"), {})
    same(labels(c, WORLD + "field z = \"a |\"\n"), {})
    c.close()


def test_signature():
    c = Client()
    for text, active in (("field z = twice(|)\n", 0), ("field z = twice(1 m, |)\n", 1), ("field z = twice(more: 2 m|)\n", 1)):
        full = WORLD + text
        at = full.index("|")
        c.open(full.replace("|", "", 1))
        c.texts[URI] = full
        got = c.ask("textDocument/signatureHelp", {"textDocument": {"uri": URI}, "position": c.at(text[: text.index("|") + 1], text.index("|"))})
        same((text, got["activeParameter"], got["signatures"][0]["label"]), (text, active, "fn twice(x: meters, more: meters = 0) meters"))
        same([p["label"] for p in got["signatures"][0]["parameters"]], ["x: meters", "more: meters = 0"])
    c.close()


def test_format():
    c = Client()
    text = WORLD.replace("height / 4", "height/4").replace("let two = x * 2", "let   two=x*2")
    c.open(text)
    edits = c.ask("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": True}})
    same(len(edits), 1)
    same(ranged(text, edits), WORLD)
    c.change([{"text": "field x = (\n"}], 2)
    same(c.ask("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {}}), [])
    c.close()


def test_tokens():
    c = Client()
    c.open("// é\nuse noise\nfield far = \"\\{noise.fbm(1, 2, seed: 3)}\"\n")
    legend = c.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = c.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": URI}})["data"]
    line = column = 0
    got = []
    for n in range(0, len(data), 5):
        line, column = line + data[n], data[n + 1] + (0 if data[n] else column)
        got.append((line, column, data[n + 2], legend[data[n + 3]], data[n + 4]))
    same(got, [(0, 0, 4, "comment", 0), (1, 0, 3, "keyword", 0), (1, 4, 5, "namespace", 0), (2, 0, 5, "keyword", 0), (2, 6, 3, "property", 1), (2, 12, 3, "string", 0),
               (2, 15, 5, "namespace", 0), (2, 21, 3, "function", 0), (2, 25, 1, "number", 0), (2, 28, 1, "number", 0), (2, 31, 4, "parameter", 0), (2, 37, 1, "number", 0),
               (2, 39, 2, "string", 0)])
    c.close()


def test_rename():
    c = Client()
    c.open(WORLD)
    same(c.ask("textDocument/prepareRename", c.place("left.height", 7)), {"start": c.at("left.height", 5), "end": c.at("left.height", 11)})
    changes = c.ask("textDocument/rename", {**c.place("left.height", 7), "newName": "tallness"})["changes"]
    renamed = ranged(WORLD, changes[URI])
    same(renamed.count("tallness"), 5)
    same(renamed.replace("tallness", "height"), WORLD)
    for place, into, name, why in (("more: meters", 0, "two", "something else would be meant"), ("two = x", 0, "x", None), ("two = x", 0, "if", "that is no name"), ("two = x", 0, "3d", "that is no name"),
                                   (".sum()", 2, "total", "library's"), ("s => s", 0, "spots", None), ("far: meters", 0, "porch", "something else would be meant")):
        got = c.ask("textDocument/rename", {**c.place(place, into), "newName": name}, error=why is not None)
        assert why is None or why in got, (place, name, got)
    # What is set, and what a part's line says of its design, has the new name too.
    text = "fn sum(xs: List[int]) int {\n  var all = 0\n  each x in xs { all += x }\n  all = all * 2\n  all\n}\npart a\n  field n: int\npart b: a, n: sum([1, 2])\nfield c = b.n\n"
    for needle, name, count in (("all = 0", "total", 5), ("n: int", "much", 3), ("sum(xs", "summed", 2), ("xs: List", "items", 2), ("a\n  field", "base", 2)):
        c.open(text)
        changes = c.ask("textDocument/rename", {**c.place(needle), "newName": name})["changes"]
        renamed = ranged(text, changes[URI])
        same((name, renamed.count(name)), (name, count))
    c.open(WORLD + "field broken = 1 m + 1 s\n")
    same("mistakes" in c.ask("textDocument/rename", {**c.place("two = x"), "newName": "three"}, error=True), True)
    c.close()


def test_hints():
    c = Client()
    c.open(WORLD)
    got = c.ask("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}})
    same([(h["position"], h["label"]) for h in got], [(c.at("wide = ", 4), ": meters"), (c.at("tall = ", 4), ": meters"), (c.at("two = ", 3), ": meters")])
    c.close()


def test_commands():
    """What needs the world built is worked out when it is asked for, and known until the text changes."""
    c = Client()
    text = (EXAMPLES / "grove.world").read_text(encoding="utf-8")
    c.open(text)
    document = {"textDocument": {"uri": URI}}

    def lenses():
        return [(x["command"]["title"], x["range"]["start"]) for x in c.ask("textDocument/codeLens", document)]

    place, layout = c.at("trees = rule"), c.at("layout")
    rows = subprocess.run([WORLDC, "stats", EXAMPLES / "grove.world", "--json"], capture_output=True, check=True).stdout
    placed = json.loads(rows)[0]["placed"]
    same(lenses(), [("count what is placed", layout)])
    same(c.ask("workspace/executeCommand", {"command": "world.count", "arguments": [URI]})[0].split(",")[0], f"trees: {placed} placed")
    same([title for title, at in lenses() if at == place], [f"{placed} placed; why?"])
    why = c.ask("workspace/executeCommand", {"command": "world.why", "arguments": [URI, "trees"]})
    fates = [" ".join(fate.split()[:3]) for fate in why.removeprefix("trees: ").split("; ")]
    same(fates, ["1802 keep land.height(here)", "1026 keep fbm(here.x", f"{placed} placed", "42 circle (of"])
    assert "called so" in c.ask("workspace/executeCommand", {"command": "world.why", "arguments": [URI, "bushes"]}, error=True)
    hints = c.ask("textDocument/inlayHint", {**document, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}})
    same([h["label"] for h in hints if "placed" in h["label"] and ":" not in h["label"]], [f"{placed} placed"])
    c.change([{"text": text + "field more = 3 m / 4\n"}], 2)
    same(lenses(), [("count what is placed", layout)])
    same(c.ask("workspace/executeCommand", {"command": "world.value", "arguments": [URI, "more * 2"]}), "1.5 m")
    c.ask("workspace/executeCommand", {"command": "world.value", "arguments": [URI, "no.such.name"]}, error=True)
    c.ask("workspace/executeCommand", {"command": "world.value", "arguments": [URI]}, error=True)
    c.change([{"text": "field broken = (\n"}], 3)
    assert "mistakes" in c.ask("workspace/executeCommand", {"command": "world.count", "arguments": [URI]}, error=True)
    c.close()


def test_actions():
    c = Client()
    text = WORLD + "field z = twice(porch.tal)\n"
    c.open(text)
    got = c.ask("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": {"start": c.at("porch.tal)", 7), "end": c.at("porch.tal)", 7)}, "context": {"diagnostics": []}})
    same([a["title"] for a in got], ["write 'tall'"])
    same(got[0]["diagnostics"][0]["code"], "E0206")
    same(ranged(text, got[0]["edit"]["changes"][URI]), text.replace("porch.tal)", "porch.tall)"))
    same(c.ask("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": {"start": c.at("use noise"), "end": c.at("use noise")}, "context": {"diagnostics": []}}), [])
    c.close()


def test_files():
    """Files that a world uses: from disk, overlaid by what is open, renamed in as well."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        (folder / "lib.world").write_text("fn double(x: meters) meters { x * 2 }\n", encoding="utf-8")
        main, lib = (folder / "main world.world").as_uri(), (folder / "lib.world").as_uri()
        c = Client()
        c.open('use lib from "lib.world"\nfield a: meters = lib.double(2 m)\nfield b: meters = lib.triple(a)\n', main)
        same([d["code"] for d in c.diagnostics(main)], ["E0204"])
        same(c.ask("textDocument/definition", c.place("double", 2, uri=main)), {"uri": lib, "range": {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 9}}})
        c.open("fn double(x: meters) meters { x * 2 }\nfn triple(x: meters) meters { double(x) + x }\n", lib)
        same(c.diagnostics(lib), [])
        same(c.diagnostics(main) if main not in c.told or c.told[main]["diagnostics"] else c.told[main]["diagnostics"], [])
        found = c.ask("textDocument/references", {**c.place("double", uri=lib), "context": {"includeDeclaration": True}})
        same(sorted((r["uri"], r["range"]["start"]["line"]) for r in found), sorted([(lib, 0), (lib, 1), (main, 1)]))
        changes = c.ask("textDocument/rename", {**c.place("double", uri=lib), "newName": "two"})["changes"]
        same({uri: ranged(c.texts[uri], edits) for uri, edits in changes.items()}, {uri: c.texts[uri].replace("double", "two") for uri in (main, lib)})
        c.change([{"text": "fn double(x: meters) meters { x * }\n"}], 2, lib)
        told = c.diagnostics(main)
        same([(d["code"], "lib.world: " in d["message"], d["range"]["start"]["line"]) for d in told], [("E0101", True, 0)])
        c.close()


def test_protocol():
    c = Client()
    assert "not open" in c.ask("textDocument/hover", {"textDocument": {"uri": "file:///nowhere"}, "position": {"line": 0, "character": 0}}, error=True)
    assert "no such method" in c.ask("textDocument/nothing", {}, error=True)
    c.open("field x = 1\n")
    for method in ("hover", "definition", "completion", "rename", "codeAction", "inlayHint", "semanticTokens/full", "signatureHelp"):  # nothing of what they need
        c.send({"id": f"a{method}", "method": f"textDocument/{method}", "params": {"textDocument": {"uri": URI}}})
        while c.read().get("id") != f"a{method}":
            pass
    c.change([{"range": {"start": {"line": 99, "character": 99}, "end": {"line": 0, "character": 0}}, "text": "field y = 2\n"}], 2)
    same(c.diagnostics(), [])
    for bad in (b"{", b"[]", b"3", b"{\"id\":1}", b"{\"id\":1,\"method\":3}"):
        c.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(bad), bad))
    c.process.stdin.flush()
    same(c.ask("textDocument/foldingRange", {"textDocument": {"uri": URI}}), [])
    c.close()
    c = Client()
    c.tell("exit", None)
    same(c.process.wait(), 1)  # without shutdown


def test_kept():
    """What was looked at for a place is not what another text, or another file, makes of that place."""
    with tempfile.TemporaryDirectory() as folder:
        main, lib = ((pathlib.Path(folder).resolve() / name).as_uri() for name in ("main.world", "lib.world"))
        c = Client()
        c.open("fn one() int { 1 }\n", lib)
        text = 'use lib from "lib.world"\nfield a = lib.'
        c.open(text, main)

        def offered(place):
            return {i["label"] for i in c.ask("textDocument/completion", {"textDocument": {"uri": main}, "position": place})["items"]}

        place = {"line": 1, "character": 14}
        assert "one" in offered(place)
        for version, typed in enumerate("on"):  # the text with the word taken out stays the same
            c.change([{"range": {"start": place, "end": place}, "text": typed}], version, main)
            place = {"line": 1, "character": place["character"] + 1}
            c.diagnostics(main)
            assert "one" in offered(place) and "only" not in offered(place)
        c.change([{"text": "fn only() int { 2 }\n"}], 2, lib)
        assert "only" in offered(place) and "one" not in offered(place)
        c.tell("textDocument/didClose", {"textDocument": {"uri": main}})
        c.open("field b = 1\nfield c = ", main)
        assert "b" in offered({"line": 1, "character": 10})
        c.close()


def test_broken():
    """A text cut at every byte, asked there, never ends the server; and it says the same of the whole text afterwards."""
    c = Client("utf-8")
    text = (EXAMPLES / "grove.world").read_bytes()
    c.open(text.decode())
    whole = c.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": URI}})
    for cut in range(len(text) + 1):
        before = text[:cut].decode(errors="ignore")
        at = {"line": before.count("\n"), "character": len(before.encode()) - (before.encode().rfind(b"\n") + 1)}
        place = {"textDocument": {"uri": URI}, "position": at}
        c.change([{"text": before if cut % 2 else before + text[cut + 40:].decode(errors="ignore")}], cut)
        c.ask("textDocument/completion", place)
        if cut % 3:
            continue
        for method in ("hover", "definition", "signatureHelp", "documentHighlight"):
            c.ask(f"textDocument/{method}", place)
        c.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        c.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": URI}})
        c.ask("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": {"start": {"line": 0, "character": 0}, "end": at}})
    c.change([{"text": text.decode()}], 9999)
    same(c.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": URI}}), whole)
    c.close()


def main():
    cases = {n: f for n, f in globals().items() if n.startswith("test_")}
    wanted = sys.argv[3:] or cases
    failed = 0
    for name in wanted:
        try:
            cases[name]()
            print(f"{name}: fine")
        except Exception as problem:  # each case tells its own
            failed += 1
            print(f"{name}: {type(problem).__name__}: {problem}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
