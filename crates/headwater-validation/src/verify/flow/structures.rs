//! Test cases for structures between cells (weirs, gates and culverts). A stream flows through a
//! structure, and in steady state the water levels must satisfy the structure's discharge formula.

use super::benchmark::set_through_flow;
use crate::verify::norms::max_of_errors;
use crate::verify::{Case, Row, Stepper};
use anyhow::Result;
use headwater::flow::{
    Barrel, Culvert, Flow, Gate, Params, Physics, Structure, StructureKind, Weir,
};
use headwater::{Field, Region, Square};

/// Upper limit of the relative error of discharge (dimensionless).
const LIMIT: f64 = 0.01;

/// Gravitational acceleration (m/s²).
const G: f64 = 9.81;

/// Bed heights (m) west and east of the structure.
const GROUND: [f32; 2] = [0.0, -1.0];

/// Width of the channel (m).
const WIDTH: f64 = 10.0;

/// Simulated duration after which the flow is steady (s).
const STEADY_TIME: f64 = 1500.0;

/// Stream through a structure, with the formula for the expected discharge.
struct Stream {
    kind: StructureKind,
    /// Inflow at the west end (m³/s).
    discharge: f64,
    /// Water level imposed at the east end (m).
    tailwater_level: f64,
    /// Formula for the discharge (m³/s) as a function of the water levels (m) west and east of the
    /// structure.
    formula: fn(west: f64, east: f64) -> f64,
}

pub(in crate::verify) fn cases() -> Vec<Case> {
    let case = |name: &'static str, streams: fn() -> Vec<Stream>| {
        Case::new(name, move |stepper| {
            let error = max_of_errors(streams().iter().map(|stream| stream.error(stepper)))?;
            Ok(Row::at_most(name, "maximum relative error of discharge", error, LIMIT).into())
        })
    };
    vec![case("flow/weir", weirs), case("flow/gate", gates), case("flow/culvert", culverts)]
}

/// Returns the discharge (m³/s) over a crest of the given width (m) at critical depth, for a head
/// (m).
fn critical_discharge(width: f64, head: f64) -> f64 {
    (2.0_f64 / 3.0).powf(1.5) * G.sqrt() * width * head.powf(1.5)
}

/// Returns streams over a weir that is 4 m wide and has its crest at 0.6 m: free flow, then
/// submerged flow.
fn weirs() -> Vec<Stream> {
    let stream = |tailwater_level, formula| {
        let kind = StructureKind::Weir(Weir::new(4.0, 0.6));
        Stream { kind, discharge: 4.8, tailwater_level, formula }
    };
    vec![
        stream(-0.2, |west, _| critical_discharge(4.0, west - 0.6)),
        stream(1.2, |west, east| {
            let drowned = (1.0 - ((east - 0.6) / (west - 0.6)).powf(1.5)).powf(0.385);
            critical_discharge(4.0, west - 0.6) * drowned
        }),
    ]
}

/// Returns three streams through a gate that is 3 m wide and has its sill at 0 m: with free flow,
/// with submerged flow, and with the gate raised above the water surface.
fn gates() -> Vec<Stream> {
    const JET: f64 = 0.61 * 0.4;
    let stream = |opening, tailwater_level, formula| {
        let kind = StructureKind::Gate(Gate::new(3.0, 0.0, opening));
        Stream { kind, discharge: 3.0, tailwater_level, formula }
    };
    vec![
        stream(0.4, -0.2, |west, _| {
            let coefficient = 0.61 / (1.0 + JET / west).sqrt();
            coefficient * 0.4 * 3.0 * (2.0 * G * west).sqrt()
        }),
        stream(0.4, 0.8, |west, east| {
            let kept = 1.0 - (JET / west).powi(2);
            JET * 3.0 * (2.0 * G * (west - east) / kept).sqrt()
        }),
        stream(2.0, -0.2, |west, _| critical_discharge(3.0, west)),
    ]
}

/// Returns three streams through a box culvert of 2 m × 1 m that is 20 m long and falls by 0.5 m.
/// Their discharge is limited by critical depth at the inlet, by orifice flow at the inlet, and by
/// full-pipe flow, in this order.
fn culverts() -> Vec<Stream> {
    let barrel = Barrel::Box { width: 2.0, height: 1.0 };
    let kind = StructureKind::Culvert(Culvert::new(barrel, [0.0, -0.5], 20.0));
    let stream = |discharge, tailwater_level, formula| Stream {
        kind: kind.clone(),
        discharge,
        tailwater_level,
        formula,
    };
    vec![
        stream(1.5, -0.6, |west, _| critical_discharge(2.0, west)),
        stream(6.0, 0.0, |west, _| 0.6 * 2.0 * (2.0 * G * (west - 0.5)).sqrt()),
        stream(4.0, 1.0, |west, east| {
            let radius = 2.0 / 6.0_f64;
            let friction = 2.0 * G * 0.013_f64.powi(2) * 20.0 / radius.powf(4.0 / 3.0);
            2.0 * (2.0 * G * (west - east) / (1.5 + friction)).sqrt()
        }),
    ]
}

impl Stream {
    /// Returns the relative error of the discharge that the formula gives for the simulated water
    /// levels. The exact discharge is the inflow.
    fn error(&self, stepper: &dyn Stepper) -> Result<f64> {
        let (nx, ny) = (61, 5);
        let lattice = Square::new(nx, ny, 2.0, WIDTH / ny as f64)?;
        let bed = Field::from_fn(nx, ny, |x, _| match x {
            0..29 => GROUND[0],
            29..32 => 9.0,
            _ => GROUND[1],
        });
        let depth = Field::from_fn(nx, ny, |x, _| match x {
            0..29 => 0.3,
            29..32 => 0.0,
            _ => (self.tailwater_level as f32 - GROUND[1]).max(0.0),
        });
        let params = Params { level: Physics::Inertial, friction: 0.02, ..Params::default() };
        let mut flow = Flow::new(lattice, params, bed, depth)?;
        set_through_flow(&mut flow, self.discharge / WIDTH, self.tailwater_level)?;
        let mouths =
            [[50.0, 58.0], [64.0, 72.0]].map(|[from, to]| Region::rect([from, 0.0], [to, WIDTH]));
        let level = |flow: &Flow, mouth: &Region| {
            let cells = mouth.cells(lattice);
            let heights = cells.iter().map(|&(x, y, _)| f64::from(flow.state().surface(x, y)));
            heights.sum::<f64>() / cells.len() as f64
        };
        let [from, to] = mouths.clone();
        flow.add_structure(Structure::new(from, to, self.kind.clone()))?;
        stepper.run_until(&mut flow, STEADY_TIME)?;
        let formula_discharge = (self.formula)(level(&flow, &mouths[0]), level(&flow, &mouths[1]));
        let error = (formula_discharge / self.discharge - 1.0).abs();
        // Water below a crest gives NaN.
        Ok(if error.is_nan() { crate::verify::FROZEN } else { error })
    }
}
