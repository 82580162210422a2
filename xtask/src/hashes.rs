//! What worlds come to in the program here, on any number of threads and by any instructions, in the page's module, in node, and in the
//! bindings of other languages: it must be the same in every bit.

use crate::module::Make;
use crate::{bindings, node, page, place, process};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Asks the page's module for a scene: its glue, its bytes, the scene, the steps.
const SCRIPT: &str = "
const [, glue, module, scene, steps] = process.argv;
const { readFileSync } = await import('node:fs');
const { default: init, reach } = await import(glue);
await init({ module_or_path: readFileSync(module) });
console.log(reach(scene, Number(steps)));
";

/// Kinds of processors of x86-64 that programs are built for: the compiler's names for them, and what is said of them.
const KINDS: [(&str, &str); 2] = [("x86-64-v3", "avx2"), ("x86-64", "baseline")];

/// What one side says of a scene.
#[derive(Debug)]
struct Found {
    hash: String,
    steps: u64,
    seconds: f64,
}

/// Somewhere that scenes are stepped.
struct Side {
    name: &'static str,
    means: Means,
}

enum Means {
    /// A program, on so many threads; where none are said, on as many as there are.
    Program(PathBuf, Option<u32>),
    /// The page's module and its glue, in node.
    Page { node: PathBuf, glue: PathBuf, module: PathBuf },
    /// A program of another language.
    Binding(Box<dyn Fn() -> Command + Sync>),
}

impl Side {
    /// Has it step a scene.
    fn ask(&self, scene: &str, steps: &str) -> Command {
        match &self.means {
            Means::Program(program, threads) => {
                let mut command = Command::new(program);
                command.args(["hash", "--json", "--steps", steps, scene]);
                if let Some(threads) = threads {
                    command.env("RAYON_NUM_THREADS", threads.to_string());
                }
                command
            }
            Means::Page { node, glue, module } => {
                let mut command = Command::new(node);
                command.args(["--input-type=module", "-e", SCRIPT]).args([glue, module]);
                command.args([scene, steps]);
                command
            }
            Means::Binding(command) => {
                let mut command = command();
                command.args([scene, steps]);
                command
            }
        }
    }
}

/// Prints what scenes come to on all sides; all of the library if none is named. `instructions`: also in programs that are built for
/// one kind of processor each. `bound`: also in C, Python and JavaScript, by what a profile has built. `built`: by the program that is
/// built already.
///
/// # Errors
/// If they are not all the same, or something cannot be built or run.
pub(crate) fn compare(
    steps: u32,
    scenes: &[String],
    instructions: bool,
    bound: Option<&str>,
    built: bool,
) -> Result<()> {
    let (node, program, [glue, module]) = (node::node()?, native(built)?, module()?);
    let known = library(&program)?;
    let scenes = if scenes.is_empty() { &known } else { scenes };
    if let Some(unknown) = scenes.iter().find(|name| !known.contains(name)) {
        bail!("no scene `{unknown}` in the library; there are {}", known.join(", "));
    }
    let on = |name, threads| Side { name, means: Means::Program(program.clone(), threads) };
    let mut sides = vec![on("native", None), on("1 thread", Some(1)), on("8 threads", Some(8))];
    if instructions {
        for (kind, name) in KINDS {
            sides.push(Side { name, means: Means::Program(built_for(kind)?, None) });
        }
    }
    sides.push(Side { name: "wasm", means: Means::Page { node, glue, module } });
    if let Some(profile) = bound {
        sides.extend(bindings(profile)?);
    }
    print_row("scene", "steps", "state", sides.iter().map(|side| side.name.to_owned()));
    let steps = steps.to_string();
    let mut different = Vec::new();
    for scene in scenes {
        let found = side_by_side(&sides, |side| {
            let printed = process::printed(&mut side.ask(scene, &steps));
            printed.and_then(|line| found(&line)).with_context(|| format!("{scene}, {}", side.name))
        })?;
        let cells = found.iter().map(|one| {
            let word = if is_same(&found[0], one) { "" } else { "DIFFERENT " };
            format!("{word}{:.2} s", one.seconds)
        });
        print_row(scene, &found[0].steps.to_string(), &found[0].hash, cells);
        if !found.iter().all(|one| is_same(&found[0], one)) {
            different.push(scene.as_str());
        }
    }
    if !different.is_empty() {
        bail!("not the same everywhere: {}", different.join(", "));
    }
    println!("{} scenes, all the same", scenes.len());
    Ok(())
}

/// Asks all sides, as many at once as there are processors: most of them work on one. Gives what they say, in their order.
fn side_by_side<T: Send>(
    sides: &[Side],
    ask: impl Fn(&Side) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let said: Vec<_> = sides.iter().map(|_| Mutex::new(None)).collect();
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(sides.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((side, said)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    sides.get(i).zip(said.get(i))
                } {
                    *said.lock().unwrap_or_else(PoisonError::into_inner) = Some(ask(side));
                }
            });
        }
    });
    let each = said.into_iter().zip(sides).map(|(said, side)| {
        let said = said.into_inner().unwrap_or_else(PoisonError::into_inner);
        said.with_context(|| format!("{} was not asked", side.name))?
    });
    each.collect()
}

/// Prints a row of the table: of each side, the time that it took beside others, and whether it came to something else.
fn print_row(scene: &str, steps: &str, state: &str, cells: impl Iterator<Item = String>) {
    let cells: String = cells.map(|cell| format!("  {cell:>9}")).collect();
    println!("{scene:22} {steps:>7} {state:16}{cells}");
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

/// The bindings, by what a profile has built, and by the package for JavaScript.
fn bindings(profile: &str) -> Result<[Side; 3]> {
    let library = bindings::c::folder();
    bindings::c::build(&library, profile, false)?;
    let [c, ..] = bindings::c::programs(&library)?;
    let python = bindings::python::package(profile, false)?;
    let package = bindings::js::folder();
    if !package.is_dir() {
        bindings::js::build(&package, Make::Whole, false)?;
    }
    let side = |name, command| Side { name, means: Means::Binding(command) };
    Ok([
        side("C", Box::new(move || c.command())),
        side(
            "Python",
            Box::new(move || {
                let mut command = python.command();
                command.args(["-m", "headwater"]);
                command
            }),
        ),
        side("npm", bindings::js::hashes(&package)?),
    ])
}

/// The program of this machine.
fn native(built: bool) -> Result<PathBuf> {
    if !built {
        let mut command = process::cargo();
        // As all of the workspace is built, so that nothing is built twice.
        command.current_dir(place::root()).args(["build", "--release"]);
        process::run(&mut command)?;
    }
    Ok(place::program("release"))
}

/// The program for one kind of processor, whatever this one has beside.
fn built_for(kind: &str) -> Result<PathBuf> {
    if std::env::consts::ARCH != "x86_64" {
        bail!("--instructions is for x86_64, and this is {}", std::env::consts::ARCH);
    }
    let target = place::target().join("instructions").join(kind);
    let mut command = process::cargo();
    command.current_dir(place::root()).env("RUSTFLAGS", format!("-C target-cpu={kind}"));
    command.args(["build", "--release", "--package", "headwater-cli", "--no-default-features"]);
    process::run(command.arg("--target-dir").arg(&target))?;
    Ok(target.join("release").join("headwater"))
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
        page::build(&folder, Make::Whole)?;
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
