"""The world, with what Python's libraries need of it."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _headwater
from ._degrees import in_metres, is_geographic
from ._errors import InputError, SceneError

if TYPE_CHECKING:
    import xarray


class World(_headwater.World):
    """A world of any model.

    scene: the name of a scene of the library (`headwater.scenes()`), or the path of a scene file (with a slash, or ending in `.toml`).
    text: instead, a scene's text in TOML; `name` is what it is called in messages, `directory` what its paths are relative to, `files` are files in
        memory by name, which stand for those of the disk.
    set: values laid over the scene, by key: `{"grid.nx": 512}`.

    Raises SceneError with all that is wrong with the scene. A world may be used from any thread, from one at a time.
    """

    transform: Any = None
    """Where it lies on a map: an affine transform of columns and rows, as rasterio has it; None if nobody said."""

    crs: Any = None
    """The coordinate system of that map, as it was handed over."""

    @classmethod
    def from_arrays(
        cls,
        bed: Any,
        depth: Any = None,
        *,
        cell: float | tuple[float, float] = 1.0,
        scene: str = "",
        files: Mapping[str, bytes] | None = None,
        set: Mapping[str, Any] | None = None,
        transform: Any = None,
        crs: Any = None,
    ) -> World:
        """A world of the model `flow` on a bed (m) with water of some depth (m): arrays of numbers, row 0 in the north.

        Cells where the bed is NaN are closed to water; where the depth is NaN there is none. `cell` is the size of a cell (m), or its width and height; with a `transform`, as
        `rasterio.open(...).transform` has it, it follows from that (where `crs` is in degrees, as metres at the middle latitude). `scene` is more of the scene as TOML, such as tables of sources and gauges; `set` are
        values laid over it.
        """
        if transform is not None:
            if transform.b or transform.d:
                raise InputError.of("transform", "one that turns", "one along the axes")
            if transform.a <= 0:
                raise InputError.of("transform", "columns from east to west", "columns from west to east")
            cell = (abs(transform.a), abs(transform.e))
        bed = _map(bed, "bed")
        if transform is not None and is_geographic(crs):
            latitude = transform.f + transform.e * 0.5 * bed.shape[0]
            cell = in_metres(cell, latitude)
        held = {"bed.npy": _npy(_north_up(bed, transform)), **(files or {})}
        sides = tuple(cell) if isinstance(cell, (tuple, list)) else (cell, cell)
        if len(sides) != 2:
            raise InputError.of("cell", f"{len(sides)} numbers", "one number or two")
        width, height = map(float, sides)
        # Hexagons have one size.
        over: dict[str, Any] = {"grid.cell": width if width == height else [width, height]}
        over["terrain.file"] = "bed.npy"
        if depth is not None:
            depth = _map(depth, "depth")
            if depth.shape != bed.shape:
                raise InputError.of("depth", _shape(depth), f"{_shape(bed)}, the shape of the bed")
            held["depth.npy"] = _npy(_north_up(np.nan_to_num(depth, nan=0.0), transform))
            over["water.depth_map"] = "depth.npy"
        named = any(line.replace(" ", "").startswith("model=") for line in scene.splitlines())
        text = scene if named else f'model = "flow"\n{scene}'
        over.update(set or {})
        try:
            world = cls(text=text, name="arrays", files=held, set=over)
        except SceneError as error:
            # A world that is stepped by hand needs no end.
            if not any(line.endswith((" time: is missing", " time.until: is missing")) for line in str(error).splitlines()):
                raise
            world = cls(text=text, name="arrays", files=held, set={"time.until": 3600, **over})
        world.transform, world.crs = transform, crs
        return world

    @classmethod
    def from_xarray(
        cls,
        data: xarray.Dataset | xarray.DataArray,
        *,
        bed: str = "bed",
        depth: str | None = "depth",
        **more: Any,
    ) -> World:
        """A world of the model `flow` on an xarray: a DataArray of heights, or a Dataset with heights in its variable `bed` and, if it has
        it, water in `depth`. Rows are turned so that the north is at the top, the size of a cell follows from the coordinates (m). `more` is as of
        `from_arrays`.
        """
        from . import _xarray

        return _xarray.from_xarray(cls, data, bed, depth, more)

    def to_xarray(self, layers: list[str] | None = None) -> xarray.Dataset:
        """Layers as an xarray Dataset, with coordinates, units and names of the CF conventions; `layers` are names, all by default. The middles of cells are
        in metres east and north of the south-west corner, or where the `transform` says. `to_netcdf` and `to_zarr` write it.
        """
        from . import _xarray

        return _xarray.to_xarray(self, layers)

    def __repr__(self) -> str:
        grid = self.grid
        return (
            f"<headwater.World {self.name!r}: {self.model}, {grid.ny} × {grid.nx} cells, "
            f"{self.steps} steps, time {self.time:g} {self.time_unit}>"
        )


def _north_up(array: np.ndarray, transform: Any) -> np.ndarray:
    """Rows from the north, as a transform lays them."""
    return array[::-1] if transform is not None and transform.e > 0 else array


def _shape(array: np.ndarray) -> str:
    return " × ".join(map(str, array.shape))


def _map(values: Any, what: str) -> np.ndarray:
    if np.ma.isMaskedArray(values):
        values = values.astype(np.float32).filled(np.nan)
    try:
        array = np.asarray(values, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InputError.of(what, str(error), "numbers in rows and columns") from error
    if array.ndim != 2 or array.size == 0:
        raise InputError.of(what, f"an array of shape {array.shape}", "rows and columns of cells")
    return array


def _npy(array: np.ndarray) -> bytes:
    sink = io.BytesIO()
    np.save(sink, np.ascontiguousarray(array, dtype="<f4"))
    return sink.getvalue()

