//! Browser tests of the web page. The module finds a browser, serves the page, and runs the scripts
//! in `xtask/node/browser`.

use crate::module::BuildQuality;
use crate::{node, page, place, process, serve};
use anyhow::{Context, Result};
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Tests the web page in `folder`, or in the default folder if it is `None`. Builds the page first
/// if it is missing. Runs all tests whose names contain `name_filter`, and then random user input
/// for `random` seconds.
pub(crate) fn test_page(
    folder: Option<PathBuf>,
    random: u32,
    name_filter: Option<&str>,
) -> Result<()> {
    let mut command = Command::new(node::find_node()?);
    command.env("HEADWATER_RANDOM", random.to_string());
    run_script(command, "main", folder, name_filter)
}

/// Takes the screenshots of the page for the documentation. If `only` is a window width, takes only
/// the screenshots of this width.
pub(crate) fn take_pictures(folder: Option<PathBuf>, only: Option<&str>) -> Result<()> {
    run_script(Command::new(node::find_node()?), "gallery", folder, only)
}

/// Serves the web page and runs a node script that opens the page in a browser.
fn run_script(
    mut command: Command,
    script: &str,
    folder: Option<PathBuf>,
    only: Option<&str>,
) -> Result<()> {
    let browser = find_browser()?;
    node::install_packages()?;
    let folder = folder.unwrap_or_else(place::page_folder);
    if !folder.join(page::INDEX).is_file() {
        page::build(&folder, BuildQuality::Release)?;
    }
    let served = serve::start(&folder, 0)?;
    let pictures = place::target_folder().join("browser-test");
    std::fs::create_dir_all(&pictures)?;
    command.arg(node::node_folder().join(format!("browser/{script}.mjs")));
    command.env("HEADWATER_PAGE", &served.address).env("HEADWATER_BROWSER", browser);
    command.env("HEADWATER_PICTURES", &pictures);
    process::run_command(command.env("HEADWATER_ONLY", only.unwrap_or_default()))?;
    println!("pictures are in {}", pictures.display());
    Ok(())
}

/// Returns the path of a browser: the value of the environment variable `CHROMIUM`, or the first
/// browser found in the search path of the system.
pub(crate) fn find_browser() -> Result<OsString> {
    if let Some(given) = env::var_os("CHROMIUM").filter(|given| !given.is_empty()) {
        return Ok(given);
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let found = process::find_program(&names).map(PathBuf::into_os_string);
    found.context("Chromium was not found. On Debian: `apt-get install chromium`; elsewhere set CHROMIUM to its path")
}
