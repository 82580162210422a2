//! Places on the grid that edits, springs and drains of a C caller apply to.

use crate::pointer::{read_sized, slice};
use crate::status::CallResult;
use crate::text::{text, text_or_none};
use headwater_scene::facade::Place;
use std::ffi::c_char;
use std::mem::offset_of;

/// Place of an edit, spring or drain. Lengths are in metres from the top-left corner, the first to
/// the east and the second downward; in cells for blocks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwPlace {
    /// `sizeof(HwPlace)`.
    pub size: usize,
    /// Kind: `everywhere`; `disc` with one point; `rect` with its north-west and south-east corner;
    /// `line` with one or more points; `polygon` with three or more corners.
    pub kind: *const c_char,
    /// Points of the place, each as two consecutive numbers.
    pub points: *const f64,
    /// Number of points, which is half the number of values in `points`.
    pub point_count: usize,
    /// Radius of a disc, or width of a line (m; cells for blocks).
    pub extent: f64,
    /// Falloff of the effect towards the rim: `flat`, `linear` or `smooth`; null is `flat`. Ignored
    /// by springs and drains.
    pub falloff: *const c_char,
}

/// Converts a place given by the caller.
///
/// # Safety
/// `pointer` is null, or points to an `HwPlace` whose pointers are valid for the lengths given in
/// it.
pub(crate) unsafe fn place(pointer: *const HwPlace) -> CallResult<Place> {
    // SAFETY: guaranteed by the caller; zeros are null pointers and no points.
    unsafe {
        let place = read_sized(pointer, "place", offset_of!(HwPlace, falloff))?;
        let points = slice(place.points.cast::<[f64; 2]>(), place.point_count, "points")?;
        let kind = text(place.kind, "kind of a place")?;
        let falloff = text_or_none(place.falloff, "falloff")?.unwrap_or("flat");
        Ok(Place::new(kind, points, place.extent, falloff)?)
    }
}
