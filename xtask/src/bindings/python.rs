//! Assembly and tests of the Python package. The package is assembled without building a wheel, and
//! tested with pytest in a virtual environment.

use crate::process::{find_program, run_command};
use crate::{bindings, place};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Python packages that the tests import.
const TEST_PACKAGES: [&str; 9] = [
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

/// Version requirement for landlab. Later versions do not support Python 3.11.
const LANDLAB: &str = "landlab<2.10";

pub(super) fn crate_folder() -> PathBuf {
    place::repository_root().join("crates/headwater-python")
}

/// Assembled Python package, with the interpreter of an environment that can import it.
#[derive(Clone, Debug)]
pub(crate) struct PythonPackage {
    python: PathBuf,
    folder: PathBuf,
}

impl PythonPackage {
    /// Returns a command that runs Python with a module path that includes the package.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.python);
        command.env("PYTHONPATH", &self.folder).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

/// Assembles the package from the library that was built with a Cargo profile. Builds the library
/// first if `build_first` is true. The Python interpreter in the result can import all packages
/// that the tests need.
pub(crate) fn assemble_package(profile: &str, build_first: bool) -> Result<PythonPackage> {
    if build_first {
        bindings::build_packages(profile, &["headwater-python", "headwater-cli"])?;
    }
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let built = bindings::library_path(profile, &format!("{prefix}_headwater{suffix}"));
    let folder = place::target_folder().join("python/package");
    let to = folder.join("headwater");
    fs::create_dir_all(&to)?;
    for entry in fs::read_dir(crate_folder().join("python/headwater"))? {
        let file = entry?.path();
        if file.is_file() {
            fs::copy(&file, to.join(file.file_name().context("a file's name")?))?;
        }
    }
    let ending = if cfg!(windows) { "pyd" } else { "abi3.so" };
    fs::copy(&built, to.join(format!("_headwater.{ending}")))
        .with_context(|| built.display().to_string())?;
    Ok(PythonPackage { python: test_environment()?, folder })
}

/// Runs the tests of the package with pytest. If `program` is the path of the program `headwater`,
/// the tests also read the output of this program.
pub(crate) fn test(package: &PythonPackage, program: Option<&Path>) -> Result<()> {
    let mut command = package.command();
    command.envs(program.map(|program| ("HEADWATER_PROGRAM", program)));
    command.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]);
    run_command(command.current_dir(crate_folder()))
}

/// Returns the Python interpreter of a virtual environment that contains the packages for the
/// tests. Creates the environment if necessary.
fn test_environment() -> Result<PathBuf> {
    let folder = place::target_folder().join("python/environment");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let mark = folder.join(".installed");
    let wanted = format!("{TEST_PACKAGES:?} {LANDLAB}");
    if fs::read_to_string(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    let advice = "Python was not found. On Debian: `apt-get install python3 python3-venv`";
    let own = find_program(&["python3", "python"]).context(advice)?;
    run_command(Command::new(own).args(["-m", "venv"]).arg(&folder))?;
    run_command(pip_command(&python).args(TEST_PACKAGES))?;
    // Without a wheel, landlab must be compiled, which may fail. Its test is then skipped.
    if run_command(pip_command(&python).args(["--only-binary", ":all:", LANDLAB])).is_err() {
        println!("landlab cannot be installed for this Python; its component is not tested");
    }
    fs::write(mark, wanted)?;
    Ok(python)
}

fn pip_command(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command
}
