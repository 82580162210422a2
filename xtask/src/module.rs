//! Builds of WebAssembly modules.

use crate::process::{find, run};
use crate::{place, toolchain::Toolchain};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// Target triple of browsers.
const TARGET: &str = "wasm32-unknown-unknown";

/// Advice if no toolchain has the target.
const ADVICE: &str = "nothing here can build for WebAssembly. With rustup: \
    `rustup target add wasm32-unknown-unknown`. On Debian: \
    `apt-get install rustc-web cargo-web rust-web-src lld-22`";

/// Package of the playground's page.
pub(crate) const PAGE: &str = "headwater-page";
/// Package of the JavaScript library.
pub(crate) const JAVASCRIPT: &str = "headwater-npm";

/// Quality of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Make {
    /// Release quality: link-time optimisation and wasm-opt.
    Whole,
    /// Test quality: a third of the build time, larger and slower.
    Draft,
}

impl Make {
    /// Cargo profile of this quality.
    fn profile(self) -> &'static str {
        match self {
            Self::Whole => "web",
            Self::Draft => "web-draft",
        }
    }
}

/// Builds a package for browsers with further `cargo` arguments for features; returns the module's
/// path.
pub(crate) fn build(package: &str, features: &[&str], make: Make) -> Result<PathBuf> {
    let toolchain = Toolchain::find(TARGET).context(ADVICE)?;
    let linker = linker(&toolchain)?;
    eprintln!("building {package} with {}", toolchain.name());
    let mut command = toolchain.build(package, make.profile(), TARGET);
    command.args(features);
    if make == Make::Draft && features.is_empty() {
        // Both packages share dependencies; building them together unifies features.
        command.args(["--package", PAGE, "--package", JAVASCRIPT]);
    }
    if let Some(linker) = linker {
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    run(&mut command)?;
    // A program has its package's name, a library its crate's.
    let folder = place::target().join(TARGET).join(make.profile());
    let names = [package.replace('-', "_"), package.to_owned()];
    let files = names.map(|name| folder.join(format!("{name}.wasm")));
    let [.., program] = &files;
    Ok(files.iter().find(|file| file.is_file()).unwrap_or(program).clone())
}

/// Returns the linker to pass, or `None` if the compiler has its own.
fn linker(toolchain: &Toolchain) -> Result<Option<PathBuf>> {
    if toolchain.has_linker() {
        return Ok(None);
    }
    let versions = (14..40).rev().map(|version| format!("wasm-ld-{version}"));
    let names: Vec<String> = std::iter::once("wasm-ld".to_owned()).chain(versions).collect();
    match find(&names) {
        Some(linker) => Ok(Some(linker)),
        None => bail!("no linker for WebAssembly was found. On Debian: `apt-get install lld-22`"),
    }
}
