//! Meshes to files, for renderers and modelling tools: binary glTF (GLB). What the meshes are is
//! [`headwater::Mesh`]'s business.

mod glb;
mod part;

pub use part::Part;

use crate::atomic::write_atomically;
use std::io;
use std::path::Path;

/// Writes parts as binary glTF 2.0. All are lifted by `datum` (m), in f64 as the format's transforms
/// allow, so that high mountains keep their precision.
///
/// # Errors
/// The reason why the file cannot be written, or that it would be longer than the format's 4 GiB.
pub fn write_glb(path: &Path, parts: &[Part], datum: f64) -> io::Result<()> {
    write_atomically(path, |sink| glb::write(sink, &not_empty(parts), datum))
}

/// The file that [`write_glb`] writes.
///
/// # Errors
/// That it would be longer than the format's 4 GiB.
pub fn to_glb(parts: &[Part], datum: f64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    glb::write(&mut bytes, &not_empty(parts), datum)?;
    Ok(bytes)
}

fn not_empty(parts: &[Part]) -> Vec<&Part> {
    parts.iter().filter(|part| !part.mesh.triangles.is_empty()).collect()
}
