"""Results of `World` methods, as named tuples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Grid(NamedTuple):
    """Size and shape of a world's grid of cells."""

    nx: int
    """Number of columns."""
    ny: int
    """Number of rows; row 0 is the northernmost or top row."""
    cell: tuple[float, float]
    """Distance between the centres of adjacent columns and of adjacent rows (m; in blocks, 1)."""
    lattice: str
    """Shape of the cells: "square" or "hex"."""


class Progress(NamedTuple):
    """Progress of a call of `advance` or `step`."""

    time: float
    """Simulated time."""
    steps: int
    """Number of time steps since the start of the world."""
    part: float
    """Completed fraction of the call, 0 to 1; 0 while the world relaxes to a steady state."""


class AdvanceOutcome(NamedTuple):
    """Result of a call of `advance` or `step`."""

    steps: int
    """Number of time steps performed."""
    time: float
    """Simulated time at the end of the call."""
    done: bool
    """True if the call performed all its steps, False if the callback stopped it."""


class Edit(NamedTuple):
    """Kind of edit that `World.edit` accepts."""

    name: str
    """Name of the edit."""
    meaning: str
    """Meaning of the amount."""
    unit: str
    """Unit of the amount; empty if the edit ignores the amount."""
    allowed: tuple[float, float]
    """Smallest and largest allowed amount."""


class Parameter(NamedTuple):
    """Parameter that can be changed while the world runs."""

    value: float | int | bool
    """Current value."""
    unit: str
    """Unit of the value; empty if the value is dimensionless."""
    allowed: tuple[float, float]
    """Smallest and largest allowed value."""
    label: str
    """Short label of the parameter in user interfaces."""
    doc: str
    """Description of the parameter in a few sentences."""


class Body(NamedTuple):
    """Current state of a floating body."""

    position: tuple[float, float]
    """Position of the centre (m from the top-left corner)."""
    size: tuple[float, float]
    """Length and width of the body (m); in models in side view, width and height."""
    heading: float
    """Direction of the body's length axis (radians, clockwise from east)."""
    velocity: tuple[float, float]
    """Velocity to the east and to the south (m/s)."""
    draft: float
    """Depth of the body's lowest point below the water surface (m)."""


class Layer(NamedTuple):
    """Description of a layer."""

    unit: str
    """Unit of the values."""
    meaning: str
    """Meaning of the values."""
    shape: tuple[int, int]
    """Numbers of rows and columns."""
    dtype: str
    """NumPy data type of the values."""


class Tile(NamedTuple):
    """Rectangle of cells: columns `x` to `x + nx - 1`, rows `y` to `y + ny - 1`."""

    x: int
    y: int
    nx: int
    ny: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Row and column slices that select the tile in the array of a layer."""
        return slice(self.y, self.y + self.ny), slice(self.x, self.x + self.nx)


class Changed(NamedTuple):
    """Result of `World.changed`."""

    tiles: list[Tile]
    """Tiles in which the layer may have changed."""
    stamp: tuple[int, int]
    """Point in the change history, to be passed to the next call."""


class Sample(NamedTuple):
    """Value of a layer or of another quantity at a point."""

    value: float
    """Numerical value in `unit`."""
    unit: str
    """Unit of the value; empty if the value is dimensionless."""
    word: str | None
    """Name of the category that the value stands for, such as the kind of a liquid; None if the
    quantity has no categories."""


class Gauge(NamedTuple):
    """Readings of a gauge."""

    times: np.ndarray
    """Simulated times of the readings."""
    values: dict[str, np.ndarray]
    """For each measured quantity, such as `depth_m`, the values at these times."""


class Ledger(NamedTuple):
    """Mass balance of the water in a world."""

    unit: str
    """Unit of the volumes: m³, or in blocks, cells."""
    start: float
    """Volume of water at the start."""
    came: dict[str, float]
    """Volume that flowed in, by cause."""
    went: dict[str, float]
    """Volume that flowed out, by cause."""
    now: float
    """Current volume of water."""
    residual: float
    """Volume error: current volume minus the volume expected from the inflow and outflow."""
    residual_relative: float
    """Volume error divided by the sum of the initial volume and the total inflow; not finite if
    this sum is 0."""
    rounding: float
    """Net inflow below the resolution of depths: part of `came` and `went`, but not of `now`."""
