#!/usr/bin/env python3
"""How long an author waits for the language server: lines typed into a text of 5000, key by key, with the pause of a fast typist.

Usage: editor.py WORLDC [PAUSE]    milliseconds of the server's thread, which other programs hardly move, and by the clock
"""
import json
import subprocess
import sys
import time

URI = "file:///somewhere/long.world"
PIECE = """/// A post to lean on, number {n}.
part post{n}
  /// How tall it is.
  field height: meters, within: 0 m ..= 9 m = 2 m
  field wide = height / 4 + {n} m
  fn top(here: point) meters {{ here.y + height }}
part porch{n}
  part left: post{n}, height: 3 m
  field tall = left.height + left.wide
/// Twice as much.
fn twice{n}(x: meters, more: meters = 0) meters {{
  let two = x * 2
  two + more
}}
field far{n}: meters = twice{n}(porch{n}.tall, more: 1 m) + 2 m
"""
TYPED = ["field z1 = porch12.tall + twice3(1 m, more: 2 m)\n", "fn half(x: meters) meters {\n", "let all = x / 2\n", "all\n", "}\n",
         "field heights = [post7.height, half(porch9.left.wide)]\n"]
GOALS = {"a key to its diagnostics": 30, "completion": 10}


class Server:
    def __init__(self, worldc):
        self.process = subprocess.Popen([worldc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next, self.told = 0, -1

    def clocks(self):
        """What its thread ran, and the clock on the wall."""
        with open(f"/proc/{self.process.pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0]) / 1e6, time.perf_counter() * 1e3

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def read(self):
        length = int(self.process.stdout.readline().split(b":")[1])
        self.process.stdout.readline()
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.told = message["params"]["version"]
        return message

    def ask(self, method, params):
        self.next += 1
        self.send(id=self.next, method=method, params=params)
        while self.read().get("id") != self.next:
            pass

    def wait(self, version):
        while self.told != version:
            self.read()


def since(server, begin):
    return [now - then for now, then in zip(server.clocks(), begin)]


def replay(server, text, pause):
    """Each key is a change; at each letter of a word, and behind a dot, completion is asked for with it, as editors do."""
    times = {name: [] for name in GOALS}
    line, column, version = text.count("\n", 0, len(text) // 2), 0, 1
    for key in "".join(TYPED):
        place = {"line": line, "character": column}
        version += 1
        begin = server.clocks()
        server.send(method="textDocument/didChange", params={"textDocument": {"uri": URI, "version": version}, "contentChanges": [{"range": {"start": place, "end": place}, "text": key}]})
        line, column = (line + 1, 0) if key == "\n" else (line, column + 1)
        if key.isalnum() or key in ".(,":
            server.ask("textDocument/completion", {"textDocument": {"uri": URI}, "position": {"line": line, "character": column}})
            times["completion"].append(since(server, begin))
        server.wait(version)
        times["a key to its diagnostics"].append(since(server, begin))
        time.sleep(max(0, pause - since(server, begin)[1] / 1e3))
    return times


def main():
    server = Server(sys.argv[1])
    text = "use noise\n" + "".join(PIECE.format(n=n) for n in range(333))
    server.ask("initialize", {"capabilities": {}})
    server.send(method="textDocument/didOpen", params={"textDocument": {"uri": URI, "version": 1, "languageId": "world", "text": text}})
    server.wait(1)
    for name, times in replay(server, text, float(sys.argv[2]) if len(sys.argv) > 2 else 0.1).items():
        ran, waited = ([sorted(t[n] for t in times)[len(times) * part // 100] for part in (50, 95)] for n in (0, 1))
        print(f"{name:26} {len(times):4} times   half within {ran[0]:5.1f} ms, 95 of 100 within {ran[1]:5.1f} ms   <= {GOALS[name]} ms{'' if ran[1] <= GOALS[name] else '  MISSED'}"
              f"   (by the clock {waited[0]:.1f} and {waited[1]:.1f} ms)")
    server.ask("shutdown", None)
    server.send(method="exit")
    return server.process.wait()


if __name__ == "__main__":
    sys.exit(main())
