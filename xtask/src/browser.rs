//! Tests of the page in a browser. The tests themselves are in `xtask/node/browser`; this finds the browser, serves
//! the page and runs them.

use crate::module::Make;
use crate::{node, page, place, process, serve};
use anyhow::{Context, Result};
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Plays with the page in `folder` (that of `cargo xtask web`, which is built if need be) for `random` seconds at
/// random, after the other tests; only tests whose names hold `only`, if that is given.
pub(crate) fn test(folder: Option<PathBuf>, random: u32, only: Option<&str>) -> Result<()> {
    let mut command = Command::new(node::node()?);
    command.env("HEADWATER_RANDOM", random.to_string());
    run(command, "main", folder, only)
}

/// Makes pictures of the page for the documents; only those in windows of one width, if that is given.
pub(crate) fn pictures(folder: Option<PathBuf>, only: Option<&str>) -> Result<()> {
    run(Command::new(node::node()?), "gallery", folder, only)
}

/// Serves the page and runs a script on it.
fn run(
    mut command: Command,
    script: &str,
    folder: Option<PathBuf>,
    only: Option<&str>,
) -> Result<()> {
    let browser = browser()?;
    node::install()?;
    let folder = folder.unwrap_or_else(place::page);
    if !folder.join(page::INDEX).is_file() {
        page::build(&folder, Make::Whole)?;
    }
    let served = serve::begin(&folder, 0)?;
    let pictures = place::target().join("browser-test");
    std::fs::create_dir_all(&pictures)?;
    command.arg(node::folder().join(format!("browser/{script}.mjs")));
    command.env("HEADWATER_PAGE", &served.address).env("HEADWATER_BROWSER", browser);
    command.env("HEADWATER_PICTURES", &pictures);
    process::run(command.env("HEADWATER_ONLY", only.unwrap_or_default()))?;
    println!("pictures are in {}", pictures.display());
    Ok(())
}

/// The browser: of `CHROMIUM`, else one on the path.
pub(crate) fn browser() -> Result<OsString> {
    if let Some(given) = env::var_os("CHROMIUM").filter(|given| !given.is_empty()) {
        return Ok(given);
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let found = process::find(&names).map(PathBuf::into_os_string);
    found.context("there is no Chromium. On Debian: `apt-get install chromium`; elsewhere name it in CHROMIUM")
}
