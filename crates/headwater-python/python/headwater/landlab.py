"""A landlab component that simulates water on a raster grid with the model `flow`.

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
    """Flow of water on a RasterModelGrid.

    scene: further parts of the scene as TOML, such as tables of sources, boundaries and gauges.
        Positions are metres to the east and to the south of the north-west corner.
    set: overrides of scene values, such as {"physics.level": "inertial", "rain.rate": 20.0}.

    When the component is created, it reads `topographic__elevation` and, if it exists,
    `surface_water__depth`. After each step, it writes `surface_water__depth` and
    `surface_water__speed`. The rows are flipped, because landlab's rows start in the south and
    Headwater's in the north. The underlying world is `component.world`.
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
        """Returns the values of a field as an array with rows from north to south."""
        return np.array(self.grid.at_node[name].reshape(self.grid.shape)[::-1])

    def run_one_step(self, dt: float) -> None:
        """Advances the world by `dt` seconds and updates the fields of the grid."""
        self.world.advance(dt)
        for name, layer in (("surface_water__depth", "depth"), ("surface_water__speed", "speed")):
            self.grid.at_node[name].reshape(self.grid.shape)[:] = self.world.layer(layer)[::-1]
