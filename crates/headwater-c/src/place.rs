//! Places of edits, springs and drains.

use crate::pointer::{described, slice};
use crate::status::Done;
use crate::text::{text, text_or_none};
use headwater_scene::facade::Place;
use std::ffi::c_char;
use std::mem::offset_of;

/// A place. Lengths are metres from the top-left corner, the second one downward; of blocks, cells.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwPlace {
    /// `sizeof(HwPlace)`.
    pub size: usize,
    /// `everywhere`; `disc`, of one point; `rect`, of its north-west and south-east corner; `line`, of one point or more; `polygon`, of three
    /// corners or more.
    pub kind: *const c_char,
    /// Points: two numbers each.
    pub points: *const f64,
    /// How many points, not numbers.
    pub point_count: usize,
    /// Radius of a disc, or width of a line.
    pub extent: f64,
    /// How what is done fades towards the rim: `flat`, `linear` or `smooth`; null is `flat`. Springs and drains know no fading.
    pub falloff: *const c_char,
}

/// The place that a caller describes.
///
/// # Safety
/// The pointer is null or leads to a place, whose pointers lead to what it says.
pub(crate) unsafe fn place(pointer: *const HwPlace) -> Done<Place> {
    // SAFETY: as the caller says; zeros are null pointers and no points.
    unsafe {
        let place = described(pointer, "place", offset_of!(HwPlace, falloff))?;
        let points = slice(place.points.cast::<[f64; 2]>(), place.point_count, "points")?;
        let kind = text(place.kind, "kind of a place")?;
        let falloff = text_or_none(place.falloff, "falloff")?.unwrap_or("flat");
        Ok(Place::new(kind, points, place.extent, falloff)?)
    }
}
