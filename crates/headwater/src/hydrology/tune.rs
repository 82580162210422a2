//! Parameters that change while the world runs, and what is in a cell.

use super::forest::Plant;
use super::{Hydrology, HydrologyError, Params, fixed};
use crate::region::Point;

/// What is in a cell of a land.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
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

impl Hydrology {
    /// Changes the parameters of a running world, but for its seed, its edges and how many kinds of plants there are,
    /// which belong to it from its start. The sea goes where it is to be.
    ///
    /// # Errors
    /// [`HydrologyError`] if a parameter is out of its range or [fixed](HydrologyError::Fixed). Nothing is changed
    /// then.
    pub fn set_params(&mut self, params: Params) -> Result<(), HydrologyError> {
        params.validate()?;
        let now = &self.land.params;
        for (name, same) in [
            ("seed", params.seed == now.seed),
            ("edges", params.edges == now.edges),
            ("plants", params.plants.len() == now.plants.len()),
        ] {
            if !same {
                return Err(HydrologyError::Fixed(name));
            }
        }
        if params.sea != now.sea {
            self.set_sea(params.sea)?;
        }
        self.land.params = params;
        Ok(())
    }

    /// What is in the cell of a place (m); `None` off the map.
    pub fn probe(&self, place: Point) -> Option<Found> {
        let cell = self.cell_at("place", place).ok()?;
        let land = &self.land;
        let level = self.waters.level_over(land.terrain(), cell).unwrap_or(land.bed[cell]);
        Some(Found {
            bed: fixed::metres(land.bed[cell]),
            soil: fixed::metres(land.soil[cell]),
            depth: fixed::metres(level - land.bed[cell]),
            discharge: f64::from(land.area[cell]) * land.lattice.cell_area(),
            cover: self.cover[cell].into(),
            plant: land.plants.get(cell).copied().unwrap_or_default(),
        })
    }
}
