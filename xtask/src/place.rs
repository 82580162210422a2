//! Paths of folders and files in the repository, and of build outputs.

use std::env;
use std::path::{Path, PathBuf};

/// Returns the path of the repository's root folder.
pub(crate) fn repository_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Returns the path of Cargo's target folder: the value of the environment variable
/// `CARGO_TARGET_DIR`, or the folder `target` in the repository.
pub(crate) fn target_folder() -> PathBuf {
    let given = env::var_os("CARGO_TARGET_DIR").filter(|given| !given.is_empty());
    given.map_or_else(|| repository_root().join("target"), |given| repository_root().join(given))
}

/// Returns the path of Cargo's output folder for a profile.
pub(crate) fn profile_folder(profile: &str) -> PathBuf {
    target_folder().join(if profile == "dev" { "debug" } else { profile })
}

/// Returns the path of the program `headwater` that is built with a profile.
pub(crate) fn program_path(profile: &str) -> PathBuf {
    profile_folder(profile).join(format!("headwater{}", env::consts::EXE_SUFFIX))
}

/// Returns the path of the web page's output folder. It is not `target/web`, because Cargo uses
/// that folder for the profile `web`.
pub(crate) fn page_folder() -> PathBuf {
    target_folder().join("page")
}
