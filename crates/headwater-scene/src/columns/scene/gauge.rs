//! Scene table `[[gauge]]` of the model `columns`.

use crate::scene::check::one_of;
use crate::scene::gauge_edit::Measuring;
use crate::scene::place::{Disc, Position, Rect, resolve};
use crate::scene::schema::schema_of;
use headwater::Lattice;
use headwater::columns::Shape;
use schemars::JsonSchema;
use serde::Deserialize;

/// `[[gauge]]`: writes a time series to `NAME.csv`; exactly one of `at`, `disc`, `rect`, `measure`;
/// at most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "GaugeKeys")]
pub struct ColumnsGauge {
    /// Name, also of the file: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Quantities that the gauge measures, and where.
    pub target: ColumnsTarget,
    /// Time between two samples (s), above 0. Default: 1/200 of the run.
    pub every: Option<f64>,
}

/// Keys of a gauge.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GaugeKeys {
    /// Name, also of the file: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    name: String,
    /// Records surface, head, velocity, temperature and ice of the column at a position.
    at: Option<Position>,
    /// Records the volume of water in a disc.
    disc: Option<Disc>,
    /// Records the volume of water in a rectangle.
    rect: Option<Rect>,
    /// Records `"energy"`, `"volume"` or `"heat"` of the whole world.
    measure: Option<ColumnsMeasure>,
    /// Time between two samples (s), above 0. Default: 1/200 of the run.
    every: Option<f64>,
}

schema_of!([] ColumnsGauge, |generator| GaugeKeys::json_schema(generator));

impl TryFrom<GaugeKeys> for ColumnsGauge {
    type Error = String;

    fn try_from(keys: GaugeKeys) -> Result<Self, String> {
        let GaugeKeys { name, at, disc, rect, measure, every } = keys;
        let all = [
            ("at", at.map(ColumnsTarget::Point)),
            ("disc", disc.map(ColumnsTarget::Disc)),
            ("rect", rect.map(ColumnsTarget::Rect)),
            ("measure", measure.map(ColumnsTarget::Whole)),
        ];
        Ok(Self { name, target: one_of("needs", all)?, every })
    }
}

/// Quantity of the whole world that a gauge records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ColumnsMeasure {
    /// Kinetic and potential energy (J for a world 1 m thick).
    Energy,
    /// Volume of all water and ice, and of the ice alone (m³ for a world 1 m thick).
    Volume,
    /// Heat of all water relative to 0 °C, and its gains from air, heaters, inflow and steam (J for
    /// a world 1 m thick).
    Heat,
}

/// Quantities that a gauge measures, and where. Each variant is one key of `[[gauge]]`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ColumnsTarget {
    /// `at`: surface and head (m above the bottom of the board; `NaN` if dry) and velocity of the
    /// column at a position. In a world with heat also temperature and ice thickness.
    Point(Position),
    /// `disc`: volume of water in a disc.
    Disc(Disc),
    /// `rect`: volume of water in a rectangle.
    Rect(Rect),
    /// `measure`: a quantity of the whole world.
    Whole(ColumnsMeasure),
}

impl ColumnsTarget {
    /// Returns the shape in which the volume of water is measured; `None` for other quantities.
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
