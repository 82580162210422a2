//! What worlds come to in WebAssembly, in node, and here: it must be the same in every bit.

use crate::{node, place, process, toolchain};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use wasm_bindgen_cli_support::Bindgen;

/// The package that is built for both, and its module's name.
const PACKAGE: &str = "headwater-hashes";
const MODULE: &str = "headwater_hashes";

/// Asks the module for the scenes named after the steps, a line of JSON each.
const SCRIPT: &str = "
const [, module, steps, ...scenes] = process.argv;
const { find_json } = require(module);
for (const scene of scenes) console.log(find_json(scene, Number(steps)));
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
    let (node, program, module) = (node::node()?, native()?, module()?);
    let listed = process::printed(Command::new(&program).arg("--list"))?;
    let known: Vec<String> = listed.lines().map(str::to_owned).collect();
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
        wasm.args(["-e", SCRIPT]).arg(&module).arg(&steps).arg(scene).stdout(Stdio::piped());
        let wasm = wasm.spawn().context("node cannot be started")?;
        let native = process::printed(Command::new(&program).args(["--steps", &steps, scene]))?;
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

/// The program for this machine.
fn native() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(place::root()).args(["build", "--release", "--package", PACKAGE]);
    process::run(&mut command)?;
    Ok(place::target().join("release").join(format!("{PACKAGE}{}", std::env::consts::EXE_SUFFIX)))
}

/// The module for node.
fn module() -> Result<PathBuf> {
    let modules = toolchain::build(&[PACKAGE])?;
    let folder = place::target().join("hashes");
    bind(&modules.join(format!("{MODULE}.wasm")), &folder)?;
    Ok(folder.join(format!("{MODULE}.js")))
}

fn bind(module: &Path, folder: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(false).nodejs(true)?.generate(folder)
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
