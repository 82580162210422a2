//! The cases with exact solutions: dam breaks, bumps, bowls and channels, set up as in SWASHES.

use super::exact::{
    Bump, DamBreak, Exact, LENGTH, MacDonald, Planar, Radial, Regime, SWASHES_BOWL,
};
use super::levels::{Setup, WITH_HEXAGONS};
use super::plot::View;
use super::trial::{Ends, Start, Trial};
use super::{Case, Motion, Outcome, Row, on};
use anyhow::{Context, Result};
use std::sync::Arc;

pub(super) fn cases() -> Vec<Case> {
    let trials = trials().map(Arc::new);
    let mut cases = Vec::new();
    for trial in &trials {
        let measured = Arc::clone(trial);
        let measure = move |level, motion: &dyn Motion| measured.measure(level, motion);
        cases.extend(on(&WITH_HEXAGONS, trial.name, measure));
    }
    for trial in trials {
        if let Some(parts) = trial.smooth {
            let name = format!("{}-order", trial.name);
            let order = move |level, motion: &dyn Motion| order(level, &trial, parts, motion);
            cases.extend(on(&WITH_HEXAGONS[..2], &name, order));
        }
    }
    cases
}

/// The trial of a name.
pub(super) fn trial(name: &str) -> Result<Trial> {
    let found = trials().into_iter().find(|trial| trial.name == name);
    found.with_context(|| format!("there is no trial {name}"))
}

/// Order of convergence from n to m cells, `log(error on n cells / error on m cells) / log(m / n)`.
fn order(level: Setup, trial: &Trial, parts: [f64; 2], motion: &dyn Motion) -> Result<Outcome> {
    let [n, m] = parts.map(|part| (part * trial.cells as f64).round() as usize);
    let error = |cells| Ok::<f64, anyhow::Error>(trial.run(level, cells, motion)?.1);
    let order = (error(n)? / error(m)?).ln() / (m as f64 / n as f64).ln();
    let metric = format!("order of convergence from {n} to {m} cells");
    Ok(Row::at_least(level.case(&format!("{}-order", trial.name)), metric, order, ORDER).into())
}

/// Where a flow is steady, on finer cells the error is that of rounding, for pushes of less than half of what a float of the momentum
/// shows leave it as it is.
const COARSE: [f64; 2] = [0.125, 0.5];
/// The least order: the scheme's is 2, less where slopes are limited and along shores.
const ORDER: f64 = 1.5;

/// Along a line that is none of the grid's, η = 0.5.
const PLANAR: Planar = Planar { bowl: SWASHES_BOWL, swing: [0.4, 0.3] };

/// The shore begins at √0.8 of the bowl's radius.
const RADIAL: Radial = Radial { bowl: SWASHES_BOWL, start: 0.8 };

fn trials() -> [Trial; 9] {
    [
        Trial {
            name: "flow/stoker",
            title: "Dam break on a wet bed, after 6 s (Stoker)",
            limit: 0.0025,
            ..dam_break(0.001)
        },
        Trial {
            name: "flow/ritter",
            title: "Dam break on a dry bed, after 6 s (Ritter)",
            limit: 0.003,
            ..dam_break(0.0)
        },
        Trial {
            name: "flow/bump-subcritical",
            title: "Steady flow over a bump, subcritical",
            limit: 0.0002,
            smooth: Some(COARSE),
            ..bump(4.42, 2.0, Regime::Subcritical(2.0))
        },
        Trial {
            name: "flow/bump-transcritical",
            title: "Steady flow over a bump, subcritical to supercritical",
            limit: 0.001,
            ..bump(1.53, 0.66, Regime::Transcritical)
        },
        Trial {
            name: "flow/bump-shock",
            title: "Steady flow over a bump, with a hydraulic jump",
            limit: 0.003,
            // What goes to and fro behind the jump loses half in 30 s.
            times: vec![600.0],
            jump: Some(2),
            ..bump(0.18, 0.33, Regime::Shock(0.33))
        },
        Trial {
            name: "flow/thacker-planar",
            title: "Water swinging in a bowl, after 3 periods (Thacker, planar)",
            ..bowl(PLANAR, PLANAR.period())
        },
        Trial {
            name: "flow/thacker-radial",
            title: "Water swinging in a bowl, after 3 periods (Thacker, radial)",
            ..bowl(RADIAL, RADIAL.period())
        },
        Trial {
            name: "flow/macdonald-sub",
            title: "Steady flow with friction, subcritical (MacDonald)",
            ..macdonald(MacDonald::SUBCRITICAL)
        },
        Trial {
            name: "flow/macdonald-super",
            title: "Steady flow with friction, supercritical (MacDonald)",
            ..macdonald(MacDonald::SUPERCRITICAL)
        },
    ]
}

/// A dam in the middle of 10 m, before it 5 mm of water, and some (m) behind it.
fn dam_break(behind: f64) -> Trial {
    let exact = DamBreak::new(5.0, 0.005, behind);
    Trial { times: vec![6.0], typical_depth: 0.005, ..Trial::channel(exact, 10.0, 400) }
}

/// A channel with a bump, filled up to the depth `out` (m) of its end.
fn bump(discharge: f64, out: f64, regime: Regime) -> Trial {
    Trial {
        start: Start::Level(out),
        ends: Ends::Through { discharge, depth: out },
        typical_depth: out,
        // What goes to and fro between the ends loses two thirds in 15 s.
        times: vec![300.0],
        jump: Some(0),
        ..Trial::channel(Bump { discharge, regime }, 25.0, 200)
    }
}

/// A square around a bowl. It is measured half a period before the end too: after whole periods the
/// water is where it began, as if nothing had moved.
fn bowl(exact: impl Exact + 'static, period: f64) -> Trial {
    Trial {
        across: None,
        typical_depth: 0.1,
        times: vec![2.5 * period, 3.0 * period],
        limit: 0.03,
        smooth: Some([0.5, 2.0]),
        ..Trial::channel(exact, 4.0, 100)
    }
}

/// A channel of 1000 m that is dry at first.
fn macdonald(exact: MacDonald) -> Trial {
    let out = exact.depth([LENGTH, 0.0], 0.0);
    Trial {
        start: Start::Dry,
        ends: Ends::Through { discharge: exact.discharge, depth: out },
        manning: exact.manning,
        typical_depth: out,
        // The water is through after 6 minutes.
        times: vec![3000.0],
        limit: 0.001,
        view: View::Depth,
        ..Trial::channel(exact, LENGTH, 200)
    }
}
