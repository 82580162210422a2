//! Command `verify`, which measures the accuracy of the models. A verification case simulates a
//! world with a known outcome. It reports one or more measured values, each as a row with a limit.

mod blocks;
mod boards;
mod case;
mod columns;
mod exact;
mod flow;
#[cfg(feature = "gpu")]
mod gpu;
mod hydrology;
mod norms;
mod parallel;
mod plot;
mod stepper;
mod waves;

use crate::rows;
use anyhow::Result;
use case::{Case, FROZEN, Outcome, Row, cases_for_setups, named_cases};
use headwater_cli::backend::Backend;
#[cfg(not(feature = "gpu"))]
use headwater_cli::backend::NO_GPU;
#[cfg(not(feature = "gpu"))]
use headwater_cli::usage::UserError;
use std::path::PathBuf;
use stepper::{CpuStepper, Stepper, Task, matches_reference};

/// Arguments of `headwater-validation verify`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cases: rows::CaseSelection,
    /// Backend that steps the worlds. Cases unsupported on the GPU are skipped and named.
    #[arg(long, value_enum, default_value_t = Backend::Cpu)]
    backend: Backend,
    /// Include the cases that take minutes.
    #[arg(long)]
    long: bool,
    /// Plot computed and exact solutions as SVG files in this directory.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

/// Returns all cases, the longest ones first, so that no thread is still busy with a long case at
/// the end.
fn cases() -> Vec<Case> {
    let cases = [
        hydrology::cases(),
        flow::rest::cases(),
        flow::cases(),
        flow::mass_balance::cases(),
        flow::accuracy::cases(),
        flow::oblique::cases(),
        flow::thin_films::cases(),
        flow::flood::cases(),
        flow::oblique_channels::cases(),
        flow::wave_trains::cases(),
        flow::streams::cases(),
        flow::soil::cases(),
        flow::structures::cases(),
        flow::isotropy::cases(),
        waves::cases(),
        blocks::cases(),
        columns::cases(),
    ];
    cases.into_iter().flatten().collect()
}

/// Runs the selected cases. Returns true if all rows are within their limits.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let mut cases = cases();
    if args.long {
        cases.splice(0..0, hydrology::long_cases());
        cases.extend(flow::mass_balance::long_cases());
    }
    let chosen = rows::select_cases(cases, &args.cases.cases, |case| &case.name)?;
    let stepper: Box<dyn Stepper> = match args.backend {
        Backend::Cpu => Box::new(CpuStepper),
        #[cfg(feature = "gpu")]
        Backend::Gpu => Box::new(gpu::GpuStepper::new()?),
        #[cfg(not(feature = "gpu"))]
        Backend::Gpu => return Err(UserError(NO_GPU.into()).into()),
    };
    let mut table = rows::Table::new(args.cases.json, &["case", "metric", "value", "limit", ""]);
    if let Some(case) = chosen.first() {
        table.print_running_case(&case.name);
    }
    let (mut skipped, mut passes, mut drawings) = (0, true, Vec::new());
    parallel::map_in_order(
        &chosen,
        |case| (case.measure)(&*stepper),
        |i, outcome| {
            let Outcome { rows, drawing } = match outcome {
                Err(error) if stepper.is_unsupported(&error) => {
                    eprintln!("note: {} is skipped: {error}", chosen[i].name);
                    skipped += 1;
                    return Ok(());
                }
                outcome => outcome?,
            };
            for row in rows {
                let value = headwater_cli::screen::format_number(row.value);
                let limit = row.format_limit();
                table.print_row(&[&row.name, &row.metric, &value, &limit, row.verdict()], &row)?;
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
    Ok(skipped < chosen.len() && passes)
}

#[cfg(test)]
mod tests {
    use super::stepper::TOLERANCE;
    use super::*;
    use headwater::flow::{Amount, Edit};
    use headwater::{Brush, Field, Region};
    use headwater::{blocks, columns};

    struct FrozenStepper;

    impl Stepper for FrozenStepper {
        fn run(&self, _: Task) -> Result<()> {
            Ok(())
        }
    }

    /// Faulty stepper for tests: it removes all water and flattens all waves.
    struct DryStepper;

    impl Stepper for DryStepper {
        fn is_exact(&self) -> bool {
            false
        }

        fn run(&self, task: Task) -> Result<()> {
            match task {
                Task::Flow(flow, ..) | Task::FlowUntil(flow, _) => {
                    let everywhere = Region::rect([-1e6, -1e6], [1e6, 1e6]);
                    let all = Edit::Remove(Amount::Depth(1e6));
                    flow.edit(&Brush::with_flat_falloff(everywhere), all).map(drop)?;
                }
                Task::Waves(waves, _) | Task::WavesFrame(waves, _) => {
                    let (nx, ny) = (waves.lattice().nx(), waves.lattice().ny());
                    waves.set_surface(&Field::new(nx, ny, 0.0))?;
                }
                Task::Blocks(blocks, _) => {
                    blocks.edit(&Region::Everywhere, blocks::Edit::Remove(256)).map(drop)?;
                }
                Task::Columns(columns, _) | Task::ColumnsFrame(columns, _) => {
                    columns.edit(&Region::Everywhere, columns::Edit::Remove(1e9))?;
                }
                Task::Rain(..) | Task::AddWater(..) => {}
            }
            Ok(())
        }
    }

    fn assert_case_fails(case: &Case, stepper: &dyn Stepper) {
        let rows = (case.measure)(stepper).unwrap().rows;
        let with_solution = rows.iter().any(|row| row.limit.is_some());
        assert!(
            !with_solution || rows.iter().any(|row| !row.pass),
            "{} passes: {rows:?}",
            case.name
        );
    }

    /// Asserts that all cases fail with `stepper`. The cases run in parallel, because a few of them
    /// take most of the time.
    fn assert_all_cases_fail(cases: &[Case], stepper: &dyn Stepper) {
        let work = |case: &Case| {
            assert_case_fails(case, stepper);
            Ok(())
        };
        parallel::map_in_order(cases, work, |_, one| one).unwrap();
    }

    #[test]
    fn all_cases_fail_when_nothing_moves() {
        let all: Vec<_> = cases().into_iter().chain(hydrology::long_cases()).collect();
        assert_all_cases_fail(&all, &FrozenStepper);
    }

    #[test]
    fn cases_with_exact_solutions_fail_for_dry_worlds() {
        let in_side_view =
            ["blocks/u-tube", "blocks/deep", "columns/u-tube", "columns/joint", "columns/ceil"];
        let mut with_solution = cases();
        with_solution.retain(|case| in_side_view.iter().any(|start| case.name.starts_with(start)));
        let of_flow = cases().into_iter().filter(|case| case.name.starts_with("flow/"));
        let without_solution: Vec<_> =
            flow::cases().into_iter().chain(flow::mass_balance::cases()).collect();
        with_solution.extend(
            of_flow.filter(|case| without_solution.iter().all(|other| other.name != case.name)),
        );
        assert_all_cases_fail(&with_solution, &DryStepper);
    }

    #[test]
    fn exact_steppers_must_match_the_reference_bit_for_bit() {
        let field = |value| Field::new(3, 2, value);
        let (one, near) = (field(1.0), field(1.0 + 0.5 * TOLERANCE));
        assert!(matches_reference(&FrozenStepper, [1, 1], [&one, &one]));
        assert!(!matches_reference(&FrozenStepper, [1, 2], [&one, &one]));
        assert!(matches_reference(&DryStepper, [1, 2], [&near, &one]));
        assert!(!matches_reference(&DryStepper, [1, 1], [&field(1.0 + 2.0 * TOLERANCE), &one]));
        assert!(!matches_reference(&DryStepper, [1, 1], [&field(f32::NAN), &one]));
    }

    #[test]
    fn rows_without_a_limit_do_not_fail() {
        let row = |limit: Option<f64>| Row::at_most("flow/x", "m", 2.0, limit);
        assert!(row(None).pass && row(Some(2.0)).pass && !row(Some(1.0)).pass);
        assert_eq!(row(None).format_limit(), "-");
        assert!(serde_json::to_string(&row(None)).unwrap().contains(r#""limit":null"#));
        let row = |limit| Row::at_least("flow/x", "order", 1.7, limit);
        assert!(row(1.5).pass && !row(1.8).pass && row(1.5).format_limit().starts_with('≥'));
    }

    #[test]
    fn case_names_are_unique() {
        let mut names: Vec<String> = cases().into_iter().map(|case| case.name).collect();
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    }
}
