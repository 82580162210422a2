//! Structures between cells: culverts, gates and weirs, which pass water from one place to another by
//! their own formulas, whatever ground lies between.
//!
//! What they pass at given levels is in [`formulas`], how it is taken from cells and given to cells in
//! [`passage`]. They are narrower than cells: what is as wide as cells is better made of bed and closed cells.

mod formulas;
mod passage;

pub(super) use passage::Structures;

use super::error::number;
use super::{Flow, FlowError};
use crate::region::Region;
use crate::series::Series;
use serde::{Deserialize, Serialize};

/// A culvert, gate or weir between two places, its mouths.
///
/// A mouth's level is the mean height of the water's surface over its open cells, each weighted by its
/// depth, or of the dry ground. Put mouths where the water stands, not on the bank. Velocities do not
/// count: water that goes in takes its momentum along, and what comes out brings none.
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
pub enum StructureKind {
    /// A barrel under a road or a dike.
    Culvert(Culvert),
    /// A sluice gate, underflown where the water reaches its edge; else its sill is a broad-crested
    /// weir.
    Gate(Gate),
    /// A weir, free or drowned.
    Weir(Weir),
}

/// A culvert: FHWA's HDS-5 (Schall et al. 2012), simplified; see `docs/physics.md`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Culvert {
    /// Its cross-section.
    pub barrel: Barrel,
    /// Heights of its floor at both mouths (m).
    pub inverts: [f64; 2],
    /// Its length (m), 0 or above.
    pub length: f64,
    /// Manning's roughness of its walls (s/m^⅓), 0 or above: 0.013 for concrete, 0.024 for corrugated
    /// steel.
    pub manning: f64,
    /// Part of the velocity head lost at the inlet, 0 or above: 0.5 for a square edge, 0.2 for a rounded
    /// one, 0.9 for a pipe that sticks out. All of it is lost at the outlet besides.
    pub entrance_loss: f64,
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

/// A sluice gate (Henderson 1966, §6.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// Its width (m), above 0.
    pub width: f64,
    /// Height of its sill (m).
    pub sill: f64,
    /// How high its edge is above the sill over time (m), 0 (shut) or above.
    pub opening: Series,
    /// Depth of the jet over the opening, above 0 to 1: 0.61 for a sharp edge.
    pub contraction: f64,
}

/// A weir (Poleni; Villemonte 1947).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weir {
    /// Its width (m), above 0.
    pub width: f64,
    /// Height of its crest over time (m).
    pub crest: Series,
    /// Poleni's discharge coefficient, above 0 to 2: 0.577 for a broad crest, 0.61 for a sharp one, 0.75 for
    /// a rounded spillway.
    pub coefficient: f64,
}

impl Gate {
    /// A sharp-edged gate.
    pub fn new(width: f64, sill: f64, opening: impl Into<Series>) -> Self {
        Self { width, sill, opening: opening.into(), contraction: 0.61 }
    }
}

impl Weir {
    /// A broad-crested weir.
    pub fn new(width: f64, crest: impl Into<Series>) -> Self {
        Self { width, crest: crest.into(), coefficient: formulas::BROAD_CREST }
    }
}

impl Culvert {
    /// A culvert of concrete with a square-edged inlet.
    pub fn new(barrel: Barrel, inverts: [f64; 2], length: f64) -> Self {
        Self { barrel, inverts, length, manning: 0.013, entrance_loss: 0.5 }
    }
}

/// Heights and lengths beyond this (m) are a slip of the pen.
const FARTHEST: f64 = 1e6;

impl Structure {
    /// A structure that passes water both ways.
    pub fn new(from: Region, to: Region, kind: StructureKind) -> Self {
        Self { mouths: [from, to], one_way: false, kind }
    }

    fn validate(&self) -> Result<(), FlowError> {
        for mouth in &self.mouths {
            mouth.validate()?;
        }
        match &self.kind {
            StructureKind::Culvert(culvert) => {
                match culvert.barrel {
                    Barrel::Box { width, height } => {
                        size("a culvert's width", width)?;
                        size("a culvert's height", height)?;
                    }
                    Barrel::Round { diameter } => size("a culvert's diameter", diameter)?,
                }
                for invert in culvert.inverts {
                    height("a culvert's invert", [invert; 2])?;
                }
                amount("a culvert's length", culvert.length, "0 to 1e6 m", FARTHEST)?;
                amount("a culvert's roughness", culvert.manning, "0 to 10 s/m^⅓", 10.0)?;
                amount("a culvert's entrance loss", culvert.entrance_loss, "0 to 1000", 1000.0)
            }
            StructureKind::Gate(gate) => {
                size("a gate's width", gate.width)?;
                height("a gate's sill", [gate.sill; 2])?;
                opening(&gate.opening)?;
                let found = gate.contraction;
                let fits = found > 0.0 && found <= 1.0;
                number("a gate's contraction", found, fits, "above 0 to 1")
            }
            StructureKind::Weir(weir) => {
                size("a weir's width", weir.width)?;
                crest(&weir.crest)?;
                let found = weir.coefficient;
                let fits = found > 0.0 && found <= 2.0;
                number("a weir's coefficient", found, fits, "above 0 to 2")
            }
        }
    }

    /// Discharge (m³/s) from the first mouth to the second at a time (s), with the water at these levels
    /// (m) there; below 0 the other way.
    fn discharge(&self, gravity: f64, time: f64, levels: [f64; 2]) -> f64 {
        let back = levels[1] > levels[0];
        if back && self.one_way {
            return 0.0;
        }
        let ordered = |pair: [f64; 2]| if back { [pair[1], pair[0]] } else { pair };
        let [upper, lower] = ordered(levels);
        let passed = match &self.kind {
            StructureKind::Culvert(culvert) => {
                formulas::culvert(gravity, culvert, [upper, lower], ordered(culvert.inverts))
            }
            StructureKind::Gate(gate) => {
                let (opening, sill) = (gate.opening.at(time), gate.sill);
                let heads = [upper - sill, lower - sill];
                formulas::gate(gravity, gate.contraction, gate.width, opening, heads[0], heads[1])
            }
            StructureKind::Weir(weir) => {
                let crest = weir.crest.at(time);
                let heads = [upper - crest, lower - crest];
                formulas::weir(gravity, weir.coefficient, weir.width, heads[0], heads[1])
            }
        };
        if back { -passed } else { passed }
    }
}

fn size(what: &'static str, found: f64) -> Result<(), FlowError> {
    number(what, found, found > 0.0 && found <= FARTHEST, "above 0 to 1e6 m")
}

fn amount(
    what: &'static str,
    found: f64,
    allowed: &'static str,
    most: f64,
) -> Result<(), FlowError> {
    number(what, found, (0.0..=most).contains(&found), allowed)
}

fn height(what: &'static str, ends: [f64; 2]) -> Result<(), FlowError> {
    let allowed = "a number of metres, 1e6 at most";
    ends.into_iter().try_for_each(|end| number(what, end, end.abs() <= FARTHEST, allowed))
}

fn opening(opening: &Series) -> Result<(), FlowError> {
    let (low, high) = opening.range();
    amount("a gate's opening", low, "0 to 1e6 m", FARTHEST)?;
    amount("a gate's opening", high, "0 to 1e6 m", FARTHEST)
}

fn crest(crest: &Series) -> Result<(), FlowError> {
    height("a weir's crest", crest.range().into())
}

impl Flow {
    /// Adds a culvert, gate or weir; returns its number, from 0 up.
    ///
    /// ```
    /// use headwater::flow::{Flow, Gate, Params, Structure, StructureKind};
    /// use headwater::{Field, Region, Square};
    ///
    /// // A lake, 2 m deep, behind a wall of 4 m.
    /// let bed = Field::from_fn(40, 20, |x, _| if x == 20 { 4.0 } else { 0.0 });
    /// let lake = Field::from_fn(40, 20, |x, _| if x < 20 { 2.0 } else { 0.0 });
    /// let lattice = Square::new(40, 20, 1.0, 1.0)?;
    /// let mut flow = Flow::new(lattice, Params::default(), bed, lake)?;
    /// let [west, east] = [[18.5, 10.5], [22.5, 10.5]].map(|at| Region::disc(at, 1.2));
    /// let shut = Gate::new(2.0, 0.0, 0.0);
    /// let gate = flow.add_structure(Structure::new(west, east, StructureKind::Gate(shut)))?;
    /// flow.advance(5.0)?;
    /// assert!(!flow.is_flooded([25.0, 10.0]), "the gate is shut");
    ///
    /// flow.set_opening(gate, 0.5.into())?;
    /// flow.advance(5.0)?;
    /// assert!(flow.structure_discharge(gate) > Some(2.0));
    /// assert!(flow.is_flooded([25.0, 10.0]));
    /// # Ok::<(), headwater::flow::FlowError>(())
    /// ```
    ///
    /// # Errors
    /// [`FlowError`] if a region or number makes no sense, a mouth covers no cell, or both mouths
    /// share one.
    pub fn add_structure(&mut self, structure: Structure) -> Result<usize, FlowError> {
        structure.validate()?;
        self.structures.add(structure, &self.lattice)
    }

    /// The culverts, gates and weirs, in the order in which they were added.
    pub fn structures(&self) -> impl ExactSizeIterator<Item = &Structure> {
        self.structures.list()
    }

    /// What a structure let through in the last step (m³/s), above 0 from its first mouth to its second;
    /// `None` if there is no structure of that number.
    pub fn structure_discharge(&self, number: usize) -> Option<f64> {
        self.structures.passed(number)
    }

    /// Sets how far a gate is open (m), from now on.
    ///
    /// # Errors
    /// [`FlowError`] if there is no gate of that number, or the opening falls below 0.
    pub fn set_opening(&mut self, number: usize, height: Series) -> Result<(), FlowError> {
        opening(&height)?;
        match self.structures.kind_mut(number) {
            Some(StructureKind::Gate(gate)) => gate.opening = height,
            _ => return Err(FlowError::NoStructure { kind: "gate", number }),
        }
        Ok(())
    }

    /// Sets the height of a weir's crest (m), from now on.
    ///
    /// # Errors
    /// [`FlowError`] if there is no weir of that number, or the height makes no sense.
    pub fn set_crest(&mut self, number: usize, height: Series) -> Result<(), FlowError> {
        crest(&height)?;
        match self.structures.kind_mut(number) {
            Some(StructureKind::Weir(weir)) => weir.crest = height,
            _ => return Err(FlowError::NoStructure { kind: "weir", number }),
        }
        Ok(())
    }
}
