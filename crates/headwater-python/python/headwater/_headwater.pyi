"""The extension module of `headwater`, written in Rust."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

from ._records import (
    AdvanceOutcome,
    Body,
    Changed,
    Edit,
    Gauge,
    Grid,
    Layer,
    Ledger,
    Parameter,
    Progress,
    Sample,
)

__version__: str

def scenes() -> list[str]:
    """Returns the names of the built-in scenes. The first scene is the one recommended for
    beginners.
    """

def scene_text(name: str) -> str:
    """Returns the TOML source of the built-in scene with the given name."""

def check(text: str, set: Mapping[str, Any] | None = None) -> None:
    """Checks a scene, given as TOML source, without creating a world. Raises a SceneError that
    lists all errors in the scene.
    """

def cf_metadata(layer: str, unit: str) -> tuple[str, str | None]: ...
def metres_per_degree(latitude: float) -> tuple[float, float]: ...
def read_raster(
    path: str | os.PathLike[str],
    *,
    scale: float | None = None,
    offset: float | None = None,
    no_data: float | None = None,
) -> dict[str, Any]:
    """Reads a raster of elevations in one of the formats PNG, GeoTIFF, ESRI ASCII, NPY and R16.

    Returns a dict with the keys `heights` (m, float32), `no_data` (bool), `cell` (m, or None),
    `bounds` (west, south, east, north, or None), `epsg` (or None) and `notices`.
    """

def write_raster(
    path: str | os.PathLike[str],
    values: npt.ArrayLike,
    cell: float | tuple[float, float] | None = None,
) -> None:
    """Writes an array as a raster.

    The file extension determines the format: `.npy`, `.tif`, `.asc` or `.png`. `cell` is the side
    length of a cell (m), or its width and height. Values that are not finite are written as
    no-data.
    """

def hydrology_report(bed: npt.ArrayLike, cell: float) -> dict[str, Any]:
    """Compares a terrain without water to real terrains by measures of fluvial geomorphology.

    `bed` contains the heights (m), and `cell` is the side length of a cell (m). Returns the
    measures as a dict, like `headwater hydrology-report`.
    """

class Place:
    """Area to which an edit, spring or drain applies.

    `falloff` defines how the effect of an edit decreases toward the rim: "flat", "linear" or
    "smooth". Coordinates are metres to the east and to the south of the top-left corner; in
    blocks, cells.
    """

    @staticmethod
    def everywhere() -> Place:
        """Returns a place that covers all cells."""

    @staticmethod
    def disc(center: Sequence[float], radius: float, falloff: str = "flat") -> Place:
        """Returns a disc with the given centre and radius."""

    @staticmethod
    def rect(north_west: Sequence[float], south_east: Sequence[float], falloff: str = "flat") -> Place:
        """Returns a rectangle with the given north-west and south-east corners."""

    @staticmethod
    def line(points: Sequence[Sequence[float]], width: float, falloff: str = "flat") -> Place:
        """Returns a band of the given width along the polyline through `points`."""

    @staticmethod
    def polygon(corners: Sequence[Sequence[float]]) -> Place:
        """Returns the interior of the polygon with the given corners."""

class Borrowed:
    """Context manager that provides a layer as a NumPy array without a copy."""

    def __enter__(self) -> npt.NDArray[np.float32]: ...
    def __exit__(self, *_error: object) -> None: ...

class World:
    """World of any model, without the conversions from and to arrays."""

    def __new__(
        cls,
        scene: str | os.PathLike[str] | None = None,
        *,
        text: str | None = None,
        name: str = "scene",
        directory: str | os.PathLike[str] | None = None,
        files: Mapping[str, bytes] | None = None,
        set: Mapping[str, Any] | None = None,
        confined: bool = False,
        memory_limit: int | None = None,
    ) -> Self: ...
    @classmethod
    def create(cls, *args: Any, **kwargs: Any) -> Self:
        """Creates a world from a scene. Equivalent to calling the class."""

    @property
    def model(self) -> str:
        """Name of the model: "flow", "waves", "blocks", "columns" or "hydrology"."""

    @property
    def name(self) -> str:
        """Name of the scene."""

    @property
    def grid(self) -> Grid:
        """Grid of the world: numbers of columns and rows, and size and shape of the cells."""

    @property
    def time(self) -> float:
        """Simulated time since the start, in the unit `time_unit`."""

    @property
    def time_unit(self) -> str:
        """Unit of the simulated time: "s", or "drops per cell" in hydrology."""

    @property
    def steps(self) -> int:
        """Number of time steps since the start."""

    @property
    def step_length(self) -> float:
        """Length of the next time step, in the unit `time_unit`."""

    @property
    def is_settling(self) -> bool:
        """True while the world relaxes to a steady state, before the simulated time starts to run."""

    @property
    def notices(self) -> list[str]:
        """Notices about the world, such as assumed values and limits that were reached."""

    def center(self, column: int, row: int) -> tuple[float, float]:
        """Returns the position of the centre of a cell (m from the top-left corner; in blocks,
        cells).
        """

    def advance(self, time: float, progress: Callable[[Progress], Any] | None = None) -> AdvanceOutcome:
        """Advances the world by a duration, in the unit `time_unit`.

        The world performs whole steps, so the reached time may differ from the requested time by
        less than one step; the next call compensates for the difference. `progress` is called every
        few steps; if it returns a false value other than None, the call ends early. Other Python
        threads can run during the call. Ctrl-C ends the call after a step and raises
        KeyboardInterrupt. Exceptions of `progress` are propagated.
        """

    def step(self, count: int = 1, progress: Callable[[Progress], Any] | None = None) -> AdvanceOutcome:
        """Performs `count` time steps, including all events that are due during these steps. The
        method otherwise works like `advance`.
        """

    def edits(self) -> list[Edit]:
        """Edits that the model supports, with the meanings, units and ranges of their amounts."""

    def edit(self, edit: str, place: Place, amount: float) -> None:
        """Applies one of the supported `edits` at a place. Unlike `act`, it does not add the edit
        to the scene that `text` returns.
        """

    def act(self, event: Mapping[str, Any] | str) -> None:
        """Applies an event. `event` has the keys of an item in a scene's [[event]] list, without
        `time`, and is a dict or a TOML string. Example: {"do": "pour", "disc": {"center": [50, 50],
        "radius": 10}, "amount": 1}.
        """

    def add(self, list: str, entry: Mapping[str, Any] | str) -> None:
        """Adds an item to one of the scene's lists: "gauge", "source", "drain" or "body", depending
        on the model.
        """

    def change(self, list: str, entry: Mapping[str, Any] | str) -> None:
        """Replaces an item in one of the scene's lists by a new item with the same name. The only
        supported list is "gauge".
        """

    def remove(self, list: str, name: str) -> None:
        """Removes the item with the given name from one of the scene's lists. The only supported
        list is "gauge".
        """

    def parameters(self) -> dict[str, Parameter]:
        """Parameters that can be changed while the world runs, as a dict from scene keys to
        parameters.
        """

    def set(self, key: str, value: Any) -> None:
        """Changes the value of one of the `parameters`. `key` is the key of the parameter in the
        scene.
        """

    def add_spring(self, place: Place, rate: float) -> int:
        """Adds a spring and returns its id. `rate` is the discharge (m³/s; in blocks, cells/s; in
        hydrology, m³ per rain drop per cell, the unit of time).
        """

    def set_spring(self, id: int, place: Place, rate: float) -> None:
        """Replaces the place and the discharge of a spring."""

    def remove_spring(self, id: int) -> None:
        """Removes the spring with the given id."""

    def springs(self) -> list[int]:
        """Ids of all springs, including springs of the scene."""

    def add_drain(self, place: Place, rate: float) -> int:
        """Adds a drain and returns its id. `rate` is the maximum discharge, in the unit of
        `add_spring`.
        """

    def set_drain(self, id: int, place: Place, rate: float) -> None:
        """Replaces the place and the maximum discharge of a drain."""

    def remove_drain(self, id: int) -> None:
        """Removes the drain with the given id."""

    def drains(self) -> list[int]:
        """Ids of all drains: those of the scene and those that were added."""

    def add_body(self, position: Sequence[float], size: Sequence[float], *, heading: float = 0.0, velocity: Sequence[float] = ..., draft: float = 0.1) -> int:
        """Adds a floating body and returns its id. `position` is the centre (m). `size` is the
        length and width (m; in models in side view, width and height). `heading` is the direction
        of the body's length axis (radians, clockwise from east). `velocity` is in m/s. `draft` is
        the depth of the body's lowest point below the water surface (m).
        """

    def set_body(self, id: int, position: Sequence[float], size: Sequence[float], *, heading: float = 0.0, velocity: Sequence[float] = ..., draft: float = 0.1) -> None:
        """Replaces the state of a floating body, for example its position or velocity."""

    def remove_body(self, id: int) -> None:
        """Removes the floating body with the given id."""

    def bodies(self) -> dict[int, Body]:
        """Current states of all floating bodies, including bodies of the scene, as a dict from ids
        to states.
        """

    def layers(self) -> dict[str, Layer]:
        """Layers that the model can output, as a dict from names to units, meanings, shapes and
        types.
        """

    def layer(self, name: str) -> npt.NDArray[np.float32]:
        """Returns a copy of the values of a layer, indexed as `array[row, column]`. Heights are
        relative to the vertical datum of the scene.
        """

    def read_layer(self, name: str, into: npt.NDArray[np.float32], tiles: Sequence[tuple[int, int, int, int]] | None = None) -> None:
        """Copies the values of a layer to an existing array. If `tiles` is given, only the values
        in these tiles are copied. The array must be float32, C-contiguous and writable, and must
        have the shape of the layer.
        """

    def borrow(self, name: str) -> Borrowed:
        """Returns a layer without a copy, for reading during a `with` block.

        Example: `with world.borrow("depth") as depth:`.

        During the block, calls that would change the world raise BusyError. At the end of the block
        the array is emptied. A slice of the array, such as `depth[10:20]`, still sees the values
        and keeps the world locked until the slice is freed. The same holds for other users of the
        array, such as a `memoryview` or a tensor.
        """

    def changed(self, name: str, since: Sequence[int] = ...) -> Changed:
        """Returns the tiles in which a layer may have changed since a stamp, together with the
        stamp for the next call. Stamps are results of earlier calls; without a stamp, all tiles are
        returned.
        """

    def at(self, x: float, y: float) -> dict[str, Sample]:
        """Returns the values of layers and other quantities at a point, as a dict from names to
        values. The point is in metres from the top-left corner (in blocks, cells). The dict is
        empty if the point is off the grid.
        """

    def sample_many(self, name: str, points: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Returns the values of a layer at many points, as a float32 array with one value per
        point. `points` has a row `[x, y]` per point (m from the top-left corner; in blocks, cells).
        A value is NaN if the point is off the grid, or if the layer has no value there, such as
        `surface` on dry ground.
        """

    def gauges(self) -> dict[str, Gauge]:
        """Readings of all gauges, as a dict from the names of the gauges to their readings."""

    def ledger(self) -> Ledger:
        """Mass balance of the water: the current volume, and inflow and outflow by cause."""

    def snapshot(self) -> bytes:
        """Returns the complete state of the world as bytes. `restore` continues from this state,
        bit for bit, in a world of the same scene with the same parameters.
        """

    def restore(self, snapshot: bytes) -> None:
        """Replaces the state of the world with the state in a snapshot."""

    def text(self) -> str:
        """Returns the current scene as TOML, including changed parameters and applied events."""

    def state_hash(self) -> str:
        """Returns a hash of the state as 16 hexadecimal digits. The hash is the same on all
        platforms and for any number of threads, and equals the output of `headwater hash`.
        """
