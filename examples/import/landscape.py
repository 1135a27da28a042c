"""What an importer of a landscape is told, from the file that `worldc export` wrote beside the heights: python3 landscape.py heights.png.json

An Unreal landscape is centimeters, x east, y south, z up; a value of 32768 is its own height 0, and 128 values are a centimeter at a scale of 1.
"""
import json
import sys


def unreal(sidecar):
    """The location and the scale of a landscape made of the file, so that each of its points stands where the world has it."""
    step, low, cell = sidecar["valueStep"], sidecar["valueLow"], sidecar["cell"]
    return {"location": (100 * sidecar["west"], 100 * sidecar["north"], 100 * (low + 32768 * step)), "scale": (100 * cell, 100 * cell, 12800 * step)}


def unreal_point(place, column, row, value):
    """Where Unreal puts a point of such a landscape, centimeters."""
    (x, y, z), (sx, sy, sz) = place["location"], place["scale"]
    return (x + column * sx, y + row * sy, z + (value - 32768) * sz / 128)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        said = unreal(json.load(file))
    print("location  X {:.4f}  Y {:.4f}  Z {:.4f}".format(*said["location"]))
    print("scale     X {:.6f}  Y {:.6f}  Z {:.6f}".format(*said["scale"]))
