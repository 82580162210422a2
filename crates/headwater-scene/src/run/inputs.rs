//! Hashes of the input files of a run. A run can be resumed only if its input files are unchanged.

use super::output::summary::{Input, format_hash};
use crate::raster;
use crate::scene::Scene;
use std::io;

/// Returns the input files of a scene, including the companion files of rasters, with the hashes of
/// their current contents.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(super) fn hash_inputs(scene: &Scene) -> io::Result<Vec<Input>> {
    let files = scene.file_source();
    let mut all = Vec::new();
    for (key, path) in scene.named_files() {
        let is_raster = ![".csv", ".geojson"].iter().any(|kind| key.ends_with(kind));
        let beside = if is_raster { raster::sidecar_files(files, &path) } else { Vec::new() };
        for path in std::iter::once(path).chain(beside) {
            let hash = format_hash(files.hash_contents(&path)?);
            let key = key.to_string();
            all.push(Input { key, file: path.display().to_string(), hash });
        }
    }
    Ok(all)
}

/// Returns the first input in `current` that is new or has changed since `recorded`, that is, whose
/// key and hash are not in `recorded`. Returns `None` if all inputs are unchanged.
pub(super) fn find_changed_input<'a>(
    current: &'a [Input],
    recorded: &[Input],
) -> Option<&'a Input> {
    let is_unchanged = |input: &&Input| {
        recorded.iter().any(|recorded| (&recorded.key, &recorded.hash) == (&input.key, &input.hash))
    };
    current.iter().find(|input| !is_unchanged(input))
}
