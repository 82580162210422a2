//! Export of meshes as binary glTF (GLB) for renderers and modelling tools. [`headwater::Mesh`]
//! generates the meshes.

mod glb;
mod part;

pub use part::Part;

use crate::atomic::write_atomically;
use std::io;
use std::path::Path;

/// Writes parts to a file as binary glTF 2.0. All parts are translated up by `datum` (m); the
/// translation is in `f64`, as glTF transforms allow, so that high mountains keep their precision.
///
/// # Errors
/// Returns [`io::Error`] if the file cannot be written or would exceed the format's limit of 4 GiB.
pub fn write_glb(path: &Path, parts: &[Part], datum: f64) -> io::Result<()> {
    write_atomically(path, |sink| glb::write(sink, &not_empty(parts), datum))
}

/// Returns parts as the bytes of a binary glTF 2.0 file, as written by [`write_glb`].
///
/// # Errors
/// Returns [`io::Error`] if the content would exceed the format's limit of 4 GiB.
pub fn to_glb(parts: &[Part], datum: f64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    glb::write(&mut bytes, &not_empty(parts), datum)?;
    Ok(bytes)
}

fn not_empty(parts: &[Part]) -> Vec<&Part> {
    parts.iter().filter(|part| !part.mesh.triangles.is_empty()).collect()
}
