//! [`Place`]: where an edit, a spring or a drain is.

use super::error::FacadeError;
use headwater::{Brush, Falloff, Point, Polygon, Region};

/// A place, and how what is done there fades towards its rim. Lengths are metres; of blocks, cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub(super) brush: Brush,
}

impl Place {
    /// A place of the kind that a word says, as the bindings hand it over: `everywhere`; `disc`, one point and its radius as `size`; `rect`, its
    /// north-west and south-east corner; `line`, points and its width as `size`; `polygon`, its corners. `falloff` is `flat`, `linear`
    /// or `smooth`.
    ///
    /// # Errors
    /// [`FacadeError`] if a word is none of these, or there are not as many points as it takes.
    pub fn new(
        kind: &str,
        points: &[Point],
        size: f64,
        falloff: &str,
    ) -> Result<Self, FacadeError> {
        let takes = |count: &str| {
            Err(FacadeError::input(format!("points of `{kind}`"), points.len(), count))
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
                return Err(FacadeError::input("a place", format!("\"{kind}\""), allowed));
            }
        };
        region.validate()?;
        let falloff = match falloff {
            "flat" => Falloff::Flat,
            "linear" => Falloff::Linear,
            "smooth" => Falloff::Smooth,
            _ => {
                let found = format!("\"{falloff}\"");
                return Err(FacadeError::input("falloff", found, "flat, linear, smooth"));
            }
        };
        Ok(Self { brush: Brush { region, falloff } })
    }

    /// Every cell.
    pub fn everywhere() -> Self {
        Self { brush: Brush::flat(Region::Everywhere) }
    }

    /// A disc of the same strength everywhere.
    pub fn disc(center: Point, radius: f64) -> Self {
        Self { brush: Brush::flat(Region::disc(center, radius)) }
    }
}

impl From<Brush> for Place {
    fn from(brush: Brush) -> Self {
        Self { brush }
    }
}
