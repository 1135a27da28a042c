#!/usr/bin/env python3
"""The README's world is the one in examples/grove.world, which the tests check: readme.py ROOT."""
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
quoted = (root / "README.md").read_text(encoding="utf-8").split("```\n")[1]
if quoted != (root / "examples/grove.world").read_text(encoding="utf-8"):
    sys.exit("README.md and examples/grove.world differ")
