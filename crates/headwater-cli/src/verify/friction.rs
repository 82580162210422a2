//! A stream that nothing pushes slows down by Manning's friction, however large its cells and long its steps.

use super::levels::{Setup, WITH_HEXAGONS};
use super::{Case, FROZEN, Motion, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params};
use headwater::{Edge, Field};

pub(super) fn cases() -> Vec<Case> {
    on(&WITH_HEXAGONS, "flow/slows-down", |level, motion| {
        // Cells (m), depth (m), Manning's n (s/m^⅓) and velocity (m/s).
        let streams = [[10.0, 1.0, 0.05, 3.0], [200.0, 1.0, 0.05, 3.0], [50.0, 0.2, 0.06, 2.0]];
        let mut worst = 0.0_f64;
        for stream in streams {
            let off = stream_slows(stream, level, motion)?;
            // Not a number is no small error.
            worst = if off <= worst { worst } else { off };
        }
        let worst = if worst.is_finite() { worst } else { FROZEN };
        let metric = "relative error of velocity after a minute, worst of three streams";
        Ok(Row::at_most(level.case("flow/slows-down"), metric, worst, level.gate(1e-4)).into())
    })
}

/// The relative error of the velocity of an even stream over an even floor without edges, after a minute:
/// `u = u₀/(1 + g·n²·u₀·t/h^(4/3))`.
fn stream_slows([cell, h, manning, u]: [f64; 4], level: Setup, motion: &dyn Motion) -> Result<f64> {
    let (n, time) = (16, 60.0);
    let params = Params { level: level.physics, manning, ..Params::default() };
    let (bed, depth) = (Field::new(n, n, 0.0), Field::new(n, n, h as f32));
    let mut flow = Flow::new(level.lattice(n, n, cell)?, params, bed, depth)?;
    for edge in [Edge::West, Edge::North] {
        flow.set_boundary(Boundary::whole(edge, BoundaryKind::Periodic))?;
    }
    // To the south-east, so that both components count.
    let way = [0.6, 0.8].map(|part| Field::new(n, n, (part * u * h) as f32));
    flow.set_unit_discharge(&way[0], &way[1])?;
    motion.until(&mut flow, time)?;
    // Velocities are those of the last step; momentum is that of now.
    let at = (n / 2, n / 2);
    let [east, south] = match &flow.state().momentum {
        Some(q) => [q.x[at], q.y[at]].map(|q| f64::from(q) / h),
        None => flow.velocity(at.0, at.1).map(f64::from),
    };
    let exact = u / (1.0 + 9.81 * manning * manning * u * time / h.powf(4.0 / 3.0));
    Ok((east - 0.6 * exact).hypot(south - 0.8 * exact) / exact)
}
