"""The part of `headwater` that is written in Rust."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

from ._records import (
    Arrived,
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
    """The names of the library's scenes, the one to begin with first."""

def scene_text(name: str) -> str:
    """The text of a scene of the library."""

def check(text: str, set: Mapping[str, Any] | None = None) -> None:
    """Checks a scene's text without making its world; raises SceneError with all that is wrong."""

def cf(layer: str, unit: str) -> tuple[str, str | None]: ...
def metres_per_degree(latitude: float) -> tuple[float, float]: ...
def read_raster(
    path: str | os.PathLike[str],
    *,
    scale: float | None = None,
    offset: float | None = None,
    no_data: float | None = None,
) -> dict[str, Any]:
    """Reads a raster of elevations: PNG, GeoTIFF, ESRI ASCII, NPY or R16.

    Gives `heights` (m, float32), `no_data` (bool), `cell` (m, or None), `bounds` (west, south, east, north, or None), `epsg` (or None) and
    `notices`.
    """

def write_raster(
    path: str | os.PathLike[str],
    values: npt.ArrayLike,
    cell: float | tuple[float, float] | None = None,
) -> None:
    """Writes an array as a raster, of the kind that the path's ending says: `.npy`, `.tif`, `.asc` or `.png`.

    `cell` is the size of a cell (m), or its width and height; values that are no numbers are no data.
    """

def hydrology_report(bed: npt.ArrayLike, cell: float) -> dict[str, Any]:
    """How much a dry land is like real ones, in the figures of fluvial geomorphology.

    `bed` are heights (m), `cell` is the side of a cell (m).
    """

class Place:
    """A place, and how what is done there fades towards its rim: `falloff` is "flat", "linear" or "smooth".

    Lengths are metres from the top-left corner, the second one downward; of blocks, cells.
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
        """A band of a width along points."""

    @staticmethod
    def polygon(corners: Sequence[Sequence[float]]) -> Place:
        """What lies in a polygon."""

class Borrowed:
    """A layer that is seen without a copy, as long as the block `with` lasts."""

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
    ) -> Self: ...
    @classmethod
    def create(cls, *args: Any, **kwargs: Any) -> Self:
        """The same as calling the class."""

    @property
    def model(self) -> str:
        """The model's name: "flow", "waves", "blocks", "columns" or "hydrology"."""

    @property
    def name(self) -> str:
        """What the scene is called."""

    @property
    def grid(self) -> Grid:
        """The cells."""

    @property
    def time(self) -> float:
        """Simulated time since the start."""

    @property
    def time_unit(self) -> str:
        """What time is counted in: "s", or of hydrology "drops per cell"."""

    @property
    def steps(self) -> int:
        """Steps done since the start."""

    @property
    def step_length(self) -> float:
        """How long a step is now, in the unit of time."""

    @property
    def is_settling(self) -> bool:
        """Whether it still comes to a steady state, before its clock starts."""

    @property
    def notices(self) -> list[str]:
        """What was decided for lack of better knowledge, or fell short, in words."""

    def center(self, column: int, row: int) -> tuple[float, float]:
        """The middle of a cell (m from the top-left corner; of blocks, cells)."""

    def advance(self, time: float, progress: Callable[[Progress], Any] | None = None) -> Arrived:
        """Advances by a time, in `time_unit`.

        A world rests after whole steps: at the time asked for so far, or less than a step from it, which the next advance takes
        into account. `progress` is told every few steps how far it is; if it gives something false other than None, the advance
        ends there. Other threads of Python go on meanwhile, and Ctrl-C ends the advance after a step: KeyboardInterrupt comes
        out of it, and so does what `progress` raises.
        """

    def step(self, count: int = 1, progress: Callable[[Progress], Any] | None = None) -> Arrived:
        """Does so many steps, with all events that are due; else as `advance`."""

    def edits(self) -> list[Edit]:
        """What `edit` can do, with the units and ranges of amounts."""

    def edit(self, edit: str, place: Place, amount: float) -> None:
        """Does one of `edits` at a place. It is not in the `text`, as an `act` is."""

    def act(self, event: Mapping[str, Any] | str) -> None:
        """Does what an entry of a scene's [[event]] says, as a dict or as TOML, without `time`: {"do": "pour", "disc": {"center":
        [50, 50], "radius": 10}, "amount": 1}.
        """

    def add(self, list: str, entry: Mapping[str, Any] | str) -> None:
        """Adds an entry to one of the scene's lists: "gauge", "source", "drain", "body", whatever the model can take while it
        runs.
        """

    def change(self, list: str, entry: Mapping[str, Any] | str) -> None:
        """Changes an entry of one of the scene's lists, so far of "gauge": the one that has its name."""

    def remove(self, list: str, name: str) -> None:
        """Removes an entry of one of the scene's lists, so far of "gauge", by its name."""

    def parameters(self) -> dict[str, Parameter]:
        """The values that can be changed while the world runs, by their keys in the scene."""

    def set(self, key: str, value: Any) -> None:
        """Changes one of them."""

    def add_spring(self, place: Place, rate: float) -> int:
        """Adds a spring that gives so much (m³/s; of blocks, cells/s; of hydrology, drops per cell of rain), and gives its id."""

    def set_spring(self, id: int, place: Place, rate: float) -> None:
        """Puts another spring in the place of one."""

    def remove_spring(self, id: int) -> None:
        """Takes a spring out."""

    def springs(self) -> list[int]:
        """The ids of its springs, those of the scene too."""

    def add_drain(self, place: Place, rate: float) -> int:
        """Adds a drain that takes up to so much, and gives its id."""

    def set_drain(self, id: int, place: Place, rate: float) -> None:
        """Puts another drain in the place of one."""

    def remove_drain(self, id: int) -> None:
        """Takes a drain out."""

    def drains(self) -> list[int]:
        """The ids of its drains, those of the scene too."""

    def add_body(self, position: Sequence[float], size: Sequence[float], *, heading: float = 0.0, velocity: Sequence[float] = ..., draft: float = 0.1) -> int:
        """Adds a body, and gives its id: its middle (m), length and width (in side view, width and height; m), where it points
        (radians, clockwise from the east), how fast it goes (m/s), how deep it lies in the water (m).
        """

    def set_body(self, id: int, position: Sequence[float], size: Sequence[float], *, heading: float = 0.0, velocity: Sequence[float] = ..., draft: float = 0.1) -> None:
        """Puts another body in the place of one, or the same elsewhere or with another velocity."""

    def remove_body(self, id: int) -> None:
        """Takes a body out."""

    def bodies(self) -> dict[int, Body]:
        """Its bodies as they are now, by ids, those of the scene too."""

    def layers(self) -> dict[str, Layer]:
        """The layers that it can show, by name: unit, meaning, shape and type."""

    def layer(self, name: str) -> npt.NDArray[np.float32]:
        """A copy of a layer: `array[row, column]`, heights as the scene counts them."""

    def read_layer(self, name: str, into: npt.NDArray[np.float32], tiles: Sequence[tuple[int, int, int, int]] | None = None) -> None:
        """Copies a layer, or of it what lies in some tiles, into an array that is kept: float32, of the layer's shape,
        C-contiguous, writable.
        """

    def borrow(self, name: str) -> Borrowed:
        """A layer without a copy, to be read as long as a block lasts: `with world.borrow("depth") as depth:`.

        In the block whatever would change the world raises BusyError. When it ends the array is emptied; an array that was cut
        out of it, such as `depth[10:20]`, goes on seeing the numbers, and the world waits for it to go, and for what sees the
        array by other means, such as a `memoryview` or a tensor.
        """

    def changed(self, name: str, since: Sequence[int] = ...) -> Changed:
        """The tiles in which a layer may have changed since a stamp that an earlier call gave, and the stamp to ask with next
        time; by default, all.
        """

    def at(self, x: float, y: float) -> dict[str, Sample]:
        """What is at a point (m from the top-left corner; of blocks, cells), by name; nothing off the grid."""

    def gauges(self) -> dict[str, Gauge]:
        """What the gauges that there are have measured, by name."""

    def ledger(self) -> Ledger:
        """The books: what came, went and is there."""

    def snapshot(self) -> bytes:
        """All that the world needs to go on, bit for bit, which `restore` reads in a world of the same scene with the same values
        set.
        """

    def restore(self, snapshot: bytes) -> None:
        """Goes on from a snapshot."""

    def text(self) -> str:
        """The scene as it is now, as TOML, with values that were set and events that were done."""

    def state_hash(self) -> str:
        """A hash of the state, 16 hexadecimal digits: the same for the same doing on every machine and for any number of threads,
        and the one that `headwater hash` prints.
        """
