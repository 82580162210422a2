//! `headwater verify`: how exact the models are. A case is a world with a known outcome; its rows hold
//! what was measured against a limit.

mod accuracy;
mod askew;
mod blocks;
mod boards;
mod books;
mod case;
mod columns;
mod exact;
mod fields;
mod films;
mod flood;
mod flow;
#[cfg(feature = "gpu")]
mod gpu;
mod hydrology;
mod isotropy;
mod levels;
mod motion;
mod oblique;
mod plot;
mod rest;
mod soil;
mod streams;
mod structures;
mod trial;
mod wave_trains;
mod waves;
mod work;

use crate::backend::Backend;
#[cfg(not(feature = "gpu"))]
use crate::backend::NO_GPU;
use crate::rows;
#[cfg(not(feature = "gpu"))]
use crate::usage::Usage;
use anyhow::Result;
use case::{Case, FROZEN, Outcome, Row, entries, on};
use motion::{Model, Motion, Work, agree};
use std::path::PathBuf;

/// What to verify, and what to make of it.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cases: rows::Cases,
    /// What computes the worlds. Cases that a GPU does not do are left out, and named.
    #[arg(long, value_enum, default_value_t = Backend::Cpu)]
    backend: Backend,
    /// Also the cases that take minutes.
    #[arg(long)]
    long: bool,
    /// Draw the computed water against the exact one, as SVG files in this directory.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

/// All cases. The longest come first, so that no thread is left with one of them at the end.
fn cases() -> Vec<Case> {
    let cases = [
        hydrology::cases(),
        rest::cases(),
        flow::cases(),
        books::cases(),
        accuracy::cases(),
        oblique::cases(),
        films::cases(),
        flood::cases(),
        askew::cases(),
        wave_trains::cases(),
        streams::cases(),
        soil::cases(),
        structures::cases(),
        isotropy::cases(),
        waves::cases(),
        blocks::cases(),
        columns::cases(),
    ];
    cases.into_iter().flatten().collect()
}

/// Runs the cases that are wanted; true if all rows pass.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let mut cases = cases();
    if args.long {
        cases.splice(0..0, hydrology::long_cases());
        cases.extend(books::long_cases());
    }
    let chosen = rows::choose(cases, &args.cases.cases, |case| &case.name)?;
    let motion: Box<dyn Motion> = match args.backend {
        Backend::Cpu => Box::new(Model),
        #[cfg(feature = "gpu")]
        Backend::Gpu => Box::new(gpu::OnGpu::new()?),
        #[cfg(not(feature = "gpu"))]
        Backend::Gpu => return Err(Usage(NO_GPU.into()).into()),
    };
    let mut table = rows::Table::new(args.cases.json, &["case", "metric", "value", "limit", ""]);
    if let Some(case) = chosen.first() {
        table.print_running_case(&case.name);
    }
    let (mut left_out, mut passes, mut drawings) = (0, true, Vec::new());
    work::in_order(
        &chosen,
        |case| (case.measure)(&*motion),
        |i, outcome| {
            let Outcome { rows, drawing } = match outcome {
                Err(error) if motion.leaves_out(&error) => {
                    eprintln!("note: {} is left out: {error}", chosen[i].name);
                    left_out += 1;
                    return Ok(());
                }
                outcome => outcome?,
            };
            for row in rows {
                let value = rows::figure(row.value);
                let limit = row.limit_text();
                table.row(&[&row.name, &row.metric, &value, &limit, row.verdict()], &row)?;
                passes &= row.pass;
            }
            drawings.extend(drawing);
            if let Some(case) = chosen.get(i + 1) {
                table.print_running_case(&case.name);
            }
            Ok(())
        },
    )?;
    table.finish();
    if let Some(folder) = &args.plots {
        plot::draw_all(&drawings, folder)?;
    }
    Ok(left_out < chosen.len() && passes)
}

#[cfg(test)]
mod tests {
    use super::motion::NEAR;
    use super::*;
    use headwater::flow::{Amount, Edit};
    use headwater::{Brush, Field, Region};
    use headwater::{blocks, columns};

    struct Frozen;

    impl Motion for Frozen {
        fn run(&self, _: Work) -> Result<()> {
            Ok(())
        }
    }

    /// Takes all the water away, and smooths all waves.
    struct Dry;

    impl Motion for Dry {
        fn is_exact(&self) -> bool {
            false
        }

        fn run(&self, work: Work) -> Result<()> {
            match work {
                Work::Steps(flow, ..) | Work::Until(flow, _) => {
                    let everywhere = Region::rect([-1e6, -1e6], [1e6, 1e6]);
                    let all = Edit::Remove(Amount::Depth(1e6));
                    flow.edit(&Brush::flat(everywhere), all).map(drop)?;
                }
                Work::Ripple(waves, _) | Work::Frame(waves, _) => {
                    let (nx, ny) = (waves.lattice().nx(), waves.lattice().ny());
                    waves.set_surface(&Field::new(nx, ny, 0.0))?;
                }
                Work::Ticks(blocks, _) => {
                    blocks.edit(&Region::Everywhere, blocks::Edit::Remove(256)).map(drop)?;
                }
                Work::Swing(columns, _) | Work::SwingFor(columns, _) => {
                    columns.edit(&Region::Everywhere, columns::Edit::Remove(1e9))?;
                }
                Work::Fall(..) | Work::Pour(..) => {}
            }
            Ok(())
        }
    }

    fn fails(case: &Case, motion: &dyn Motion) {
        let rows = (case.measure)(motion).unwrap().rows;
        let held = rows.iter().any(|row| row.limit.is_some());
        assert!(!held || rows.iter().any(|row| !row.pass), "{} passes: {rows:?}", case.name);
    }

    /// The same of many, side by side: a few of them take most of the time.
    fn all_fail(cases: &[Case], motion: &dyn Motion) {
        let work = |case: &Case| {
            fails(case, motion);
            Ok(())
        };
        work::in_order(cases, work, |_, one| one).unwrap();
    }

    #[test]
    fn every_case_fails_a_world_where_nothing_moves() {
        let all: Vec<_> = cases().into_iter().chain(hydrology::long_cases()).collect();
        all_fail(&all, &Frozen);
    }

    #[test]
    fn what_is_held_against_a_solution_fails_a_dry_world() {
        let in_side_view =
            ["blocks/u-tube", "blocks/deep", "columns/u-tube", "columns/joint", "columns/ceil"];
        let mut held = cases();
        held.retain(|case| in_side_view.iter().any(|start| case.name.starts_with(start)));
        let of_flow = cases().into_iter().filter(|case| case.name.starts_with("flow/"));
        let loose: Vec<_> = flow::cases().into_iter().chain(books::cases()).collect();
        held.extend(of_flow.filter(|case| loose.iter().all(|other| other.name != case.name)));
        all_fail(&held, &Dry);
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
        let row = |limit: Option<f64>| Row::at_most("flow/x", "m", 2.0, limit);
        assert!(row(None).pass && row(Some(2.0)).pass && !row(Some(1.0)).pass);
        assert_eq!(row(None).limit_text(), "-");
        assert!(serde_json::to_string(&row(None)).unwrap().contains(r#""limit":null"#));
        let least = |limit| Row::at_least("flow/x", "order", 1.7, limit);
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
