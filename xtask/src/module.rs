//! The playground's module, built for WebAssembly.

use crate::process::{find, run};
use crate::{place, toolchain::Toolchain};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// The target of browsers.
const TARGET: &str = "wasm32-unknown-unknown";

/// What to install, for whom there is nothing.
const ADVICE: &str = "nothing here can build for WebAssembly. With rustup: \
    `rustup target add wasm32-unknown-unknown`. On Debian: \
    `apt-get install rustc-web cargo-web rust-web-src lld-22`";

/// The playground's page, and the library for JavaScript.
pub(crate) const PAGE: &str = "headwater-page";
pub(crate) const JAVASCRIPT: &str = "headwater-npm";

/// How well a module is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Make {
    /// As it is handed out: linked as one, for speed and weight, and made small.
    Whole,
    /// In a third of the time, as the tests of other parts are built: heavier and slower.
    Draft,
}

impl Make {
    /// What Cargo builds it with.
    fn profile(self) -> &'static str {
        match self {
            Self::Whole => "web",
            Self::Draft => "web-draft",
        }
    }
}

/// Builds a package for browsers, with what else cargo is to be told of its features, and gives the module's file.
pub(crate) fn build(package: &str, features: &[&str], make: Make) -> Result<PathBuf> {
    let toolchain = Toolchain::find(TARGET).context(ADVICE)?;
    let linker = linker(&toolchain)?;
    eprintln!("building {package} with {}", toolchain.name());
    let mut command = toolchain.build(package, make.profile(), TARGET);
    command.args(features);
    if make == Make::Draft && features.is_empty() {
        // Both want the same crates, and of those built together they want the same features.
        command.args(["--package", PAGE, "--package", JAVASCRIPT]);
    }
    if let Some(linker) = linker {
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    run(&mut command)?;
    // A program is called as its package, a library by the name that Rust has for it.
    let folder = place::target().join(TARGET).join(make.profile());
    let names = [package.replace('-', "_"), package.to_owned()];
    let files = names.map(|name| folder.join(format!("{name}.wasm")));
    let [.., program] = &files;
    Ok(files.iter().find(|file| file.is_file()).unwrap_or(program).clone())
}

/// The linker to name; none if the compiler brings its own.
fn linker(toolchain: &Toolchain) -> Result<Option<PathBuf>> {
    if toolchain.brings_linker() {
        return Ok(None);
    }
    let versions = (14..40).rev().map(|version| format!("wasm-ld-{version}"));
    let names: Vec<String> = std::iter::once("wasm-ld".to_owned()).chain(versions).collect();
    match find(&names) {
        Some(linker) => Ok(Some(linker)),
        None => bail!("there is no linker for WebAssembly. On Debian: `apt-get install lld-22`"),
    }
}
