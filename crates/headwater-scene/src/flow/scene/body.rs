//! Scene table `[[body]]`: floating bodies, such as boats.

use crate::picture::BodyKind;
use crate::scene::place::{Position, resolve_position};
use headwater::flow::WATER_DENSITY;
use headwater::{Lattice, Region};
use serde::{Deserialize, Serialize};

/// `[[body]]`: floating body, such as a boat, a log or a crate. Needs exactly one of `radius` and
/// `size`, and exactly one of `mass` and `density`. At most 1000 bodies. Bodies do not change the
/// volume of water.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Name by which gauges refer to the body: 1 to 64 characters from `a`–`z`, `A`–`Z`, `0`–`9`,
    /// `_` and `-`. Default: none.
    pub name: Option<String>,
    /// Kind of the body, for its appearance in pictures: `"boat"`, `"log"`, `"crate"` or `"buoy"`.
    /// Default: `"buoy"` for a round body, otherwise `"crate"`.
    pub kind: Option<BodyKind>,
    /// Initial position of the body's centre, in a cell that is not closed to water.
    pub at: Position,
    /// Radius of a round body (m), 0.001 to 10⁶.
    pub radius: Option<f64>,
    /// Length and width of a rectangular body (m), 0.001 to 10⁶. The length must be at least the
    /// width.
    pub size: Option<[f64; 2]>,
    /// Initial heading of the body's long axis (degrees), clockwise from east, −360 to 360. Default
    /// 0.
    #[serde(default)]
    pub heading: f64,
    /// Mass of the body (kg), 0.001 to 10¹⁵.
    pub mass: Option<f64>,
    /// Density of the body (kg/m³), greater than 0 and at most 10⁵: about 500 for pine, 1000 for
    /// water, 2600 for stone.
    pub density: Option<f64>,
    /// Height of the body from keel to deck (m), 0.001 to 10⁵.
    pub height: f64,
    /// Initial eastward and southward velocity (m/s), −1000 to 1000. Default: at rest.
    #[serde(default)]
    pub velocity: [f64; 2],
    /// Initial height of the keel above the water surface, or above dry ground (m), 0 to 10⁵. From
    /// there the body falls. Default 0: the keel starts at the surface, and the body sinks in.
    /// `"afloat"`: the body starts in floating equilibrium.
    #[serde(default)]
    pub above: InitialHeight,
    /// Drag coefficient of the hull (dimensionless), 0 to 100. Default 1, that of a blunt body.
    #[serde(default = "default_drag")]
    pub drag: f64,
    /// Friction coefficient on the ground (dimensionless), 0 to 100. Default 0.5, that of wood on
    /// gravel.
    #[serde(default = "default_friction")]
    pub friction: f64,
}

/// Initial height of a body above the water.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a height in metres, or \"afloat\"")]
pub enum InitialHeight {
    /// Height of the keel above the water surface, or above dry ground (m).
    Height(f64),
    /// Start in floating equilibrium.
    Afloat(AfloatKeyword),
}

/// Type of the keyword `"afloat"`, for deserialization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AfloatKeyword {
    /// Start in floating equilibrium.
    Afloat,
}

impl Default for InitialHeight {
    fn default() -> Self {
        InitialHeight::Height(0.0)
    }
}

fn default_drag() -> f64 {
    1.0
}

fn default_friction() -> f64 {
    0.5
}

impl Body {
    /// Creates a body at rest, without shape and mass. `height` is its height from keel to deck
    /// (m).
    pub(crate) fn at_rest(at: Position, height: f64) -> Self {
        Self {
            name: None,
            kind: None,
            at,
            radius: None,
            size: None,
            heading: 0.0,
            mass: None,
            density: None,
            height,
            velocity: [0.0; 2],
            above: InitialHeight::default(),
            drag: default_drag(),
            friction: default_friction(),
        }
    }

    /// Returns the kind of the body, for its appearance in pictures. If the key `kind` is missing,
    /// returns buoy for a round body and crate for a rectangular one.
    pub fn kind(&self) -> BodyKind {
        let plain = if self.radius.is_some() { BodyKind::Buoy } else { BodyKind::Crate };
        self.kind.unwrap_or(plain)
    }

    /// Returns a disc that contains the body.
    pub(in crate::flow) fn region(&self, lattice: &Lattice) -> Region {
        let half_diagonal = self.size.map(|[length, width]| 0.5 * length.hypot(width));
        let radius = self.radius.or(half_diagonal).unwrap_or(0.0);
        Region::disc(resolve_position(self.at, lattice), radius)
    }

    /// Converts this scene table to a body of the flow model. Returns `None` if a required key is
    /// missing; validation rejects such scenes.
    pub fn to_body(&self, lattice: &Lattice) -> Option<headwater::flow::Body> {
        use headwater::flow::Body as Model;
        let at = resolve_position(self.at, lattice);
        let outline = match (self.radius, self.size) {
            (Some(radius), _) => Model::disc(at, radius, 0.0, self.height),
            (None, Some(size)) => Model::rect(at, size, 0.0, 0.0, self.height),
            (None, None) => return None,
        };
        let solid = |density: f64| density * outline.area() * self.height;
        let mass = self.mass.or(self.density.map(solid))?;
        let draft = match self.above {
            InitialHeight::Height(above) => -above,
            InitialHeight::Afloat(_) => (mass / (WATER_DENSITY * outline.area())).min(self.height),
        };
        Some(Model {
            mass,
            draft,
            heading: self.heading.to_radians(),
            velocity: self.velocity,
            drag: self.drag,
            friction: self.friction,
            ..outline
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::Square;

    #[test]
    fn mass_follows_from_size_and_density() {
        let lattice = Square::new(10, 10, 1.0, 1.0).unwrap().into();
        let body = |keys: &str| {
            let body: Body =
                toml::from_str(&format!("at = ['50%', 3]\nheight = 0.5\n{keys}")).unwrap();
            (body.kind(), body.to_body(&lattice).unwrap())
        };
        let (kind, log) = body("size = [4, 1]\ndensity = 600\nabove = 'afloat'\nheading = 90");
        assert_eq!((kind, log.mass, log.position), (BodyKind::Crate, 1200.0, [5.0, 3.0]));
        assert!(
            (log.draft - 0.3).abs() < 1e-12
                && (log.heading - std::f64::consts::FRAC_PI_2).abs() < 1e-12
        );
        let (kind, buoy) = body("radius = 1\nmass = 70\nabove = 2");
        assert_eq!((kind, buoy.mass, buoy.draft), (BodyKind::Buoy, 70.0, -2.0));
    }
}
