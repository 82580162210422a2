"""A landlab component: water over a raster grid, by the model `flow`.

>>> from landlab import RasterModelGrid                                # doctest: +SKIP
>>> from headwater.landlab import HeadwaterFlow                        # doctest: +SKIP
>>> grid = RasterModelGrid((120, 160), xy_spacing=10.0)                # doctest: +SKIP
>>> flow = HeadwaterFlow(grid, set={"rain.rate": 20.0})                # doctest: +SKIP
>>> flow.run_one_step(60.0)                                            # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from landlab import Component, RasterModelGrid

from ._world import World


def _field(intent: str, optional: bool, units: str, doc: str) -> dict[str, Any]:
    return {
        "dtype": float,
        "intent": intent,
        "optional": optional,
        "units": units,
        "mapping": "node",
        "doc": doc,
    }


class HeadwaterFlow(Component):
    """Water over a RasterModelGrid.

    scene: further TOML of the scene, such as tables of sources, boundaries and gauges; positions are metres
        from the north-west corner, the second one downwards.
    set: overrides of scene values, such as {"physics.level": "inertial", "rain.rate": 20.0}.

    `topographic__elevation`, and `surface_water__depth` if it exists, are read when the component is
    created. `surface_water__depth` and `surface_water__speed` are written after each step. Landlab's rows
    start in the south and Headwater's in the north, so they are flipped. The world itself is
    `component.world`.
    """

    _name = "HeadwaterFlow"
    _unit_agnostic = False
    _info = {
        "topographic__elevation": _field("in", False, "m", "Height of the ground"),
        "surface_water__depth": _field("inout", True, "m", "Depth of the water"),
        "surface_water__speed": _field("out", True, "m/s", "Speed of the water"),
    }

    def __init__(
        self,
        grid: RasterModelGrid,
        scene: str = "",
        set: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(grid, RasterModelGrid):
            raise TypeError(f"grid: found {type(grid).__name__}, allowed is a RasterModelGrid")
        super().__init__(grid)
        for name in ("surface_water__depth", "surface_water__speed"):
            if name not in grid.at_node:
                grid.add_zeros(name, at="node")
        bed = self._rows("topographic__elevation")
        closed = (grid.status_at_node == grid.BC_NODE_IS_CLOSED).reshape(grid.shape)[::-1]
        bed = np.where(closed, np.nan, bed)
        depth = self._rows("surface_water__depth")
        self.world = World.from_arrays(bed, depth, cell=(grid.dx, grid.dy), scene=scene, set=set)

    def _rows(self, name: str) -> np.ndarray:
        """Returns a field with rows from north to south."""
        return np.array(self.grid.at_node[name].reshape(self.grid.shape)[::-1])

    def run_one_step(self, dt: float) -> None:
        """Advances by `dt` seconds, and updates the fields."""
        self.world.advance(dt)
        for name, layer in (("surface_water__depth", "depth"), ("surface_water__speed", "speed")):
            self.grid.at_node[name].reshape(self.grid.shape)[:] = self.world.layer(layer)[::-1]
