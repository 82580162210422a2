"""Tests that xarray and GIS tools can read the Zarr stores that the program writes."""

import json
import os
import subprocess

import numpy as np
import pytest

SCENE = """
model = "flow"
grid = { nx = 40, ny = 30, cell = 2 }
terrain.plane = { slope = [0.01, 0] }
[[event]]
time = 0
do = "pour"
amount = 1
disc = { center = [40, 30], radius = 10 }
[output]
frames = 0
final = false
layers = ["depth", "bed"]
layers_every = 5
layer_format = "zarr"
[time]
until = 10
"""


def test_xarray_reads_layers_over_time(tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("zarr")
    program = os.environ.get("HEADWATER_PROGRAM")
    if program is None:
        pytest.skip("HEADWATER_PROGRAM names no program")
    (tmp_path / "pond.toml").write_text(SCENE)
    subprocess.run([program, "run", tmp_path / "pond.toml", "--out", tmp_path / "out"], check=True)
    data = xarray.open_zarr(tmp_path / "out" / "layers.zarr", consolidated=False)
    assert data.depth.dims == ("time", "y", "x") and data.depth.shape == (3, 30, 40)
    assert np.array_equal(data.time, [0, 5, 10]) and data.depth.attrs["units"] == "m"
    assert float(data.y[0]) == 59 and float(data.x[0]) == 1
    volumes = data.depth.sum(("y", "x")).values * 4
    assert np.allclose(volumes, volumes[0], rtol=1e-5) and volumes[0] > 300
    at_noon = data.depth.sel(time=5, x=40, y=30, method="nearest")
    assert 0 < float(at_noon) < float(data.depth.sel(time=0, x=40, y=30, method="nearest"))


LAID = """
model = "flow"
terrain.file = "land.tif"
water.depth = 0.5
[output]
frames = 0
final = false
layers = ["depth", "bed"]
layer_format = "zarr"
[time]
until = 2
"""


@pytest.mark.parametrize("memory", [[], ["--memory", "200MB"]])
def test_rioxarray_georeferences_layers(tmp_path, memory):
    """GIS tools read the right transform and coordinate system from in-memory and out-of-core runs."""
    rioxarray = pytest.importorskip("rioxarray")
    rasterio = pytest.importorskip("rasterio")
    xarray = pytest.importorskip("xarray")
    program = os.environ.get("HEADWATER_PROGRAM")
    if program is None:
        pytest.skip("HEADWATER_PROGRAM names no program")
    assert rioxarray
    transform = rasterio.transform.from_origin(565_000, 5_934_000, 5, 5)
    land = np.add.outer(np.arange(30), np.arange(40)).astype("float32")
    profile = dict(driver="GTiff", width=40, height=30, count=1, dtype="float32", crs="EPSG:25832", transform=transform)
    with rasterio.open(tmp_path / "land.tif", "w", **profile) as raster:
        raster.write(land, 1)
    (tmp_path / "laid.toml").write_text(LAID)
    command = [program, "run", tmp_path / "laid.toml", "--out", tmp_path / "out", *memory]
    subprocess.run(command, check=True)
    data = xarray.open_zarr(tmp_path / "out" / "layers.zarr", consolidated=False, decode_coords="all")
    assert data.rio.crs.to_epsg() == 25832
    assert data.rio.transform().almost_equals(transform)
    assert np.allclose(data.bed.squeeze().values, land, atol=1e-3)
    corner = data.bed.sel(x=565_002.5, y=5_933_997.5)
    assert float(corner.squeeze()) == pytest.approx(float(land[0, 0]), abs=1e-3)


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("memory", [[], ["--memory", "200MB"]])
def test_terrain_written_by_xarray(tmp_path, version, memory):
    """A terrain in a store written by xarray, in either row order, equals the one in a GeoTIFF."""
    xarray = pytest.importorskip("xarray")
    rasterio = pytest.importorskip("rasterio")
    pytest.importorskip("zarr")
    program = os.environ.get("HEADWATER_PROGRAM")
    if program is None:
        pytest.skip("HEADWATER_PROGRAM names no program")
    rng = np.random.default_rng(7)
    land = rng.uniform(100, 130, (90, 110)).astype("float32")
    land[40:44, 50:60] = np.nan
    transform = rasterio.transform.from_origin(565_000, 5_934_000, 5, 5)
    profile = dict(driver="GTiff", width=110, height=90, count=1, dtype="float32", crs="EPSG:25832", transform=transform, nodata=np.nan)
    with rasterio.open(tmp_path / "land.tif", "w", **profile) as raster:
        raster.write(land, 1)
    x, y = 565_002.5 + 5 * np.arange(110), 5_933_997.5 - 5 * np.arange(90)
    data = xarray.DataArray(land, coords={"y": ("y", y, {"units": "m"}), "x": ("x", x, {"units": "m"})}, dims=("y", "x"), name="bed")
    chunks = {"bed": {"chunks": (32, 48)}}
    if version == 2:
        # The default compressor, Blosc, is not supported.
        numcodecs = pytest.importorskip("numcodecs")
        chunks = {name: {**chunks.get(name, {}), "compressors": numcodecs.GZip(1)} for name in ["bed", "x", "y"]}
    data.to_dataset().to_zarr(tmp_path / "north.zarr", zarr_format=version, encoding=chunks, consolidated=False)
    data.isel(y=slice(None, None, -1)).to_dataset().to_zarr(tmp_path / "south.zarr", zarr_format=version, encoding=chunks, consolidated=False)
    hashes = {}
    for file in ["land.tif", "north.zarr", "south.zarr/bed"]:
        text = f'model = "flow"\nterrain.file = "{file}"\nwater.depth = 0.5\ntime.until = 20\noutput = {{ frames = 0, final = false }}\n'
        (tmp_path / "laid.toml").write_text(text)
        command = [program, "run", tmp_path / "laid.toml", "--out", tmp_path / "out", "--force", "--json", *memory]
        result = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        hashes[file] = result["state_hash"]
    assert len(set(hashes.values())) == 1, hashes
