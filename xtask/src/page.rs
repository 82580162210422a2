//! The web page. It consists of the playground's WebAssembly module and its glue code, optimized
//! for size, and the files in `crates/headwater-playground/page`.

use crate::module::{self, BuildQuality, PAGE};
use crate::{node, page_size, place, process};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// File name of the HTML file that a browser opens.
pub(crate) const INDEX: &str = "index.html";

/// Base name of the module's files, without extension.
const NAME: &str = "headwater-playground";

/// File name of the WebAssembly module.
pub(crate) const MODULE: &str = "headwater-playground_bg.wasm";

/// File name of the JavaScript glue code.
pub(crate) const GLUE: &str = "headwater-playground.js";

/// WebAssembly features that wasm-opt may use. The compiler uses these features, and every browser
/// with simd128 supports them.
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

/// Builds the web page into the folder `out`, and checks its size unless the build is a draft. An
/// existing page in this folder is replaced only when the new page is complete.
pub(crate) fn build(out: &Path, quality: BuildQuality) -> Result<()> {
    let parent = out.parent().context("the page needs its own folder")?;
    fs::create_dir_all(parent)?;
    let new = parent.join(format!(".{NAME}-new"));
    let _ = fs::remove_dir_all(&new);
    fs::create_dir(&new).with_context(|| new.display().to_string())?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module::build(PAGE, &[], quality)?).out_name(NAME).typescript(false);
    bindgen.web(true)?.remove_name_section(true).remove_producers_section(true).generate(&new)?;
    let module = new.join(MODULE);
    if quality == BuildQuality::Release {
        shrink_module(&module)?;
    }
    copy_files(&new, fs::metadata(&module)?.len())?;
    let weighed = if quality == BuildQuality::Release {
        page_size::compress_and_measure(&new)
    } else {
        Ok(())
    };
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| out.display().to_string())?;
    }
    fs::rename(&new, out).with_context(|| out.display().to_string())?;
    println!("{}", out.display());
    weighed
}

/// Reduces the size of a WebAssembly module with wasm-opt. If npm is not installed, only prints a
/// notice.
pub(crate) fn shrink_module(module: &Path) -> Result<()> {
    if let Err(error) = node::install_packages() {
        eprintln!("wasm-opt is skipped, so the page is larger: {error:#}");
        return Ok(());
    }
    let mut command = Command::new(node::find_node()?);
    command.arg(node::node_folder().join("node_modules/binaryen/bin/wasm-opt")).arg(module);
    process::run_command(command.args(FEATURES).args(["-Oz", "--strip-debug", "-o"]).arg(module))
}

/// Copies the static files of the page into the folder `page_folder`. Writes the size of the module
/// (bytes) into the HTML file, for the loading bar.
fn copy_files(page_folder: &Path, length: u64) -> Result<()> {
    let frame = place::repository_root().join("crates/headwater-playground/page");
    for entry in fs::read_dir(&frame).with_context(|| frame.display().to_string())? {
        let entry = entry?;
        fs::copy(entry.path(), page_folder.join(entry.file_name()))?;
    }
    let index = page_folder.join(INDEX);
    let text = fs::read_to_string(&index)?;
    fs::write(index, text.replacen("<html", &format!("<html data-length=\"{length}\""), 1))?;
    Ok(())
}
