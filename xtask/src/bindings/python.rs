//! The Python package: put together without a wheel, and tried by pytest in an environment of its own.

use crate::process::{find, run};
use crate::{bindings, place};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests need; those that need more are left out where it is missing.
const TESTED_WITH: [&str; 9] = [
    "numpy",
    "pytest",
    "xarray",
    "h5netcdf",
    "h5py",
    "zarr",
    "matplotlib",
    "rasterio",
    "rioxarray",
];

/// A component for landlab is tried with the last version for this Python.
const LANDLAB: &str = "landlab<2.10";

pub(super) fn sources() -> PathBuf {
    place::root().join("crates/headwater-python")
}

/// A package that Python finds, with what runs it.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    python: PathBuf,
    folder: PathBuf,
}

impl Package {
    /// A call of Python that finds the package.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.python);
        command.env("PYTHONPATH", &self.folder).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

/// Puts the package together from what a profile has built, with a Python that has what the tests need.
pub(crate) fn package(profile: &str, build: bool) -> Result<Package> {
    if build {
        bindings::build(profile, &["headwater-python", "headwater-cli"])?;
    }
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let built = bindings::library(profile, &format!("{prefix}_headwater{suffix}"));
    let folder = place::target().join("python/package");
    let to = folder.join("headwater");
    fs::create_dir_all(&to)?;
    for entry in fs::read_dir(sources().join("python/headwater"))? {
        let file = entry?.path();
        if file.is_file() {
            fs::copy(&file, to.join(file.file_name().context("a file's name")?))?;
        }
    }
    let ending = if cfg!(windows) { "pyd" } else { "abi3.so" };
    fs::copy(&built, to.join(format!("_headwater.{ending}")))
        .with_context(|| built.display().to_string())?;
    Ok(Package { python: environment()?, folder })
}

/// Has pytest try it, and read what a program writes that was built with all its features, if there is one.
pub(crate) fn test(package: &Package, program: Option<&Path>) -> Result<()> {
    let mut command = package.command();
    command.envs(program.map(|program| ("HEADWATER_PROGRAM", program)));
    command.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]);
    run(command.current_dir(sources()))
}

/// The Python of an environment with what the tests need.
fn environment() -> Result<PathBuf> {
    let folder = place::target().join("python/environment");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let mark = folder.join(".installed");
    let wanted = format!("{TESTED_WITH:?} {LANDLAB}");
    if fs::read_to_string(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    let advice = "there is no Python. On Debian: `apt-get install python3 python3-venv`";
    let own = find(&["python3", "python"]).context(advice)?;
    run(Command::new(own).args(["-m", "venv"]).arg(&folder))?;
    run(pip(&python).args(TESTED_WITH))?;
    // It has to be built where there is no wheel, which may fail: then its test is left out.
    if run(pip(&python).args(["--only-binary", ":all:", LANDLAB])).is_err() {
        println!("there is no landlab for this Python: its component is not tried");
    }
    fs::write(mark, wanted)?;
    Ok(python)
}

fn pip(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command
}
