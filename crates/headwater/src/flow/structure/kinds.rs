//! The kinds of structures and their numbers.

use crate::error::InputError;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::Region;
use crate::series::Series;
use serde::{Deserialize, Serialize};

/// A culvert, gate or weir between two places, its mouths.
///
/// A mouth's level is the depth-weighted mean surface of its open cells, or the dry ground. Put
/// mouths where water stands. Water takes its momentum along when it enters, and comes out with
/// none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Structure {
    /// Where the water goes in and out. A disc smaller than a cell is one cell.
    pub mouths: [Region; 2],
    /// Whether it lets water through from the first mouth to the second only, as a flap gate does.
    pub one_way: bool,
    /// What it is.
    pub kind: StructureKind,
}

/// What lies between two mouths. Heights are counted as the bed's are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StructureKind {
    /// A barrel under a road or a dike.
    Culvert(Culvert),
    /// A sluice gate, underflown where the water reaches its edge; else its sill is a broad-crested
    /// weir.
    Gate(Gate),
    /// A weir, free or drowned.
    Weir(Weir),
}

/// Poleni's coefficient of a broad-crested weir, 1/√3: critical depth on the crest (Henderson 1966,
/// §6.6).
pub(super) const BROAD_CREST: f64 = 0.577_350_269_189_625_8;

/// Heights of the ground (m): counted from any datum.
const HEIGHT: Range = Range::new(-1e6, 1e6);

const WIDTH: Range = Range::above_zero(1e5);

parameters! {
    /// A culvert: FHWA's HDS-5 (Schall et al. 2012), simplified; see `docs/physics.md`.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Culvert {
        /// Heights of its floor at both mouths.
        inverts: [f64; 2] = [0.0; 2]; Fixed, "inverts", "m", |_| HEIGHT, [-10.0, 10.0];
        /// Its length.
        length: f64 = 0.0; Fixed, "length", "m", |_| Range::new(0.0, 1e5), [1.0, 100.0];
        /// Manning's roughness of its walls: 0.013 for concrete, 0.024 for corrugated steel.
        manning: f64 = 0.013; Fixed, "roughness", "s/m^⅓", |_| Range::new(0.0, 10.0), [0.01, 0.03];
        /// Part of the velocity head lost at the inlet: 0.5 for a square edge, 0.2 for a rounded one, 0.9 for a pipe that
        /// sticks out. All of it is lost at the outlet besides.
        entrance_loss: f64 = 0.5; Fixed, "entrance loss", "1", |_| Range::new(0.0, 1000.0), [0.0, 1.0];
    }
    required { inverts }
    and {
        /// Its cross-section.
        barrel: Barrel = Barrel::Round { diameter: 1.0 };
    }
}

/// The cross-section of a culvert.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Barrel {
    /// A rectangle.
    Box {
        /// Its width inside (m), above 0.
        width: f64,
        /// Its height inside (m), above 0.
        height: f64,
    },
    /// A circle.
    Round {
        /// Its diameter inside (m), above 0.
        diameter: f64,
    },
}

parameters! {
    /// A sluice gate (Henderson 1966, §6.6).
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Gate {
        /// Its width.
        width: f64 = 1.0; Fixed, "width", "m", |_| WIDTH, [0.5, 20.0];
        /// Height of its sill.
        sill: f64 = 0.0; Fixed, "sill", "m", |_| HEIGHT, [-10.0, 10.0];
        /// How high its edge is above the sill over time; 0 is shut.
        opening: Series = Series::from(0.0); Live, "opening", "m", |_| Range::new(0.0, 1e5), [0.0, 5.0];
        /// Depth of the jet over the opening: 0.61 for a sharp edge.
        contraction: f64 = 0.61; Fixed, "contraction", "1", |_| Range::above_zero(1.0), [0.5, 1.0];
    }
    required { width, sill, opening }
}

parameters! {
    /// A weir (Poleni; Villemonte 1947).
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Weir {
        /// Its width.
        width: f64 = 1.0; Fixed, "width", "m", |_| WIDTH, [0.5, 20.0];
        /// Height of its crest over time.
        crest: Series = Series::from(0.0); Live, "crest", "m", |_| HEIGHT, [-10.0, 10.0];
        /// Poleni's discharge coefficient: 0.577 for a broad crest, 0.61 for a sharp one, 0.75 for a rounded spillway.
        coefficient: f64 = BROAD_CREST; Fixed, "coefficient", "1", |_| Range::above_zero(2.0), [0.5, 0.8];
    }
    required { width, crest }
}

impl Gate {
    /// A sharp-edged gate.
    pub fn new(width: f64, sill: f64, opening: impl Into<Series>) -> Self {
        Self { width, sill, opening: opening.into(), ..Self::default() }
    }
}

impl Weir {
    /// A broad-crested weir.
    pub fn new(width: f64, crest: impl Into<Series>) -> Self {
        Self { width, crest: crest.into(), ..Self::default() }
    }
}

impl Culvert {
    /// A culvert of concrete with a square-edged inlet.
    pub fn new(barrel: Barrel, inverts: [f64; 2], length: f64) -> Self {
        Self { barrel, inverts, length, ..Self::default() }
    }
}

impl Barrel {
    const SIZE: Range = Range::above_zero(1000.0);

    fn check(&self) -> Result<(), InputError> {
        let size = |what, found| Self::SIZE.check(what, found, "m");
        match *self {
            Barrel::Box { width, height } => {
                size("width", width)?;
                size("height", height)
            }
            Barrel::Round { diameter } => size("diameter", diameter),
        }
    }
}

impl Structure {
    /// A structure that passes water both ways.
    pub fn new(from: Region, to: Region, kind: StructureKind) -> Self {
        Self { mouths: [from, to], one_way: false, kind }
    }

    pub(super) fn validate(&self) -> Result<(), InputError> {
        for mouth in &self.mouths {
            mouth.validate()?;
        }
        match &self.kind {
            StructureKind::Culvert(culvert) => {
                let whole = culvert.barrel.check().and_then(|()| culvert.check());
                whole.map_err(|error| error.under("culvert"))
            }
            StructureKind::Gate(gate) => gate.check().map_err(|error| error.under("gate")),
            StructureKind::Weir(weir) => weir.check().map_err(|error| error.under("weir")),
        }
    }
}
