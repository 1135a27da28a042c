#!/usr/bin/env python3
"""Memory of the language server over a long day: a text of 5000 lines, changed a hundred thousand times.

Lines are typed, key by key, and taken out again, at places all over the text, some of them broken; between them names are asked for, hovers, completions,
colors. What the server holds after the first tenth it holds at the end, but for a twentieth.

Usage: editor_memory.py WORLDC [EDITS]    exit code 1: it grew
"""
import random
import sys

from editor import PIECE, TYPED, URI, Server

ASKED = ("hover", "completion", "definition", "documentHighlight", "signatureHelp")


def held(server):
    """Megabytes in memory."""
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


class Author:
    """Types what TYPED says at a line, and takes it out key by key from its end."""

    def __init__(self, server, text):
        self.server, self.lines, self.version = server, text.count("\n"), 1
        self.draw = random.Random(1)

    def change(self, start, end, text):
        self.version += 1
        self.server.send(method="textDocument/didChange", params={"textDocument": {"uri": URI, "version": self.version}, "contentChanges": [{"range": {"start": start, "end": end}, "text": text}]})

    def write_and_erase(self):
        line, places = self.draw.randrange(1, self.lines), []
        at = {"line": line, "character": 0}
        typed = "".join(TYPED)[: self.draw.randrange(5, 120)]
        for key in typed:
            places.append(at)
            self.change(at, at, key)
            at = {"line": at["line"] + 1, "character": 0} if key == "\n" else {"line": at["line"], "character": at["character"] + 1}
        self.server.ask(f"textDocument/{self.draw.choice(ASKED)}", {"textDocument": {"uri": URI}, "position": at})
        for before in reversed(places):
            self.change(before, at, "")
            at = before
        self.server.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": URI}})
        return 2 * len(typed)


def main():
    server, edits = Server(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    text = "use noise\n" + "".join(PIECE.format(n=n) for n in range(333))
    server.ask("initialize", {"capabilities": {}})
    server.send(method="textDocument/didOpen", params={"textDocument": {"uri": URI, "version": 1, "languageId": "world", "text": text}})
    server.wait(1)
    author, done, marks = Author(server, text), 0, []
    while done < edits:
        done += author.write_and_erase()
        if done * 20 >= edits * (len(marks) + 1):
            marks.append(held(server))
            print(f"{done:7} edits   {marks[-1]:6.1f} MB", flush=True)
    most, begun = max(marks[2:]), max(marks[:2])
    server.ask("shutdown", None)
    server.send(method="exit")
    server.process.wait()
    print(f"{most:.1f} MB at most, {begun:.1f} MB in the first tenth")
    return most > begun * 1.05


if __name__ == "__main__":
    sys.exit(main())
