//! Command `headwater hash`: prints state hashes of scenes after a number of steps, to compare
//! results between machines.

use crate::scene;
use anyhow::Result;
use headwater_cli::screen::print_line;
use headwater_cli::usage::UserError;
use headwater_scene::library;
use headwater_scene::live::{StateHash, hash_after_steps};
use headwater_scene::scene::read_source;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Scenes to hash.
#[derive(clap::Args)]
// Skip the group: its default name is the type's, which `run` uses too.
#[group(skip)]
pub(crate) struct Args {
    /// Scene files, or names of built-in scenes; all built-in scenes by default.
    #[arg(value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Number of steps; a scene continues after its end if necessary.
    #[arg(long, default_value_t = 1000)]
    steps: u64,
    /// Print a line of JSON per scene.
    #[arg(long)]
    json: bool,
}

/// Steps each scene and prints its hash as soon as it is computed. Returns true, which stands for
/// success; failures are returned as errors.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let all = library::SCENES.iter().map(|known| known.name.into());
    let scenes = if args.scenes.is_empty() { all.collect() } else { args.scenes.clone() };
    for scene in scenes {
        let state_hash = state_hash(&scene, args.steps)?;
        let StateHash { scene, steps, time, hash, seconds } = state_hash;
        if args.json {
            // Without the wall time, two runs print the same bytes.
            let line = json!({ "scene": scene, "steps": steps, "time": time, "hash": hash });
            print_line(&line.to_string());
        } else {
            print_line(&format!(
                "{hash}  {scene:<22} {steps:>7} steps, time {time:.6}, {seconds:.2} s"
            ));
        }
    }
    Ok(true)
}

fn state_hash(path: &Path, steps: u64) -> Result<StateHash> {
    if let Some(known) = scene::library_scene(path) {
        return Ok(hash_after_steps(known.name, known.text, None, steps)?);
    }
    let name = path.to_string_lossy();
    if !path.exists() {
        return Err(UserError(library::unknown_scene_message(&name)).into());
    }
    let text = read_source(path)?;
    Ok(hash_after_steps(&name, &text, path.parent(), steps)?)
}
