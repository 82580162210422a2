//! Conversion of an [`HwPlace`], which the C caller passes, to a [`Place`]. A place is the part of
//! the grid to which an edit, spring or drain applies.

use crate::pointer::{input_slice, read_sized};
use crate::status::CallResult;
use crate::text::{read_optional_text, read_text};
use headwater_scene::facade::Place;
use std::ffi::c_char;
use std::mem::offset_of;

/// Part of the grid to which an edit, spring or drain applies. The coordinates of points are
/// distances to the right (east) and downward (south) from the top-left corner (m; in cells for
/// blocks).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwPlace {
    /// Size of the struct as compiled into the caller: `sizeof(HwPlace)`.
    pub size: usize,
    /// Kind of place, which determines the points to give: `everywhere` needs none; `disc` its
    /// centre; `rect` its north-west corner, then its south-east corner; `line` one or more points;
    /// `polygon` three or more corners.
    pub kind: *const c_char,
    /// Array of points, each given by two consecutive numbers: the distances to the right and
    /// downward from the top-left corner.
    pub points: *const f64,
    /// Number of points. The array `points` has twice as many values.
    pub point_count: usize,
    /// Radius of a disc or full width of a line (m; in cells for blocks).
    pub extent: f64,
    /// Falloff of an edit's strength toward the rim of the place: `flat`, `linear` or `smooth`;
    /// null means `flat`. Springs and drains ignore it.
    pub falloff: *const c_char,
}

/// Converts a place given by the C caller to a [`Place`].
///
/// # Safety
/// `pointer` is null, or points to an `HwPlace` whose pointers are valid for the lengths given in
/// it.
pub(crate) unsafe fn read_place(pointer: *const HwPlace) -> CallResult<Place> {
    // SAFETY: guaranteed by the caller; zeros are null pointers and no points.
    unsafe {
        let place = read_sized(pointer, "place", offset_of!(HwPlace, falloff))?;
        let points = input_slice(place.points.cast::<[f64; 2]>(), place.point_count, "points")?;
        let kind = read_text(place.kind, "kind of a place")?;
        let falloff = read_optional_text(place.falloff, "falloff")?.unwrap_or("flat");
        Ok(Place::new(kind, points, place.extent, falloff)?)
    }
}
