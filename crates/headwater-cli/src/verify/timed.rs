//! What comes for a while brings as much as it says, also where steps are longer than it takes.

use super::levels::{SETUPS, Setup};
use super::{Case, FROZEN, Motion, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, MM_PER_HOUR, Params, Rain, Source};
use headwater::{Cause, Edge, Field, Region, Series};

pub(super) fn cases() -> Vec<Case> {
    on(&SETUPS, "flow/volume-timed", |setup, motion| {
        let mut worst = 0.0_f64;
        // Cells (m), and rates: a trapezium, a hat, and one that is over within seconds.
        let plateau = [[0.0, 0.0], [600.0, 0.0], [601.0, 1.0], [1199.0, 1.0], [1200.0, 0.0]];
        let hat = [[0.0, 0.0], [300.0, 1.0], [600.0, 0.0]];
        let burst = [[0.0, 0.0], [10.0, 0.0], [11.0, 1.0], [14.0, 1.0], [15.0, 0.0]];
        for (cell, until, rate) in
            [(100.0, 3600.0, &plateau[..]), (100.0, 900.0, &hat), (5.0, 700.0, &burst)]
        {
            let rate = Series::table(rate.to_vec())?;
            let off = brought(setup, motion, cell, until, &rate)?;
            // Not a number is no small error.
            worst = if off <= worst { worst } else { off };
        }
        let worst = if worst.is_finite() { worst } else { FROZEN };
        let metric = "what came over what should have, −1: springs, edges, rain; worst";
        Ok(Row::at_most(setup.case("flow/volume-timed"), metric, worst, 1e-5).into())
    })
}

/// The relative error of what a spring by a table, one by its hours, an edge and rain bring to dry land until a time (s).
fn brought(setup: Setup, motion: &dyn Motion, cell: f64, until: f64, rate: &Series) -> Result<f64> {
    let n = 10;
    let lattice = setup.lattice(n, n, cell)?;
    let params = Params { level: setup.physics, ..Params::default() };
    let total = rate.mean(0.0, until) * until;
    let mut worst = 0.0_f64;
    for kind in 0..4 {
        let (bed, depth) = (Field::new(n, n, 0.0), Field::new(n, n, 0.0));
        let mut flow = Flow::new(lattice, params.clone(), bed, depth)?;
        let [x, y] = lattice.center(n / 2, n / 2);
        let region = Region::disc([x, y], 0.7 * cell);
        let (cause, due) = match kind {
            0 => {
                flow.add_spring(Source::new(region, rate.map_values(|v| 100.0 * v)))?;
                (Cause::Source, 100.0 * total)
            }
            1 => {
                let during = Some([0.31 * until, 0.32 * until]);
                flow.add_spring(Source { during, ..Source::new(region, 7.0) })?;
                (Cause::Source, 0.07 * until)
            }
            2 => {
                let discharge = rate.map_values(|v| 0.1 * v);
                flow.set_boundary(Boundary::whole(Edge::West, BoundaryKind::Inflow { discharge }))?;
                let faces =
                    (0..lattice.edge_len(Edge::West)).map(|i| lattice.edge_face(Edge::West, i));
                (Cause::Boundary, 0.1 * total * faces.sum::<f64>())
            }
            _ => {
                flow.set_rain(Some(Rain { rate: rate.map_values(|v| 36.0 * v), map: None }))?;
                let area = lattice.cell_area() * (n * n) as f64;
                (Cause::Rain, 36.0 * MM_PER_HOUR * total * area)
            }
        };
        motion.until(&mut flow, until)?;
        let off = (flow.ledger().inflow(cause) / due - 1.0).abs();
        worst = if off <= worst { worst } else { off };
    }
    Ok(worst)
}
