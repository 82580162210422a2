//! Scene table `[[body]]` of the model `columns`: bodies that float in, sink in or lie under water.

use crate::picture::PoolBodyKind;
use crate::scene::check::only_given_of_two;
use crate::scene::has_schema::schema_of;
use crate::scene::place::{Position, resolve_position};
use headwater::Lattice;
use headwater::columns::{Body, Shape};
use serde::{Deserialize, Serialize};

/// `[[body]]`: floating or sinking body, a box with `size` or a disc with `radius`. At most 1000.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BodyKeys", into = "BodyKeys")]
pub struct ColumnsBody {
    /// Kind of the body, which determines its appearance in pictures.
    pub kind: PoolBodyKind,
    /// Initial position of the body's centre.
    pub at: Position,
    /// Shape and size of the body.
    pub extents: BodyShape,
    /// Density of the body (kg/m³), 1 to 100000; the density of water is 1000.
    pub density: f64,
    /// Initial eastward and downward velocity (m/s), −100 to 100.
    pub velocity: [f64; 2],
    /// Drag coefficient (dimensionless), 0 to 100.
    pub drag: f64,
}

/// Shape and size of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyShape {
    /// Width and height of a box (m), each above 0.
    Size([f64; 2]),
    /// Radius of a disc (m), above 0.
    Radius(f64),
}

/// Keys of `[[body]]` in a scene, from which a [`ColumnsBody`] is deserialized. Exactly one of
/// `size` and `radius` is given.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct BodyKeys {
    /// Kind of the body, which determines how pictures show it: `"crate"` (default), `"barrel"`,
    /// `"stone"` or `"boat"`.
    #[serde(default)]
    kind: PoolBodyKind,
    /// Initial position of the body's centre.
    at: Position,
    /// Width and height of a box (m), each above 0.
    size: Option<[f64; 2]>,
    /// Radius of a disc (m), above 0.
    radius: Option<f64>,
    /// Density of the body (kg/m³), 1 to 100000; the density of water is 1000. Default: 2500 for a
    /// stone, otherwise 500.
    density: Option<f64>,
    /// Initial velocity (m/s): eastward and downward components, −100 to 100. Default 0.
    #[serde(default)]
    velocity: [f64; 2],
    /// Drag coefficient (dimensionless), 0 to 100. Default 1, that of a blunt body.
    drag: Option<f64>,
}

schema_of!([] ColumnsBody, |generator| BodyKeys::json_schema(generator));

impl From<ColumnsBody> for BodyKeys {
    fn from(body: ColumnsBody) -> Self {
        let ColumnsBody { kind, at, extents, density, velocity, drag } = body;
        let (size, radius) = match extents {
            BodyShape::Size(size) => (Some(size), None),
            BodyShape::Radius(radius) => (None, Some(radius)),
        };
        let (density, drag) = (Some(density), Some(drag));
        Self { kind, at, size, radius, density, velocity, drag }
    }
}

impl TryFrom<BodyKeys> for ColumnsBody {
    type Error = String;

    fn try_from(keys: BodyKeys) -> Result<Self, String> {
        let BodyKeys { kind, at, size, radius, density, velocity, drag } = keys;
        let (size, radius) = (size.map(BodyShape::Size), radius.map(BodyShape::Radius));
        let extents = only_given_of_two([("size", size), ("radius", radius)])?;
        let of_kind = if kind == PoolBodyKind::Stone { 2500.0 } else { 500.0 };
        let (density, drag) = (density.unwrap_or(of_kind), drag.unwrap_or(1.0));
        Ok(Self { kind, at, extents, density, velocity, drag })
    }
}

impl ColumnsBody {
    /// Converts this scene table to a body of the columns model. The initial position, which may be
    /// given in percent of the size of `lattice`, is converted to metres.
    pub fn to_body(&self, lattice: &Lattice) -> Body {
        let center = resolve_position(self.at, lattice);
        let (shape, area) = match self.extents {
            BodyShape::Radius(radius) => {
                (Shape::Disc { center, radius }, std::f64::consts::PI * radius * radius)
            }
            BodyShape::Size([width, height]) => {
                (Shape::Box { center, half: [0.5 * width, 0.5 * height] }, width * height)
            }
        };
        let Self { density, velocity, drag, .. } = *self;
        Body { shape, mass: density * area, velocity, drag }
    }
}
