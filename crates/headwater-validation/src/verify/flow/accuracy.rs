//! Verification cases with exact solutions: dam breaks, bumps, bowls and channels, with the
//! parameters of SWASHES (see the module `exact`).

use super::benchmark::{Benchmark, ChannelEnds, InitialWater};
use super::levels::{Setup, WITH_HEXAGONS};
use crate::verify::exact::{
    Bump, DamBreak, ExactSolution, LENGTH, MacDonald, PlanarOscillation, RadialOscillation, Regime,
    SWASHES_BOWL,
};
use crate::verify::plot::PlottedQuantity;
use crate::verify::{Case, Outcome, Row, Stepper, cases_for_setups};
use anyhow::{Context, Result};
use std::sync::Arc;

pub(in crate::verify) fn cases() -> Vec<Case> {
    let benchmarks = benchmarks().map(Arc::new);
    let mut cases = Vec::new();
    for benchmark in &benchmarks {
        let measured = Arc::clone(benchmark);
        let measure = move |setup, stepper: &dyn Stepper| measured.measure(setup, stepper);
        cases.extend(cases_for_setups(&WITH_HEXAGONS, benchmark.name, measure));
    }
    for benchmark in benchmarks {
        if let Some(parts) = benchmark.convergence_grids {
            let name = format!("{}-order", benchmark.name);
            let order = move |setup, stepper: &dyn Stepper| {
                measure_convergence_order(setup, &benchmark, parts, stepper)
            };
            cases.extend(cases_for_setups(&WITH_HEXAGONS[..2], &name, order));
        }
    }
    cases
}

/// Returns the benchmark with the given name.
pub(in crate::verify) fn benchmark(name: &str) -> Result<Benchmark> {
    let found = benchmarks().into_iter().find(|benchmark| benchmark.name == name);
    found.with_context(|| format!("there is no benchmark {name}"))
}

/// Measures the order of convergence between two grids with n and m cells: `log(error on n cells /
/// error on m cells) / log(m / n)`. `parts` contains n and m as fractions of the benchmark's number
/// of cells.
fn measure_convergence_order(
    setup: Setup,
    benchmark: &Benchmark,
    cell_fractions: [f64; 2],
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let [n, m] = cell_fractions.map(|part| (part * benchmark.cells as f64).round() as usize);
    let error = |cells| Ok::<f64, anyhow::Error>(benchmark.run(setup, cells, stepper)?.1);
    let order = (error(n)? / error(m)?).ln() / (m as f64 / n as f64).ln();
    let metric = format!("order of convergence from {n} to {m} cells");
    Ok(Row::at_least(
        setup.case_name(&format!("{}-order", benchmark.name)),
        metric,
        order,
        MIN_ORDER,
    )
    .into())
}

/// Grids on which the order of convergence of steady flows is measured, as fractions of the
/// benchmark's number of cells. On finer grids rounding errors dominate, because changes below half
/// an ulp of the momentum are lost.
const STEADY_GRIDS: [f64; 2] = [0.125, 0.5];
/// Minimum accepted order of convergence. The scheme is of order 2, but its order is lower at slope
/// limiters and shores.
const MIN_ORDER: f64 = 1.5;

/// Oscillation in a bowl along a line that is not aligned with the grid. The amplitude is half the
/// bowl's radius.
const PLANAR: PlanarOscillation = PlanarOscillation { bowl: SWASHES_BOWL, amplitude: [0.4, 0.3] };

/// Radial oscillation in a bowl. The initial shore is at √0.8 of the bowl's radius.
const RADIAL: RadialOscillation = RadialOscillation { bowl: SWASHES_BOWL, r0: 0.8 };

fn benchmarks() -> [Benchmark; 9] {
    [
        Benchmark {
            name: "flow/stoker",
            title: "Dam break on a wet bed, after 6 s (Stoker)",
            limit: 0.0025,
            ..dam_break(0.001)
        },
        Benchmark {
            name: "flow/ritter",
            title: "Dam break on a dry bed, after 6 s (Ritter)",
            limit: 0.003,
            ..dam_break(0.0)
        },
        Benchmark {
            name: "flow/bump-subcritical",
            title: "Steady flow over a bump, subcritical",
            limit: 0.0002,
            convergence_grids: Some(STEADY_GRIDS),
            ..bump(4.42, 2.0, Regime::Subcritical(2.0))
        },
        Benchmark {
            name: "flow/bump-transcritical",
            title: "Steady flow over a bump, subcritical to supercritical",
            limit: 0.001,
            ..bump(1.53, 0.66, Regime::Transcritical)
        },
        Benchmark {
            name: "flow/bump-shock",
            title: "Steady flow over a bump, with a hydraulic jump",
            limit: 0.003,
            // Waves behind the jump decay by half in 30 s.
            times: vec![600.0],
            max_jump_cells: Some(2),
            ..bump(0.18, 0.33, Regime::Shock(0.33))
        },
        Benchmark {
            name: "flow/thacker-planar",
            title: "Oscillation in a bowl, after 3 periods (Thacker, planar)",
            ..bowl_oscillation(PLANAR, PLANAR.period())
        },
        Benchmark {
            name: "flow/thacker-radial",
            title: "Oscillation in a bowl, after 3 periods (Thacker, radial)",
            ..bowl_oscillation(RADIAL, RADIAL.period())
        },
        Benchmark {
            name: "flow/macdonald-sub",
            title: "Steady flow with friction, subcritical (MacDonald)",
            ..macdonald(MacDonald::SUBCRITICAL)
        },
        Benchmark {
            name: "flow/macdonald-super",
            title: "Steady flow with friction, supercritical (MacDonald)",
            ..macdonald(MacDonald::SUPERCRITICAL)
        },
    ]
}

/// Returns a dam break in the middle of a channel of 10 m. The depth is 5 mm upstream of the dam
/// and `downstream` (m) downstream of it.
fn dam_break(downstream: f64) -> Benchmark {
    let exact = DamBreak::new(5.0, 0.005, downstream);
    Benchmark { times: vec![6.0], typical_depth: 0.005, ..Benchmark::channel(exact, 10.0, 400) }
}

/// Returns a steady flow of `discharge` (m²/s) over a bump in a channel. Initially the channel is
/// filled to `outlet_depth` (m).
fn bump(discharge: f64, outlet_depth: f64, regime: Regime) -> Benchmark {
    Benchmark {
        initial_water: InitialWater::Level(outlet_depth),
        ends: ChannelEnds::Through { discharge, depth: outlet_depth },
        typical_depth: outlet_depth,
        // Waves between the ends decay by two thirds in 15 s.
        times: vec![300.0],
        max_jump_cells: Some(0),
        ..Benchmark::channel(Bump { discharge, regime }, 25.0, 200)
    }
}

/// Returns an oscillation in a square world that contains a bowl. The error is also measured half a
/// period before the end. After whole periods the water is at its initial position, so an error at
/// that time alone would not reveal a world that never moved.
fn bowl_oscillation(exact: impl ExactSolution + 'static, period: f64) -> Benchmark {
    Benchmark {
        rows: None,
        typical_depth: 0.1,
        times: vec![2.5 * period, 3.0 * period],
        limit: 0.03,
        convergence_grids: Some([0.5, 2.0]),
        ..Benchmark::channel(exact, 4.0, 100)
    }
}

/// Returns a channel of 1000 m that is initially dry and fills until the flow reaches the steady
/// state `exact`.
fn macdonald(exact: MacDonald) -> Benchmark {
    let out = exact.depth([LENGTH, 0.0], 0.0);
    Benchmark {
        initial_water: InitialWater::Dry,
        ends: ChannelEnds::Through { discharge: exact.discharge, depth: out },
        manning: exact.manning,
        typical_depth: out,
        // The water reaches the outlet after 6 minutes.
        times: vec![3000.0],
        limit: 0.001,
        view: PlottedQuantity::Depth,
        ..Benchmark::channel(exact, LENGTH, 200)
    }
}
