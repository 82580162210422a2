//! Builds of the WebAssembly modules for the web page and the JavaScript package.

use crate::process::{find_program, run_command};
use crate::{place, toolchain::Toolchain};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// Target triple of the Rust compiler for browsers.
const TARGET: &str = "wasm32-unknown-unknown";

/// Message for the user if no installed toolchain can build for browsers.
const ADVICE: &str = "nothing here can build for WebAssembly. With rustup: \
    `rustup target add wasm32-unknown-unknown`. On Debian: \
    `apt-get install rustc-web cargo-web rust-web-src lld-22`";

/// Cargo package that contains the program of the web page.
pub(crate) const PAGE: &str = "headwater-page";
/// Cargo package that contains the module of the JavaScript package.
pub(crate) const JAVASCRIPT: &str = "headwater-npm";

/// Quality of a module build: a compromise between module size and build time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuildQuality {
    /// Release build, with link-time optimization and wasm-opt.
    Release,
    /// Build for tests. It takes a third of the time, but the module is larger and slower.
    Draft,
}

impl BuildQuality {
    /// Returns the name of the Cargo profile for this quality.
    fn profile(self) -> &'static str {
        match self {
            Self::Release => "web",
            Self::Draft => "web-draft",
        }
    }
}

/// Builds a Cargo package for browsers and returns the path of the WebAssembly module. `features`
/// are additional `cargo` arguments that select features.
pub(crate) fn build(package: &str, features: &[&str], quality: BuildQuality) -> Result<PathBuf> {
    let toolchain = Toolchain::find(TARGET).context(ADVICE)?;
    let linker = find_linker(&toolchain)?;
    eprintln!("building {package} with {}", toolchain.description());
    let mut command = toolchain.build_command(package, quality.profile(), TARGET);
    command.args(features);
    if quality == BuildQuality::Draft && features.is_empty() {
        // Both packages share dependencies. Building them together unifies the features of the
        // dependencies.
        command.args(["--package", PAGE, "--package", JAVASCRIPT]);
    }
    if let Some(linker) = linker {
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    run_command(&mut command)?;
    // The module of a program is named after its package, the module of a library after its crate.
    let folder = place::target_folder().join(TARGET).join(quality.profile());
    let names = [package.replace('-', "_"), package.to_owned()];
    let files = names.map(|name| folder.join(format!("{name}.wasm")));
    let [.., program] = &files;
    Ok(files.iter().find(|file| file.is_file()).unwrap_or(program).clone())
}

/// Returns the path of the linker that must be passed to the compiler; `None` if the toolchain
/// includes a linker.
fn find_linker(toolchain: &Toolchain) -> Result<Option<PathBuf>> {
    if toolchain.has_linker() {
        return Ok(None);
    }
    let versions = (14..40).rev().map(|version| format!("wasm-ld-{version}"));
    let names: Vec<String> = std::iter::once("wasm-ld".to_owned()).chain(versions).collect();
    match find_program(&names) {
        Some(linker) => Ok(Some(linker)),
        None => bail!("no linker for WebAssembly was found. On Debian: `apt-get install lld-22`"),
    }
}
