//! Confirmation dialog for opening worlds that are too large for many machines.

use super::world_view::WorldView;
use std::path::{Path, PathBuf};

/// Largest number of cells of a world that is opened without confirmation.
const MAX_UNCONFIRMED_CELLS: u64 = if cfg!(target_arch = "wasm32") { 1_500_000 } else { 5_000_000 };

/// Large world that is opened only after the user has confirmed it.
pub(in crate::app) struct LargeWorld {
    pub(in crate::app) name: String,
    pub(in crate::app) request: OpenRequest,
    pub(in crate::app) cells: u64,
}

/// Request to open a large world. It is carried out when the user confirms it.
pub(in crate::app) enum OpenRequest {
    /// Opens a scene, given by its TOML source and the folder of its files.
    Scene(String, Option<PathBuf>),
    /// Opens the displayed world again with the given number of cells along its longer side.
    Side(usize),
}

impl LargeWorld {
    /// Returns the scene as a [`LargeWorld`] if its grid is large; otherwise `None`. Other errors
    /// in the scene are reported when the scene is opened.
    pub(in crate::app) fn from_scene(
        name: &str,
        text: &str,
        folder: Option<&Path>,
    ) -> Option<Self> {
        let table = text.parse::<toml::Table>().ok()?;
        let grid = table.get("grid")?;
        let side = |key: &str| u64::try_from(grid.get(key)?.as_integer()?).ok();
        let cells = side("nx")?.saturating_mul(side("ny")?);
        let (name, request) =
            (name.to_owned(), OpenRequest::Scene(text.to_owned(), folder.map(Path::to_owned)));
        (cells > MAX_UNCONFIRMED_CELLS).then_some(Self { name, request, cells })
    }

    /// Returns a [`LargeWorld`] for the displayed world with `side` cells along its longer side;
    /// `None` if that grid is not large.
    pub(in crate::app) fn from_resolution(world_view: &WorldView, side: usize) -> Option<Self> {
        let [nx, ny] = world_view.shape_at(side);
        let (cells, name) = (nx as u64 * ny as u64, world_view.name.clone());
        (cells > MAX_UNCONFIRMED_CELLS).then_some(Self {
            name,
            request: OpenRequest::Side(side),
            cells,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_worlds_are_detected_from_the_scene_text() {
        let scene = |n: u64| format!("model = 'flow'\n[grid]\nnx = {n}\nny = {n}\ncell = 1\n");
        assert!(LargeWorld::from_scene("a", &scene(4000), None).is_some());
        assert!(LargeWorld::from_scene("a", &scene(1024), None).is_none());
        assert!(LargeWorld::from_scene("a", "[grid]\nnx = -3\nny = 9e99", None).is_none());
        assert!(LargeWorld::from_scene("a", "no scene", None).is_none());
    }
}
