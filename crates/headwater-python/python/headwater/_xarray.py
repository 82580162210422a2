"""Conversion of worlds to and from xarray, with names and units according to the CF conventions."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray

from . import _headwater
from ._degrees import in_metres, is_geographic
from ._errors import InputError

def to_xarray(world: Any, layers: list[str] | None) -> xarray.Dataset:
    known = world.layers()
    grid = world.grid
    names = list(known) if layers is None else list(layers)
    if grid.lattice == "hex":
        return _hexagons(world, known, names)
    (dx, dy), transform = grid.cell, world.transform
    columns, rows = np.arange(grid.nx) + 0.5, np.arange(grid.ny) + 0.5
    if transform is None:
        x, y = columns * dx, (grid.ny - rows) * dy
    else:
        x, y = transform.c + transform.a * columns, transform.f + transform.e * rows
    # The names of the axes depend on whether the coordinate system is geographic.
    degrees = bool(getattr(world.crs, "is_geographic", False))
    axes = (("longitude", "degrees_east"), ("latitude", "degrees_north"))
    if not degrees:
        axes = (("projection_x_coordinate", "m"), ("projection_y_coordinate", "m"))
    coordinates = {
        axis: (axis, values, {"standard_name": name, "units": unit, "axis": axis.upper()})
        for axis, values, (name, unit) in (("x", x, axes[0]), ("y", y, axes[1]))
    }
    variables = {}
    for name in names:
        attributes = _attributes(known, name)
        if world.crs is not None:
            attributes["grid_mapping"] = "spatial_ref"
        variables[name] = (("y", "x"), _values(world, known, name), attributes)
    if world.crs is not None:
        mapping: dict[str, Any] = {"crs_wkt": _wkt(world.crs)}
        if transform is not None:
            mapping["GeoTransform"] = " ".join(map(repr, transform.to_gdal()))
        coordinates["spatial_ref"] = ((), 0, mapping)
    coordinates["time"] = _time(world)
    return xarray.Dataset(variables, coordinates, _global_attributes(world))


def _hexagons(world: Any, known: Any, names: list[str]) -> xarray.Dataset:
    """Converts the layers of a hexagonal grid.

    The coordinates are two-dimensional, because every other row is shifted by half a cell.
    """
    grid = world.grid
    places = np.array([[world.center(x, y) for x in range(grid.nx)] for y in range(grid.ny)])
    height = world.center(0, 0)[1] + world.center(0, grid.ny - 1)[1]
    axis = {"units": "m"}
    coordinates = {
        "x": (("row", "column"), places[..., 0], {"standard_name": "projection_x_coordinate", **axis}),
        "y": (("row", "column"), height - places[..., 1], {"standard_name": "projection_y_coordinate", **axis}),
        "time": _time(world),
    }
    variables = {
        name: (("row", "column"), _values(world, known, name), {**_attributes(known, name), "coordinates": "x y"})
        for name in names
    }
    return xarray.Dataset(variables, coordinates, {**_global_attributes(world), "lattice": "hex"})


def _values(world: Any, known: Any, name: str) -> np.ndarray:
    """Returns the values of a layer. The bed of closed cells is NaN, as `from_xarray` expects."""
    values = world.layer(name)
    if name == "bed" and "closed" in known:
        values[world.layer("closed") > 0] = np.nan
    return values


def _attributes(known: Any, name: str) -> dict[str, Any]:
    layer = known[name]
    units, standard_name = _headwater.cf_metadata(name, layer.unit)
    attributes = {"long_name": layer.meaning, "units": units}
    if standard_name is not None:
        attributes["standard_name"] = standard_name
    return attributes


def _time(world: Any) -> tuple[Any, ...]:
    unit = "s" if world.time_unit == "s" else "1"
    return ((), world.time, {"long_name": "simulated time", "units": unit})


def _global_attributes(world: Any) -> dict[str, Any]:
    return {
        "Conventions": "CF-1.11",
        "title": world.name,
        "source": f"Headwater, model {world.model}",
        "state_hash": world.state_hash(),
    }


def _wkt(crs: Any) -> str:
    """Returns a coordinate system in the format well-known text (WKT).

    Returns the string form of `crs` if neither pyproj nor rasterio can convert it.
    """
    if hasattr(crs, "to_wkt"):
        return crs.to_wkt()
    for module, name in (("pyproj", "CRS"), ("rasterio.crs", "CRS")):
        try:
            found = __import__(module, fromlist=[name])
            return getattr(found, name).from_user_input(crs).to_wkt()
        except Exception:  # The module is missing, or does not know the coordinate system.
            continue
    return str(crs)


def from_xarray(cls: Any, data: Any, bed: str, depth: str | None, more: dict[str, Any]) -> Any:
    if isinstance(data, xarray.DataArray):
        heights, water = data, None
    else:
        if bed not in data:
            raise InputError.of("bed", f'"{bed}"', ", ".join(map(str, data.data_vars)))
        heights = data[bed]
        water = data[depth] if depth is not None and depth in data else None
    heights = _plane(heights)
    if heights.ndim != 2:
        raise InputError.of("bed", f"dimensions {heights.dims}", "two: rows and columns")
    down, across = heights.dims
    if {str(down), str(across)} & {"y", "x", "lat", "lon"} and str(across) in ("y", "lat"):
        down, across = across, down
        heights = heights.transpose(down, across)
    sizes = [_spacing(heights, axis) for axis in (across, down)]
    if sizes[0] < 0:
        raise InputError.of(f"coordinates of `{across}`", "falling ones", "rising ones, from west to east")
    # If the coordinates increase from row to row, the first row is the southernmost.
    turned = sizes[1] > 0
    rows = slice(None, None, -1) if turned else slice(None)
    values = [None if one is None else _plane(one).transpose(down, across).values[rows]
              for one in (heights, water)]
    reference = data.coords.get("spatial_ref", None)
    if reference is None and isinstance(data, xarray.Dataset) and "spatial_ref" in data:
        reference = data["spatial_ref"]
    crs = more.pop("crs", None if reference is None else reference.attrs.get("crs_wkt"))
    cell = (abs(sizes[0]), abs(sizes[1]))
    if _is_in_degrees(heights, across) or is_geographic(crs):
        latitude = float(np.mean(heights.coords[down].values)) if down in heights.coords else 0.0
        cell = in_metres(cell, latitude)
    cell = more.pop("cell", cell)
    transform = more.pop("transform", None)
    world = cls.from_arrays(values[0], values[1], cell=cell, crs=crs, **more)
    if transform is None:
        world.transform = _transform(heights, across, down, sizes)
    else:
        from ._world import _north_up_transform
        world.transform = _north_up_transform(transform, world.grid.ny)
    return world


def _plane(array: xarray.DataArray) -> xarray.DataArray:
    """Removes axes of length 1 from an array that has more than two axes."""
    for axis in list(array.dims):
        if array.ndim > 2 and array.sizes[axis] == 1:
            array = array.squeeze(axis, drop=True)
    return array


def _is_in_degrees(array: Any, axis: Any) -> bool:
    """Returns whether an axis is a longitude in degrees, judging by its name and attributes."""
    attributes = array.coords[axis].attrs if axis in array.coords else {}
    return (
        str(axis).lower() in ("lon", "longitude")
        or attributes.get("standard_name") == "longitude"
        or str(attributes.get("units", "")).lower() in ("degrees_east", "degree_east", "degrees")
    )


def _spacing(array: Any, axis: Any) -> float:
    """Returns the signed distance between the coordinates of an axis (m).

    The distance is negative if the coordinates decrease. Without coordinates, it is 1 for columns and
    -1 for rows.
    """
    if axis not in array.coords or array.sizes[axis] < 2:
        return 1.0 if axis == array.dims[1] else -1.0
    places = np.asarray(array.coords[axis].values, dtype=float)
    steps = np.diff(places)
    if not np.allclose(steps, steps[0], rtol=1e-3):
        found = f"distances from {steps.min():g} to {steps.max():g}"
        raise InputError.of(f"coordinates of `{axis}`", found, "the same from cell to cell")
    # The CF conventions also allow coordinates in kilometres.
    unit = str(array.coords[axis].attrs.get("units", "m")).lower()
    return float((places[-1] - places[0]) / (len(places) - 1)) * {"km": 1000.0}.get(unit, 1.0)


def _transform(array: Any, across: Any, down: Any, sizes: list[float]) -> Any:
    """Returns the affine transform from columns and rows to coordinates.

    Returns None if the package `affine` is not installed, or if the array has no coordinates.
    """
    try:
        from affine import Affine
    except ImportError:
        return None
    if across not in array.coords or down not in array.coords:
        return None
    west = float(array.coords[across].values[0]) - sizes[0] / 2
    north = float(np.max(array.coords[down].values)) + abs(sizes[1]) / 2
    return Affine(sizes[0], 0.0, west, 0.0, -abs(sizes[1]), north)
