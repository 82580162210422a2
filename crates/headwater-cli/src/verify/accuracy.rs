//! The cases with exact solutions: dam breaks, bumps, bowls and channels, set up as in SWASHES.

use super::exact::{Bowl, Bump, LENGTH, MacDonald, Planar, Radial, Regime, Ritter, Stoker};
use super::levels::LEVELS;
use super::plot::View;
use super::trial::{Ends, Start, Trial};
use super::{Case, Motion, Outcome, Row};
use anyhow::Result;

const TRIALS: [fn() -> Trial; 9] = [
    stoker,
    ritter,
    bump_subcritical,
    bump_transcritical,
    bump_shock,
    thacker_planar,
    thacker_radial,
    macdonald_sub,
    macdonald_super,
];

/// Where the solution is smooth, and the error must fall with the cells as the scheme's order has it.
const ORDERS: [(&str, fn() -> Trial); 3] = [
    ("flow/bump-subcritical-order", bump_subcritical),
    ("flow/thacker-planar-order", thacker_planar),
    ("flow/thacker-radial-order", thacker_radial),
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for trial in TRIALS {
        for level in LEVELS {
            let measure = move |motion: &dyn Motion| trial().measure(level, motion);
            cases.push(Case::new(level.case(trial().name), measure));
        }
    }
    for (name, trial) in ORDERS {
        cases.push(Case::new(name, move |motion| order(name, &trial(), motion)));
    }
    cases
}

/// Order of convergence, `log(error on N/2 cells / error on 2N cells) / log 4`.
fn order(name: &str, trial: &Trial, motion: &dyn Motion) -> Result<Outcome> {
    let error = |cells| Ok::<f64, anyhow::Error>(trial.run(LEVELS[0], cells, motion)?.1);
    let order = (error(trial.cells / 2)? / error(2 * trial.cells)?).ln() / 4.0_f64.ln();
    let metric = "order of convergence from N/2 to 2N cells";
    Ok(Row::at_least(name, metric, order, ORDER).into())
}

/// The least order: the scheme's is 2, less where slopes are limited and along shores.
const ORDER: f64 = 1.5;

fn stoker() -> Trial {
    Trial {
        name: "flow/stoker",
        title: "Dam break on a wet bed, after 6 s (Stoker)",
        times: vec![6.0],
        typical_depth: 0.005,
        limit: 0.0025,
        ..Trial::channel(Stoker { dam: 5.0, before: 0.005, behind: 0.001 }, 10.0, 400)
    }
}

fn ritter() -> Trial {
    Trial {
        name: "flow/ritter",
        title: "Dam break on a dry bed, after 6 s (Ritter)",
        times: vec![6.0],
        typical_depth: 0.005,
        limit: 0.003,
        ..Trial::channel(Ritter { dam: 5.0, before: 0.005 }, 10.0, 400)
    }
}

fn bump_subcritical() -> Trial {
    Trial {
        name: "flow/bump-subcritical",
        title: "Steady flow over a bump, subcritical",
        limit: 0.0002,
        // What goes to and fro between the ends loses two thirds in 15 s.
        times: vec![300.0],
        ..bump(4.42, 2.0, Regime::Subcritical(2.0))
    }
}

fn bump_transcritical() -> Trial {
    Trial {
        name: "flow/bump-transcritical",
        title: "Steady flow over a bump, subcritical to supercritical",
        limit: 0.001,
        times: vec![300.0],
        ..bump(1.53, 0.66, Regime::Transcritical)
    }
}

fn bump_shock() -> Trial {
    Trial {
        name: "flow/bump-shock",
        title: "Steady flow over a bump, with a hydraulic jump",
        limit: 0.003,
        // What goes to and fro behind the jump loses half in 30 s.
        times: vec![600.0],
        jump: Some(2),
        ..bump(0.18, 0.33, Regime::Shock(0.33))
    }
}

/// A channel with a bump, filled up to the depth `out` (m) of its end.
fn bump(discharge: f64, out: f64, regime: Regime) -> Trial {
    Trial {
        start: Start::Level(out),
        ends: Ends::Through { discharge, depth: out },
        typical_depth: out,
        jump: Some(0),
        ..Trial::channel(Bump { discharge, regime }, 25.0, 200)
    }
}

/// SWASHES' bowl.
const BOWL: Bowl = Bowl { middle: [2.0, 2.0], depth: 0.1, radius: 1.0 };

fn thacker_planar() -> Trial {
    // η = 0.5, along a line that is none of the grid's.
    let exact = Planar { bowl: BOWL, swing: [0.4, 0.3] };
    Trial {
        name: "flow/thacker-planar",
        title: "Water swinging in a bowl, after 3 periods (Thacker, planar)",
        times: [2.5, 3.0].map(|periods| periods * exact.period()).into(),
        ..bowl(exact)
    }
}

fn thacker_radial() -> Trial {
    let exact = Radial { bowl: BOWL, start: 0.8 };
    Trial {
        name: "flow/thacker-radial",
        title: "Water swinging in a bowl, after 3 periods (Thacker, radial)",
        times: [2.5, 3.0].map(|periods| periods * exact.period()).into(),
        ..bowl(exact)
    }
}

/// A square around a bowl. It is measured half a period before the end too: after whole periods the
/// water is where it began, as if nothing had moved.
fn bowl(exact: impl super::exact::Exact + 'static) -> Trial {
    Trial { across: None, typical_depth: 0.1, limit: 0.03, ..Trial::channel(exact, 4.0, 100) }
}

fn macdonald_sub() -> Trial {
    Trial {
        name: "flow/macdonald-sub",
        title: "Steady flow with friction, subcritical (MacDonald)",
        ..macdonald(MacDonald::SUBCRITICAL)
    }
}

fn macdonald_super() -> Trial {
    Trial {
        name: "flow/macdonald-super",
        title: "Steady flow with friction, supercritical (MacDonald)",
        ..macdonald(MacDonald::SUPERCRITICAL)
    }
}

/// A channel of 1000 m that is dry at first.
fn macdonald(exact: MacDonald) -> Trial {
    use super::exact::Exact as _;
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
