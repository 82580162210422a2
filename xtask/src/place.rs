//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// The repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Cargo's target directory: of `CARGO_TARGET_DIR`, else the repository's.
pub(crate) fn target() -> PathBuf {
    let given = env::var_os("CARGO_TARGET_DIR").filter(|given| !given.is_empty());
    given.map_or_else(|| root().join("target"), |given| root().join(given))
}

/// Where cargo puts what it builds with a profile.
pub(crate) fn built(profile: &str) -> PathBuf {
    target().join(if profile == "dev" { "debug" } else { profile })
}

/// The program `headwater` that a profile has built.
pub(crate) fn program(profile: &str) -> PathBuf {
    built(profile).join(format!("headwater{}", env::consts::EXE_SUFFIX))
}

/// Where the page is built. (`web` there is Cargo's own, for the profile of this name.)
pub(crate) fn page() -> PathBuf {
    target().join("page")
}
