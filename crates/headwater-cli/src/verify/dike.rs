//! Water that runs over a dike with upright faces: how much head it needs. Held to nothing: at a step of the bed the schemes lose energy
//! that water keeps, and docs/physics.md says how much.

use super::levels::{Setup, WITH_HEXAGONS};
use super::{Case, FROZEN, Motion, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params};
use headwater::{Edge, Field};

pub(super) fn cases() -> Vec<Case> {
    on(&WITH_HEXAGONS, "flow/dike", |level, motion| {
        let off = off(level, motion)?;
        let off = if off.is_finite() { off } else { FROZEN };
        let metric = "energy head over a broad crest off, of 0.8 m²/s over a step of 1 m";
        Ok(Row::at_most(level.case("flow/dike"), metric, off, None).into())
    })
}

/// The relative error of the energy head over the crest, which is `1.5·(q²/g)^⅓` where water passes it at critical depth.
fn off(level: Setup, motion: &dyn Motion) -> Result<f64> {
    let (q, crest) = (0.8, 1.0_f32);
    let lattice = level.channel(200, 3, 0.5)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let bed = Field::from_fn(nx, ny, |x, y| {
        if (50.0..62.0).contains(&lattice.center(x, y)[0]) { crest } else { 0.0 }
    });
    let depth = bed.map(|z| (1.2 - z).max(0.0));
    let params = Params { level: level.physics, manning: 0.0, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let inflow = BoundaryKind::Inflow { discharge: q.into() };
    flow.set_boundary(Boundary::whole(Edge::West, inflow))?;
    flow.set_boundary(Boundary::whole(Edge::East, BoundaryKind::Open))?;
    level.keep_even(&mut flow)?;
    motion.until(&mut flow, 1000.0)?;
    let h = f64::from(flow.state().depth[(nx * 3 / 10, 1)]);
    let head = h + (q / h).powi(2) / (2.0 * 9.81) - f64::from(crest);
    Ok((head / (1.5 * (q * q / 9.81).cbrt()) - 1.0).abs())
}
