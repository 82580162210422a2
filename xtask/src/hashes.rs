//! Comparison of state hashes between environments: different numbers of threads, different
//! instruction sets, the web page's module in node, and the bindings for other languages. The
//! hashes are also compared with a table in the repository, which other machines have computed.

use crate::module::BuildQuality;
use crate::{bindings, node, page, place, process};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Node.js script that runs a scene in the web page's module. Its arguments are the glue code, the
/// module, the scene and the number of steps.
const SCRIPT: &str = "
const [, glue, module, scene, steps] = process.argv;
const { readFileSync } = await import('node:fs');
const { default: init, reach } = await import(glue);
await init({ module_or_path: readFileSync(module) });
console.log(reach(scene, Number(steps)));
";

/// Levels of the x86-64 instruction set for which programs are built: the name that the compiler
/// uses, and the name in the output.
const CPU_LEVELS: [(&str, &str); 2] = [("x86-64-v3", "avx2"), ("x86-64", "baseline")];

/// Target for which the program is built to run in an emulator.
const EMULATED_TARGET: &str = "aarch64-unknown-linux-gnu";

/// Table of state hashes after [`TABLE_STEPS`] steps: a line with a hash and a scene for each
/// built-in scene.
const TABLE: &str = "xtask/hashes.txt";
/// Number of steps of the hashes in the table.
const TABLE_STEPS: u32 = 40;

/// Result of a scene that was run in one environment.
#[derive(Debug)]
struct SceneHash {
    hash: String,
    steps: u64,
    seconds: Option<f64>,
}

/// Function that creates the command that runs a scene. The arguments are the name of the scene and
/// the number of steps.
type CommandFactory = Box<dyn Fn(&str, &str) -> Command + Sync>;

/// Environment in which scenes are run: a native program, a module or a binding.
struct Environment {
    name: &'static str,
    ask: CommandFactory,
}

impl Environment {
    /// Creates an environment that runs the native program `headwater` on `threads` threads, or on
    /// all threads of the machine if `threads` is `None`.
    fn from_program(name: &'static str, program: &Path, threads: Option<u32>) -> Self {
        let program = program.to_owned();
        let ask = move |scene: &str, steps: &str| {
            let mut command = Command::new(&program);
            command.args(["hash", "--json", "--steps", steps, scene]);
            command.envs(threads.map(|threads| ("RAYON_NUM_THREADS", threads.to_string())));
            command
        };
        Self { name, ask: Box::new(ask) }
    }

    /// Creates an environment that runs a program for the ARM architecture in an emulator.
    fn from_emulated_program(name: &'static str, program: PathBuf) -> Self {
        let ask = move |scene: &str, steps: &str| {
            let mut command = Command::new("qemu-aarch64");
            command.args(["-L", "/usr/aarch64-linux-gnu"]).arg(&program);
            command.args(["hash", "--json", "--steps", steps, scene]);
            command
        };
        Self { name, ask: Box::new(ask) }
    }

    /// Creates an environment from a function that returns a command. A scene and a number of steps
    /// are appended to the arguments of the command.
    fn from_command(name: &'static str, command: impl Fn() -> Command + Sync + 'static) -> Self {
        let ask = move |scene: &str, steps: &str| {
            let mut command = command();
            command.args([scene, steps]);
            command
        };
        Self { name, ask: Box::new(ask) }
    }
}

/// Runs scenes for `steps` steps in all environments and prints their state hashes. If `scenes` is
/// empty, all built-in scenes are run. If `instructions` is true, programs for single levels of the
/// x86-64 instruction set and for the ARM architecture are included. `binding_profile` is the Cargo
/// profile of the C, Python and JavaScript bindings, which are included if it is given. If
/// `use_existing` is true, an existing program is used instead of building one. If `steps` is that
/// of the table in the repository, the hashes are compared with it, or written to it if
/// `write_table` is true.
///
/// # Errors
/// Returns an error if the hashes of a scene differ.
pub(crate) fn compare(
    steps: u32,
    scenes: &[String],
    instructions: bool,
    binding_profile: Option<&str>,
    use_existing: bool,
    write_table: bool,
) -> Result<()> {
    let (node, program, [glue, module]) =
        (node::find_node()?, native_program(use_existing)?, page_module()?);
    let known = builtin_scenes(&program)?;
    let scenes = if scenes.is_empty() { &known } else { scenes };
    if let Some(unknown) = scenes.iter().find(|name| !known.contains(name)) {
        bail!("unknown scene `{unknown}`; allowed: {}", known.join(", "));
    }
    let mut sides = vec![
        Environment::from_program("native", &program, None),
        Environment::from_program("1 thread", &program, Some(1)),
        Environment::from_program("8 threads", &program, Some(8)),
    ];
    if instructions {
        for (level, name) in CPU_LEVELS {
            sides.push(Environment::from_program(name, &build_for_instruction_level(level)?, None));
        }
        sides.push(Environment::from_emulated_program("aarch64", build_emulated()?));
    }
    sides.push(Environment::from_command("wasm", move || {
        let mut command = Command::new(&node);
        command.args(["--input-type=module", "-e", SCRIPT]).args([&glue, &module]);
        command
    }));
    if let Some(profile) = binding_profile {
        sides.extend(binding_environments(profile)?);
    }
    print_row("scene", "steps", "state", sides.iter().map(|side| side.name.to_owned()));
    let is_table = steps == TABLE_STEPS;
    let table = if is_table && !write_table { read_table()? } else { BTreeMap::new() };
    let mut hashes = BTreeMap::new();
    let steps = steps.to_string();
    let mut different = Vec::new();
    for scene in scenes {
        let found = run_parallel(&sides, |side| {
            let printed = process::command_output(&mut (side.ask)(scene, &steps));
            printed
                .and_then(|line| parse_result(&line))
                .with_context(|| format!("{scene}, {}", side.name))
        })?;
        let cells = found.iter().map(|one| {
            let word = if is_same_state(&found[0], one) { "same" } else { "DIFFERENT" };
            // The program prints no time, so that its output is the same in every run.
            one.seconds.map_or(word.to_owned(), |seconds| format!("{word} {seconds:.2} s"))
        });
        print_row(scene, &found[0].steps.to_string(), &found[0].hash, cells);
        let in_table = table.get(scene);
        if let Some(expected) = in_table.filter(|expected| **expected != found[0].hash) {
            println!("{scene}: {TABLE} has {expected}");
        }
        let is_known = !is_table || write_table || in_table == Some(&found[0].hash);
        if !is_known || !found.iter().all(|one| is_same_state(&found[0], one)) {
            different.push(scene.as_str());
        }
        hashes.insert(scene.clone(), found[0].hash.clone());
    }
    if write_table && is_table {
        let lines = hashes.iter().map(|(scene, hash)| format!("{hash}  {scene}\n"));
        fs::write(place::repository_root().join(TABLE), lines.collect::<String>())
            .context(TABLE)?;
    }
    if !different.is_empty() {
        let advice =
            "if the results should have changed, run `cargo xtask hashes --steps 40 --write-table`";
        bail!("state hashes differ: {}; {advice}", different.join(", "));
    }
    println!("{} scenes, all the same", scenes.len());
    Ok(())
}

/// Calls a function for all environments in parallel. Returns the results in the order of the
/// environments.
fn run_parallel<T: Send>(
    environments: &[Environment],
    ask: impl Fn(&Environment) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    std::thread::scope(|scope| {
        let ask = &ask;
        let asked: Vec<_> =
            environments.iter().map(|side| scope.spawn(move || ask(side))).collect();
        asked.into_iter().map(|side| side.join().unwrap_or_else(|_| bail!("a panic"))).collect()
    })
}

/// Prints a row of the table for one scene. The row contains the run time in each environment,
/// marked if the hash there differs from the others.
fn print_row(scene: &str, steps: &str, state: &str, cells: impl Iterator<Item = String>) {
    let cells: String = cells.map(|cell| format!("  {cell:>14}")).collect();
    println!("{scene:22} {steps:>7} {state:16}{cells}");
}

fn is_same_state(first: &SceneHash, second: &SceneHash) -> bool {
    first.hash == second.hash && first.steps == second.steps
}

fn parse_result(line: &str) -> Result<SceneHash> {
    let read = || {
        let value: Value = serde_json::from_str(line.trim()).ok()?;
        Some(SceneHash {
            hash: value["hash"].as_str()?.to_owned(),
            steps: value["steps"].as_u64()?,
            seconds: value["seconds"].as_f64(),
        })
    };
    read()
        .with_context(|| format!("found {line:?}, expected a scene, its steps and its state hash"))
}

/// Returns the environments of the C and Python bindings, built with a Cargo profile, and of the
/// JavaScript package.
fn binding_environments(profile: &str) -> Result<[Environment; 3]> {
    let library = bindings::c::default_folder();
    bindings::c::build(&library, profile, false)?;
    let [c, ..] = bindings::c::compile_programs(&library)?;
    let python = bindings::python::assemble_package(profile, false)?;
    let package = bindings::js::default_folder();
    if !package.is_dir() {
        bindings::js::build(&package, BuildQuality::Release, false)?;
    }
    let in_python = move || {
        let mut command = python.command();
        command.args(["-m", "headwater"]);
        command
    };
    Ok([
        Environment::from_command("C", move || c.command()),
        Environment::from_command("Python", in_python),
        Environment::from_command("npm", bindings::js::hash_command_factory(&package)?),
    ])
}

/// Builds the native program unless `use_existing` is true. Returns its path.
fn native_program(use_existing: bool) -> Result<PathBuf> {
    if !use_existing {
        let mut command = process::cargo_command();
        // Use the features of the workspace build, so that no package is built twice.
        command.args(["build", "--release"]);
        process::run_command(&mut command)?;
    }
    Ok(place::program_path("release"))
}

/// Builds the native program for one level of the x86-64 instruction set, without runtime selection
/// of vector instructions. Returns the path of the program.
fn build_for_instruction_level(instruction_level: &str) -> Result<PathBuf> {
    if std::env::consts::ARCH != "x86_64" {
        bail!("--instructions needs an x86_64 machine, this is {}", std::env::consts::ARCH);
    }
    let target = place::target_folder().join("instructions").join(instruction_level);
    let mut command = process::cargo_command();
    command.env("RUSTFLAGS", format!("-C target-cpu={instruction_level}"));
    command.args(["build", "--release", "--package", "headwater-cli", "--no-default-features"]);
    process::run_command(command.arg("--target-dir").arg(&target))?;
    Ok(target.join("release").join("headwater"))
}

/// Builds the program for the ARM architecture. Returns the path of the program.
fn build_emulated() -> Result<PathBuf> {
    let target = place::target_folder().join("instructions");
    let mut command = process::cargo_command();
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
    command.args(["build", "--release", "--package", "headwater-cli", "--no-default-features"]);
    command.args(["--target", EMULATED_TARGET, "--target-dir"]).arg(&target);
    process::run_command(&mut command).context(
        "this needs `rustup target add aarch64-unknown-linux-gnu` and Debian's packages \
         gcc-aarch64-linux-gnu and qemu-user",
    )?;
    Ok(target.join(EMULATED_TARGET).join("release").join("headwater"))
}

/// Reads the table of state hashes, ordered by scene.
fn read_table() -> Result<BTreeMap<String, String>> {
    let text = fs::read_to_string(place::repository_root().join(TABLE)).context(TABLE)?;
    let entries = text.lines().filter_map(|line| line.split_once("  "));
    Ok(entries.map(|(hash, scene)| (scene.to_owned(), hash.to_owned())).collect())
}

/// Returns the names of the built-in scenes, as printed by the native program.
fn builtin_scenes(program: &Path) -> Result<Vec<String>> {
    let listed = process::command_output(Command::new(program).args(["scenes", "--json"]))?;
    let rows: Vec<Value> = serde_json::from_str(&listed).context("`headwater scenes --json`")?;
    Ok(rows.iter().filter_map(|row| row["name"].as_str().map(str::to_owned)).collect())
}

/// Returns the paths of the glue code and of the module of the web page. The glue code is copied to
/// a file with the extension that node requires.
fn page_module() -> Result<[PathBuf; 2]> {
    let folder = place::page_folder();
    if !folder.join(page::INDEX).is_file() {
        page::build(&folder, BuildQuality::Release)?;
    }
    let glue = place::target_folder().join("hashes.mjs");
    fs::copy(folder.join(page::GLUE), &glue).with_context(|| glue.display().to_string())?;
    Ok([glue, folder.join(page::MODULE)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_with_different_hashes_or_step_counts_differ() {
        let line = |hash: &str, steps: u32, seconds: f64| {
            parse_result(&format!(
                "{{\"hash\":\"{hash}\",\"steps\":{steps},\"seconds\":{seconds}}}\n"
            ))
            .unwrap()
        };
        let native = line("00000000000000ff", 1000, 0.5);
        assert!(is_same_state(&native, &line("00000000000000ff", 1000, 2.5)));
        assert!(!is_same_state(&native, &line("00000000000000fe", 1000, 0.5)));
        assert!(!is_same_state(&native, &line("00000000000000ff", 1001, 0.5)));
        assert!(parse_result("no JSON").is_err() && parse_result("{}").is_err());
    }
}
