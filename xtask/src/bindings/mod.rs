//! Builds of the libraries and packages for other programming languages, and their tests in these
//! languages.

pub(crate) mod c;
pub(crate) mod js;
pub(crate) mod python;
pub(crate) mod speed;

use crate::place;
use crate::process::{cargo_command, run_command};
use anyhow::Result;
use std::path::PathBuf;

/// Builds several Cargo packages with a Cargo profile.
fn build_packages(profile: &str, packages: &[&str]) -> Result<()> {
    let mut command = cargo_command();
    command.args(["build", "--profile", profile]);
    packages.iter().for_each(|package| {
        command.args(["--package", package]);
    });
    run_command(&mut command)
}

/// Returns the path of a library that was built with a Cargo profile. Cargo writes the library to
/// the folder of the profile or, as a dependency of tests, to the subfolder `deps`. If both files
/// exist, returns the newer one.
fn library_path(profile: &str, file: &str) -> PathBuf {
    let folder = place::profile_folder(profile);
    let [asked, needed] = [folder.join(file), folder.join("deps").join(file)];
    let changed = |path: &PathBuf| path.metadata().and_then(|file| file.modified()).ok();
    if changed(&needed) > changed(&asked) { needed } else { asked }
}
