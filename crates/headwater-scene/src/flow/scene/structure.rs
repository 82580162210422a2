//! Scene tables `[[culvert]]`, `[[gate]]` and `[[weir]]`: structures that convey water between two
//! mouths, independent of the ground between the mouths. At most 1000 of each.

use crate::scene::place::{Position, resolve_position};
use headwater::flow::Barrel;
use headwater::{Lattice, Region};
use serde::Deserialize;

/// Keys of `[[gate]]` and `[[weir]]` in addition to the model's parameters: the name, the two
/// mouths and the direction of flow.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mouths {
    /// Name by which gauges refer to the structure, at most 64 characters. Default: none.
    pub name: Option<String>,
    /// Position of the first mouth. It should be in the water, not on the bank.
    pub from: Position,
    /// Position of the second mouth.
    pub to: Position,
    /// Radius (m) of the circular area of each mouth, above 0. Default: one cell for each mouth.
    pub radius: Option<f64>,
    /// Whether water passes only from `from` to `to`, as through a flap gate. Default `false`.
    #[serde(default)]
    pub one_way: bool,
}

/// Keys of `[[culvert]]` in addition to the model's parameters. A culvert is a pipe under a road or
/// dike, with a rectangular (`width` and `height`) or round (`diameter`) cross-section. The default
/// of `length` is the distance between the two mouths.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CulvertMouths {
    /// Name by which gauges refer to the culvert, at most 64 characters. Default: none.
    pub name: Option<String>,
    /// Position of the first mouth. It should be in the water, not on the bank.
    pub from: Position,
    /// Position of the second mouth.
    pub to: Position,
    /// Radius (m) of the circular area of each mouth, above 0. Default: one cell for each mouth.
    pub radius: Option<f64>,
    /// Whether water passes only from `from` to `to`, as through a flap gate. Default `false`.
    #[serde(default)]
    pub one_way: bool,
    /// Inner width of a box culvert (m), greater than 0 and at most 1000.
    pub width: Option<f64>,
    /// Inner height of a box culvert (m), greater than 0 and at most 1000.
    pub height: Option<f64>,
    /// Inner diameter of a round culvert (m), greater than 0 and at most 1000.
    pub diameter: Option<f64>,
}

impl CulvertMouths {
    /// Returns the cross-section of the culvert. Returns `None` if the keys give no cross-section,
    /// or both a rectangular and a round one; validation rejects such scenes.
    pub fn barrel(&self) -> Option<Barrel> {
        match (self.width, self.height, self.diameter) {
            (Some(width), Some(height), None) => Some(Barrel::Box { width, height }),
            (None, None, Some(diameter)) => Some(Barrel::Round { diameter }),
            _ => None,
        }
    }
}

/// Keys that culverts, gates and weirs have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct StructureKeys<'a> {
    /// Path of the structure's table in the scene, such as `gate[0]`.
    pub key: String,
    /// Name by which gauges refer to the structure, if any.
    pub name: Option<&'a str>,
    /// Positions of both mouths.
    pub at: [Position; 2],
    /// Radius (m) of the circular area of each mouth; `None` if each mouth is one cell.
    pub radius: Option<f64>,
    /// Whether water passes only from the first mouth to the second.
    pub one_way: bool,
}

impl StructureKeys<'_> {
    /// Returns the regions of both mouths on `lattice`, the first mouth first. Without a radius,
    /// the region of a mouth is one cell.
    pub fn mouth_regions(&self, lattice: &Lattice) -> [Region; 2] {
        // The radius also selects the cell at the position if no cell centre is in the disc.
        let one_cell = 0.25 * lattice.dx().min(lattice.dy());
        let radius = self.radius.unwrap_or(one_cell);
        self.at.map(|at| Region::disc(resolve_position(at, lattice), radius))
    }
}
