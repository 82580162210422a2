//! `headwater check`: what is wrong with a scene.

use crate::rows::print_line;
use crate::scene;
use anyhow::Result;
use headwater_scene::schema::{Place, Problem, SceneError};
use headwater_scene::world::World;
use serde::Serialize;

/// A problem as JSON.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    key: &'a str,
    message: &'a str,
}

impl<'a> Row<'a> {
    fn of(problem: &'a Problem) -> Self {
        let (line, column) = match problem.place {
            Place::Text { line, column } => (Some(line), Some(column)),
            _ => (None, None),
        };
        Self { file: &problem.file, line, column, key: &problem.key, message: &problem.message }
    }

    /// A problem of the file as a whole.
    fn whole(file: &'a str, message: &'a str) -> Self {
        Self { file, line: None, column: None, key: "", message }
    }
}

/// Reads a scene and makes its world, without running it.
pub(crate) fn check(args: &scene::Args, json: bool) -> Result<bool> {
    match args.load(&[]).and_then(|scene| Ok(World::build(&scene)?)) {
        Ok(world) if !json => {
            for notice in &world.terrain.notices {
                eprintln!("note: {notice}");
            }
            let lattice = world.flow.lattice();
            let (nx, ny, volume) = (lattice.nx(), lattice.ny(), world.flow.volume());
            let dt = world.flow.stable_dt();
            let name = &args.scene;
            print_line(&format!(
                "{name}: good: {nx} × {ny} cells, {volume:.0} m³ of water, steps of {dt:.3} s"
            ));
            Ok(true)
        }
        Ok(_) => {
            print_line("[]");
            Ok(true)
        }
        Err(error) => {
            if json {
                let message = error.to_string();
                let rows = match error.downcast_ref::<SceneError>() {
                    Some(error) => error.problems().iter().map(Row::of).collect(),
                    None => vec![Row::whole(&args.scene, &message)],
                };
                print_line(&serde_json::to_string_pretty(&rows)?);
            }
            Err(error)
        }
    }
}
