//! [`Place`]: the region of the grid to which an edit, a spring or a drain applies.

use super::error::FacadeError;
use headwater::{Brush, Falloff, Point, Polygon, Region};

/// Region of the grid and, for edits, the falloff: how the strength decreases toward the rim of the
/// region. Lengths are in metres (in the model `blocks`, in cells).
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub(super) brush: Brush,
}

impl Place {
    /// Creates a place from its kind, points and size, as bindings receive them. The kinds are:
    ///
    /// - `everywhere`: no points
    /// - `disc`: the centre as the only point, and the radius (`size`)
    /// - `rect`: north-west and south-east corner
    /// - `line`: the points of a polyline, and its width (`size`)
    /// - `polygon`: the corners
    ///
    /// `falloff` is `flat`, `linear` or `smooth`.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if `kind` or `falloff` is unknown, or the number of points does not
    /// fit the kind.
    pub fn new(
        kind: &str,
        points: &[Point],
        size: f64,
        falloff: &str,
    ) -> Result<Self, FacadeError> {
        let takes = |count: &str| {
            Err(FacadeError::invalid_argument(format!("points of `{kind}`"), points.len(), count))
        };
        let region = match (kind, points) {
            ("everywhere", []) => Region::Everywhere,
            ("everywhere", _) => return takes("none"),
            ("disc", &[center]) => Region::disc(center, size),
            ("disc", _) => return takes("one"),
            ("rect", &[min, max]) => Region::rect(min, max),
            ("rect", _) => return takes("two"),
            ("line", [_, ..]) => Region::line(points, size),
            ("line", _) => return takes("one or more"),
            ("polygon", [_, _, _, ..]) => Region::polygons([vec![points.to_vec()] as Polygon]),
            ("polygon", _) => return takes("three or more"),
            _ => {
                let allowed = "everywhere, disc, rect, line, polygon";
                return Err(FacadeError::invalid_argument(
                    "a place",
                    format!("\"{kind}\""),
                    allowed,
                ));
            }
        };
        region.validate()?;
        let falloff = match falloff {
            "flat" => Falloff::Flat,
            "linear" => Falloff::Linear,
            "smooth" => Falloff::Smooth,
            _ => {
                let found = format!("\"{falloff}\"");
                return Err(FacadeError::invalid_argument(
                    "falloff",
                    found,
                    "flat, linear, smooth",
                ));
            }
        };
        Ok(Self { brush: Brush { region, falloff } })
    }

    /// Creates a place that contains every cell, without falloff.
    pub fn everywhere() -> Self {
        Self { brush: Brush::with_flat_falloff(Region::Everywhere) }
    }

    /// Creates a disc without falloff, so that an edit has its full strength up to the rim.
    pub fn disc(center: Point, radius: f64) -> Self {
        Self { brush: Brush::with_flat_falloff(Region::disc(center, radius)) }
    }
}

impl From<Brush> for Place {
    fn from(brush: Brush) -> Self {
        Self { brush }
    }
}
