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
    """Names of the built-in scenes, the recommended first one first."""

def scene_text(name: str) -> str:
    """Text of a built-in scene."""

def check(text: str, set: Mapping[str, Any] | None = None) -> None:
    """Checks the text of a scene without creating its world; raises SceneError with all errors."""

def cf_metadata(layer: str, unit: str) -> tuple[str, str | None]: ...
def metres_per_degree(latitude: float) -> tuple[float, float]: ...
def read_raster(
    path: str | os.PathLike[str],
    *,
    scale: float | None = None,
    offset: float | None = None,
    no_data: float | None = None,
) -> dict[str, Any]:
    """Reads a raster of elevations: PNG, GeoTIFF, ESRI ASCII, NPY or R16.

    Returns `heights` (m, float32), `no_data` (bool), `cell` (m, or None), `bounds` (west, south,
    east, north, or None), `epsg` (or None) and `notices`.
    """

def write_raster(
    path: str | os.PathLike[str],
    values: npt.ArrayLike,
    cell: float | tuple[float, float] | None = None,
) -> None:
    """Writes an array as a raster in the format of the file extension: `.npy`, `.tif`, `.asc` or `.png`.

    `cell` is the size of a cell (m), or its width and height; values that are not finite are no-data.
    """

def hydrology_report(bed: npt.ArrayLike, cell: float) -> dict[str, Any]:
    """Compares a dry land with real ones by measures of fluvial geomorphology.

    `bed` are heights (m), `cell` is the side of a cell (m).
    """

class Place:
    """A place, and how an edit fades towards its rim: `falloff` is "flat", "linear" or "smooth".

    Lengths are metres from the top-left corner, the second one downwards; in blocks, cells.
    """

    @staticmethod
    def everywhere() -> Place:
        """Every cell."""

    @staticmethod
    def disc(center: Sequence[float], radius: float, falloff: str = "flat") -> Place:
        """A disc."""

    @staticmethod
    def rect(north_west: Sequence[float], south_east: Sequence[float], falloff: str = "flat") -> Place:
        """A rectangle, from its north-west to its south-east corner."""

    @staticmethod
    def line(points: Sequence[Sequence[float]], width: float, falloff: str = "flat") -> Place:
        """A strip of a width along points."""

    @staticmethod
    def polygon(corners: Sequence[Sequence[float]]) -> Place:
        """The interior of a polygon."""

class Borrowed:
    """A layer viewed without a copy during a `with` block."""

    def __enter__(self) -> npt.NDArray[np.float32]: ...
    def __exit__(self, *_error: object) -> None: ...

class World:
    """A world of any model."""

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
        """Same as calling the class."""

    @property
    def model(self) -> str:
        """Name of the model: "flow", "waves", "blocks", "columns" or "hydrology"."""

    @property
    def name(self) -> str:
        """Name of the scene."""

    @property
    def grid(self) -> Grid:
        """Grid of cells."""

    @property
    def time(self) -> float:
        """Simulated time."""

    @property
    def time_unit(self) -> str:
        """Unit of time: "s", or in hydrology "drops per cell"."""

    @property
    def steps(self) -> int:
        """Number of steps."""

    @property
    def step_length(self) -> float:
        """Length of a step now, in `time_unit`."""

    @property
    def is_settling(self) -> bool:
        """True while the world relaxes to a steady state, before its clock starts."""

    @property
    def notices(self) -> list[str]:
        """Notices: defaults that were chosen and limits that were reached."""

    def center(self, column: int, row: int) -> tuple[float, float]:
        """Centre of a cell (m from the top-left corner; in blocks, cells)."""

    def advance(self, time: float, progress: Callable[[Progress], Any] | None = None) -> AdvanceOutcome:
        """Advances by a time, in `time_unit`.

        A world stops after whole steps: at the requested time, or less than a step from it; the next
        advance makes up for the difference. `progress` is called every few steps; if it returns a
        false value other than None, the advance stops. Other Python threads run meanwhile. Ctrl-C
        stops the advance after a step and raises KeyboardInterrupt; exceptions of `progress` are
        propagated too.
        """

    def step(self, count: int = 1, progress: Callable[[Progress], Any] | None = None) -> AdvanceOutcome:
        """Runs `count` steps, with all events that are due; otherwise like `advance`."""

    def edits(self) -> list[Edit]:
        """Available edits, with units and ranges of amounts."""

    def edit(self, edit: str, place: Place, amount: float) -> None:
        """Applies one of `edits` at a place. Unlike an `act`, it is not recorded in the `text`."""

    def act(self, event: Mapping[str, Any] | str) -> None:
        """Applies an entry of a scene's [[event]] list, as a dict or as TOML, without `time`:
        {"do": "pour", "disc": {"center": [50, 50], "radius": 10}, "amount": 1}.
        """

    def add(self, list: str, entry: Mapping[str, Any] | str) -> None:
        """Adds an entry to one of the scene's lists that the model can extend while it runs: "gauge",
        "source", "drain", "body".
        """

    def change(self, list: str, entry: Mapping[str, Any] | str) -> None:
        """Changes an entry of one of the scene's lists, found by its name; currently "gauge" only."""

    def remove(self, list: str, name: str) -> None:
        """Removes an entry of one of the scene's lists by its name; currently "gauge" only."""

    def parameters(self) -> dict[str, Parameter]:
        """Values that can be changed while the world runs, by their keys in the scene."""

    def set(self, key: str, value: Any) -> None:
        """Changes one of the `parameters`."""

    def add_spring(self, place: Place, rate: float) -> int:
        """Adds a spring of a rate (m³/s; in blocks, cells/s; in hydrology, drops per cell of rain).

        Returns its id.
        """

    def set_spring(self, id: int, place: Place, rate: float) -> None:
        """Replaces a spring."""

    def remove_spring(self, id: int) -> None:
        """Removes a spring."""

    def springs(self) -> list[int]:
        """Ids of the springs, including those of the scene."""

    def add_drain(self, place: Place, rate: float) -> int:
        """Adds a drain of a maximum rate, and returns its id."""

    def set_drain(self, id: int, place: Place, rate: float) -> None:
        """Replaces a drain."""

    def remove_drain(self, id: int) -> None:
        """Removes a drain."""

    def drains(self) -> list[int]:
        """Ids of the drains, including those of the scene."""

    def add_body(self, position: Sequence[float], size: Sequence[float], *, heading: float = 0.0, velocity: Sequence[float] = ..., draft: float = 0.1) -> int:
        """Adds a body, and returns its id.

        `position` is its centre (m), `size` its length and width (in side view, width and height; m),
        `heading` its direction (radians, clockwise from the east), `velocity` in m/s, `draft` its depth
        in the water (m).
        """

    def set_body(self, id: int, position: Sequence[float], size: Sequence[float], *, heading: float = 0.0, velocity: Sequence[float] = ..., draft: float = 0.1) -> None:
        """Replaces a body, for example at another position or with another velocity."""

    def remove_body(self, id: int) -> None:
        """Removes a body."""

    def bodies(self) -> dict[int, Body]:
        """Current bodies by id, including those of the scene."""

    def layers(self) -> dict[str, Layer]:
        """Available layers by name: unit, meaning, shape and type."""

    def layer(self, name: str) -> npt.NDArray[np.float32]:
        """A copy of a layer: `array[row, column]`, heights in the datum of the scene."""

    def read_layer(self, name: str, into: npt.NDArray[np.float32], tiles: Sequence[tuple[int, int, int, int]] | None = None) -> None:
        """Copies a layer, or its values in some tiles, to an existing array: float32, of the layer's
        shape, C-contiguous, writable.
        """

    def borrow(self, name: str) -> Borrowed:
        """A layer without a copy, readable during a block: `with world.borrow("depth") as depth:`.

        Calls that would change the world raise BusyError during the block. At its end the array is
        emptied. A slice of it, such as `depth[10:20]`, still sees the values, and keeps the world locked
        until it is gone. The same holds for other users of the array, such as a `memoryview` or a
        tensor.
        """

    def changed(self, name: str, since: Sequence[int] = ...) -> Changed:
        """Tiles in which a layer may have changed since the stamp of an earlier call, and the stamp for
        the next call; all tiles by default.
        """

    def at(self, x: float, y: float) -> dict[str, Sample]:
        """Values at a point (m from the top-left corner; in blocks, cells), by name; empty off the grid."""

    def gauges(self) -> dict[str, Gauge]:
        """Measurements of the gauges, by name."""

    def ledger(self) -> Ledger:
        """Water balance: inflow, outflow and current volume."""

    def snapshot(self) -> bytes:
        """Complete state of the world, bit for bit.

        `restore` reads it in a world of the same scene with the same values set.
        """

    def restore(self, snapshot: bytes) -> None:
        """Continues from a snapshot."""

    def text(self) -> str:
        """Current scene as TOML, including changed values and applied events."""

    def state_hash(self) -> str:
        """Hash of the state, 16 hexadecimal digits.

        It is equal on all platforms and for any number of threads, and is the one that
        `headwater hash` prints.
        """
