//! `[[gauge]]` of a world of pools.

use crate::scene::place::{Area, Disc, Position, Rect, resolve};
use crate::scene::setting::Measuring;
use headwater::columns::Shape;
use headwater::{Lattice, Point};
use serde::Deserialize;

/// `[[gauge]]`: writes what it measures to `NAME.csv`; exactly one of `at`, `disc`, `rect`, `measure`; at
/// most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnsGauge {
    /// Its name and its file's: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Measures the surface and the head in the column at a place (m above the bottom of the board; `NaN` where
    /// it is dry), its velocity, and in a world with heat its temperature there and the thickness of its ice.
    pub at: Option<Position>,
    /// Measures the volume of water in a round place.
    pub disc: Option<Disc>,
    /// Measures the volume of water in a rectangle.
    pub rect: Option<Rect>,
    /// Measures something of the whole world.
    pub measure: Option<ColumnsMeasure>,
    /// Time between two measurements (s), above 0. Default: a two-hundredth of the run.
    pub every: Option<f64>,
}

/// What of the whole world a gauge measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnsMeasure {
    /// Kinetic and potential energy (J for a world 1 m thick).
    Energy,
    /// The volume of all water (m³ for a world 1 m thick), and of that the ice's.
    Volume,
    /// Heat of all water (J for a world 1 m thick, from water of 0 °C), and what came of it from the air, from
    /// heaters, with water, and with steam.
    Heat,
}

/// What a gauge measures, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColumnsTarget {
    /// Surface, head, velocity, temperature and ice at a point.
    Point(Point),
    /// The volume of water in a box or a disc.
    Volume(Shape),
    /// Of the whole world.
    Whole(ColumnsMeasure),
}

impl Measuring for ColumnsGauge {
    fn name(&self) -> &str {
        &self.name
    }

    fn every(&self) -> Option<f64> {
        self.every
    }
}

impl ColumnsGauge {
    /// Where it measures a volume.
    pub fn area(&self) -> Area {
        Area { disc: self.disc, rect: self.rect, ..Area::default() }
    }

    /// What it measures on `lattice`. `None` if nothing is given, which no checked scene has.
    pub fn target(&self, lattice: &Lattice) -> Option<ColumnsTarget> {
        if let Some(measure) = self.measure {
            return Some(ColumnsTarget::Whole(measure));
        }
        if let Some(at) = self.at {
            return Some(ColumnsTarget::Point(resolve(at, lattice)));
        }
        if let Some(Disc { center, radius }) = self.disc {
            let center = resolve(center, lattice);
            return Some(ColumnsTarget::Volume(Shape::Disc { center, radius }));
        }
        let Rect { min, max } = self.rect?;
        let [min, max] = [min, max].map(|corner| resolve(corner, lattice));
        let center = [0, 1].map(|i| 0.5 * (min[i] + max[i]));
        let half = [0, 1].map(|i| 0.5 * (max[i] - min[i]).abs());
        Some(ColumnsTarget::Volume(Shape::Box { center, half }))
    }
}
