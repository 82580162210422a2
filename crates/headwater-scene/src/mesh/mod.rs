//! Meshes to files, for renderers and modelling tools: Wavefront OBJ and binary glTF (GLB). What the
//! meshes are is [`headwater::Mesh`]'s business.

mod glb;
mod obj;

use crate::atomic::{Sink, write_atomically};
use headwater::Mesh;
use std::io;
use std::path::Path;

/// A mesh in a file: its name and what it is made of.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Its name, without spaces.
    pub name: &'a str,
    /// Red, green, blue and opacity, linear, 0 to 1.
    pub color: [f32; 4],
    /// From 0 (a mirror) to 1 (chalk).
    pub roughness: f32,
    /// Its triangles. Parts without any are left out.
    pub mesh: &'a Mesh,
    /// Colour of each corner (red, green and blue, linear, 0 to 1), which `color` is multiplied with; empty for
    /// none. OBJ has no colours.
    pub colors: &'a [[f32; 3]],
}

/// Writes parts as binary glTF 2.0. All are lifted by `datum` (m), in f64 as the format's transforms
/// allow, so that high mountains keep their precision.
///
/// # Errors
/// The reason why the file cannot be written, or that it would be longer than the format's 4 GiB.
pub fn write_glb(path: &Path, parts: &[Part<'_>], datum: f64) -> io::Result<()> {
    write_parts(path, parts, |sink, parts| glb::write(sink, parts, datum))
}

/// Writes parts as Wavefront OBJ, one object each, without colours. All are lifted by `datum` (m).
///
/// # Errors
/// The reason why the file cannot be written.
pub fn write_obj(path: &Path, parts: &[Part<'_>], datum: f64) -> io::Result<()> {
    write_parts(path, parts, |sink, parts| obj::write(sink, parts, datum))
}

fn write_parts(
    path: &Path,
    parts: &[Part<'_>],
    write: impl FnOnce(&mut Sink<'_>, &[Part<'_>]) -> io::Result<()>,
) -> io::Result<()> {
    let there = |part: &&Part<'_>| !part.mesh.triangles.is_empty();
    let parts: Vec<Part> = parts.iter().filter(there).copied().collect();
    write_atomically(path, |sink| write(sink, &parts))
}
