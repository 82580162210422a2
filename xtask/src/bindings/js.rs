//! Build and tests of the JavaScript package. The package consists of the WebAssembly module, glue
//! code, type declarations, and the files in `crates/headwater-js/package`. The tests run in node
//! and in a browser.

use crate::module::{self, BuildQuality, JAVASCRIPT};
use crate::process::run_command;
use crate::{browser, node, page, page_size, place, serve};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// Base name of the generated files of the package.
const NAME: &str = "headwater";

/// Maximum compressed size (bytes, gzip) of the module with all models and its glue code. The time
/// steps of the five models, optimized for speed, account for half of the size, and the scene
/// reader for a quarter.
const LIMIT: usize = 1_750_000;

/// Models for which the package contains a separate module.
const MODELS: [&str; 5] = ["blocks", "columns", "flow", "hydrology", "waves"];

/// Maximum compressed size (bytes, gzip) of a module with a single model and its glue code. The
/// module of `flow` is the largest, because its scenes can carve terrain with `hydrology`.
const MODEL_LIMIT: usize = 1_150_000;

pub(super) fn crate_folder() -> PathBuf {
    place::repository_root().join("crates/headwater-js")
}

/// Returns the folder into which the package is written by default.
pub(crate) fn default_folder() -> PathBuf {
    place::target_folder().join("npm")
}

/// Builds the package into the folder `out`, and checks its size unless the build is a draft. If
/// `models` is true, the package also contains a separate module for each model.
pub(crate) fn build(out: &Path, quality: BuildQuality, models: bool) -> Result<()> {
    let check_size = |out: &Path, limit| {
        if quality == BuildQuality::Release { check_size(out, limit) } else { Ok(()) }
    };
    assemble(out, &[], quality)?;
    check_size(out, LIMIT)?;
    for model in MODELS {
        let own = out.join(model);
        if models {
            assemble(&own, &["--no-default-features", "--features", model], quality)?;
            // The main package contains these files.
            for file in ["README.md", "package.json"] {
                fs::remove_file(own.join(file))?;
            }
            check_size(&own, MODEL_LIMIT)?;
        } else if own.exists() {
            // The folder may contain outdated files.
            fs::remove_dir_all(&own)?;
        }
    }
    println!("{}", out.display());
    Ok(())
}

/// Prints the compressed size of the module in `out` and its glue code.
///
/// # Errors
/// Returns an error if the size exceeds `limit` (bytes).
fn check_size(out: &Path, limit: usize) -> Result<()> {
    let mut sum = 0;
    for file in [format!("{NAME}_bg.wasm"), format!("{NAME}.js")] {
        let path = out.join(&file);
        let content = fs::read(&path)?;
        let light = page_size::compress_gzip(&content)?.len();
        println!("{:60} {:>10} bytes, {light:>10} with gzip", path.display(), content.len());
        sum += light;
    }
    if sum > limit {
        bail!("{} has {sum} bytes with gzip; the limit is {limit}", out.display());
    }
    Ok(())
}

/// Returns the folder of the package that [`build_baseline`] builds.
pub(super) fn baseline_folder() -> PathBuf {
    place::target_folder().join("npm-bare")
}

/// Builds a package that also exports functions that step a world without the binding. They are the
/// baseline for the overhead of the binding.
pub(super) fn build_baseline(out: &Path) -> Result<()> {
    assemble(out, &["--features", "bare"], BuildQuality::Release)
}

/// Builds the module into the folder `out`, and adds its glue code and the package's own files.
/// `features` are Cargo arguments that select the models.
fn assemble(out: &Path, features: &[&str], quality: BuildQuality) -> Result<()> {
    fs::create_dir_all(out)?;
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module::build(JAVASCRIPT, features, quality)?)
        .out_name(NAME)
        .typescript(true);
    // `init()` looks for the module in the folder of the glue code.
    bindgen.omit_default_module_path(false);
    bindgen.web(true)?.remove_name_section(true).remove_producers_section(true).generate(out)?;
    if quality == BuildQuality::Release {
        page::shrink_module(&out.join(format!("{NAME}_bg.wasm")))?;
    }
    // The guard wraps the exports of the glue code.
    let (glue, guard) = (out.join(format!("{NAME}.js")), crate_folder().join("guard.js"));
    let parts = [&glue, &guard].map(fs::read_to_string);
    let [made, guard] = parts;
    fs::write(&glue, made? + &guard?)?;
    for entry in fs::read_dir(crate_folder().join("package"))? {
        let entry = entry?;
        fs::copy(entry.path(), out.join(entry.file_name()))?;
    }
    Ok(())
}

/// Tests the package in node and in a browser, including its use in web workers.
pub(crate) fn test(package: &Path) -> Result<()> {
    let tests = crate_folder().join("tests");
    let mut command = Command::new(node::find_node()?);
    command
        .arg("--test")
        .args(["node", "misuse", "guests"].map(|name| tests.join(format!("{name}.test.mjs"))));
    run_command(command.env("HEADWATER_PACKAGE", package))?;
    let browser = browser::find_browser()?;
    node::install_packages()?;
    // Create a page that contains the package, the examples and their tests.
    let page = place::target_folder().join("npm-page");
    let _ = fs::remove_dir_all(&page);
    fs::create_dir_all(&page)?;
    let entry = tests.join("index.html");
    fs::copy(&entry, page.join("index.html")).with_context(|| entry.display().to_string())?;
    for from in [package, &crate_folder().join("examples")] {
        for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
            let entry = entry?;
            fs::copy(entry.path(), page.join(entry.file_name()))?;
        }
    }
    let three = node::node_folder().join("node_modules/three/build");
    for file in ["three.module.js", "three.core.js"] {
        fs::copy(three.join(file), page.join(file)).with_context(|| file.to_owned())?;
    }
    let served = serve::start(&page, 0)?;
    let pictures = place::target_folder().join("npm-test");
    fs::create_dir_all(&pictures)?;
    let mut command = Command::new(node::find_node()?);
    command.arg(node::node_folder().join("browser/package.mjs"));
    command.env("HEADWATER_PAGE", &served.address).env("HEADWATER_BROWSER", browser);
    command.env("HEADWATER_PACKAGE", package);
    run_command(command.env("HEADWATER_PICTURES", &pictures))?;
    println!("pictures are in {}", pictures.display());
    Ok(())
}

/// Returns a function that creates node commands. Such a command uses the package to print the
/// state hash of a built-in scene.
pub(crate) fn hash_command_factory(package: &Path) -> Result<impl Fn() -> Command + Sync + use<>> {
    let (node, package) = (node::find_node()?, package.to_owned());
    Ok(move || {
        let mut command = Command::new(&node);
        command.arg(crate_folder().join("tests/hash.mjs")).env("HEADWATER_PACKAGE", &package);
        command
    })
}
