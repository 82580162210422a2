"""The class `World`, with conversions to and from NumPy and xarray."""

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
    """World of any model.

    scene: name of a built-in scene (see `headwater.scenes()`), or path of a scene file. A string with
        a slash or with the ending `.toml` is a path.
    text: TOML source of a scene, instead of `scene`. Messages refer to this scene by `name`. File
        paths in the scene are relative to `directory`. `files` are files in memory, by name; they
        take precedence over files on disk.
    set: overrides of scene values, by key, for example `{"grid.nx": 512}`.
    confined: set this to True for scenes from unknown authors. From disk, they can then read only
        files in the folder of the scene and its subfolders, or in `directory` for `text`.
    memory_limit: maximum memory that the world may need, as estimated from its number of cells
        (bytes); 4 GiB by default.

    Raises a SceneError that lists all errors in the scene. Any thread may use a world, but only one
    thread at a time.
    """

    transform: Any = None
    """Georeference: an affine transform from columns and rows to coordinates, as in rasterio; None if
    unknown. Row 0 of the layers is the northernmost row, even if the rows of the array passed to
    `from_arrays` run from south to north."""

    crs: Any = None
    """Coordinate system of `transform`, as passed to `from_arrays`."""

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
        """Creates a `flow` world from arrays of bed heights (m) and water depths (m).

        Row 0 of the arrays is in the north. Cells whose bed is NaN are closed; a depth of NaN means 0.
        `cell` is the side length of a cell (m), or its width and height. If a `transform` is given,
        such as `rasterio.open(...).transform`, the cell size is taken from it; if `crs` is geographic,
        the size is converted to metres at the middle latitude. `scene` contains further parts of the
        scene as TOML, such as tables of sources and gauges. `set` contains overrides of scene values.
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
        # The scene of a hexagonal grid has only one cell size.
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
            # The caller advances the world, so a missing end time is not an error.
            if not any(line.endswith((" time: is missing", " time.until: is missing")) for line in str(error).splitlines()):
                raise
            world = cls(text=text, name="arrays", files=held, set={"time.until": 3600, **over})
        world.transform, world.crs = _north_up_transform(transform, bed.shape[0]), crs
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
        """Creates a `flow` world from xarray data.

        `data` is a DataArray of bed heights, or a Dataset. The arguments `bed` and `depth` are the names
        of the Dataset's variables with the bed heights and, optionally, the water depths. Rows are
        flipped if needed, so that row 0 is in the north. The cell size is calculated from the
        coordinates (m). `more` are further arguments, which are passed to `from_arrays`.
        """
        from . import _xarray

        return _xarray.from_xarray(cls, data, bed, depth, more)

    def to_xarray(self, layers: list[str] | None = None) -> xarray.Dataset:
        """Returns layers as an xarray Dataset, with coordinates, units and names of the CF conventions.

        `layers` are the names of the layers; by default, all layers are returned. The coordinates are
        those of the cell centres: metres east and north of the south-west corner, or coordinates
        according to `transform`. Save the Dataset with its method `to_netcdf` or `to_zarr`.
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
    """Reorders the rows of an array from north to south. `transform` defines their current order."""
    return array[::-1] if transform is not None and transform.e > 0 else array


def _north_up_transform(transform: Any, rows: int) -> Any:
    """Adapts a transform to rows that were reordered from north to south, as the layers are."""
    if transform is None or transform.e <= 0:
        return transform
    north = transform.f + transform.e * rows
    return type(transform)(transform.a, transform.b, transform.c, transform.d, -transform.e, north)


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

