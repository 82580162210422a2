//! [`Point`]: a position in the plane as an array of two coordinates.

/// Position in metres, as the distances `[east, south]` from the top-left corner of the grid.
///
/// All vectors of this crate are arrays. The types of `mint`, glam, nalgebra and cgmath convert
/// from and to arrays.
///
/// ```
/// use headwater::{Point, Region};
/// let place = mint::Point2 { x: 12.0, y: 7.5 };
/// let pond = Region::disc(place.into(), 3.0);
/// assert_eq!(pond, Region::disc([12.0, 7.5], 3.0));
/// let back = mint::Vector2::from(Point::from(place));
/// assert_eq!((back.x, back.y), (12.0, 7.5));
/// ```
pub type Point = [f64; 2];
