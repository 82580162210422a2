"""Worlds to and from xarray, by the names and units of the CF conventions."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray

from ._errors import InputError

# Layers that have a standard name: https://cfconventions.org/standard-names.html
STANDARD = {
    "bed": "ground_level_altitude",
    "depth": "flood_water_thickness",
    "surface": "water_surface_height_above_reference_datum",
    "speed": "flood_water_speed",
    "max_depth": "flood_water_thickness",
    "max_speed": "flood_water_speed",
}

# Units as udunits knows them.
UNITS = {
    "": "1",
    "°C": "degC",
    "m/s": "m s-1",
    "m²/s": "m2 s-1",
    "m³/s": "m3 s-1",
    "1/m": "m-1",
    "1/s": "s-1",
    "m²": "m2",
    "m³": "m3",
    "kg/m³": "kg m-3",
}


def to_xarray(world: Any, layers: list[str] | None) -> xarray.Dataset:
    known = world.layers()
    grid = world.grid
    names = list(known) if layers is None else list(layers)
    (dx, dy), transform = grid.cell, world.transform
    columns, rows = np.arange(grid.nx) + 0.5, np.arange(grid.ny) + 0.5
    if transform is None:
        x, y = columns * dx, (grid.ny - rows) * dy
    else:
        north = transform.f if transform.e < 0 else transform.f + transform.e * grid.ny
        x, y = transform.c + transform.a * columns, north - abs(transform.e) * rows
    # A coordinate system in degrees has other axes.
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
        values = world.layer(name)
        told = known[name]
        attributes = {"long_name": told.meaning, "units": UNITS.get(told.unit, told.unit)}
        if name in STANDARD:
            attributes["standard_name"] = STANDARD[name]
        if world.crs is not None:
            attributes["grid_mapping"] = "spatial_ref"
        variables[name] = (("y", "x"), values, attributes)
    if world.crs is not None:
        to_wkt = getattr(world.crs, "to_wkt", None)
        mapping: dict[str, Any] = {"crs_wkt": to_wkt() if to_wkt else str(world.crs)}
        if transform is not None:
            mapping["GeoTransform"] = " ".join(map(repr, transform.to_gdal()))
        variables["spatial_ref"] = ((), 0, mapping)
    unit = "s" if world.time_unit == "s" else "1"
    coordinates["time"] = ((), world.time, {"long_name": "simulated time", "units": unit})
    attributes = {
        "Conventions": "CF-1.11",
        "title": world.name,
        "source": f"Headwater, model {world.model}",
        "state_hash": world.state_hash(),
    }
    return xarray.Dataset(variables, coordinates, attributes)


def from_xarray(cls: Any, data: Any, bed: str, depth: str | None, more: dict[str, Any]) -> Any:
    if isinstance(data, xarray.DataArray):
        heights, water = data, None
    else:
        if bed not in data:
            raise InputError.of("bed", f'"{bed}"', ", ".join(map(str, data.data_vars)))
        heights = data[bed]
        water = data[depth] if depth is not None and depth in data else None
    heights = heights.squeeze(drop=True)
    if heights.ndim != 2:
        raise InputError.of("bed", f"dimensions {heights.dims}", "two: rows and columns")
    down, across = heights.dims
    if {str(down), str(across)} & {"y", "x", "lat", "lon"} and str(across) in ("y", "lat"):
        down, across = across, down
        heights = heights.transpose(down, across)
    sizes = [_spacing(heights, axis) for axis in (across, down)]
    # Where coordinates rise from row to row, the first one is the southern one.
    turned = sizes[1] > 0
    rows = slice(None, None, -1) if turned else slice(None)
    values = [None if one is None else one.squeeze(drop=True).transpose(down, across).values[rows]
              for one in (heights, water)]
    reference = data.coords.get("spatial_ref", None)
    if reference is None and isinstance(data, xarray.Dataset) and "spatial_ref" in data:
        reference = data["spatial_ref"]
    crs = more.pop("crs", None if reference is None else reference.attrs.get("crs_wkt"))
    cell = more.pop("cell", (abs(sizes[0]), abs(sizes[1])))
    transform = more.pop("transform", None)
    world = cls.from_arrays(values[0], values[1], cell=cell, crs=crs, **more)
    world.transform = transform if transform is not None else _transform(heights, across, down, sizes)
    return world


def _spacing(array: Any, axis: Any) -> float:
    """The distance of two neighbours along an axis, with its sign; downward if nobody says."""
    if axis not in array.coords or array.sizes[axis] < 2:
        return 1.0 if axis == array.dims[1] else -1.0
    places = np.asarray(array.coords[axis].values, dtype=float)
    steps = np.diff(places)
    if not np.allclose(steps, steps[0], rtol=1e-3):
        found = f"distances from {steps.min():g} to {steps.max():g}"
        raise InputError.of(f"coordinates of `{axis}`", found, "the same from cell to cell")
    return float((places[-1] - places[0]) / (len(places) - 1))


def _transform(array: Any, across: Any, down: Any, sizes: list[float]) -> Any:
    """The transform of the coordinates, if there is `affine`, as there is beside rasterio."""
    try:
        from affine import Affine
    except ImportError:
        return None
    if across not in array.coords or down not in array.coords:
        return None
    west = float(array.coords[across].values[0]) - sizes[0] / 2
    north = float(np.max(array.coords[down].values)) + abs(sizes[1]) / 2
    return Affine(sizes[0], 0.0, west, 0.0, -abs(sizes[1]), north)
