//! Command `headwater check`: validates a scene without running it.

use crate::scene;
use anyhow::Result;
use headwater_cli::screen::format_number;
use headwater_cli::screen::{print_error_line, print_line};
use headwater_scene::run::{self, Simulation};
use headwater_scene::scene::{Problem, ProblemLocation, SceneError};
use serde::Serialize;

/// A problem in a scene, as printed in JSON output.
#[derive(Serialize)]
struct ProblemRecord<'a> {
    file: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    key: &'a str,
    message: &'a str,
}

impl<'a> From<&'a Problem> for ProblemRecord<'a> {
    fn from(Problem { file, key, message, place }: &'a Problem) -> Self {
        let (line, column) = match place {
            ProblemLocation::Text { line, column } => (Some(*line), Some(*column)),
            _ => (None, None),
        };
        Self { file, line, column, key, message }
    }
}

/// Validates a scene: reads it, creates its world and tests its events, without running it. Prints
/// a summary of a valid scene and returns true. If `json` is true, prints a JSON array of the
/// problems instead; the array of a valid scene is empty.
///
/// # Errors
/// Returns an error with all problems if the scene is not valid.
pub(crate) fn check(args: &scene::Args, json: bool) -> Result<bool> {
    let name = args.scene.to_string_lossy();
    let verdict = args.load(&[]).and_then(|scene| {
        let mut simulation = run::build_simulation(&scene)?;
        simulation.determine_color_scales()?;
        let summary = format_summary(&name, scene.clock().unit, &*simulation);
        let mut notices = simulation.notices();
        notices.extend(args.file_access_notice(&scene));
        run::dry_run(&scene, &mut *simulation)?;
        Ok((notices, summary))
    });
    match verdict {
        Ok(_) if json => print_line("[]"),
        Ok((notices, summary)) => {
            for notice in scene::Args::truncate_notices(notices) {
                print_error_line(&format!("note: {notice}"));
            }
            print_line(&summary);
        }
        Err(error) => {
            if json {
                let (file, message) = (&*name, &*error.to_string());
                let rows = match error.downcast_ref::<SceneError>() {
                    Some(error) => error.problems().iter().map(ProblemRecord::from).collect(),
                    // The problem does not concern a key of the scene.
                    None => {
                        vec![ProblemRecord { file, line: None, column: None, key: "", message }]
                    }
                };
                print_line(&serde_json::to_string_pretty(&rows)?);
            }
            return Err(error);
        }
    }
    Ok(true)
}

/// Returns the one-line summary of a valid scene.
fn format_summary(name: &str, time: &str, simulation: &dyn Simulation) -> String {
    let (grid, ledger) = (simulation.grid(), simulation.ledger());
    let (nx, ny, volume, unit) = (grid.nx, grid.ny, ledger.now, ledger.unit);
    let step = format_number(simulation.step_length());
    format!("{name}: good: {nx} × {ny} cells, {volume:.0} {unit} of water, steps of {step}{time}")
}
