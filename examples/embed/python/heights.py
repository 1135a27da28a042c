"""Heights, slopes and things of a world as numpy arrays: python3 heights.py island.world land.ground land.slope"""
import sys

import numpy
from world import World


def main(path, ground, slope):
    with World(path) as world:
        grid = world.grid(ground)
        print(f"{ground}: {grid.heights.shape[1]} x {grid.heights.shape[0]} samples, {grid.heights.min():.1f} to {grid.heights.max():.1f} m")
        x, z = numpy.meshgrid(numpy.linspace(-100, 100, 201), numpy.linspace(-100, 100, 201))
        slopes = world.function(slope)(numpy.stack([x, 0 * x, z], axis=-1))
        print(f"{slope} over 201 x 201 places: mean {slopes.mean():.4f}, at most {slopes.max():.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
