//! Queries of a world: the state of a cell, the lakes, and the memory use.

use crate::hydrology::check::cell_at;
use crate::hydrology::drops::descent::LakeState;
use crate::hydrology::ground::forest::Plant;
use crate::hydrology::state::fixed;
use crate::hydrology::world::Hydrology;
use crate::region::Point;

/// State of the land, the water and the plants in one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CellState {
    /// Height of the ground (m).
    pub bed: f64,
    /// Thickness of soil and deposited sediment on the rock (m).
    pub soil: f64,
    /// Depth of the lake or the sea above the ground (m). 0 on dry land.
    pub depth: f64,
    /// Running mean of the upstream area (m²). It is a measure of the discharge.
    pub discharge: f64,
    /// Density of the plant cover (dimensionless). A value of 1 or more means a dense cover.
    pub cover: f64,
    /// Plant that grows in the cell.
    pub plant: Plant,
}

/// A lake in the current state of the land. The sea is not a lake.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lake {
    /// Height of the water surface (m).
    pub level: f64,
    /// Volume of water in the lake (m³).
    pub volume: f64,
    /// Area of the water surface (m²).
    pub area: f64,
    /// Whether the lake is full and therefore spills over its outlet.
    pub is_full: bool,
    /// Column and row of the saddle over which the full lake spills. `None` if the lake is enclosed
    /// by walls.
    pub outlet: Option<(usize, usize)>,
}

impl Hydrology {
    /// Returns the state of the cell at a position (m from the top-left corner). Returns `None` if
    /// the position is off the map.
    pub fn cell_at(&self, position: Point) -> Option<CellState> {
        let cell = cell_at("place", position, &self.land.lattice).ok()?;
        let land = &self.land;
        let level = self.waters.level_over(land.terrain(), cell).unwrap_or(land.bed[cell]);
        Some(CellState {
            bed: fixed::to_metres(land.bed[cell]),
            soil: fixed::to_metres(land.soil[cell]),
            depth: fixed::to_metres(level - land.bed[cell]),
            discharge: f64::from(land.area[cell]) * land.lattice.cell_area(),
            cover: self.cover.as_slice()[cell].into(),
            plant: land.plants.get(cell).copied().unwrap_or_default(),
        })
    }

    /// Returns all lakes, from the largest volume to the smallest.
    pub fn lakes(&self) -> Vec<Lake> {
        let mut lakes: Vec<Lake> =
            self.waters.lakes.active_nodes().filter_map(|node| self.lake_of_node(node)).collect();
        lakes.sort_by(|a, b| b.volume.total_cmp(&a.volume));
        lakes
    }

    /// Returns the lake at a position (m from the top-left corner). Returns `None` if the position
    /// is on dry land, in the sea or off the map.
    pub fn lake_at(&self, position: Point) -> Option<Lake> {
        let cell = cell_at("place", position, &self.land.lattice).ok()?;
        self.waters.level_over(self.land.terrain(), cell)?;
        self.lake_of_node(self.waters.leaf_water_at(cell as u32).node)
    }

    /// Returns the memory use of the world (bytes), including scratch memory that the last step
    /// left allocated.
    pub fn memory(&self) -> usize {
        fn bytes<T>(list: &[T]) -> usize {
            size_of_val(list)
        }
        let Self { land, waters, heights, cover, rock_factors, workspace, .. } = self;
        let heights = bytes(&land.bed) + bytes(&land.soil) + bytes(heights.as_slice());
        let flows = bytes(&land.area) + bytes(&land.momentum);
        let plants = bytes(&land.plants) + bytes(cover.as_slice()) + bytes(rock_factors);
        heights + flows + plants + waters.memory() + workspace.memory()
    }

    fn lake_of_node(&self, node: u32) -> Option<Lake> {
        let land = &self.land;
        let hierarchy = &self.waters.hierarchy;
        let depression = &hierarchy.nodes[node as usize];
        let water = self.waters.leaves[depression.first as usize];
        let volume = self.waters.lakes.water_volume(node);
        if water.state == LakeState::Sea || volume == 0 || water.node != node {
            return None;
        }
        let floor = hierarchy.node_floor(depression).iter();
        let cells = floor.filter(|&&cell| land.bed[cell as usize] < water.height).count();
        let cell_area = land.lattice.cell_area();
        let inside = (depression.near_cell as usize) < land.bed.len();
        Some(Lake {
            level: fixed::to_metres(water.height.max(land.bed[depression.pit as usize])),
            volume: fixed::to_metres(volume) * cell_area,
            area: cells as f64 * cell_area,
            is_full: water.state == LakeState::Full,
            outlet: inside.then(|| land.grid().column_and_row(depression.near_cell as usize)),
        })
    }
}
