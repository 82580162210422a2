//! Thin films on steep planes, even and rough: rain's way down a hillside. Measured against normal flow.

use super::exact::Film;
use super::levels::{Setup, WITH_HEXAGONS};
use super::plot::View;
use super::trial::{Ends, Start, Trial};
use super::{Case, Motion, Outcome, on};
use anyhow::Result;

/// Manning's n of the plane (s/m^⅓): short grass.
const MANNING: f64 = 0.03;

/// Depths of the films (m).
const DEPTHS: [f64; 2] = [0.01, 0.02];

/// A case: its name, the slopes of its planes, and whether there is noise of a centimetre on them.
struct Hillside {
    name: &'static str,
    title: &'static str,
    slopes: &'static [f64],
    rough: bool,
}

impl Hillside {
    const fn even(name: &'static str, title: &'static str, slopes: &'static [f64]) -> Self {
        Self { name, title, slopes, rough: false }
    }
}

const HILLSIDES: [Hillside; 3] = [
    Hillside::even("flow/film-5", "A film of 2 cm down a plane of 5 %", &[0.05]),
    Hillside::even("flow/film-30", "A film of 2 cm down a plane of 30 %", &[0.3]),
    Hillside {
        rough: true,
        ..Hillside::even(
            "flow/film-rough",
            "A film of 2 cm down a rough plane of 30 %",
            &[0.05, 0.3],
        )
    },
];

pub(super) fn cases() -> Vec<Case> {
    let case = |hillside: &'static Hillside| {
        on(&WITH_HEXAGONS, hillside.name, move |level, motion| measure(hillside, level, motion))
    };
    HILLSIDES.iter().flat_map(case).collect()
}

/// Where the films are measured (m): after they have settled, and before they can feel the end.
const MEASURED: [f64; 2] = [30.0, 90.0];

fn measure(hillside: &Hillside, level: Setup, motion: &dyn Motion) -> Result<Outcome> {
    let (mut depth, mut speed, mut profile) = (0.0_f64, 0.0_f64, None);
    for &slope in hillside.slopes {
        for thickness in DEPTHS {
            let film = Film { slope, depth: thickness, manning: MANNING, foot: MEASURED[1] };
            let trial = hillside.trial(film);
            let (flow, _) = trial.run(level, trial.cells, motion)?;
            let off = |normal: f64, of: &dyn Fn(usize, usize) -> f32| {
                let off = |(x, y)| f64::from(of(x, y)) / normal - 1.0;
                let cells = trial.measured_cells(&flow).map(|(cell, _)| off(cell));
                hillside.error(cells)
            };
            depth = depth.max(off(film.depth, &|x, y| flow.state().depth[(x, y)]));
            speed = speed.max(off(film.velocity(), &|x, y| flow.velocity(x, y)[0]));
            profile = (!level.hex).then(|| trial.profile(level, &flow, depth));
        }
    }
    // How far depth and velocity may be from normal flow, as a part of it.
    let (of, limit) = if hillside.rough { ("error of mean", 0.1) } else { ("L1 error of", 0.02) };
    let speed_name = format!("{}-speed", hillside.name);
    let rows = vec![
        level.gated(hillside.name, format!("relative {of} depth"), depth, limit),
        level.gated(&speed_name, format!("relative {of} velocity"), speed, limit),
    ];
    Ok(Outcome { rows, drawing: profile })
}

impl Hillside {
    /// A dry plane of 100 m in cells of 1 m, with the film's discharge coming in at the top.
    fn trial(&self, film: Film) -> Trial {
        let length = 100.0;
        Trial {
            name: self.name,
            title: self.title,
            start: Start::Dry,
            ends: Ends::Through { discharge: film.discharge(), depth: film.depth },
            manning: film.manning,
            typical_depth: film.depth,
            across: Some(if self.rough { 24 } else { 3 }),
            noise: if self.rough { 0.01 } else { 0.0 },
            measured: MEASURED,
            times: vec![4.0 * length / film.velocity()],
            view: View::Depth,
            ..Trial::channel(film, length, 100)
        }
    }

    /// What to make of the cells' errors. On an even plane each cell counts; on a rough one the depths
    /// differ from cell to cell by their nature, and their mean counts.
    fn error(&self, off: impl Iterator<Item = f64>) -> f64 {
        let off: Vec<f64> = off.map(|off| if self.rough { off } else { off.abs() }).collect();
        (off.iter().sum::<f64>() / off.len() as f64).abs()
    }
}
