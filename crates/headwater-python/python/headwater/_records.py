"""What is told of worlds: named tuples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Grid(NamedTuple):
    """The cells of a world."""

    nx: int
    """Columns."""
    ny: int
    """Rows; row 0 is the northern one, or the top one."""
    cell: tuple[float, float]
    """Distance of columns and of rows (m; of blocks, 1)."""
    lattice: str
    """Kind of the cells: "square" or "hex"."""


class Progress(NamedTuple):
    """How far an advance is."""

    time: float
    """Simulated time."""
    steps: int
    """Steps since the world's start."""
    part: float
    """The part that is done, 0 to 1; while the world settles, 0."""


class Arrived(NamedTuple):
    """What came of an advance."""

    steps: int
    """Steps done."""
    time: float
    """Simulated time now."""
    done: bool
    """Whether it came to its end, and was not stopped."""


class Edit(NamedTuple):
    """Something that `World.edit` can do."""

    name: str
    """The name to ask for it by."""
    meaning: str
    """What its amount is."""
    unit: str
    """The amount's unit; empty if it needs none."""
    allowed: tuple[float, float]
    """The least and the greatest amount."""


class Parameter(NamedTuple):
    """A value that can be changed while the world runs."""

    value: float | int | bool
    """As it is now."""
    unit: str
    """Its unit; empty for none."""
    allowed: tuple[float, float]
    """What is allowed, from and to."""
    label: str
    """A word or two for a slider."""
    doc: str
    """What it is."""


class Body(NamedTuple):
    """A body as it is now."""

    position: tuple[float, float]
    """Its middle (m)."""
    size: tuple[float, float]
    """Length and width, or in side view width and height (m)."""
    heading: float
    """Where it points (radians, clockwise from the east)."""
    velocity: tuple[float, float]
    """How fast it goes (m/s)."""
    draft: float
    """How deep it lies in the water (m)."""


class Layer(NamedTuple):
    """What there is to know of a layer."""

    unit: str
    """The unit of its values."""
    meaning: str
    """What it shows."""
    shape: tuple[int, int]
    """Rows and columns."""
    dtype: str
    """The type of its values."""


class Tile(NamedTuple):
    """Cells: columns `x` to `x + nx - 1`, rows `y` to `y + ny - 1`."""

    x: int
    y: int
    nx: int
    ny: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """What cuts it out of a layer's array."""
        return slice(self.y, self.y + self.ny), slice(self.x, self.x + self.nx)


class Changed(NamedTuple):
    """Where a layer may have changed."""

    tiles: list[Tile]
    """The tiles."""
    stamp: tuple[int, int]
    """The stamp to ask with next time."""


class Sample(NamedTuple):
    """What is at a point."""

    value: float
    """How much."""
    unit: str
    """Its unit; empty for none."""
    word: str | None
    """What it is in a word, where a number says little."""


class Gauge(NamedTuple):
    """What a gauge has measured."""

    times: np.ndarray
    """When."""
    values: dict[str, np.ndarray]
    """What: for each head, such as `depth_m`, a value for each time."""


class Ledger(NamedTuple):
    """The books of water."""

    unit: str
    """Of the volumes: m³, or of blocks cells."""
    start: float
    """Volume at the start."""
    came: dict[str, float]
    """What came, by cause."""
    went: dict[str, float]
    """What went, by cause."""
    now: float
    """Volume now."""
    residual: float
    """What is there and should not be; below 0, what is missing."""
    residual_relative: float
    """The residual over the volume handled."""
