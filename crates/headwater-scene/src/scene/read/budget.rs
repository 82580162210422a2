//! [`Budget`]: the remaining amount of data that a scene may read from CSV and GeoJSON files.

use crate::scene::limits::{Limits, format_size};
use headwater_io::Files;
use std::borrow::Cow;
use std::path::Path;

/// Remaining bytes and points that a scene may read from CSV and GeoJSON files. A file counts once
/// toward the bytes. Its points count each time that the scene refers to it, because each series or
/// polygon stores its own points.
pub(in crate::scene) struct Budget {
    limits: Limits,
    bytes: u64,
    points: usize,
    is_exceeded: bool,
}

impl Budget {
    pub(in crate::scene) fn new(limits: Limits) -> Self {
        Self { limits, bytes: limits.file_bytes, points: limits.points, is_exceeded: false }
    }

    /// Returns whether a limit has been exceeded. If so, a problem has been reported, and no more
    /// files need to be read.
    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }

    /// Returns how many more points the scene may read.
    pub(super) fn remaining_points(&self) -> usize {
        self.points
    }

    /// Reads a file, and subtracts its size from the remaining bytes.
    ///
    /// # Errors
    /// Returns a message if the file cannot be read, or if the files of the scene are too large in
    /// total.
    pub(super) fn read<'a>(
        &mut self,
        files: &'a Files,
        path: &Path,
    ) -> Result<Cow<'a, [u8]>, String> {
        let bytes = files
            .read_prefix(path, self.bytes.saturating_add(1))
            .map_err(|error| format!("cannot be read: {error}"))?;
        match self.bytes.checked_sub(bytes.len() as u64) {
            Some(rest) => {
                self.bytes = rest;
                Ok(bytes)
            }
            None => {
                self.is_exceeded = true;
                let limit = format_size(self.limits.file_bytes);
                Err(format!(
                    "the CSV and GeoJSON files of the scene are larger than {limit} in all, the \
                     maximum (change with --limit files=SIZE)"
                ))
            }
        }
    }

    /// Subtracts the points of a series or of polygons from the remaining points.
    ///
    /// # Errors
    /// Returns a message if the scene has too many points.
    pub(super) fn take_points(&mut self, count: usize) -> Result<(), String> {
        match self.points.checked_sub(count) {
            Some(rest) => {
                self.points = rest;
                Ok(())
            }
            None => Err(self.too_many_points()),
        }
    }

    /// Returns the message that the scene has too many points.
    pub(super) fn too_many_points(&mut self) -> String {
        self.is_exceeded = true;
        let limit = self.limits.points;
        format!(
            "the series and polygons that a scene reads from files have together more than {limit} \
             points, the maximum (change with --limit points=NUMBER)"
        )
    }
}
