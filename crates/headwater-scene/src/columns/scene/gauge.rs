//! `[[gauge]]` of a world of pools.

use crate::scene::check::one_of;
use crate::scene::gauge_edit::Measuring;
use crate::scene::place::{Disc, Position, Rect, resolve};
use crate::scene::schema::schema_of;
use headwater::Lattice;
use headwater::columns::Shape;
use schemars::JsonSchema;
use serde::Deserialize;

/// `[[gauge]]`: writes what it measures to `NAME.csv`; exactly one of `at`, `disc`, `rect`, `measure`; at
/// most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub struct ColumnsGauge {
    /// Its name and its file's: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// What it measures.
    pub target: ColumnsTarget,
    /// Time between two measurements (s), above 0. Default: a two-hundredth of the run.
    pub every: Option<f64>,
}

/// The keys of a gauge.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Written {
    /// Its name and its file's: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    name: String,
    /// The surface and the head in the column at a place, its velocity, its temperature and ice.
    at: Option<Position>,
    /// The volume of water in a round place.
    disc: Option<Disc>,
    /// The volume of water in a rectangle.
    rect: Option<Rect>,
    /// `"energy"`, `"volume"` or `"heat"` of the whole world.
    measure: Option<ColumnsMeasure>,
    /// Time between two measurements (s), above 0. Default: a two-hundredth of the run.
    every: Option<f64>,
}

schema_of!([] ColumnsGauge, |generator| Written::json_schema(generator));

impl TryFrom<Written> for ColumnsGauge {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { name, at, disc, rect, measure, every } = written;
        let all = [
            ("at", at.map(ColumnsTarget::Point)),
            ("disc", disc.map(ColumnsTarget::Disc)),
            ("rect", rect.map(ColumnsTarget::Rect)),
            ("measure", measure.map(ColumnsTarget::Whole)),
        ];
        Ok(Self { name, target: one_of("needs", all)?, every })
    }
}

/// What of the whole world a gauge measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
#[non_exhaustive]
pub enum ColumnsTarget {
    /// `at`: the surface and the head in the column at a place (m above the bottom of the board; `NaN` where
    /// it is dry), its velocity, and in a world with heat its temperature there and the thickness of its ice.
    Point(Position),
    /// `disc`: the volume of water in a round place.
    Disc(Disc),
    /// `rect`: the volume of water in a rectangle.
    Rect(Rect),
    /// `measure`: something of the whole world.
    Whole(ColumnsMeasure),
}

impl ColumnsTarget {
    /// Where it measures a volume on `lattice`.
    pub fn shape(&self, lattice: &Lattice) -> Option<Shape> {
        match *self {
            ColumnsTarget::Disc(Disc { center, radius }) => {
                Some(Shape::Disc { center: resolve(center, lattice), radius })
            }
            ColumnsTarget::Rect(Rect { min, max }) => {
                let [min, max] = [min, max].map(|corner| resolve(corner, lattice));
                let center = [0, 1].map(|i| 0.5 * (min[i] + max[i]));
                let half = [0, 1].map(|i| 0.5 * (max[i] - min[i]).abs());
                Some(Shape::Box { center, half })
            }
            ColumnsTarget::Point(_) | ColumnsTarget::Whole(_) => None,
        }
    }
}

impl Measuring for ColumnsGauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}
