"""Lets rivers carve a terrain, writes it as NetCDF, and simulates rain on it with `flow`.

    python carved_land.py [--quick] [--out carved-land.png]
"""

import headwater
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from _common import arguments, hillshade

args = arguments("carved-land.png")
side = 96 if args.quick else 256
land = headwater.World("young-range", set={"grid.nx": side, "grid.ny": side})
before = land.layer("bed")
land.advance(1.0 if args.quick else 12.0, lambda at: print(f"\rcarving: {100 * at.part:.0f} %", end="", flush=True))
print()
cell = land.grid.cell[0]
report = headwater.hydrology_report(land.layer("bed"), cell)

data = land.to_xarray(["bed", "depth"])
try:
    data.to_netcdf(args.out.rsplit(".", 1)[0] + ".nc", engine="h5netcdf")
except (ImportError, ValueError) as error:
    print(f"no NetCDF: {error}")

# Simulate one hour of rain on the carved terrain.
flood = headwater.World.from_xarray(
    data,
    set={
        "physics.level": "inertial",
        "rain.rate": 60.0,
        "boundary": [{"edge": edge, "kind": "open"} for edge in ("west", "east", "north", "south")],
    },
)
flood.advance(60 if args.quick else 3600)

figure, axes = plt.subplots(1, 3, figsize=(15, 5), constrained_layout=True)
panels = ((before, "before"), (land.layer("bed"), f"after {land.time:.0f} drops per cell"))
for axis, (heights, title) in zip(axes, panels):
    axis.imshow(hillshade(heights, cell), cmap="gray", vmin=0, vmax=1)
    axis.set_title(title)
lakes = np.ma.masked_less(land.layer("depth"), 0.05)
axes[1].imshow(lakes, cmap="Blues", vmin=-1, vmax=5)
axes[2].imshow(hillshade(land.layer("bed"), cell), cmap="gray", vmin=0, vmax=1)
rain = axes[2].imshow(np.ma.masked_less(flood.layer("depth"), 0.005), cmap="viridis_r", norm="log", vmin=0.005, vmax=5)
axes[2].set_title(f"after {flood.time / 60:.0f} min of rain, 60 mm/h")
figure.colorbar(rain, ax=axes[2], label="depth (m)", shrink=0.8)
for axis in axes:
    axis.set_axis_off()
figure.savefig(args.out, dpi=100)
print(f"{args.out}: concavity {report['concavity']:.2f}, order {report['order']}, {report['waterfalls']} waterfalls")
