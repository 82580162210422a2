//! The books of water and sediment, in whole quanta: they close exactly, or something is wrong.

use super::fixed;
use serde::{Deserialize, Serialize};

/// Volumes that came and went since the start, in quanta on a cell (2⁻²⁰ m on a cell's area).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Books {
    /// Water that fell as rain.
    pub rain: i128,
    /// Water that came by rivers from outside.
    pub inflow: i128,
    /// Water poured by hand.
    pub poured: i128,
    /// Water that left over the edges and into the sea.
    pub exported: i128,
    /// Water that dried, on its way and from lakes.
    pub evaporated: i128,
    /// Sediment there was at the start: the sum of all heights.
    pub ground: i128,
    /// Sediment that left over the edges and into the sea.
    pub washed_out: i128,
    /// Ground that brushes added; below 0, what they took.
    pub edited: i128,
}

/// The books held against what is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// The books.
    pub books: Books,
    /// Water in lakes, what has yet to spill included (quanta on a cell).
    pub lakes: i128,
    /// The sum of all heights (quanta on a cell).
    pub bed: i128,
    /// Sediment suspended in lakes (quanta on a cell).
    pub suspended: i128,
    /// Water that is there and should not be; below 0, what is missing. Exactly 0.
    pub water_residual: i128,
    /// Sediment that is there and should not be. Exactly 0.
    pub sediment_residual: i128,
    /// Area of a cell (m²).
    pub cell_area: f64,
}

impl Balance {
    pub(super) fn new(books: Books, [lakes, bed, suspended]: [i128; 3], cell_area: f64) -> Self {
        let Books { rain, inflow, poured, exported, evaporated, ground, washed_out, edited } =
            books;
        let water_residual = lakes - (rain + inflow + poured - exported - evaporated);
        let sediment_residual = bed + suspended - (ground + edited - washed_out);
        Self { books, lakes, bed, suspended, water_residual, sediment_residual, cell_area }
    }

    /// A volume of the books or of this balance in m³.
    pub fn cubic_metres(&self, volume: i128) -> f64 {
        volume as f64 / fixed::PER_METRE * self.cell_area
    }
}
