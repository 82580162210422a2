//! Paths of the repository and of build outputs.

use std::env;
use std::path::{Path, PathBuf};

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Returns Cargo's target directory: `CARGO_TARGET_DIR`, or the repository's.
pub(crate) fn target() -> PathBuf {
    let given = env::var_os("CARGO_TARGET_DIR").filter(|given| !given.is_empty());
    given.map_or_else(|| root().join("target"), |given| root().join(given))
}

/// Returns Cargo's output folder of a profile.
pub(crate) fn built(profile: &str) -> PathBuf {
    target().join(if profile == "dev" { "debug" } else { profile })
}

/// Returns the program `headwater` built with a profile.
pub(crate) fn program(profile: &str) -> PathBuf {
    built(profile).join(format!("headwater{}", env::consts::EXE_SUFFIX))
}

/// Returns the folder of the page. (`target/web` is Cargo's, for the profile of this name.)
pub(crate) fn page() -> PathBuf {
    target().join("page")
}
