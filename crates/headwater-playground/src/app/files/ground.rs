//! Export of the ground as a heightmap, and creation of worlds from heightmaps.

use crate::app::world::script::{ImportedHeightmap, Script};
use crate::app::world::world_view::WorldView;
use headwater_scene::library;
use headwater_scene::raster::to_png16;
use headwater_scene::run::RunError;
use headwater_scene::scene::Files;

/// Name of the library scene that is used for imported terrain.
const OWN_TERRAIN: &str = "your-terrain";

impl WorldView {
    pub(in crate::app) fn imported_heightmap(&mut self) -> Result<ImportedHeightmap, String> {
        if self.live.lattice().is_hex() {
            return Err(
                "This is only available for square grids, and this world has a hexagonal grid."
                    .into(),
            );
        }
        let bytes = self.heightmap()?;
        Ok(ImportedHeightmap { file: format!("{}-land.png", self.name), bytes, keys: Vec::new() })
    }

    /// Returns the ground as a 16-bit PNG heightmap. The file contains the cell size and marks
    /// cells without data.
    pub(in crate::app) fn heightmap(&mut self) -> Result<Vec<u8>, String> {
        self.live.read_back();
        let simulation = self.live.simulation();
        let ground = simulation.masked_layer("bed");
        let ground = ground.ok_or("This world has no ground to export.")?;
        let lattice = simulation.lattice();
        let cell = (!lattice.is_hex()).then(|| [lattice.dx(), lattice.dy()]);
        to_png16(&ground, cell).map_err(|error| error.to_string())
    }

    /// Opens the library scene for imported terrain with the given heightmap.
    pub(in crate::app) fn from_heightmap(land: &ImportedHeightmap) -> Result<Self, RunError> {
        let ImportedHeightmap { file, bytes, keys } = land;
        let text = library::find_scene(OWN_TERRAIN).map_or("", |known| known.text);
        let name = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
        let files = Files::from_disk().with_file(file, bytes.as_slice());
        let mut overrides = vec![("terrain.file".to_owned(), file.clone())];
        overrides.extend(keys.iter().cloned());
        Self::from_script(
            name,
            Script {
                files,
                overrides,
                file: Some((file.clone(), bytes.clone())),
                ..Script::new(text)
            },
        )
    }
}
