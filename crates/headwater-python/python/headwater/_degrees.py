"""Support for grids whose cell sizes are in degrees."""

from __future__ import annotations

from typing import Any

from . import _headwater


def is_geographic(crs: Any) -> bool:
    """Returns whether a coordinate system, given as an object or as a string, is geographic."""
    if isinstance(crs, str):
        word = crs.strip().upper()
        return word.startswith(("GEOGCS", "GEOGCRS", "GEODCRS")) or word in ("EPSG:4326", "OGC:CRS84", "WGS84")
    return bool(getattr(crs, "is_geographic", False))


def in_metres(cell: tuple[float, float], latitude: float) -> tuple[float, float]:
    """Converts the width and height of a cell at a latitude from degrees to metres."""
    across, down = _headwater.metres_per_degree(latitude)
    return cell[0] * across, cell[1] * down
