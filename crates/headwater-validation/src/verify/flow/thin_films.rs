//! Test cases for thin films of runoff on smooth and rough steep planes. The films are compared
//! with normal flow.

use super::benchmark::{Benchmark, ChannelEnds, InitialWater};
use super::levels::{Setup, WITH_HEXAGONS};
use crate::verify::exact::Film;
use crate::verify::plot::PlottedQuantity;
use crate::verify::{Case, Outcome, Stepper, cases_for_setups};
use anyhow::Result;

/// Manning's roughness coefficient of the plane (s/m^⅓), as for short grass.
const MANNING: f64 = 0.03;

/// Depths of the films (m).
const DEPTHS: [f64; 2] = [0.01, 0.02];

/// Test case for films on planes with the given slopes. If `rough` is true, the bed has random
/// noise of 1 cm.
struct Hillside {
    name: &'static str,
    title: &'static str,
    slopes: &'static [f64],
    rough: bool,
}

impl Hillside {
    const fn on_smooth_planes(
        name: &'static str,
        title: &'static str,
        slopes: &'static [f64],
    ) -> Self {
        Self { name, title, slopes, rough: false }
    }
}

const HILLSIDES: [Hillside; 3] = [
    Hillside::on_smooth_planes(
        "flow/film-5",
        "Film of 2 cm on a plane with a slope of 5 %",
        &[0.05],
    ),
    Hillside::on_smooth_planes(
        "flow/film-30",
        "Film of 2 cm on a plane with a slope of 30 %",
        &[0.3],
    ),
    Hillside {
        rough: true,
        ..Hillside::on_smooth_planes(
            "flow/film-rough",
            "Film of 2 cm on a rough plane with a slope of 30 %",
            &[0.05, 0.3],
        )
    },
];

pub(in crate::verify) fn cases() -> Vec<Case> {
    let case = |hillside: &'static Hillside| {
        cases_for_setups(&WITH_HEXAGONS, hillside.name, move |setup, stepper| {
            measure_hillside(hillside, setup, stepper)
        })
    };
    HILLSIDES.iter().flat_map(case).collect()
}

/// Measured section (m from the top of the plane). It lies beyond the entrance region and is not
/// influenced by the outlet.
const MEASURED_SECTION: [f64; 2] = [30.0, 90.0];

fn measure_hillside(hillside: &Hillside, setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut depth, mut speed, mut profile) = (0.0_f64, 0.0_f64, None);
    for &slope in hillside.slopes {
        for thickness in DEPTHS {
            let film =
                Film { slope, depth: thickness, manning: MANNING, foot_x: MEASURED_SECTION[1] };
            let benchmark = hillside.benchmark(film);
            let (flow, _) = benchmark.run(setup, benchmark.cells, stepper)?;
            let error = |normal: f64, of: &dyn Fn(usize, usize) -> f32| {
                let deviation = |(x, y)| f64::from(of(x, y)) / normal - 1.0;
                let cells = benchmark.measured_cells(&flow).map(|(cell, _)| deviation(cell));
                hillside.combined_error(cells)
            };
            depth = depth.max(error(film.depth, &|x, y| flow.state().depth[(x, y)]));
            speed = speed.max(error(film.velocity(), &|x, y| flow.velocity(x, y)[0]));
            profile = (!setup.hex).then(|| benchmark.profile(setup, &flow, depth));
        }
    }
    // Relative errors of depth and velocity against normal flow.
    let (of, limit) = if hillside.rough { ("error of mean", 0.1) } else { ("L1 error of", 0.02) };
    let speed_name = format!("{}-speed", hillside.name);
    let rows = vec![
        setup.row_with_default_limit(hillside.name, format!("relative {of} depth"), depth, limit),
        setup.row_with_default_limit(&speed_name, format!("relative {of} velocity"), speed, limit),
    ];
    Ok(Outcome { rows, drawing: profile })
}

impl Hillside {
    /// Returns the benchmark of an initially dry plane of 100 m with cells of 1 m. The discharge of
    /// the film is the inflow at the top.
    fn benchmark(&self, film: Film) -> Benchmark {
        let length = 100.0;
        Benchmark {
            name: self.name,
            title: self.title,
            initial_water: InitialWater::Dry,
            ends: ChannelEnds::Through { discharge: film.discharge(), depth: film.depth },
            manning: film.manning,
            typical_depth: film.depth,
            rows: Some(if self.rough { 24 } else { 3 }),
            noise: if self.rough { 0.01 } else { 0.0 },
            measured_section: MEASURED_SECTION,
            times: vec![4.0 * length / film.velocity()],
            view: PlottedQuantity::Depth,
            ..Benchmark::channel(film, length, 100)
        }
    }

    /// Combines the relative errors of the cells into one value. On smooth planes, returns the mean
    /// of their absolute values. On rough planes, where depths vary between cells, returns the
    /// absolute value of their mean.
    fn combined_error(&self, errors: impl Iterator<Item = f64>) -> f64 {
        let errors: Vec<f64> =
            errors.map(|error| if self.rough { error } else { error.abs() }).collect();
        (errors.iter().sum::<f64>() / errors.len() as f64).abs()
    }
}
