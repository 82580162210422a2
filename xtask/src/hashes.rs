//! What worlds come to in the page's module, in node, and in the program here: it must be the same in every bit.

use crate::{node, page, place, process};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Asks the page's module for a scene: its glue, its bytes, the scene, the steps.
const SCRIPT: &str = "
const [, glue, module, scene, steps] = process.argv;
const { readFileSync } = await import('node:fs');
const { default: init, reach } = await import(glue);
await init({ module_or_path: readFileSync(module) });
console.log(reach(scene, Number(steps)));
";

/// What one side says of a scene.
#[derive(Debug)]
struct Found {
    hash: String,
    steps: u64,
    seconds: f64,
}

/// Prints what scenes come to on both sides; all of the library if none is named.
///
/// # Errors
/// If they are not all the same, or something cannot be built or run.
pub(crate) fn compare(steps: u32, scenes: &[String]) -> Result<()> {
    let (node, program, [glue, module]) = (node::node()?, native()?, module()?);
    let known = library(&program)?;
    let scenes = if scenes.is_empty() { &known } else { scenes };
    if let Some(unknown) = scenes.iter().find(|name| !known.contains(name)) {
        bail!("no scene `{unknown}` in the library; there are {}", known.join(", "));
    }
    println!(
        "{:22} {:>7} {:16} {:16} {:>8} {:>8}",
        "scene", "steps", "native", "wasm", "native s", "wasm s"
    );
    let steps = steps.to_string();
    let mut different = Vec::new();
    for scene in scenes {
        let mut wasm = Command::new(&node);
        wasm.args(["--input-type=module", "-e", SCRIPT]).args([&glue, &module]);
        wasm.args([scene, &steps]).stdout(Stdio::piped());
        let wasm = wasm.spawn().context("node cannot be started")?;
        let native = process::printed(
            Command::new(&program).args(["hash", "--json", "--steps", &steps, scene]),
        )?;
        let native = found(&native)?;
        let wasm = wasm.wait_with_output()?;
        if !wasm.status.success() {
            bail!("{scene} in WebAssembly: {}", wasm.status);
        }
        let wasm = found(&String::from_utf8_lossy(&wasm.stdout))?;
        let same = is_same(&native, &wasm);
        let word = if same { "same" } else { "DIFFERENT" };
        let Found { hash, steps, seconds } = native;
        println!(
            "{scene:22} {steps:>7} {hash:16} {:16} {seconds:>8.2} {:>8.2}  {word}",
            wasm.hash, wasm.seconds
        );
        if !same {
            different.push(scene.as_str());
        }
    }
    if !different.is_empty() {
        bail!("not the same in WebAssembly as here: {}", different.join(", "));
    }
    println!("{} scenes, all the same", scenes.len());
    Ok(())
}

fn is_same(one: &Found, other: &Found) -> bool {
    one.hash == other.hash && one.steps == other.steps
}

fn found(line: &str) -> Result<Found> {
    let read = || {
        let value: Value = serde_json::from_str(line.trim()).ok()?;
        Some(Found {
            hash: value["hash"].as_str()?.to_owned(),
            steps: value["steps"].as_u64()?,
            seconds: value["seconds"].as_f64()?,
        })
    };
    read().with_context(|| format!("found {line:?}, expected what a scene came to"))
}

/// The program of this machine.
fn native() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    // As all of the workspace is built, so that nothing is built twice.
    command.current_dir(place::root()).args(["build", "--release"]);
    process::run(&mut command)?;
    Ok(place::target().join("release").join(format!("headwater{}", std::env::consts::EXE_SUFFIX)))
}

/// The names of the library's scenes.
fn library(program: &Path) -> Result<Vec<String>> {
    let listed = process::printed(Command::new(program).args(["scenes", "--json"]))?;
    let rows: Vec<Value> = serde_json::from_str(&listed).context("`headwater scenes --json`")?;
    Ok(rows.iter().filter_map(|row| row["name"].as_str().map(str::to_owned)).collect())
}

/// The page's module and its glue, which node takes for what it is by its ending.
fn module() -> Result<[PathBuf; 2]> {
    let folder = place::page();
    if !folder.join(page::INDEX).is_file() {
        page::build(&folder, true)?;
    }
    let glue = place::target().join("hashes.mjs");
    fs::copy(folder.join(page::GLUE), &glue).with_context(|| glue.display().to_string())?;
    Ok([glue, folder.join(page::MODULE)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_is_a_difference() {
        let line = |hash: &str, steps: u32, seconds: f64| {
            found(&format!("{{\"hash\":\"{hash}\",\"steps\":{steps},\"seconds\":{seconds}}}\n"))
                .unwrap()
        };
        let native = line("00000000000000ff", 1000, 0.5);
        assert!(is_same(&native, &line("00000000000000ff", 1000, 2.5)));
        assert!(!is_same(&native, &line("00000000000000fe", 1000, 0.5)));
        assert!(!is_same(&native, &line("00000000000000ff", 1001, 0.5)));
        assert!(found("no JSON").is_err() && found("{}").is_err());
    }
}
