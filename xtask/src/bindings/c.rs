//! Build and tests of the C library. The build copies the library with its headers into a folder;
//! the tests use it from programs in C, C++ and C#.

use crate::process::{command_output, find_program, run_command};
use crate::{bindings, place};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the file name of the shared library on this platform.
fn shared_library_name() -> String {
    format!("{}headwater_c{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

/// File name of the static library on this platform.
const STATIC_LIBRARY_NAME: &str =
    if cfg!(windows) { "headwater_c.lib" } else { "libheadwater_c.a" };

/// Linker options for the system libraries that programs need with the static library.
const SYSTEM_LIBRARY_FLAGS: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

/// Returns the source folder of the crate `headwater-c`.
fn crate_folder() -> PathBuf {
    place::repository_root().join("crates/headwater-c")
}

/// Returns the folder into which the library and its headers are written by default.
pub(crate) fn default_folder() -> PathBuf {
    place::target_folder().join("c")
}

/// Copies the libraries built with a Cargo profile, and their headers, into the folder `out`.
/// Builds the libraries first if `build` is true.
pub(crate) fn build(out: &Path, profile: &str, build: bool) -> Result<()> {
    if build {
        // Build the library together with the program, so that shared dependencies are built once.
        bindings::build_packages(profile, &["headwater-c", "headwater-cli"])?;
    }
    fs::create_dir_all(out)?;
    let made = [shared_library_name().as_str(), STATIC_LIBRARY_NAME]
        .map(|file| bindings::library_path(profile, file));
    let written =
        ["include/headwater.h", "include/headwater.hpp", "csharp/Headwater.cs", "README.md"];
    for file in made.into_iter().chain(written.map(|file| crate_folder().join(file))) {
        let to = out.join(file.file_name().context("a file's name")?);
        fs::copy(&file, &to).with_context(|| file.display().to_string())?;
    }
    println!("{}", out.display());
    Ok(())
}

/// Compiles and runs the test programs against the library in `folder`. Also runs them under
/// valgrind if it is installed.
pub(crate) fn test(folder: &Path) -> Result<()> {
    let programs = compile_programs(folder)?;
    for program in &programs {
        run_command(&mut program.command())?;
    }
    compare_hashes(&programs)?;
    test_invalid_arguments(folder)?;
    match find_program(&["valgrind"]) {
        Some(valgrind) => {
            let mut command = Command::new(valgrind);
            command.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]);
            command
                .args(["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"])
                .arg(&programs[0].file);
            run_command(command.env("RAYON_NUM_THREADS", "2"))
        }
        None => {
            println!("valgrind was not found; memory is not checked");
            Ok(())
        }
    }
}

/// Runs a program that calls the shared library with invalid arguments, first without and then with
/// the address sanitizer.
fn test_invalid_arguments(folder: &Path) -> Result<()> {
    for (seed, flags) in [("1", &[][..]), ("2", &["-fsanitize=address,undefined"])] {
        let to = folder.join("tests").join(format!("misuse-{seed}"));
        let compiled = compile(&["cc", "gcc", "clang"], "-std=c11", "misuse.c", &to, folder, flags);
        if let (Err(error), false) = (&compiled, flags.is_empty()) {
            println!(
                "the address sanitizer is not available; addresses are not checked: {error:#}"
            );
            continue;
        }
        compiled?;
        run_command(Command::new(&to).args(["4000", seed]).env("RAYON_NUM_THREADS", "2"))?;
    }
    Ok(())
}

/// Compiles a test program. C programs are linked with the shared library, and C++ programs with
/// the static library.
fn compile(
    names: &[&str],
    standard: &str,
    source: &str,
    to: &Path,
    folder: &Path,
    flags: &[&str],
) -> Result<()> {
    let compiler =
        find_program(names).context("no C compiler was found. On Debian: `apt-get install g++`")?;
    let mut command = Command::new(compiler);
    command.arg(standard).args(["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-I"]).arg(folder);
    command.args(flags).arg(crate_folder().join("tests/programs").join(source)).arg("-o").arg(to);
    if source.ends_with(".c") {
        command
            .arg(folder.join(shared_library_name()))
            .arg(format!("-Wl,-rpath,{}", folder.display()));
        command.args(["-lm", "-lpthread"]);
    } else {
        command.arg(folder.join(STATIC_LIBRARY_NAME)).args(SYSTEM_LIBRARY_FLAGS);
    }
    run_command(&mut command)
}

/// Compares the state hashes that the test programs compute.
///
/// # Errors
/// Returns an error if a program fails or if the hashes differ. `cargo xtask hashes` compares them
/// with those of `headwater`.
fn compare_hashes(programs: &[TestProgram]) -> Result<()> {
    for scene in ["pond", "u-tube", "kettle", "hex-valley"] {
        let mut first = None;
        for program in programs {
            let line = command_output(program.command().args([scene, "30"]))?;
            let found: Value = serde_json::from_str(line.trim()).context("a line of JSON")?;
            let hash = found["hash"].to_string();
            let one = first.get_or_insert_with(|| hash.clone());
            if *one != hash {
                bail!("{scene} has state hash {hash} in {} but {one} in C", program.language);
            }
        }
    }
    Ok(())
}

/// Test program that uses the C library. It is called with a scene and a number of steps, and
/// prints the state hash.
#[derive(Clone, Debug)]
pub(crate) struct TestProgram {
    pub(crate) language: &'static str,
    file: PathBuf,
    /// Interpreter that runs the program; `None` if the program is native.
    runner: Option<PathBuf>,
    libraries: PathBuf,
}

impl TestProgram {
    pub(crate) fn command(&self) -> Command {
        let mut command = match &self.runner {
            Some(runner) => Command::new(runner),
            None => return Command::new(&self.file),
        };
        command.arg(&self.file).env("LD_LIBRARY_PATH", &self.libraries);
        command
    }
}

/// Compiles three test programs: in C (shared library), in C++ (static library), and in C# (Mono).
pub(crate) fn compile_programs(folder: &Path) -> Result<[TestProgram; 3]> {
    let (programs, work) = (crate_folder().join("tests/programs"), folder.join("tests"));
    fs::create_dir_all(&work)?;
    let [c, cpp] = ["tour-c", "tour-cpp"].map(|name| work.join(name));
    compile(&["cc", "gcc", "clang"], "-std=c11", "tour.c", &c, folder, &[])?;
    compile(&["c++", "g++", "clang++"], "-std=c++17", "tour.cpp", &cpp, folder, &[])?;
    let advice = "Mono was not found. On Debian: `apt-get install mono-mcs mono-runtime`";
    let (compiler, mono) =
        (find_program(&["mcs"]).context(advice)?, find_program(&["mono"]).context(advice)?);
    let cs = work.join("tour.exe");
    let mut command = Command::new(compiler);
    command.args(["-unsafe", "-warnaserror"]).arg(format!("-out:{}", cs.display()));
    run_command(command.arg(folder.join("Headwater.cs")).arg(programs.join("Tour.cs")))?;
    let program = |language, file, runner| {
        let libraries = folder.to_owned();
        TestProgram { language, file, runner, libraries }
    };
    Ok([program("C", c, None), program("C++", cpp, None), program("C#", cs, Some(mono))])
}
