"""One side of `cargo xtask binding-speed`: `python speed.py SCENE SECONDS`. For each line that it is sent it advances its world, and prints how long that
took, how many steps it was, what it came to, and how long a layer takes to read (ms)."""

import json
import sys
import time
from pathlib import Path

import numpy as np
from headwater import World

world = World(text=Path(sys.argv[1]).read_text(encoding="utf-8"))
depth = np.empty((world.grid.ny, world.grid.nx), np.float32)
for _ in sys.stdin:
    begun = time.perf_counter()
    advanced = world.advance(float(sys.argv[2]))
    took = time.perf_counter() - begun
    begun = time.perf_counter()
    world.read_layer("depth", depth)
    layer = time.perf_counter() - begun
    line = {"took": took * 1e3, "steps": advanced.steps, "hash": world.state_hash(), "layer": layer * 1e3}
    print(json.dumps(line), flush=True)
