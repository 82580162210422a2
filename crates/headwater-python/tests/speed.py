"""Child process of `cargo xtask binding-speed`: `python speed.py SCENE SECONDS`.

For each line on stdin, advances the world and prints the duration (ms), the number of steps, and
the time needed to read a layer (ms).
"""

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
    line = {"took": took * 1e3, "steps": advanced.steps, "layer": layer * 1e3}
    print(json.dumps(line), flush=True)
