//! Paths of folders and files in the repository, and of build outputs.

use std::env;
use std::path::{Path, PathBuf};

/// Returns the path of the repository's root folder.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Returns the path of Cargo's target folder: the value of the environment variable
/// `CARGO_TARGET_DIR`, or the folder `target` in the repository.
pub(crate) fn target() -> PathBuf {
    let given = env::var_os("CARGO_TARGET_DIR").filter(|given| !given.is_empty());
    given.map_or_else(|| root().join("target"), |given| root().join(given))
}

/// Returns the path of Cargo's output folder for a profile.
pub(crate) fn built(profile: &str) -> PathBuf {
    target().join(if profile == "dev" { "debug" } else { profile })
}

/// Returns the path of the program `headwater` that is built with a profile.
pub(crate) fn program(profile: &str) -> PathBuf {
    built(profile).join(format!("headwater{}", env::consts::EXE_SUFFIX))
}

/// Returns the path of the web page's output folder. It is not `target/web`, because Cargo uses
/// that folder for the profile `web`.
pub(crate) fn page() -> PathBuf {
    target().join("page")
}
