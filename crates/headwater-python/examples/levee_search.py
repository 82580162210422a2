"""Finds the height that a levee must have to protect a village.

The same flood is simulated with levees of several heights. The simulations run in parallel Python
threads and start from one snapshot.

    python levee_search.py [--quick] [--out levee-search.png]
"""

from concurrent.futures import ThreadPoolExecutor

import headwater
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from _common import arguments

args = arguments("levee-search.png")
rows, columns, cell = (40, 60, 10.0) if args.quick else (100, 150, 4.0)
width, depth = columns * cell, rows * cell
east, south = np.meshgrid((np.arange(columns) + 0.5) * cell, (np.arange(rows) + 0.5) * cell)
# A river flows in the north. A plain slopes away from it to a village in the south.
bed = 2.0 - 0.004 * south - 1.2 * np.exp(-(((south - 0.2 * depth) / (0.06 * depth)) ** 2)) + 0.001 * (width - east)
SCENE = f"""
[physics]
level = "inertial"
[[source]]
at = [{2 * cell}, {0.2 * depth}]
radius = {2 * cell}
rate = [[0, 5], [300, 120], [900, 120], [1500, 5]]
[[boundary]]
edge = "east"
kind = "open"
"""
village = (slice(int(0.65 * rows), int(0.85 * rows)), slice(int(0.4 * columns), int(0.6 * columns)))
dry = headwater.World.from_arrays(bed, cell=cell, scene=SCENE)
dry.advance(60)
start = dry.snapshot()


def flood(height):
    """Returns times (s) and volumes of water (m³) in the village behind a levee of `height` (m)."""
    world = headwater.World.from_arrays(bed, cell=cell, scene=SCENE)
    world.restore(start)
    levee = headwater.Place.line([(0, 0.33 * depth), (width, 0.33 * depth)], 3 * cell)
    if height:
        world.edit("raise", levee, height)
    times, volumes = [], []
    for _ in range(20 if args.quick else 60):
        world.advance(25)
        with world.borrow("depth") as depth_now:
            volumes.append(float(depth_now[village].sum()) * cell * cell)
        times.append(world.time)
    return times, volumes


heights = [0.0, 0.2, 0.4, 0.6, 0.8]
with ThreadPoolExecutor() as pool:
    floods = list(pool.map(flood, heights))
figure, axis = plt.subplots(figsize=(8, 5), constrained_layout=True)
for height, (times, volumes) in zip(heights, floods):
    axis.plot(np.array(times) / 60, np.array(volumes) / 1000, label=f"{height:g} m")
axis.set(xlabel="time (min)", ylabel="water in the village (10³ m³)", title="levees of several heights")
axis.legend(title="levee")
figure.savefig(args.out, dpi=100)
print(f"{args.out}: in the end {', '.join(f'{volumes[-1]:.0f}' for _, volumes in floods)} m³")
