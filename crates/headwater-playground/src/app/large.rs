//! Worlds of so many cells that somebody is asked before they are made: they are too much for many a machine.

use super::stage::Stage;
use std::path::{Path, PathBuf};

/// From so many cells on somebody is asked.
const MANY: u64 = if cfg!(target_arch = "wasm32") { 1_500_000 } else { 5_000_000 };

/// A world that waits for an answer.
pub(super) struct Large {
    pub(super) name: String,
    pub(super) opens: Opens,
    pub(super) cells: u64,
}

/// What is opened, if the answer is yes.
pub(super) enum Opens {
    /// A scene of that text, whose files lie in a folder.
    Scene(String, Option<PathBuf>),
    /// The world on show, with so many cells along its longer side.
    Side(usize),
}

impl Large {
    /// The scene, if its text tells of so many cells. What is wrong with it is found when it is opened.
    pub(super) fn of(name: &str, text: &str, folder: Option<&Path>) -> Option<Self> {
        let table = text.parse::<toml::Table>().ok()?;
        let grid = table.get("grid")?;
        let side = |key: &str| u64::try_from(grid.get(key)?.as_integer()?).ok();
        let cells = side("nx")?.saturating_mul(side("ny")?);
        let (name, opens) =
            (name.to_owned(), Opens::Scene(text.to_owned(), folder.map(Path::to_owned)));
        (cells > MANY).then_some(Self { name, opens, cells })
    }

    /// The world on show with another number of cells along its longer side, if they are so many.
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
    fn large_worlds_are_told_from_usual_ones() {
        let scene = |n: u64| format!("model = 'flow'\n[grid]\nnx = {n}\nny = {n}\ncell = 1\n");
        assert!(Large::of("a", &scene(4000), None).is_some());
        assert!(Large::of("a", &scene(1024), None).is_none());
        assert!(Large::of("a", "[grid]\nnx = -3\nny = 9e99", None).is_none());
        assert!(Large::of("a", "no scene", None).is_none());
    }
}
