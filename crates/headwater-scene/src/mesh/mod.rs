//! Meshes to files, for renderers and modelling tools: Wavefront OBJ and binary glTF (GLB). What the
//! meshes are is [`headwater::Mesh`]'s business.

mod glb;
mod obj;
mod part;

pub use part::Part;

use crate::atomic::{Sink, write_atomically};
use std::io;
use std::path::Path;

/// Writes parts as binary glTF 2.0. All are lifted by `datum` (m), in f64 as the format's transforms
/// allow, so that high mountains keep their precision.
///
/// # Errors
/// The reason why the file cannot be written, or that it would be longer than the format's 4 GiB.
pub fn write_glb(path: &Path, parts: &[Part], datum: f64) -> io::Result<()> {
    write_parts(path, parts, |sink, parts| glb::write(sink, parts, datum))
}

/// The file that [`write_glb`] writes.
///
/// # Errors
/// That it would be longer than the format's 4 GiB.
pub fn to_glb(parts: &[Part], datum: f64) -> io::Result<Vec<u8>> {
    let parts: Vec<_> = parts.iter().filter(|part| !part.mesh.triangles.is_empty()).collect();
    let mut bytes = Vec::new();
    glb::write(&mut bytes, &parts, datum)?;
    Ok(bytes)
}

/// Writes parts as Wavefront OBJ, one object each, without colours. All are lifted by `datum` (m).
///
/// # Errors
/// The reason why the file cannot be written.
pub fn write_obj(path: &Path, parts: &[Part], datum: f64) -> io::Result<()> {
    write_parts(path, parts, |sink, parts| obj::write(sink, parts, datum))
}

fn write_parts(
    path: &Path,
    parts: &[Part],
    write: impl FnOnce(&mut Sink<'_>, &[&Part]) -> io::Result<()>,
) -> io::Result<()> {
    let parts: Vec<_> = parts.iter().filter(|part| !part.mesh.triangles.is_empty()).collect();
    write_atomically(path, |sink| write(sink, &parts))
}
