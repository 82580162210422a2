//! `headwater hash`: what scenes come to after so many steps, the same in every bit on every machine.

use crate::rows::print_line;
use crate::scene;
use crate::usage::Usage;
use anyhow::{Context as _, Result};
use headwater_scene::library;
use headwater_scene::live::{StateHash, hash_after_steps};
use std::path::Path;

/// What is to be hashed.
#[derive(clap::Args)]
// Named by its type, its group would clash with that of `run`, which is called `Args` as well.
#[group(skip)]
pub(crate) struct Args {
    /// Scene files, or names of scenes of the library; all of the library by default.
    #[arg(value_name = "SCENE")]
    scenes: Vec<String>,
    /// Steps to do, beyond the scene's end if need be.
    #[arg(long, default_value_t = 1000)]
    steps: u64,
    /// Print a line of JSON for each scene.
    #[arg(long)]
    json: bool,
}

/// Steps scenes and prints their hashes, each as soon as it is known.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let all = library::SCENES.iter().map(|known| known.name.to_owned());
    let scenes = if args.scenes.is_empty() { all.collect() } else { args.scenes.clone() };
    for scene in scenes {
        let state_hash = state_hash(&scene, args.steps)?;
        if args.json {
            print_line(&serde_json::to_string(&state_hash)?);
        } else {
            let StateHash { scene, steps, time, hash, seconds } = state_hash;
            print_line(&format!(
                "{hash}  {scene:<22} {steps:>7} steps, time {time:.6}, {seconds:.2} s"
            ));
        }
    }
    Ok(true)
}

fn state_hash(scene: &str, steps: u64) -> Result<StateHash> {
    let path = Path::new(scene);
    if let Some(known) = scene::in_library(scene) {
        return Ok(hash_after_steps(known.name, known.text, None, steps)?);
    }
    if !path.exists() {
        return Err(Usage(scene::unknown(scene)).into());
    }
    let text = std::fs::read_to_string(path).with_context(|| scene.to_owned())?;
    Ok(hash_after_steps(scene, &text, path.parent(), steps)?)
}
