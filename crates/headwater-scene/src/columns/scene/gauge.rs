//! Scene table `[[gauge]]` of the model `columns`.

use crate::scene::check::only_given_value;
use crate::scene::event::gauge_edit::GaugeEntry;
use crate::scene::has_schema::schema_of;
use crate::scene::place::{Disc, Position, Rect, resolve_position};
use headwater::Lattice;
use headwater::columns::Shape;
use serde::Deserialize;

/// `[[gauge]]`: measuring device whose time series is written to `NAME.csv`. Needs exactly one of
/// `at`, `disc`, `rect` and `measure`. At most 1000 gauges.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "GaugeKeys")]
pub struct ColumnsGauge {
    /// Name of the gauge and of its output file: 1 to 64 characters from `a`–`z`, `A`–`Z`, `0`–`9`,
    /// `_` and `-`.
    pub name: String,
    /// Quantities that the gauge measures, and their location.
    pub target: ColumnsTarget,
    /// Time between two readings (s), above 0. Default: 1/200 of the duration of the run.
    pub every: Option<f64>,
}

/// `[[gauge]]`: measuring device whose time series is written to `NAME.csv`.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct GaugeKeys {
    /// Name of the gauge and of its output file: 1 to 64 characters from `a`–`z`, `A`–`Z`, `0`–`9`,
    /// `_` and `-`.
    name: String,
    /// Position of the column in which the gauge records the surface level, head, velocity,
    /// temperature and ice thickness.
    at: Option<Position>,
    /// Disc in which the gauge records the volume of water.
    disc: Option<Disc>,
    /// Rectangle in which the gauge records the volume of water.
    rect: Option<Rect>,
    /// Quantity of the whole world that the gauge records: `"energy"`, `"volume"` or `"heat"`.
    measure: Option<ColumnsMeasure>,
    /// Time between two readings (s), above 0. Default: 1/200 of the duration of the run.
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
        Ok(Self { name, target: only_given_value("needs", all)?, every })
    }
}

/// Quantity of the whole world that a gauge records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ColumnsMeasure {
    /// Kinetic and potential energy (J for a world 1 m thick).
    Energy,
    /// Total volume of water and ice, and the volume of ice alone (m³ for a world 1 m thick).
    Volume,
    /// Heat content of the water relative to 0 °C, and the heat gained from air, heaters, inflow
    /// and steam (J for a world 1 m thick).
    Heat,
}

/// Quantities that a gauge measures, and their location. Each variant corresponds to one key of
/// `[[gauge]]`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ColumnsTarget {
    /// `at`: surface level and head (m above the bottom of the grid; `NaN` if dry) and velocity
    /// (m/s) of the column at a position. If temperatures are simulated, also the temperature (°C)
    /// and the ice thickness (m).
    Point(Position),
    /// `disc`: volume of water in a disc.
    Disc(Disc),
    /// `rect`: volume of water in a rectangle.
    Rect(Rect),
    /// `measure`: a quantity of the whole world.
    Whole(ColumnsMeasure),
}

impl ColumnsTarget {
    /// Returns the disc or rectangle in which the gauge measures the volume of water, with
    /// coordinates in metres on `lattice`. Returns `None` if the gauge measures other quantities.
    pub fn volume_shape(&self, lattice: &Lattice) -> Option<Shape> {
        match *self {
            ColumnsTarget::Disc(Disc { center, radius }) => {
                Some(Shape::Disc { center: resolve_position(center, lattice), radius })
            }
            ColumnsTarget::Rect(Rect { min, max }) => {
                let [min, max] = [min, max].map(|corner| resolve_position(corner, lattice));
                let center = [0, 1].map(|i| 0.5 * (min[i] + max[i]));
                let half = [0, 1].map(|i| 0.5 * (max[i] - min[i]).abs());
                Some(Shape::Box { center, half })
            }
            ColumnsTarget::Point(_) | ColumnsTarget::Whole(_) => None,
        }
    }
}

impl GaugeEntry for ColumnsGauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}
