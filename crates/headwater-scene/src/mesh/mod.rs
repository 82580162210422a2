//! Export of meshes for renderers and modelling tools as binary glTF (GLB). [`headwater::Mesh`]
//! generates the meshes.

mod glb;
mod part;

pub use part::Part;

use crate::atomic::write_atomically;
use std::io;
use std::path::Path;

/// Writes parts as binary glTF 2.0. All parts are translated up by `datum` (m), in `f64` as glTF
/// transforms allow, so that high mountains keep their precision.
///
/// # Errors
/// [`io::Error`] if the file cannot be written or would exceed the format's limit of 4 GiB.
pub fn write_glb(path: &Path, parts: &[Part], datum: f64) -> io::Result<()> {
    write_atomically(path, |sink| glb::write(sink, &not_empty(parts), datum))
}

/// Returns the content of the file that [`write_glb`] writes.
///
/// # Errors
/// [`io::Error`] if it would exceed the format's limit of 4 GiB.
pub fn to_glb(parts: &[Part], datum: f64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    glb::write(&mut bytes, &not_empty(parts), datum)?;
    Ok(bytes)
}

fn not_empty(parts: &[Part]) -> Vec<&Part> {
    parts.iter().filter(|part| !part.mesh.triangles.is_empty()).collect()
}
