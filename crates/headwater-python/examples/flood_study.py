"""Flood study: calculates a map of maximum depths, a hydrograph and a ledger from an elevation file.

A river enters at `--inflow` (metres to the east and to the south of the north-west corner). Its
discharge peaks after an hour and then recedes. The map of maximum depths is also written as GeoTIFF.

    python flood_study.py [--dem DEM.tif] [--inflow EAST,SOUTH] [--peak 400] [--quick] [--out flood-study.png]
"""

import headwater
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from _common import arguments, hillshade

args = arguments("flood-study.png", dem=None, inflow=None, peak="400")
if args.dem:
    raster = headwater.read_raster(args.dem)
    bed = np.where(raster["no_data"], np.nan, raster["heights"])
    cell = raster["cell"][0] if raster["cell"] else 10.0
else:
    # Create a winding valley with river terraces.
    cell, (rows, columns) = 20.0, (60, 90) if args.quick else (150, 225)
    east, south = np.meshgrid(np.arange(columns) * cell, np.arange(rows) * cell)
    length, height = columns * cell, rows * cell
    middle = height * (0.5 + 0.18 * np.sin(2 * np.pi * east / length * 1.5))
    away = np.abs(south - middle)
    bed = 0.0012 * (length - east) + 0.002 * away + 14 * np.tanh(np.maximum(away - 320, 0) / 200) ** 2
    bed -= 1.8 * np.exp(-((away / 35) ** 2))
    bed += 0.4 * np.sin(east / 130) * np.cos(south / 90)

rows, columns = bed.shape
if args.inflow:
    at = [float(part) for part in args.inflow.split(",")]
else:
    # The river enters at the lowest point of the western edge.
    at = [1.5 * cell, (float(np.nanargmin(bed[:, 1])) + 0.5) * cell]
peak, hour = float(args.peak), 900 if args.quick else 3600
hydrograph = [[0, 0.1 * peak], [hour, peak], [2 * hour, 0.3 * peak], [4 * hour, 0.1 * peak]]

world = headwater.World.from_arrays(
    bed,
    cell=cell,
    scene=f"""
    [physics]
    level = "inertial"
    manning = 0.035
    [[source]]
    at = {at}
    radius = {2 * cell}
    rate = {hydrograph}
    [[boundary]]
    edge = "east"
    kind = "open"
    [flood]
    depth = 0.05
    [[gauge]]
    name = "middle"
    at = [{0.5 * columns * cell}, {float(np.nanargmin(bed[:, columns // 2])) * cell}]
    every = 60
    """,
)
world.advance(4 * hour)

deepest = world.layer("max_depth")
headwater.write_raster(args.out.rsplit(".", 1)[0] + ".tif", deepest, cell=cell)
gauge, ledger = world.gauges()["middle"], world.ledger()
flooded = np.count_nonzero(deepest > 0.05) * cell * cell / 1e4

figure, (chart, curve) = plt.subplots(
    2, 1, figsize=(10, 8.5), height_ratios=[3, 1], constrained_layout=True
)
extent = [0, columns * cell / 1000, rows * cell / 1000, 0]
chart.imshow(hillshade(bed, cell, 12), cmap="gray", extent=extent, vmin=0, vmax=1)
water = chart.imshow(
    np.ma.masked_less(deepest, 0.05), cmap="viridis_r", extent=extent, vmin=0, vmax=np.nanpercentile(deepest[deepest > 0.05], 99)
)
chart.plot(at[0] / 1000, at[1] / 1000, "r>", markersize=10, clip_on=False)
chart.set(title=f"greatest depth; {flooded:.0f} ha flooded", xlabel="east (km)", ylabel="south (km)")
figure.colorbar(water, ax=chart, label="m", shrink=0.8)
times, flow = zip(*hydrograph)
curve.plot(np.array(times) / 60, flow, "k--", label="inflow (m³/s)")
curve.set(xlabel="time (min)", ylabel="m³/s")
curve.legend(loc="upper left")
stage = curve.twinx()
stage.plot(gauge.times / 60, gauge.values["depth_m"], "C0")
stage.set_ylabel("depth in the middle (m)", color="C0")
figure.savefig(args.out, dpi=100)
print(f"{args.out}: {flooded:.0f} ha, in {sum(ledger.came.values()):.0f} m³, residual {ledger.residual_relative:.1e}")
