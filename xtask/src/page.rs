//! The page: the playground as a module with what JavaScript needs to call it, made small, between the files of
//! `crates/headwater-playground/page`.

use crate::{node, place, process, toolchain, weight};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// The file that a browser opens.
pub(crate) const INDEX: &str = "index.html";

/// The playground's package.
const PLAYGROUND: &str = "headwater-playground";

/// A module of the playground, with the JavaScript that speaks with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    /// Of what name their files are.
    name: &'static str,
    /// The attribute of the page's `html` that says how long the module is.
    attribute: &'static str,
    threads: bool,
}

/// For one thread, which every browser can do.
pub(crate) const PLAIN: Program =
    Program { name: PLAYGROUND, attribute: "data-length", threads: false };

/// For several threads, which a browser allows to pages that are isolated from others.
const THREADS: Program =
    Program { name: "headwater-playground-threads", attribute: "data-threads", threads: true };

impl Program {
    /// The module's file.
    pub(crate) fn module(self) -> String {
        format!("{}_bg.wasm", self.name)
    }

    /// The file of the JavaScript that speaks with it.
    pub(crate) fn glue(self) -> String {
        format!("{}.js", self.name)
    }

    /// What a browser fetches of it, and of no other.
    fn files(self) -> [String; 2] {
        [self.glue(), self.module()]
    }
}

/// What wasm-opt may use: what the compiler has used, and every browser with simd128 has.
const FEATURES: [&str; 9] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
    // Only the module for threads uses these.
    "--enable-threads",
];

/// Builds the page into `out`, with a second module for isolated pages if it is to have `threads`, and weighs it. What
/// was there is replaced when the new page is whole.
///
/// # Errors
/// If something is missing that building needs, something fails, or the page is too heavy.
pub(crate) fn build(out: &Path, optimise: bool, threads: bool) -> Result<()> {
    let parent = out.parent().context("the page needs a folder of its own")?;
    fs::create_dir_all(parent)?;
    let new = parent.join(format!(".{PLAYGROUND}-new"));
    let _ = fs::remove_dir_all(&new);
    fs::create_dir(&new).with_context(|| new.display().to_string())?;
    let programs = if threads { &[PLAIN, THREADS][..] } else { &[PLAIN] };
    let mut lengths = String::new();
    for program in programs {
        let module = toolchain::build(PLAYGROUND, program.threads)?;
        let mut bindgen = Bindgen::new();
        bindgen.input_path(module).out_name(program.name).typescript(false).web(true)?;
        bindgen.remove_name_section(true).remove_producers_section(true).generate(&new)?;
        let module = new.join(program.module());
        if optimise {
            shrink(&module)?;
        } else {
            eprintln!("wasm-opt is left out: the page is heavier than it need be");
        }
        let length = fs::metadata(&module)?.len();
        lengths.push_str(&format!(" {}=\"{length}\"", program.attribute));
    }
    copy_frame(&new, &lengths)?;
    let weighed =
        weight::weigh(&new, &programs.iter().map(|program| program.files()).collect::<Vec<_>>());
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| out.display().to_string())?;
    }
    fs::rename(&new, out).with_context(|| out.display().to_string())?;
    println!("{}", out.display());
    weighed
}

/// Has wasm-opt make the module smaller; says so if there is no npm to get it from.
fn shrink(module: &Path) -> Result<()> {
    if let Err(error) = node::install() {
        eprintln!("wasm-opt is left out, the page is heavier than it need be: {error:#}");
        return Ok(());
    }
    let mut command = Command::new(node::node()?);
    command.arg(node::folder().join("node_modules/binaryen/bin/wasm-opt")).arg(module);
    process::run(command.args(FEATURES).args(["-Os", "--strip-debug", "-o"]).arg(module))
}

/// Copies the page's own files. How long its modules are stands in the page, which shows how much of one has come.
fn copy_frame(new: &Path, lengths: &str) -> Result<()> {
    let frame = place::root().join("crates/headwater-playground/page");
    for entry in fs::read_dir(&frame).with_context(|| frame.display().to_string())? {
        let entry = entry?;
        fs::copy(entry.path(), new.join(entry.file_name()))?;
    }
    let index = new.join(INDEX);
    let text = fs::read_to_string(&index)?;
    fs::write(index, text.replacen("<html", &format!("<html{lengths}"), 1))?;
    Ok(())
}
