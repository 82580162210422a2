//! [`Point`]: a position on the plane.

/// A position in metres: `[east, south]` of the top-left corner.
///
/// It is an array, as all vectors here are: the vectors of `mint`, and by them those of glam, nalgebra, cgmath and others,
/// come from arrays and become them, so there is nothing to switch on.
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
