"""Grids with cells in degrees."""

from __future__ import annotations

from typing import Any

from . import _headwater


def is_geographic(crs: Any) -> bool:
    """True if a coordinate system, as an object or as text, is geographic."""
    if isinstance(crs, str):
        word = crs.strip().upper()
        return word.startswith(("GEOGCS", "GEOGCRS", "GEODCRS")) or word in ("EPSG:4326", "OGC:CRS84", "WGS84")
    return bool(getattr(crs, "is_geographic", False))


def in_metres(cell: tuple[float, float], latitude: float) -> tuple[float, float]:
    """Width and height (m) of a cell given in degrees."""
    across, down = _headwater.metres_per_degree(latitude)
    return cell[0] * across, cell[1] * down
