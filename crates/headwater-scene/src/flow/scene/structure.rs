//! `[[culvert]]`, `[[gate]]` and `[[weir]]`: what passes water from one place to another, whatever ground
//! lies between. At most 1000 of each.

use crate::scene::place::{Position, resolve};
use headwater::flow::Barrel;
use headwater::{Lattice, Region};
use schemars::JsonSchema;
use serde::Deserialize;

/// The keys of `[[gate]]` and `[[weir]]` beside those of the model's parameters.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mouths {
    /// A name for gauges: at most 64 characters. Default: none.
    pub name: Option<String>,
    /// Where its first mouth is. Put mouths where the water stands, not on the bank.
    pub from: Position,
    /// Where its second mouth is.
    pub to: Position,
    /// The radius of both mouths (m), above 0. Default: one cell each.
    pub radius: Option<f64>,
    /// `true` for a flap that lets water through from `from` to `to` only. Default `false`.
    #[serde(default)]
    pub one_way: bool,
}

/// The keys of `[[culvert]]` beside those of the model's parameters: a barrel under a road or a dike, a box (`width` and
/// `height`) or round (`diameter`). Without `length`, it is as long as from mouth to mouth.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CulvertMouths {
    /// A name for gauges: at most 64 characters. Default: none.
    pub name: Option<String>,
    /// Where its first mouth is. Put mouths where the water stands, not on the bank.
    pub from: Position,
    /// Where its second mouth is.
    pub to: Position,
    /// The radius of both mouths (m), above 0. Default: one cell each.
    pub radius: Option<f64>,
    /// `true` for a flap that lets water through from `from` to `to` only. Default `false`.
    #[serde(default)]
    pub one_way: bool,
    /// Width of a box inside (m), above 0 to 1000.
    pub width: Option<f64>,
    /// Height of a box inside (m), above 0 to 1000.
    pub height: Option<f64>,
    /// Diameter of a round pipe inside (m), above 0 to 1000.
    pub diameter: Option<f64>,
}

impl CulvertMouths {
    /// Its cross-section. `None` unless it is given one way and whole, as in every checked scene.
    pub fn barrel(&self) -> Option<Barrel> {
        match (self.width, self.height, self.diameter) {
            (Some(width), Some(height), None) => Some(Barrel::Box { width, height }),
            (None, None, Some(diameter)) => Some(Barrel::Round { diameter }),
            _ => None,
        }
    }
}

/// What all structures have.
#[derive(Clone, Debug, PartialEq)]
pub struct Ends<'a> {
    /// Its key path, such as `gate[0]`.
    pub key: String,
    /// Its name.
    pub name: Option<&'a str>,
    /// Where its mouths are.
    pub at: [Position; 2],
    /// The radius of both mouths (m).
    pub radius: Option<f64>,
    /// Whether water passes from the first to the second only.
    pub one_way: bool,
}

impl Ends<'_> {
    /// The cells of both mouths.
    pub fn mouths(&self, lattice: &Lattice) -> [Region; 2] {
        // A disc that holds no other cell's centre still has the cell it lies in.
        let one_cell = 0.25 * lattice.dx().min(lattice.dy());
        let radius = self.radius.unwrap_or(one_cell);
        self.at.map(|at| Region::disc(resolve(at, lattice), radius))
    }
}
