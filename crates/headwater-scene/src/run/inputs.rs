//! The files that a run reads, as they were when it began: it goes on from a checkpoint only while they still are so.

use super::summary::{Input, hash_text};
use crate::scene::Scene;
use std::io;

/// The files that a scene reads, as they are now.
pub(super) fn of(scene: &Scene) -> io::Result<Vec<Input>> {
    let all = scene.files_named().into_iter().map(|(key, path)| {
        let hash = hash_text(scene.source_of_files().hash(&path)?);
        Ok(Input { key: key.into(), file: path.display().to_string(), hash })
    });
    all.collect()
}

/// The first of the files that is not what it was, of the same scene.
pub(super) fn changed<'a>(now: &'a [Input], before: &[Input]) -> Option<&'a Input> {
    let as_before = |input: &&Input| {
        before.iter().any(|before| (&before.key, &before.hash) == (&input.key, &input.hash))
    };
    now.iter().find(|input| !as_before(input))
}
