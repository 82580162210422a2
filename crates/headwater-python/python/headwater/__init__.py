"""Headwater: the water engine for grid worlds.

A `World` is a running scene. It can be advanced and edited, and provides its layers as NumPy arrays. Row 0
of a layer is the northernmost or top row. Positions are metres to the east and to the south of the
top-left corner (in the model `blocks`, cells). Heights increase upwards. Times are in seconds (in
`hydrology`, in drops of rain per cell).

>>> import headwater
>>> world = headwater.World("pond")
>>> world.advance(1.0).done
True
>>> world.layer("height").shape == world.layers()["height"].shape
True
"""

from ._errors import BrokenError, BusyError, HeadwaterError, InputError, SceneError, SnapshotError
from ._headwater import (
    Place,
    __version__,
    check,
    hydrology_report,
    read_raster,
    scene_text,
    scenes,
    write_raster,
)
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
    Tile,
)
from ._world import World

__all__ = [
    "AdvanceOutcome",
    "Body",
    "BrokenError",
    "BusyError",
    "Changed",
    "Edit",
    "Gauge",
    "Grid",
    "HeadwaterError",
    "InputError",
    "Layer",
    "Ledger",
    "Parameter",
    "Place",
    "Progress",
    "Sample",
    "SceneError",
    "SnapshotError",
    "Tile",
    "World",
    "__version__",
    "check",
    "hydrology_report",
    "read_raster",
    "scene_text",
    "scenes",
    "write_raster",
]
