"""Results of `World` methods, as named tuples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Grid(NamedTuple):
    """Grid of a world."""

    nx: int
    """Columns."""
    ny: int
    """Rows; row 0 is the northern one, or the top one."""
    cell: tuple[float, float]
    """Distance between columns and between rows (m; in blocks, 1)."""
    lattice: str
    """Lattice: "square" or "hex"."""


class Progress(NamedTuple):
    """Progress of an advance."""

    time: float
    """Simulated time."""
    steps: int
    """Steps since the start of the world."""
    part: float
    """Completed fraction, 0 to 1; 0 while the world relaxes to a steady state."""


class AdvanceOutcome(NamedTuple):
    """Result of an advance."""

    steps: int
    """Steps done."""
    time: float
    """Simulated time now."""
    done: bool
    """True if it was completed, false if it was stopped."""


class Edit(NamedTuple):
    """An edit, as accepted by `World.edit`."""

    name: str
    """Name of the edit."""
    meaning: str
    """Meaning of the amount."""
    unit: str
    """Unit of the amount; empty if it has none."""
    allowed: tuple[float, float]
    """Smallest and largest amount."""


class Parameter(NamedTuple):
    """A value that can be changed while the world runs."""

    value: float | int | bool
    """Current value."""
    unit: str
    """Unit; empty for none."""
    allowed: tuple[float, float]
    """Smallest and largest value."""
    label: str
    """Short label."""
    doc: str
    """Description."""


class Body(NamedTuple):
    """Current state of a body."""

    position: tuple[float, float]
    """Centre (m)."""
    size: tuple[float, float]
    """Length and width, or in side view width and height (m)."""
    heading: float
    """Direction (radians, clockwise from the east)."""
    velocity: tuple[float, float]
    """Velocity (m/s)."""
    draft: float
    """Depth in the water (m)."""


class Layer(NamedTuple):
    """Description of a layer."""

    unit: str
    """Unit of the values."""
    meaning: str
    """Meaning of the values."""
    shape: tuple[int, int]
    """Rows and columns."""
    dtype: str
    """Type of the values."""


class Tile(NamedTuple):
    """A rectangle of cells: columns `x` to `x + nx - 1`, rows `y` to `y + ny - 1`."""

    x: int
    y: int
    nx: int
    ny: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Slices that select the tile in the array of a layer."""
        return slice(self.y, self.y + self.ny), slice(self.x, self.x + self.nx)


class Changed(NamedTuple):
    """Changes of a layer."""

    tiles: list[Tile]
    """Tiles in which the layer may have changed."""
    stamp: tuple[int, int]
    """Stamp for the next call."""


class Sample(NamedTuple):
    """A value at a point."""

    value: float
    """Value."""
    unit: str
    """Unit; empty for none."""
    word: str | None
    """Name of the value, for codes."""


class Gauge(NamedTuple):
    """Measurements of a gauge."""

    times: np.ndarray
    """Times."""
    values: dict[str, np.ndarray]
    """For each quantity, such as `depth_m`, a value per time."""


class Ledger(NamedTuple):
    """Water balance."""

    unit: str
    """Unit of the volumes: m³, or in blocks cells."""
    start: float
    """Volume at the start."""
    came: dict[str, float]
    """Inflow by cause."""
    went: dict[str, float]
    """Outflow by cause."""
    now: float
    """Volume now."""
    residual: float
    """Volume minus the expected volume; negative if water is missing."""
    residual_relative: float
    """Residual divided by the volume at the start and all inflow; not finite if that is 0."""
    rounding: float
    """Net inflow that is part of `came` and `went` but, below the resolution of depths, not of `now`."""
