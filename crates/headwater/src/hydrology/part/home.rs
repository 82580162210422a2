//! A land whose parts are carved elsewhere, and how it takes them back.

use super::log::{Log, Step};
use crate::error::InputError;
use crate::hydrology::forest::{self, Plant};
use crate::hydrology::held::Holding;
use crate::hydrology::world::Hydrology;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The rows of a part as they have become; it serializes with serde.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartRows {
    /// Which rows of the map they are.
    pub(super) rows: Range<usize>,
    #[serde(with = "crate::numbers")]
    pub(super) bed: Vec<i64>,
    #[serde(with = "crate::numbers")]
    pub(super) soil: Vec<i64>,
    #[serde(with = "crate::numbers")]
    pub(super) area: Vec<f32>,
    #[serde(with = "crate::numbers")]
    pub(super) momentum: Vec<[f32; 2]>,
    #[serde(with = "crate::hydrology::packed")]
    pub(super) plants: Vec<Plant>,
    /// What lakes hold on its cells, which have their numbers on the map.
    pub(super) held: Vec<Holding>,
    pub(super) steps: u64,
    pub(super) drops: u64,
    pub(super) time: f64,
}

impl Hydrology {
    /// Takes the [rows](super::Part::rows) of all its parts back, from north to south, and all that their [logs](super::Part::take_log) say. It is then as if
    /// it had done these steps itself.
    ///
    /// # Errors
    /// [`InputError`] if they are not the rows of this land at one moment, or the logs not of the same steps. The land is of no use then.
    pub fn take_back(&mut self, parts: &[PartRows], logs: &[Log]) -> Result<(), InputError> {
        let wrong =
            || InputError::new("rows of parts", "others", "all rows of this land at one time");
        let Some(first) = parts.first() else { return Err(wrong()) };
        let count = logs.first().map_or(0, |log| log.steps.len());
        if logs.iter().any(|log| log.steps.len() != count) {
            let allowed = "logs of the same steps";
            return Err(InputError::new("the logs of parts", "logs of other steps", allowed));
        }
        let map = self.land.grid();
        let mut next = 0;
        let mut held = Vec::new();
        for part in parts {
            let same =
                (part.steps, part.drops, part.time) == (first.steps, first.drops, first.time);
            if part.rows.start != next || part.rows.end > map.ny || !same {
                return Err(wrong());
            }
            next = part.rows.end;
            let cells = part.rows.start * map.nx..next.max(part.rows.start) * map.nx;
            let land = &mut self.land;
            let plants = if land.plants.is_empty() { 0..0 } else { cells.clone() };
            let fits = take(&mut land.bed[cells.clone()], &part.bed)
                && take(&mut land.soil[cells.clone()], &part.soil)
                && take(&mut land.area[cells.clone()], &part.area)
                && take(&mut land.momentum[cells.clone()], &part.momentum)
                && take(&mut land.plants[plants], &part.plants)
                && part.held.iter().all(|holding| cells.contains(&(holding.cell as usize)));
            if !fits {
                return Err(wrong());
            }
            held.extend_from_slice(&part.held);
        }
        if next != map.ny {
            return Err(wrong());
        }
        for i in 0..count {
            let mut all = Step::default();
            logs.iter().for_each(|log| all.add(&log.steps[i]));
            all.book(&mut self.ledgers);
        }
        (self.land.steps, self.land.drops, self.land.time) = (first.steps, first.drops, first.time);
        self.land.read_heights(&mut self.heights);
        if !self.land.plants.is_empty() {
            forest::shade_all(map, &self.land.plants, self.cover.as_mut_slice());
        }
        // What left meanwhile is in the logs.
        let spare = std::mem::take(&mut self.spare);
        self.waters.refill(self.land.terrain(), &held, &spare);
        self.spare = spare;
        self.changes.part_groups();
        self.changes.begin();
        self.changes.mark_all();
        Ok(())
    }
}

/// Takes values over; false if they are not as many.
fn take<T: Clone>(into: &mut [T], values: &[T]) -> bool {
    let fits = into.len() == values.len();
    if fits {
        into.clone_from_slice(values);
    }
    fits
}
