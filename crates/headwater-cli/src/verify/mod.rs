//! `headwater verify`: how exact the models are. A case is a world with a known outcome; its rows hold
//! what was measured against a limit.

mod accuracy;
mod blocks;
mod columns;
mod exact;
mod films;
mod flow;
mod gpu;
mod hydrology;
mod isotropy;
mod levels;
mod noise;
mod plot;
mod rest;
mod structures;
mod trial;
mod waves;
mod work;

use crate::rows;
use crate::run::Backend;
use anyhow::Result;
use headwater::Field;
use headwater::blocks::Blocks;
use headwater::columns::Columns;
use headwater::flow::Flow;
use headwater::hydrology::Hydrology;
use headwater::waves::Waves;
use plot::{Profile, Ring};
use serde::Serialize;
use std::borrow::Cow;
use std::path::PathBuf;

/// What to verify, and what to make of it.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cases: crate::Cases,
    /// What computes the worlds. Cases that a GPU does not do are left out, and named.
    #[arg(long, value_enum, default_value_t = Backend::Cpu)]
    backend: Backend,
    /// Draw the computed water against the exact one, as PNG files in this directory.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

/// One measured figure.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    /// `model/case`; `model/case@level` on another level of physics than the case's own,
    /// `model/case@hex-level` on hexagons.
    name: String,
    /// What was measured, and its unit.
    metric: Cow<'static, str>,
    /// The figure.
    value: f64,
    /// How far it may go; `None` if it is there for comparison only.
    limit: Option<f64>,
    /// Whether the limit is a lower one.
    #[serde(skip)]
    at_least: bool,
    /// Whether the figure keeps the limit.
    pass: bool,
}

impl Row {
    /// A row that passes if `value ≤ limit`, or if there is no limit.
    fn new(
        name: String,
        metric: impl Into<Cow<'static, str>>,
        value: f64,
        limit: Option<f64>,
    ) -> Self {
        let pass = limit.is_none_or(|limit| value <= limit);
        Self { name, metric: metric.into(), value, limit, at_least: false, pass }
    }

    /// A row that passes if `value ≤ limit`.
    fn at_most(name: String, metric: impl Into<Cow<'static, str>>, value: f64, limit: f64) -> Self {
        Self::new(name, metric, value, Some(limit))
    }

    /// A row that passes if `value ≥ limit`.
    fn at_least(name: String, metric: &'static str, value: f64, limit: f64) -> Self {
        Self {
            name,
            metric: metric.into(),
            value,
            limit: Some(limit),
            at_least: true,
            pass: value >= limit,
        }
    }

    /// The limit, for people.
    fn limit_text(&self) -> String {
        let sign = if self.at_least { "≥" } else { "≤" };
        self.limit.map_or("-".into(), |limit| format!("{sign} {}", rows::figure(limit)))
    }

    fn verdict(&self) -> &'static str {
        match self.limit {
            None => "",
            Some(_) if self.pass => "pass",
            Some(_) => "FAIL",
        }
    }
}

/// A figure that no limit admits, for a world that did not move at all.
const FROZEN: f64 = f64::INFINITY;

/// What a case finds.
struct Outcome {
    rows: Vec<Row>,
    /// For the plots.
    profile: Option<Profile>,
    /// Likewise.
    ring: Option<Ring>,
}

impl From<Vec<Row>> for Outcome {
    fn from(rows: Vec<Row>) -> Self {
        Self { rows, profile: None, ring: None }
    }
}

impl From<Row> for Outcome {
    fn from(row: Row) -> Self {
        Self { rows: vec![row], profile: None, ring: None }
    }
}

/// Moves a world. The cases know no other way, so that a test can hand them one that moves
/// nothing, and see them fail.
trait Motion: Sync {
    /// How many steps it does of a run that only has to be long: all, if it can do so in minutes.
    fn long(&self, steps: u64) -> u64 {
        steps
    }

    /// Whether its steps are those of the plain loops in every bit. Devices may divide less exactly, and lose the
    /// signs of zeros.
    fn is_exact(&self) -> bool {
        true
    }

    /// Moves it by a number of steps of `dt` seconds.
    fn steps(&self, flow: &mut Flow, steps: u64, dt: f64) -> Result<()>;

    /// Moves it to a time (s) after its start, in steps as long as they may be.
    fn until(&self, flow: &mut Flow, time: f64) -> Result<()>;

    /// Moves waves by a number of steps.
    fn ripple(&self, waves: &mut Waves, steps: u64) -> Result<()>;

    /// Moves waves by the time of a frame (s).
    fn frame(&self, waves: &mut Waves, seconds: f64) -> Result<()>;

    /// Moves a block world by a number of ticks.
    fn ticks(&self, blocks: &mut Blocks, ticks: u64) -> Result<()>;

    /// Moves pools by a number of steps.
    fn swing(&self, columns: &mut Columns, steps: u64) -> Result<()>;

    /// Moves pools by the time of a frame (s).
    fn swing_for(&self, columns: &mut Columns, seconds: f64) -> Result<()>;

    /// Lets drops fall on a land.
    fn fall(&self, land: &mut Hydrology, drops: u64) -> Result<()>;

    /// Pours a volume (m³) at a place (m) of a land.
    fn pour(&self, land: &mut Hydrology, place: [f64; 2], volume: f64) -> Result<()>;
}

/// How far what a device has moved may be from what the plain loops have, over the greatest value.
const NEAR: f32 = 1e-4;

/// True if a motion has come to what the plain loops have come to, as nearly as it can: two hashes, and two fields.
fn agree(motion: &dyn Motion, hashes: [u64; 2], [found, plain]: [&Field<f32>; 2]) -> bool {
    if motion.is_exact() {
        return hashes[0] == hashes[1];
    }
    let pairs = || found.as_slice().iter().zip(plain.as_slice());
    let greatest = pairs().fold(0.0, |most: f32, (_, plain)| most.max(plain.abs()));
    pairs().all(|(found, plain)| (found - plain).abs() <= NEAR * greatest)
}

/// The model itself.
struct Model;

impl Motion for Model {
    fn steps(&self, flow: &mut Flow, steps: u64, dt: f64) -> Result<()> {
        (0..steps).try_for_each(|_| Ok(flow.step(dt)?))
    }

    fn until(&self, flow: &mut Flow, time: f64) -> Result<()> {
        while flow.step_toward(time)? {}
        Ok(())
    }

    fn ripple(&self, waves: &mut Waves, steps: u64) -> Result<()> {
        (0..steps).for_each(|_| waves.step());
        Ok(())
    }

    fn frame(&self, waves: &mut Waves, seconds: f64) -> Result<()> {
        waves.advance(seconds)?;
        Ok(())
    }

    fn ticks(&self, blocks: &mut Blocks, ticks: u64) -> Result<()> {
        (0..ticks).for_each(|_| blocks.step());
        Ok(())
    }

    fn swing(&self, columns: &mut Columns, steps: u64) -> Result<()> {
        (0..steps).for_each(|_| columns.step());
        Ok(())
    }

    fn swing_for(&self, columns: &mut Columns, seconds: f64) -> Result<()> {
        columns.advance(seconds)?;
        Ok(())
    }

    fn fall(&self, land: &mut Hydrology, drops: u64) -> Result<()> {
        land.rain(drops);
        Ok(())
    }

    fn pour(&self, land: &mut Hydrology, place: [f64; 2], volume: f64) -> Result<()> {
        Ok(land.pour(place, volume)?)
    }
}

/// A case: its name and how to measure it.
struct Case {
    name: String,
    measure: Measure,
}

type Measure = Box<dyn Fn(&dyn Motion) -> Result<Outcome> + Send + Sync>;

impl Case {
    fn new(
        name: String,
        measure: impl Fn(&dyn Motion) -> Result<Outcome> + Send + Sync + 'static,
    ) -> Self {
        Self { name, measure: Box::new(measure) }
    }
}

/// All cases. The longest come first, so that no thread is left with one of them at the end.
fn cases() -> Vec<Case> {
    [
        hydrology::cases(),
        rest::cases(),
        flow::cases(),
        accuracy::cases(),
        films::cases(),
        structures::cases(),
        isotropy::cases(),
        waves::cases(),
        blocks::cases(),
        columns::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Runs the cases that are wanted; true if all rows pass.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let chosen = rows::choose(cases(), &args.cases.cases, |case| &case.name)?;
    let (mut all, mut profiles, mut rings) = (Vec::new(), Vec::new(), Vec::new());
    let table = rows::Table::new(args.cases.json, &["case", "metric", "value", "limit", ""]);
    if let Some(case) = chosen.first() {
        table.working_on(&case.name);
    }
    let motion: Box<dyn Motion> = match args.backend {
        Backend::Cpu => Box::new(Model),
        Backend::Gpu => Box::new(gpu::OnGpu::new()?),
    };
    let mut left_out = 0;
    work::in_order(
        &chosen,
        |case| (case.measure)(&*motion),
        |i, outcome| {
            let Outcome { rows, profile, ring } = match outcome {
                Err(error) if gpu::is_not_done(&error) => {
                    eprintln!("note: {} is left out: {error}", chosen[i].name);
                    left_out += 1;
                    return Ok(());
                }
                outcome => outcome?,
            };
            for row in rows {
                let value = rows::figure(row.value);
                table.row(&[&row.name, &row.metric, &value, &row.limit_text(), row.verdict()]);
                all.push(row);
            }
            profiles.extend(profile);
            rings.extend(ring);
            if let Some(case) = chosen.get(i + 1) {
                table.working_on(&case.name);
            }
            Ok(())
        },
    )?;
    table.finish(&all)?;
    if let Some(folder) = &args.plots {
        plot::draw_all(&profiles, folder)?;
        plot::draw_rings(&rings, folder)?;
    }
    Ok(left_out < chosen.len() && all.iter().all(|row| row.pass))
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::flow::{Amount, Edit};
    use headwater::{Brush, Region};

    struct Frozen;

    impl Motion for Frozen {
        fn steps(&self, _: &mut Flow, _: u64, _: f64) -> Result<()> {
            Ok(())
        }

        fn until(&self, _: &mut Flow, _: f64) -> Result<()> {
            Ok(())
        }

        fn ripple(&self, _: &mut Waves, _: u64) -> Result<()> {
            Ok(())
        }

        fn frame(&self, _: &mut Waves, _: f64) -> Result<()> {
            Ok(())
        }

        fn ticks(&self, _: &mut Blocks, _: u64) -> Result<()> {
            Ok(())
        }

        fn swing(&self, _: &mut Columns, _: u64) -> Result<()> {
            Ok(())
        }

        fn swing_for(&self, _: &mut Columns, _: f64) -> Result<()> {
            Ok(())
        }

        fn fall(&self, _: &mut Hydrology, _: u64) -> Result<()> {
            Ok(())
        }

        fn pour(&self, _: &mut Hydrology, _: [f64; 2], _: f64) -> Result<()> {
            Ok(())
        }
    }

    /// Takes all the water away, and smooths all waves.
    struct Dry;

    impl Motion for Dry {
        fn is_exact(&self) -> bool {
            false
        }

        fn steps(&self, flow: &mut Flow, _: u64, _: f64) -> Result<()> {
            let everywhere = Region::rect([-1e6, -1e6], [1e6, 1e6]);
            flow.edit(&Brush::flat(everywhere), Edit::Remove(Amount::Depth(1e6)))?;
            Ok(())
        }

        fn until(&self, flow: &mut Flow, _: f64) -> Result<()> {
            self.steps(flow, 0, 0.0)
        }

        fn ripple(&self, waves: &mut Waves, _: u64) -> Result<()> {
            let (nx, ny) = (waves.lattice().nx(), waves.lattice().ny());
            Ok(waves.set_surface(&Field::new(nx, ny, 0.0))?)
        }

        fn frame(&self, waves: &mut Waves, _: f64) -> Result<()> {
            self.ripple(waves, 0)
        }

        fn ticks(&self, blocks: &mut Blocks, _: u64) -> Result<()> {
            blocks.edit(&Region::Everywhere, headwater::blocks::Edit::Remove(256))?;
            Ok(())
        }

        fn swing(&self, columns: &mut Columns, _: u64) -> Result<()> {
            Ok(columns.edit(&Region::Everywhere, headwater::columns::Edit::Remove(1e9))?)
        }

        fn swing_for(&self, columns: &mut Columns, _: f64) -> Result<()> {
            self.swing(columns, 0)
        }

        fn fall(&self, _: &mut Hydrology, _: u64) -> Result<()> {
            Ok(())
        }

        fn pour(&self, _: &mut Hydrology, _: [f64; 2], _: f64) -> Result<()> {
            Ok(())
        }
    }

    fn fails(case: &Case, motion: &dyn Motion) {
        let rows = (case.measure)(motion).unwrap().rows;
        let held = rows.iter().any(|row| row.limit.is_some());
        assert!(!held || rows.iter().any(|row| !row.pass), "{} passes: {rows:?}", case.name);
    }

    #[test]
    fn every_case_fails_a_world_where_nothing_moves() {
        for case in cases() {
            fails(&case, &Frozen);
        }
    }

    #[test]
    fn what_is_held_against_a_solution_fails_a_dry_world() {
        let held = [
            rest::cases(),
            accuracy::cases(),
            films::cases(),
            structures::cases(),
            blocks::vessels(),
            isotropy::cases(),
            columns::vessels(),
        ];
        for case in held.into_iter().flatten() {
            fails(&case, &Dry);
        }
    }

    #[test]
    fn the_plain_loops_agree_in_every_bit() {
        let field = |value| Field::new(3, 2, value);
        let (one, near) = (field(1.0), field(1.0 + 0.5 * NEAR));
        assert!(agree(&Frozen, [1, 1], [&one, &one]));
        assert!(!agree(&Frozen, [1, 2], [&one, &one]));
        assert!(agree(&Dry, [1, 2], [&near, &one]));
        assert!(!agree(&Dry, [1, 1], [&field(1.0 + 2.0 * NEAR), &one]));
        assert!(!agree(&Dry, [1, 1], [&field(f32::NAN), &one]));
    }

    #[test]
    fn rows_without_a_limit_do_not_fail() {
        let row = |limit| Row::new("flow/x".into(), "m", 2.0, limit);
        assert!(row(None).pass && row(Some(2.0)).pass && !row(Some(1.0)).pass);
        assert_eq!(row(None).limit_text(), "-");
        assert!(serde_json::to_string(&row(None)).unwrap().contains(r#""limit":null"#));
        let least = |limit| Row::at_least("flow/x".into(), "order", 1.7, limit);
        assert!(least(1.5).pass && !least(1.8).pass && least(1.5).limit_text().starts_with('≥'));
    }

    #[test]
    fn every_case_has_a_name_of_its_own() {
        let mut names: Vec<String> = cases().into_iter().map(|case| case.name).collect();
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    }
}
