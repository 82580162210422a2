//! `[[culvert]]`, `[[gate]]` and `[[weir]]`: what passes water from one place to another, whatever ground
//! lies between.

use super::FlowScene;
use crate::scene::place::{Position, resolve};
use headwater::flow::Barrel;
use headwater::{Lattice, Region, Series};
use serde::Deserialize;

/// `[[culvert]]`: a barrel under a road or a dike, a box (`width` and `height`) or round (`diameter`); at
/// most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Culvert {
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
    /// Heights of its floor at both mouths (m), −100000 to 100000.
    pub inverts: [f64; 2],
    /// Its length (m), 0 to 100000. Default: from mouth to mouth.
    pub length: Option<f64>,
    /// Manning's roughness of its walls (s/m^⅓), 0 to 10. Default 0.013, as of concrete; corrugated steel
    /// has 0.024.
    #[serde(default = "concrete")]
    pub manning: f64,
    /// Part of the velocity head lost at the inlet, 0 to 1000. Default 0.5, as at a square edge; a rounded
    /// one has 0.2, a pipe that sticks out 0.9.
    #[serde(default = "square_edge")]
    pub entrance_loss: f64,
}

impl Culvert {
    /// Its cross-section. `None` unless it is given one way and whole, as in every checked scene.
    pub fn barrel(&self) -> Option<Barrel> {
        match (self.width, self.height, self.diameter) {
            (Some(width), Some(height), None) => Some(Barrel::Box { width, height }),
            (None, None, Some(diameter)) => Some(Barrel::Round { diameter }),
            _ => None,
        }
    }
}

fn concrete() -> f64 {
    0.013
}

fn square_edge() -> f64 {
    0.5
}

/// `[[gate]]`: a sluice gate; at most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// A name for gauges: at most 64 characters. Default: none.
    pub name: Option<String>,
    /// Where its first mouth is. Put mouths where the water stands, not on the bank.
    pub from: Position,
    /// Where its second mouth is.
    pub to: Position,
    /// The radius of both mouths (m), above 0. Default: one cell each.
    pub radius: Option<f64>,
    /// `true` if it lets water through from `from` to `to` only. Default `false`.
    #[serde(default)]
    pub one_way: bool,
    /// Its width (m), above 0 to 100000.
    pub width: f64,
    /// Height of its sill (m), −100000 to 100000.
    pub sill: f64,
    /// How high its edge is above the sill (m), 0 (shut) to 100000; a number, or a table of
    /// `[seconds, opening]`.
    pub opening: Series,
    /// Depth of the jet over the opening, above 0 to 1. Default 0.61, as under a sharp edge.
    #[serde(default = "sharp_edge")]
    pub contraction: f64,
}

fn sharp_edge() -> f64 {
    0.61
}

/// `[[weir]]`: water goes over a crest; at most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weir {
    /// A name for gauges: at most 64 characters. Default: none.
    pub name: Option<String>,
    /// Where its first mouth is. Put mouths where the water stands, not on the bank.
    pub from: Position,
    /// Where its second mouth is.
    pub to: Position,
    /// The radius of both mouths (m), above 0. Default: one cell each.
    pub radius: Option<f64>,
    /// `true` if it lets water through from `from` to `to` only. Default `false`.
    #[serde(default)]
    pub one_way: bool,
    /// Its width (m), above 0 to 100000.
    pub width: f64,
    /// Height of its crest (m), −100000 to 100000; a number, or a table of `[seconds, height]`.
    pub crest: Series,
    /// Poleni's discharge coefficient, above 0 to 2. Default 0.577, as of a broad crest; a sharp one has
    /// 0.61, a rounded spillway 0.75.
    #[serde(default = "broad_crest")]
    pub coefficient: f64,
}

fn broad_crest() -> f64 {
    0.577
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

impl FlowScene {
    /// The ends of all culverts, gates and weirs, in this order: a world numbers its structures so.
    pub fn structures(&self) -> Vec<Ends<'_>> {
        macro_rules! ends {
            ($list:expr, $key:literal) => {
                $list.iter().enumerate().map(|(i, structure)| Ends {
                    key: format!(concat!($key, "[{}]"), i),
                    name: structure.name.as_deref(),
                    at: [structure.from, structure.to],
                    radius: structure.radius,
                    one_way: structure.one_way,
                })
            };
        }
        let culverts = ends!(self.culverts, "culvert");
        culverts.chain(ends!(self.gates, "gate")).chain(ends!(self.weirs, "weir")).collect()
    }
}
