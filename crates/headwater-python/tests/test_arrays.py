"""Tests of NumPy arrays, rasters, xarray, landlab and rasterio."""

import headwater
import numpy as np
import pytest
from headwater import World

# The array is asymmetric, so that flips and rotations are detected.
BED = (np.linspace(9, 3, 30)[:, None] + np.linspace(4, 0, 40)[None, :]).astype(np.float32)
DEPTH = np.maximum(6 - BED, 0)


def test_world_from_arrays():
    world = World.from_arrays(BED, DEPTH, cell=(2, 3), set={"physics.level": "inertial"})
    assert world.grid.cell == (2.0, 3.0)
    assert np.allclose(world.layer("bed"), BED, atol=1e-5)
    assert np.allclose(world.layer("depth"), DEPTH, atol=1e-5)
    world.advance(1.0)
    closed = BED.copy()
    closed[4, 5] = np.nan
    assert World.from_arrays(closed, scene="[rain]\nrate = 10\n").layer("closed")[4, 5] == 1


def test_array_dtypes_and_strides():
    for bed in (BED.astype(float), np.asfortranarray(BED), BED[::-1][::-1], BED.tolist(), np.ma.masked_less(BED, 0)):
        assert np.allclose(World.from_arrays(bed).layer("bed"), BED, atol=1e-5)


@pytest.mark.parametrize("bed", [BED[0], np.zeros((0, 3)), "hills", [[1, 2], [3]], np.full((3, 3), np.nan)])
def test_invalid_beds_are_rejected(bed):
    with pytest.raises(headwater.HeadwaterError):
        World.from_arrays(bed)


def test_depth_must_have_the_shape_of_the_bed():
    with pytest.raises(headwater.InputError) as refused:
        World.from_arrays(BED, DEPTH[:-1])
    assert (refused.value.key, refused.value.found) == ("depth", "29 × 40")
    with pytest.raises(headwater.SceneError):
        World.from_arrays(BED, np.full_like(BED, np.inf))


def test_raster_round_trip(tmp_path):
    holes = BED.copy()
    holes[3, 4] = np.nan
    for ending in ("npy", "tif", "asc"):
        path = tmp_path / f"bed.{ending}"
        headwater.write_raster(path, holes, cell=5.0)
        read = headwater.read_raster(path)
        assert np.array_equal(read["heights"][~read["no_data"]], BED[~np.isnan(holes)])
        assert read["no_data"][3, 4] and read["no_data"].sum() == 1
        assert ending == "npy" or read["cell"] == (5.0, 5.0)
    with pytest.raises(headwater.InputError):
        headwater.write_raster(tmp_path / "bed.gif", BED)
    with pytest.raises(headwater.InputError):
        headwater.read_raster(tmp_path / "nowhere.tif")


def test_hydrology_report():
    world = World("young-range", set={"grid.nx": 96, "grid.ny": 96})
    world.step(20)
    report = headwater.hydrology_report(world.layer("bed"), world.grid.cell[0])
    assert 0 < report["hypsometric_integral"] < 1 and report["order"] >= 1
    with pytest.raises(headwater.InputError):
        headwater.hydrology_report(np.full((4, 4), np.nan), 1.0)
    with pytest.raises(headwater.InputError):
        headwater.hydrology_report(BED, -1.0)


def test_xarray_names_and_units(tmp_path):
    xarray = pytest.importorskip("xarray")
    world = World.from_arrays(BED, DEPTH, cell=2.0)
    world.advance(1.0)
    data = world.to_xarray()
    assert data.depth.attrs["units"] == "m" and data.speed.attrs["units"] == "m s-1"
    assert data.bed.attrs["standard_name"] == "ground_level_altitude"
    assert data.attrs["Conventions"].startswith("CF")
    # The first row is the northernmost.
    assert data.y[0] == 59.0 and data.y[-1] == 1.0 and data.x[0] == 1.0
    assert float(data.depth.sel(x=79, y=1)) == world.layer("depth")[-1, -1]
    again = World.from_xarray(data)
    assert np.array_equal(again.layer("bed"), world.layer("bed"))
    assert np.array_equal(again.layer("depth"), world.layer("depth"))
    # The order of rows and dimensions does not matter.
    for other in (data.isel(y=slice(None, None, -1)), data.transpose("x", "y")):
        assert np.array_equal(World.from_xarray(other).layer("depth"), world.layer("depth"))
    assert World.from_xarray(data.bed).layer("depth").max() == 0
    with pytest.raises(headwater.InputError):
        World.from_xarray(data, bed="hills")
    pytest.importorskip("h5netcdf")
    pytest.importorskip("h5py")
    data.to_netcdf(tmp_path / "world.nc", engine="h5netcdf")
    with xarray.open_dataset(tmp_path / "world.nc", engine="h5netcdf") as read:
        assert np.array_equal(read.depth, world.layer("depth"))
    pytest.importorskip("zarr")
    data.to_zarr(tmp_path / "world.zarr", consolidated=False)
    assert np.array_equal(xarray.open_zarr(tmp_path / "world.zarr", consolidated=False).depth, world.layer("depth"))


def test_transform_fits_the_layers_of_a_south_up_array():
    affine = pytest.importorskip("affine")
    given = affine.Affine(10, 0, 1000, 0, 10, 4000)
    bed = np.array([[1, 2, 3], [11, 12, 13], [21, 22, 23]], np.float32)
    world = World.from_arrays(bed, transform=given)
    assert tuple(world.transform)[:6] == (10, 0, 1000, 0, -10, 4030)
    assert world.layer("bed")[0, 0] == 21
    pytest.importorskip("xarray")
    assert list(world.to_xarray().y) == [4025, 4015, 4005]


def test_rasterio_transform_is_preserved(tmp_path):
    rasterio = pytest.importorskip("rasterio")
    transform = rasterio.transform.from_origin(500_000, 4_400_000, 10, 10)
    profile = {"driver": "GTiff", "width": 40, "height": 30, "count": 1, "dtype": "float32"}
    path = tmp_path / "dem.tif"
    with rasterio.open(path, "w", crs="EPSG:32613", transform=transform, **profile) as file:
        file.write(BED, 1)
    with rasterio.open(path) as file:
        world = World.from_arrays(file.read(1, masked=True), transform=file.transform, crs=file.crs)
    assert world.grid.cell == (10.0, 10.0)
    assert world.transform == transform and world.crs.to_epsg() == 32613
    data = world.to_xarray(["bed"])
    assert data.x[0] == 500_005 and data.y[0] == 4_399_995
    assert data.spatial_ref.attrs["GeoTransform"].startswith("500000.0 10.0")
    again = World.from_xarray(data)
    assert again.transform.almost_equals(transform) and "UTM zone 13N" in str(again.crs)
    turned = rasterio.Affine(1, 2, 0, 2, -1, 0)
    with pytest.raises(headwater.InputError):
        World.from_arrays(BED, transform=turned)


def test_landlab_component():
    landlab = pytest.importorskip("landlab")
    from headwater.landlab import HeadwaterFlow

    grid = landlab.RasterModelGrid((30, 40), xy_spacing=(2.0, 3.0))
    grid.add_field("topographic__elevation", BED[::-1].astype(float).ravel(), at="node")
    # Water fills half of a basin and flows to the other half.
    half = np.where(np.arange(40) < 30, DEPTH, 0)
    grid.add_field("surface_water__depth", half[::-1].astype(float).ravel(), at="node")
    flow = HeadwaterFlow(grid, set={"physics.level": "shallow-water"})
    assert np.allclose(flow.world.layer("bed"), BED, atol=1e-5)
    for _ in range(3):
        flow.run_one_step(1.0)
    depth = grid.at_node["surface_water__depth"].reshape(grid.shape)
    assert np.array_equal(depth[::-1].astype(np.float32), flow.world.layer("depth"))
    assert grid.at_node["surface_water__speed"].max() > 0
    with pytest.raises(TypeError):
        HeadwaterFlow(landlab.HexModelGrid((5, 5)))
