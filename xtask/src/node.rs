//! The JavaScript runtime node, and the npm packages pinned in `xtask/node/package-lock.json`. The
//! packages provide wasm-opt and the browser driver.

use crate::place;
use crate::process::{find_program, run_command};
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Returns the folder that contains the npm packages and the scripts that use them.
pub(crate) fn node_folder() -> PathBuf {
    place::repository_root().join("xtask/node")
}

/// Returns the path of the program `node`.
pub(crate) fn find_node() -> Result<PathBuf> {
    find_program(&["node", "nodejs"])
        .context("node was not found. On Debian: `apt-get install nodejs npm`")
}

/// Installs the npm packages in the versions of the lock file, unless they are already installed.
pub(crate) fn install_packages() -> Result<()> {
    let npm =
        find_program(&["npm"]).context("npm was not found. On Debian: `apt-get install npm`")?;
    let lock = fs::read(node_folder().join("package-lock.json"))?;
    let mark = node_folder().join("node_modules/.installed-lock.json");
    if fs::read(&mark).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let mut command = Command::new(npm);
    command.current_dir(node_folder()).args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    // npm writes messages to standard output, which is reserved for results here.
    run_command(command.stdout(std::io::stderr()))?;
    fs::write(mark, lock)?;
    Ok(())
}
