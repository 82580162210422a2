//! The package for JavaScript: the module made small, its glue and its types between the files of `crates/headwater-js/package`;
//! tried in node and in a browser.

use crate::module::{self, JAVASCRIPT, Make};
use crate::process::run;
use crate::{browser, node, page, place, serve, weight};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// What its files are called in the package.
const NAME: &str = "headwater";

/// The most that a module of all models and its glue may weigh with gzip (bytes). Half of it are the steps of five models, optimised for
/// speed; a quarter reads scenes.
const MOST: usize = 1_750_000;

/// The models that have modules of their own in the package.
const MODELS: [&str; 5] = ["blocks", "columns", "flow", "hydrology", "waves"];

/// The most that a module of one model and its glue may weigh. That of `flow` is the heaviest: scenes of it can carve their land, so it has
/// the model `hydrology` in it.
const MOST_OF_ONE: usize = 1_150_000;

pub(super) fn sources() -> PathBuf {
    place::root().join("crates/headwater-js")
}

/// Where the package is put, if nothing is said.
pub(crate) fn folder() -> PathBuf {
    place::target().join("npm")
}

/// Builds the package into a folder, and weighs it unless it is a draft. With `models`, also builds a
/// module for each model, in a folder of its name.
pub(crate) fn build(out: &Path, make: Make, models: bool) -> Result<()> {
    let weigh = |out: &Path, most| if make == Make::Whole { weigh(out, most) } else { Ok(()) };
    put(out, &[], make)?;
    weigh(out, MOST)?;
    for model in MODELS {
        let own = out.join(model);
        if models {
            put(&own, &["--no-default-features", "--features", model], make)?;
            // One manual and one description are enough.
            for file in ["README.md", "package.json"] {
                fs::remove_file(own.join(file))?;
            }
            weigh(&own, MOST_OF_ONE)?;
        } else if own.exists() {
            // It would be of other sources.
            fs::remove_dir_all(&own)?;
        }
    }
    println!("{}", out.display());
    Ok(())
}

/// Prints what a module and its glue weigh, and fails if that is too much.
fn weigh(out: &Path, most: usize) -> Result<()> {
    let mut sum = 0;
    for file in [format!("{NAME}_bg.wasm"), format!("{NAME}.js")] {
        let path = out.join(&file);
        let content = fs::read(&path)?;
        let light = weight::gzip(&content)?.len();
        println!("{:60} {:>10} bytes, {light:>10} with gzip", path.display(), content.len());
        sum += light;
    }
    if sum > most {
        bail!("{} weighs {sum} bytes with gzip, allowed are {most}", out.display());
    }
    Ok(())
}

/// Where the package is put that has a world without the binding beside.
pub(super) fn bare_folder() -> PathBuf {
    place::target().join("npm-bare")
}

/// Builds the package with a world without the binding beside, to measure what that costs.
pub(super) fn build_bare(out: &Path) -> Result<()> {
    put(out, &["--features", "bare"], Make::Whole)
}

/// Builds the module, and puts it into a folder with its glue and the package's own files.
fn put(out: &Path, features: &[&str], make: Make) -> Result<()> {
    fs::create_dir_all(out)?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module::build(JAVASCRIPT, features, make)?).out_name(NAME).typescript(true);
    // `init()` finds the module beside its glue.
    bindgen.omit_default_module_path(false);
    bindgen.web(true)?.remove_name_section(true).remove_producers_section(true).generate(out)?;
    if make == Make::Whole {
        page::shrink(&out.join(format!("{NAME}_bg.wasm")))?;
    }
    // What stands between callers and the module knows both.
    let (glue, guard) = (out.join(format!("{NAME}.js")), sources().join("guard.js"));
    let parts = [&glue, &guard].map(fs::read_to_string);
    let [made, guard] = parts;
    fs::write(&glue, made? + &guard?)?;
    for entry in fs::read_dir(sources().join("package"))? {
        let entry = entry?;
        fs::copy(entry.path(), out.join(entry.file_name()))?;
    }
    Ok(())
}

/// Tries the package in node and in a browser, in workers too.
pub(crate) fn test(package: &Path) -> Result<()> {
    let tests = sources().join("tests");
    let mut command = Command::new(node::node()?);
    command
        .arg("--test")
        .args(["node", "misuse", "guests"].map(|name| tests.join(format!("{name}.test.mjs"))));
    run(command.env("HEADWATER_PACKAGE", package))?;
    let browser = browser::browser()?;
    node::install()?;
    // A page of its own: the package, the examples, and what tries them.
    let page = place::target().join("npm-page");
    let _ = fs::remove_dir_all(&page);
    fs::create_dir_all(&page)?;
    let entry = tests.join("index.html");
    fs::copy(&entry, page.join("index.html")).with_context(|| entry.display().to_string())?;
    for from in [package, &sources().join("examples")] {
        for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
            let entry = entry?;
            fs::copy(entry.path(), page.join(entry.file_name()))?;
        }
    }
    let three = node::folder().join("node_modules/three/build");
    for file in ["three.module.js", "three.core.js"] {
        fs::copy(three.join(file), page.join(file)).with_context(|| file.to_owned())?;
    }
    let served = serve::begin(&page, 0)?;
    let pictures = place::target().join("npm-test");
    fs::create_dir_all(&pictures)?;
    let mut command = Command::new(node::node()?);
    command.arg(node::folder().join("browser/package.mjs"));
    command.env("HEADWATER_PAGE", &served.address).env("HEADWATER_BROWSER", browser);
    command.env("HEADWATER_PACKAGE", package);
    run(command.env("HEADWATER_PICTURES", &pictures))?;
    println!("pictures are in {}", pictures.display());
    Ok(())
}

/// A call of node that says what scenes of the library come to in the package.
pub(crate) fn hashes(package: &Path) -> Result<impl Fn() -> Command + Sync + use<>> {
    let (node, package) = (node::node()?, package.to_owned());
    Ok(move || {
        let mut command = Command::new(&node);
        command.arg(sources().join("tests/hash.mjs")).env("HEADWATER_PACKAGE", &package);
        command
    })
}
