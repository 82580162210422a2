//! The page: the playground as a module with what JavaScript needs to call it, made small, between the files of
//! `crates/headwater-playground/page`.

use crate::module::{self, Make, PAGE};
use crate::{node, place, process, weight};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// The file that a browser opens.
pub(crate) const INDEX: &str = "index.html";

/// What its module is called.
const NAME: &str = "headwater-playground";

/// The module's file.
pub(crate) const MODULE: &str = "headwater-playground_bg.wasm";

/// The file of the JavaScript that speaks with it.
pub(crate) const GLUE: &str = "headwater-playground.js";

/// What wasm-opt may use: what the compiler has used, and every browser with simd128 has.
const FEATURES: [&str; 8] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
];

/// Builds the page into `out`, and weighs it unless it is a draft. An older page is replaced when the
/// new one is whole.
pub(crate) fn build(out: &Path, make: Make) -> Result<()> {
    let parent = out.parent().context("the page needs a folder of its own")?;
    fs::create_dir_all(parent)?;
    let new = parent.join(format!(".{NAME}-new"));
    let _ = fs::remove_dir_all(&new);
    fs::create_dir(&new).with_context(|| new.display().to_string())?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module::build(PAGE, &[], make)?).out_name(NAME).typescript(false);
    bindgen.web(true)?.remove_name_section(true).remove_producers_section(true).generate(&new)?;
    let module = new.join(MODULE);
    if make == Make::Whole {
        shrink(&module)?;
    }
    copy_frame(&new, fs::metadata(&module)?.len())?;
    let weighed = if make == Make::Whole { weight::weigh(&new) } else { Ok(()) };
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| out.display().to_string())?;
    }
    fs::rename(&new, out).with_context(|| out.display().to_string())?;
    println!("{}", out.display());
    weighed
}

/// Has wasm-opt make the module smaller; says so if there is no npm to get it from.
pub(crate) fn shrink(module: &Path) -> Result<()> {
    if let Err(error) = node::install() {
        eprintln!("wasm-opt is left out, the page is heavier than it need be: {error:#}");
        return Ok(());
    }
    let mut command = Command::new(node::node()?);
    command.arg(node::folder().join("node_modules/binaryen/bin/wasm-opt")).arg(module);
    process::run(command.args(FEATURES).args(["-Oz", "--strip-debug", "-o"]).arg(module))
}

/// Copies the page's own files. How long its module is stands in the page, which shows how much of it has come.
fn copy_frame(new: &Path, length: u64) -> Result<()> {
    let frame = place::root().join("crates/headwater-playground/page");
    for entry in fs::read_dir(&frame).with_context(|| frame.display().to_string())? {
        let entry = entry?;
        fs::copy(entry.path(), new.join(entry.file_name()))?;
    }
    let index = new.join(INDEX);
    let text = fs::read_to_string(&index)?;
    fs::write(index, text.replacen("<html", &format!("<html data-length=\"{length}\""), 1))?;
    Ok(())
}
