//! Confirmation of worlds that are too large for many machines.

use super::stage::Stage;
use std::path::{Path, PathBuf};

/// Number of cells from which confirmation is required.
const MANY: u64 = if cfg!(target_arch = "wasm32") { 1_500_000 } else { 5_000_000 };

/// A world that waits for confirmation.
pub(super) struct Large {
    pub(super) name: String,
    pub(super) opens: Opens,
    pub(super) cells: u64,
}

/// What is opened on confirmation.
pub(super) enum Opens {
    /// A scene text, and the folder of its files.
    Scene(String, Option<PathBuf>),
    /// The shown world with another number of cells along its longer side.
    Side(usize),
}

impl Large {
    /// Returns the scene if its grid is large. Other errors in the text are reported when it is
    /// opened.
    pub(super) fn of(name: &str, text: &str, folder: Option<&Path>) -> Option<Self> {
        let table = text.parse::<toml::Table>().ok()?;
        let grid = table.get("grid")?;
        let side = |key: &str| u64::try_from(grid.get(key)?.as_integer()?).ok();
        let cells = side("nx")?.saturating_mul(side("ny")?);
        let (name, opens) =
            (name.to_owned(), Opens::Scene(text.to_owned(), folder.map(Path::to_owned)));
        (cells > MANY).then_some(Self { name, opens, cells })
    }

    /// Returns the shown world at another resolution, if that is large.
    pub(super) fn of_side(stage: &Stage, side: usize) -> Option<Self> {
        let [nx, ny] = stage.cells_at(side);
        let (cells, name) = (nx as u64 * ny as u64, stage.name.clone());
        (cells > MANY).then_some(Self { name, opens: Opens::Side(side), cells })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_worlds_are_detected_from_the_scene_text() {
        let scene = |n: u64| format!("model = 'flow'\n[grid]\nnx = {n}\nny = {n}\ncell = 1\n");
        assert!(Large::of("a", &scene(4000), None).is_some());
        assert!(Large::of("a", &scene(1024), None).is_none());
        assert!(Large::of("a", "[grid]\nnx = -3\nny = 9e99", None).is_none());
        assert!(Large::of("a", "no scene", None).is_none());
    }
}
