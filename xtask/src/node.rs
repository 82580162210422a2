//! Node, and the packages that are pinned in `xtask/node/package-lock.json`: wasm-opt and what drives a browser.

use crate::place;
use crate::process::{find, run};
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The folder of the packages and of the scripts that use them.
pub(crate) fn folder() -> PathBuf {
    place::root().join("xtask/node")
}

/// The program node.
pub(crate) fn node() -> Result<PathBuf> {
    find(&["node", "nodejs"]).context("there is no node. On Debian: `apt-get install nodejs npm`")
}

/// Installs the packages, unless those of the lock file are there already.
pub(crate) fn install() -> Result<()> {
    let npm = find(&["npm"]).context("there is no npm. On Debian: `apt-get install npm`")?;
    let lock = fs::read(folder().join("package-lock.json"))?;
    let mark = folder().join("node_modules/.installed-lock.json");
    if fs::read(&mark).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let mut command = Command::new(npm);
    command.current_dir(folder()).args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    // npm talks on its standard output, which is for results here.
    run(command.stdout(std::io::stderr()))?;
    fs::write(mark, lock)?;
    Ok(())
}
