//! Places of edits, springs and drains.

use crate::pointer::{read_sized, slice};
use crate::status::CallResult;
use crate::text::{text, text_or_none};
use headwater_scene::facade::Place;
use std::ffi::c_char;
use std::mem::offset_of;

/// Place. Lengths are in metres from the top-left corner, the second one downward; in cells for
/// blocks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwPlace {
    /// `sizeof(HwPlace)`.
    pub size: usize,
    /// Kind: `everywhere`; `disc` with one point; `rect` with its north-west and south-east corner;
    /// `line` with one or more points; `polygon` with three or more corners.
    pub kind: *const c_char,
    /// Points, two numbers each.
    pub points: *const f64,
    /// Number of points, not of numbers.
    pub point_count: usize,
    /// Radius of a disc, or width of a line.
    pub extent: f64,
    /// Falloff of the effect towards the rim: `flat`, `linear` or `smooth`; null is `flat`. Ignored
    /// by springs and drains.
    pub falloff: *const c_char,
}

/// Converts a place of the caller.
///
/// # Safety
/// The pointer is null or points to a place whose pointers are valid for the lengths given in it.
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
