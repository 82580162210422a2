//! Hashes of the input files of a run. A run can be resumed only if its input files are unchanged.

use super::output::summary::{Input, format_hash};
use crate::scene::Scene;
use std::io;

/// Returns the input files of a scene with the hashes of their current contents.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(super) fn hash_inputs(scene: &Scene) -> io::Result<Vec<Input>> {
    let all = scene.named_files().into_iter().map(|(key, path)| {
        let hash = format_hash(scene.file_source().hash_contents(&path)?);
        Ok(Input { key: key.into(), file: path.display().to_string(), hash })
    });
    all.collect()
}

/// Returns the first of the inputs `now` whose key or hash is not among the inputs `before`; `None`
/// if all are unchanged.
pub(super) fn find_changed<'a>(now: &'a [Input], before: &[Input]) -> Option<&'a Input> {
    let is_unchanged = |input: &&Input| {
        before.iter().any(|before| (&before.key, &before.hash) == (&input.key, &input.hash))
    };
    now.iter().find(|input| !is_unchanged(input))
}
