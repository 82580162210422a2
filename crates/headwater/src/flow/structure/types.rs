//! Types and parameters of hydraulic structures: [`Culvert`], [`Gate`] and [`Weir`].

use crate::error::InputError;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::Region;
use crate::series::Series;
use serde::{Deserialize, Serialize};

/// A culvert, gate or weir that transfers water between two regions, called its mouths.
///
/// The water level at a mouth is the mean surface elevation of its open cells, weighted by depth,
/// so dry cells do not count; at a dry mouth it is the ground elevation. Place mouths where water
/// stands. Water that enters the structure takes its momentum out of the cells; water that leaves
/// the structure has no momentum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Structure {
    /// Mouths of the structure: the two regions between which it transfers water. A disc smaller
    /// than a cell selects one cell.
    pub mouths: [Region; 2],
    /// Whether water flows only from the first mouth to the second, as through a flap gate.
    pub one_way: bool,
    /// Type of the structure, with its parameters.
    pub kind: StructureKind,
}

/// Type of a structure. Elevations use the same datum as the bed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StructureKind {
    /// A culvert: a barrel under a road or a dike.
    Culvert(Culvert),
    /// A sluice gate. Water flows under the gate if it reaches the gate's lower edge; otherwise it
    /// flows over the sill as over a broad-crested weir.
    Gate(Gate),
    /// A weir, with free or submerged overflow.
    Weir(Weir),
}

/// Poleni's discharge coefficient of a broad-crested weir, 1/√3, which follows from critical depth
/// on the crest (Henderson 1966, §6.6).
pub(super) const BROAD_CREST: f64 = 0.577_350_269_189_625_8;

/// Valid range of sill, crest and floor elevations (m).
const HEIGHT: Range = Range::new(-1e6, 1e6);

const WIDTH: Range = Range::above_zero(1e5);

parameters! {
    /// Parameters of a culvert. The discharge follows FHWA's HDS-5 (Schall et al. 2012),
    /// simplified; see `docs/physics.md`.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Culvert {
        /// Elevation of the barrel's floor at each of the two mouths, relative to the same datum as
        /// the bed.
        inverts: [f64; 2] = [0.0; 2]; Fixed, "inverts", "m", |_| HEIGHT, [-10.0, 10.0];
        /// Length of the barrel between the two mouths.
        length: f64 = 0.0; Fixed, "length", "m", |_| Range::new(0.0, 1e5), [1.0, 100.0];
        /// Manning's roughness of the walls: 0.013 for concrete, 0.024 for corrugated steel.
        manning: f64 = 0.013; Fixed, "roughness", "s/m^⅓", |_| Range::new(0.0, 10.0), [0.01, 0.03];
        /// Entrance loss as a fraction of the velocity head: 0.5 for a square edge, 0.2 for a
        /// rounded edge, 0.9 for a projecting pipe. An exit loss of 1 is always added.
        entrance_loss: f64 = 0.5; Fixed, "entrance loss", "1", |_| Range::new(0.0, 1000.0), [0.0, 1.0];
    }
    required { inverts }
    and {
        /// Cross-section of the barrel.
        barrel: Barrel = Barrel::Round { diameter: 1.0 };
    }
}

/// Cross-section of the barrel of a culvert.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Barrel {
    /// A rectangular barrel.
    Box {
        /// Inner width (m), above 0.
        width: f64,
        /// Inner height (m), above 0.
        height: f64,
    },
    /// A circular barrel.
    Round {
        /// Inner diameter (m), above 0.
        diameter: f64,
    },
}

parameters! {
    /// Parameters of a sluice gate (Henderson 1966, §6.6).
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Gate {
        /// Width of the gate.
        width: f64 = 1.0; Fixed, "width", "m", |_| WIDTH, [0.5, 20.0];
        /// Elevation of the sill, which is the floor under the gate, relative to the same datum as
        /// the bed.
        sill: f64 = 0.0; Fixed, "sill", "m", |_| HEIGHT, [-10.0, 10.0];
        /// Height of the gate's lower edge above the sill over time; at 0 the gate is shut.
        opening: Series = Series::from(0.0); Live, "opening", "m", |_| Range::new(0.0, 1e5), [0.0, 5.0];
        /// Contraction coefficient, the depth of the jet divided by the opening: 0.61 for a sharp
        /// edge.
        contraction: f64 = 0.61; Fixed, "contraction", "1", |_| Range::above_zero(1.0), [0.5, 1.0];
    }
    required { width, sill, opening }
}

parameters! {
    /// Parameters of a weir (Poleni; Villemonte 1947).
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Weir {
        /// Width of the crest.
        width: f64 = 1.0; Fixed, "width", "m", |_| WIDTH, [0.5, 20.0];
        /// Elevation of the crest over time, relative to the same datum as the bed.
        crest: Series = Series::from(0.0); Live, "crest", "m", |_| HEIGHT, [-10.0, 10.0];
        /// Poleni's discharge coefficient: 0.577 for a broad crest, 0.61 for a sharp one, 0.75 for
        /// a rounded spillway.
        coefficient: f64 = BROAD_CREST; Fixed, "coefficient", "1", |_| Range::above_zero(2.0), [0.5, 0.8];
    }
    required { width, crest }
}

impl Gate {
    /// Creates a sharp-edged gate from its width (m), the elevation of its sill (m) and its opening
    /// (m).
    pub fn new(width: f64, sill: f64, opening: impl Into<Series>) -> Self {
        Self { width, sill, opening: opening.into(), ..Self::default() }
    }
}

impl Weir {
    /// Creates a broad-crested weir from its width (m) and the elevation of its crest (m).
    pub fn new(width: f64, crest: impl Into<Series>) -> Self {
        Self { width, crest: crest.into(), ..Self::default() }
    }
}

impl Culvert {
    /// Creates a concrete culvert with a square-edged inlet. `inverts` are the floor elevations (m)
    /// at both mouths; `length` is in metres.
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
    /// Creates a structure between the mouths `from` and `to`, with flow in both directions.
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
                whole.map_err(|error| error.with_table_prefix("culvert"))
            }
            StructureKind::Gate(gate) => {
                gate.check().map_err(|error| error.with_table_prefix("gate"))
            }
            StructureKind::Weir(weir) => {
                weir.check().map_err(|error| error.with_table_prefix("weir"))
            }
        }
    }
}
