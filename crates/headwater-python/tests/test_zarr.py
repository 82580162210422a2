"""Zarr stores that the program writes, as xarray reads them."""

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
