//! What can be asked of a world beside its layers.

use super::check::cell_at;
use super::fixed;
use super::forest::Plant;
use super::walk::State;
use super::world::Hydrology;
use crate::region::Point;

/// What is in a cell of a land.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CellState {
    /// Height of the ground (m).
    pub bed: f64,
    /// Thickness of soil and sediment (m).
    pub soil: f64,
    /// Depth of lake or sea (m).
    pub depth: f64,
    /// The area that drains to it (m²).
    pub discharge: f64,
    /// Cover of plants; 1 and above is dense.
    pub cover: f64,
    /// Its plant.
    pub plant: Plant,
}

/// A lake.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lake {
    /// Its level (m).
    pub level: f64,
    /// Its volume (m³).
    pub volume: f64,
    /// Its area (m²).
    pub area: f64,
    /// Whether it runs over.
    pub full: bool,
    /// The cell (column, row) on whose saddle it runs over when it is full; `None` within walls.
    pub outlet: Option<(usize, usize)>,
}

impl Hydrology {
    /// What is in the cell of a place (m); `None` off the map.
    pub fn cell_at(&self, place: Point) -> Option<CellState> {
        let cell = cell_at("place", place, &self.land.lattice).ok()?;
        let land = &self.land;
        let level = self.waters.level_over(land.terrain(), cell).unwrap_or(land.bed[cell]);
        Some(CellState {
            bed: fixed::metres(land.bed[cell]),
            soil: fixed::metres(land.soil[cell]),
            depth: fixed::metres(level - land.bed[cell]),
            discharge: f64::from(land.area[cell]) * land.lattice.cell_area(),
            cover: self.cover.as_slice()[cell].into(),
            plant: land.plants.get(cell).copied().unwrap_or_default(),
        })
    }

    /// Every lake, the largest first.
    pub fn lakes(&self) -> Vec<Lake> {
        let mut lakes: Vec<Lake> =
            self.waters.lakes.wholes().filter_map(|node| self.lake(node)).collect();
        lakes.sort_by(|a, b| b.volume.total_cmp(&a.volume));
        lakes
    }

    /// The lake over a place (m); `None` on dry land, in the sea and off the map.
    pub fn lake_at(&self, place: Point) -> Option<Lake> {
        let cell = cell_at("place", place, &self.land.lattice).ok()?;
        self.waters.level_over(self.land.terrain(), cell)?;
        self.lake(self.waters.leaf(cell as u32).node)
    }

    /// Memory that the world takes (bytes), with the workspace of its last step.
    pub fn memory(&self) -> usize {
        fn bytes<T>(list: &[T]) -> usize {
            size_of_val(list)
        }
        let Self { land, waters, heights, cover, fabric, workspace, .. } = self;
        let heights = bytes(&land.bed) + bytes(&land.soil) + bytes(heights.as_slice());
        let flows = bytes(&land.area) + bytes(&land.momentum);
        let plants = bytes(&land.plants) + bytes(cover.as_slice()) + bytes(fabric);
        heights + flows + plants + waters.memory() + workspace.memory()
    }

    fn lake(&self, node: u32) -> Option<Lake> {
        let land = &self.land;
        let hierarchy = &self.waters.hierarchy;
        let depression = &hierarchy.nodes[node as usize];
        let water = self.waters.leaves[depression.first as usize];
        let volume = self.waters.lakes.water(node);
        if water.state == State::Sea || volume == 0 || water.node != node {
            return None;
        }
        let floor = hierarchy.floor(depression).iter();
        let cells = floor.filter(|&&cell| land.bed[cell as usize] < water.height).count();
        let cell_area = land.lattice.cell_area();
        let inside = (depression.inside as usize) < land.bed.len();
        Some(Lake {
            level: fixed::metres(water.height.max(land.bed[depression.pit as usize])),
            volume: fixed::metres(volume) * cell_area,
            area: cells as f64 * cell_area,
            full: water.state == State::Full,
            outlet: inside.then(|| land.grid().at(depression.inside as usize)),
        })
    }
}
