#!/usr/bin/env python3
"""A thing is felled, moved and put back in the window of `worldc FILE`, by its pointer and keys; the file of edits says so at once. What is refused
is told, and the pointer goes on.

Each gesture is made once: the window hears all that it is told, however late it looks.

    xvfb-run -a test_window.py WORLDC

Without libX11 and libXtst, or where the window does not open, the test is skipped (77).
"""
import ctypes
import json
import pathlib
import subprocess
import sys
import tempfile
import time

WORLD = """world version 1
use camera
use sky
part land
  field ground: heightGrid = heightGrid(cell: 4 m, points: 33, height: here => 0 m)
  fn height(here: point) meters { ground.heightAt(here) }
  fn gradient(here: point) direction { ground.gradientAt(here) }
  fn slope(here: point) number { 0 }
  fn normal(here: point) direction { (0, 1, 0) }
  fn curvature(here: point, over: meters) number { 0 }
part post: shapes.box(size: (2 m, 4 m, 2 m))
part yard
  field layout = scatter(over: land, rules: [posts]).edited(over: land, by: edits("yard.edits.json"))
  field posts = rule(candidates: [point(0, 0, 0)], place: post())
part fixed
  field layout = scatter(over: land, rules: [stones])
  field stones = rule(candidates: [point(6, 0, 0)], place: post())
part eye: camera.view(from: (0, 9, 14), look: (0, 2, 0))
part air: sky.day(hour: 12)
part mast
  // how high
  field reach: meters, within: 2 m ..= 12 m = 4 m // as it was
  on(became(self.reach > 8 m), { say("high") })
part clock
  on(became(air.hour > 12.4), { say("half past") })
  on(became(air.hour > 12.7), { say("nearly one") })
"""
WIDTH, HEIGHT, PATIENCE = 320, 180, 120
DELETE, CONTROL, Z, ESCAPE = 0xFFFF, 0xFFE3, ord("z"), 0xFF1B
PERIOD, S, TAB = ord("."), ord("s"), 0xFF09
ROW = 11  # pixels of a line of text
MAP_STATE, VIEWABLE = 92, 2  # of XWindowAttributes, where a long has 8 bytes


class Hand:
    def __init__(self):
        self.x11, self.test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XDefaultRootWindow.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(None))
        if not self.display:
            raise OSError("no display")

    def settle(self):
        self.x11.XSync(self.display, 0)
        time.sleep(0.01)  # two presses of one key in a millisecond are one

    def sees_window(self):
        """Whether anything is shown on the display."""
        of, parent, children, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.display))
        self.x11.XQueryTree(self.display, root, ctypes.byref(of), ctypes.byref(parent), ctypes.byref(children), ctypes.byref(count))
        attributes = (ctypes.c_char * 256)()
        shown = any(
            self.x11.XGetWindowAttributes(self.display, ctypes.c_ulong(children[i]), attributes) and ctypes.c_int.from_buffer(attributes, MAP_STATE).value == VIEWABLE
            for i in range(count.value)
        )
        if count.value:
            self.x11.XFree(children)
        return shown

    def point(self, x, y):
        self.test.XTestFakeMotionEvent(self.display, -1, x, y, 0)
        self.settle()

    def button(self, down):
        self.test.XTestFakeButtonEvent(self.display, 1, down, 0)
        self.settle()

    def keys(self, *keysyms):
        codes = [self.x11.XKeysymToKeycode(self.display, ctypes.c_ulong(k)) for k in keysyms]
        for down, order in ((1, codes), (0, codes[::-1])):
            for code in order:
                self.test.XTestFakeKeyEvent(self.display, code, down, 0)
                self.settle()


def edits(folder):
    file = folder / "yard.edits.json"
    return json.loads(file.read_text())["edits"] if file.exists() else []


def wait(holds, what):
    until = time.time() + PATIENCE
    while not holds():
        if time.time() > until:
            raise AssertionError(what())
        time.sleep(0.05)


def check(folder, gesture, holds):
    gesture()
    wait(lambda: holds(edits(folder)), lambda: f"the file of edits says {edits(folder)}")


def fell(hand, away=0):
    hand.point(WIDTH // 2 + away, HEIGHT // 2)
    hand.button(1)
    hand.button(0)
    hand.keys(DELETE)


def fell_what_stays(hand):
    fell(hand, 70)


def drag(hand):
    hand.point(WIDTH // 2, HEIGHT // 2)
    hand.button(1)
    hand.point(WIDTH // 2 + 30, HEIGHT // 2 + 10)
    hand.point(WIDTH // 2 + 60, HEIGHT // 2 + 20)
    hand.button(0)


def undo(hand):
    hand.keys(CONTROL, Z)


def turn_up(hand):
    """Half of the window is all of a number's range. The numbers stand in the order of the text: hour, reach."""
    hand.keys(TAB)
    hand.point(30, 12 + 6 + ROW + ROW // 2)
    hand.button(1)
    hand.point(60, 12 + 6 + ROW + ROW // 2)
    hand.point(WIDTH - 10, HEIGHT // 2)
    hand.button(0)


def hear(shown, word):
    while word not in (line := shown.stdout.readline()):
        assert line, f"it never says {word}"


def main():
    try:
        hand = Hand()
    except OSError as why:
        print(f"skipped: {why}")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        world = folder / "yard.world"
        world.write_text(WORLD)
        shown = subprocess.Popen([str(pathlib.Path(sys.argv[1]).resolve()), "yard.world", "--size", f"{WIDTH}x{HEIGHT}"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            wait(lambda: hand.sees_window() or shown.poll() is not None, lambda: "there is no window")
            assert shown.poll() is None, "there is no window any more"
            fell_what_stays(hand)
            check(folder, lambda: fell(hand), lambda e: e == [{"remove": "posts/0"}])
            check(folder, lambda: undo(hand), lambda e: e == [])
            check(folder, lambda: drag(hand), lambda e: len(e) == 1 and e[0].get("change") == "posts/0" and e[0]["x"] > 1)
            check(folder, lambda: undo(hand), lambda e: e == [])
            hand.keys(PERIOD)
            hand.keys(PERIOD)
            hear(shown, "half past")
            turn_up(hand)
            hear(shown, "high")
            hand.keys(CONTROL, S)
            wait(lambda: "= 12 m // as it was" in world.read_text(), lambda: world.read_text())
            assert world.read_text().replace("= 12 m // as", "= 4 m // as") == WORLD
            hand.keys(PERIOD)  # the text that was saved is seen at the same hour
            hear(shown, "nearly one")
            hand.keys(ESCAPE)
            assert shown.wait(timeout=PATIENCE) == 0, shown.stderr.read()
            assert "edited" in (said := shown.stderr.read()), said
        finally:
            if shown.poll() is None:
                shown.kill()
            elif "no display" in (said := shown.stderr.read()):
                print(f"skipped: {said}")
                return 77
    print("felled, moved and put back")
    return 0


if __name__ == "__main__":
    sys.exit(main())
