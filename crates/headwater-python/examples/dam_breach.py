"""Simulates a dam breach and plots the water depth in the valley at four times.

    python dam_breach.py [--quick] [--out dam-breach.png]
"""

import headwater
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from _common import arguments, hillshade

args = arguments("dam-breach.png")
# In this built-in scene, an event breaches the dam.
world = headwater.World("dam-breach", set={"grid.nx": 96, "grid.ny": 72, "grid.cell": 13.33} if args.quick else None)
bed = world.layer("bed")
dx, dy = world.grid.cell
extent = [0, world.grid.nx * dx, world.grid.ny * dy, 0]

figure, axes = plt.subplots(2, 2, figsize=(10, 7.5), sharex=True, sharey=True, constrained_layout=True)
for axis, time in zip(axes.flat, (0, 60, 120, 240)):
    if time > world.time:
        world.advance(time - world.time)
    depth = world.layer("depth")
    axis.imshow(hillshade(bed, dx), cmap="gray", extent=extent, vmin=0, vmax=1)
    water = axis.imshow(np.ma.masked_less(depth, 0.02), cmap="Blues", extent=extent, vmin=0, vmax=8)
    axis.set_title(f"{world.time:.0f} s")
figure.colorbar(water, ax=axes, label="depth (m)", shrink=0.8)
figure.supxlabel("east (m)")
figure.supylabel("south (m)")
figure.savefig(args.out, dpi=100)
print(f"{args.out}: {world!r}, residual {world.ledger().residual_relative:.1e}")
