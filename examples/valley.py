#!/usr/bin/env python3
"""Makes valley.tif, the measured heights that valley.world is made of: valley.py [OUT]

No land of the earth, but a file as a survey office hands it out: a glacial valley under ridges, worn by rain (Braun and Willett 2013: stream power, solved from the mouth up
along the water's own tree), 20 m apart, in decimeters as 16-bit whole numbers with a scale, in the map EPSG:2056, and with a hole where a lake gave no echo.
"""
import heapq
import math
import pathlib
import struct
import sys
import zlib

WIDE, HIGH, CELL = 257, 257, 20.0
EAST, NORTH = 2640000.0, 1160000.0  # of the northwestern corner
HOLE = -32768


def hashed(x, y, seed):
    h = (x * 374761393 + y * 668265263 + seed * 2246822519) & 0xFFFFFFFF
    h = ((h ^ h >> 13) * 1274126177) & 0xFFFFFFFF
    return (h ^ h >> 16) / 0xFFFFFFFF * 2 - 1


def noise(x, y, seed):
    i, j = math.floor(x), math.floor(y)
    u, v = x - i, y - j
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    a, b = hashed(i, j, seed), hashed(i + 1, j, seed)
    c, d = hashed(i, j + 1, seed), hashed(i + 1, j + 1, seed)
    return (a + (b - a) * u) * (1 - v) + (c + (d - c) * u) * v


def fbm(x, y, seed, octaves):
    return sum(noise(x * 2**k, y * 2**k, seed + k) / 2**k for k in range(octaves))


def valley_axis(j):
    return WIDE * 0.47 + 26 * math.sin(j / 47) + 9 * math.sin(j / 19 + 1)


def start():
    land = []
    for j in range(HIGH):
        floor = 640 + 90 * (1 - j / HIGH)  # it falls to the south
        for i in range(WIDE):
            away = abs(i - valley_axis(j)) * CELL
            wall = 900 * (1 - math.exp(-((max(away - 260, 0) / 1150) ** 1.7)))
            rough = 260 * fbm(i / 70, j / 70, 7, 6) * min(away / 900, 1)
            land.append(floor + wall + rough + 0.4 * hashed(i, j, 99))
    return land


def neighbors(k):
    i, j = k % WIDE, k // WIDE
    for dj in (-1, 0, 1):
        for di in (-1, 0, 1):
            if (di or dj) and 0 <= i + di < WIDE and 0 <= j + dj < HIGH:
                yield k + dj * WIDE + di, math.sqrt(2) if di and dj else 1.0


def water_tree(land):
    """Each cell's receiver, from the borders up over the lowest passes (Barnes 2014), and the order of it."""
    order, receiver, length = [], [-1] * len(land), [1.0] * len(land)
    seen = [k % WIDE in (0, WIDE - 1) or k // WIDE in (0, HIGH - 1) for k in range(len(land))]
    heap = [(land[k], k) for k in range(len(land)) if seen[k]]
    heapq.heapify(heap)
    while heap:
        level, k = heapq.heappop(heap)
        order.append(k)
        for n, d in neighbors(k):
            if not seen[n]:
                seen[n] = True
                receiver[n], length[n] = k, d * CELL
                heapq.heappush(heap, (max(land[n], level + 1e-4), n))
    for k in order:  # downhill the steepest way, where there is one
        best = 0.0
        for n, d in neighbors(k):
            slope = (land[k] - land[n]) / (d * CELL)
            if receiver[k] >= 0 and slope > best:
                best, receiver[k], length[k] = slope, n, d * CELL
    return receiver, length


def upward(receiver):
    children = [[] for _ in receiver]
    for k, r in enumerate(receiver):
        if r >= 0:
            children[r].append(k)
    stack = [k for k, r in enumerate(receiver) if r < 0]
    order = []
    while stack:
        k = stack.pop()
        order.append(k)
        stack += children[k]
    return order


def wear(land, steps, strength):
    for _ in range(steps):
        receiver, length = water_tree(land)
        order = upward(receiver)
        area = [CELL * CELL] * len(land)
        for k in reversed(order):
            if receiver[k] >= 0:
                area[receiver[k]] += area[k]
        for k in order:
            if receiver[k] >= 0:
                f = strength * math.sqrt(area[k]) / length[k]
                land[k] = (land[k] + f * land[receiver[k]]) / (1 + f)
        settle(land)
    return land


def settle(land):
    """What is steeper than loose stone lies slides down."""
    before = list(land)
    for k in range(len(land)):
        for n, d in neighbors(k):
            over = before[k] - before[n] - 0.85 * d * CELL
            if over > 0:
                land[k] -= over / 12
                land[n] += over / 12


def tiff(numbers):
    """A GeoTIFF of one strip, deflated with differences, little-endian."""
    rows = b""
    for j in range(HIGH):
        row = numbers[j * WIDE:(j + 1) * WIDE]
        rows += struct.pack(f"<{WIDE}H", *[(v - (row[i - 1] if i else 0)) & 0xFFFF for i, v in enumerate(row)])
    strip = zlib.compress(rows, 9)
    keys = (1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 2056, 4099, 0, 1, 9001)
    scaled = b'<GDALMetadata>\n  <Item name="SCALE" sample="0" role="scale">0.1</Item>\n</GDALMetadata>\n\0'
    entries = [(256, 3, [WIDE]), (257, 3, [HIGH]), (258, 3, [16]), (259, 3, [8]), (262, 3, [1]), (273, 4, [8]), (277, 3, [1]), (278, 3, [HIGH]),
               (279, 4, [len(strip)]), (317, 3, [2]), (339, 3, [2]), (33550, 12, [CELL, CELL, 0]), (33922, 12, [0, 0, 0, EAST, NORTH, 0]), (34735, 3, keys),
               (42112, 2, scaled), (42113, 2, f"{HOLE}\0".encode())]
    at = 8 + len(strip) + (len(strip) & 1)
    data, table, behind = strip + b"\0" * (len(strip) & 1), b"", at + 2 + 12 * len(entries) + 4
    rest = b""
    for tag, kind, values in entries:
        packed = bytes(values) if kind == 2 else struct.pack(f"<{len(values)}{ {3: 'H', 4: 'I', 12: 'd'}[kind]}", *values)
        place = packed.ljust(4, b"\0") if len(packed) <= 4 else struct.pack("<I", behind + len(rest))
        table += struct.pack("<HHI", tag, kind, len(values)) + place
        if len(packed) > 4:
            rest += packed + b"\0" * (len(packed) & 1)
    return b"II*\0" + struct.pack("<I", at) + data + struct.pack("<H", len(entries)) + table + b"\0\0\0\0" + rest


def main():
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("valley.tif"))
    land = wear(start(), 14, 0.9)
    numbers = [round(h * 10) for h in land]
    for k in range(len(numbers)):  # the echo that a lake gave back nowhere
        i, j = k % WIDE, k // WIDE
        if ((i - valley_axis(176)) / 7) ** 2 + ((j - 176) / 11) ** 2 < 1:
            numbers[k] = HOLE
    out.write_bytes(tiff(numbers))
    print(f"{out}: {min(land):.0f} m to {max(land):.0f} m")


main()
