"""Simulates drops on a pond. Plots heights along a line over time, and the pond at the end.

    python ripples.py [--quick] [--out ripples.png]
"""

import headwater
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from _common import arguments

args = arguments("ripples.png")
world = headwater.World("pond")
dx, dy = world.grid.cell
row, frames, between = world.grid.ny // 2, 40 if args.quick else 240, 1 / 30
lines = np.empty((frames, world.grid.nx), np.float32)
heights = world.layer("height")
stamp = (0, 0)
for frame in range(frames):
    world.advance(between)
    # Update the copy of the layer in the tiles that have changed.
    tiles, stamp = world.changed("height", stamp)
    world.read_layer("height", heights, tiles)
    lines[frame] = heights[row]

limit = np.percentile(np.abs(lines), 99.5)
figure, (space, pond) = plt.subplots(1, 2, figsize=(12, 5), constrained_layout=True)
space.imshow(lines, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto", origin="lower",
             extent=[0, world.grid.nx * dx, 0, frames * between])
space.set(title="heights along the middle", xlabel="east (m)", ylabel="time (s)")
image = pond.imshow(heights, cmap="RdBu_r", vmin=-limit, vmax=limit,
                    extent=[0, world.grid.nx * dx, world.grid.ny * dy, 0])
pond.set(title=f"the pond after {world.time:.1f} s", xlabel="east (m)", ylabel="south (m)")
figure.colorbar(image, ax=pond, label="height (m)", shrink=0.8)
figure.savefig(args.out, dpi=100)
print(f"{args.out}: {world!r}")
