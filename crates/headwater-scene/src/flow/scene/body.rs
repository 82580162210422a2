//! `[[body]]`: what floats on the water.

use crate::scene::place::{Position, resolve};
use headwater::Lattice;
use headwater::flow::WATER_DENSITY;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[[body]]`: a boat, a log, a crate; exactly one of `radius` and `size`, one of `mass` and `density`; at
/// most 1000. It brings no water and takes none.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Its name, for gauges: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`. Default: none.
    pub name: Option<String>,
    /// What it is in pictures: `"boat"`, `"log"`, `"crate"` or `"buoy"`. Default: a round body is a buoy,
    /// any other a crate.
    pub kind: Option<BodyKind>,
    /// Where its middle is at the start: in an open cell.
    pub at: Position,
    /// Of a round body, its radius (m), 0.001 to 10⁶.
    pub radius: Option<f64>,
    /// Of a rectangular one, its length and width (m), 0.001 to 10⁶; the length is not the shorter one.
    pub size: Option<[f64; 2]>,
    /// Where its length points at the start (degrees), clockwise from the east, −360 to 360. Default 0.
    #[serde(default)]
    pub heading: f64,
    /// Mass (kg), 0.001 to 10¹⁵.
    pub mass: Option<f64>,
    /// Density (kg/m³), above 0 to 10⁵: pine has 500, water 1000, stone 2600.
    pub density: Option<f64>,
    /// From keel to deck (m), 0.001 to 10⁵.
    pub height: f64,
    /// Velocity at the start (m/s, to the east and to the south), −1000 to 1000. Default: at rest.
    #[serde(default)]
    pub velocity: [f64; 2],
    /// How high its keel hangs over the water or the ground at the start (m), 0 to 10⁵; from there it falls.
    /// Default 0: it is let into the water gently. To begin afloat, say `"afloat"`.
    #[serde(default)]
    pub above: Above,
    /// Drag coefficient of its hull, 0 to 100. Default 1, as of a blunt body.
    #[serde(default = "one")]
    pub drag: f64,
    /// Coefficient of friction on the ground, 0 to 100. Default 0.5, as of wood on gravel.
    #[serde(default = "half")]
    pub friction: f64,
}

/// Where a body is let go.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a height in metres, or \"afloat\"")]
pub enum Above {
    /// With its keel so high over the water (m).
    Height(f64),
    /// As deep in the water as it floats.
    Afloat(Afloat),
}

/// The word `"afloat"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Afloat {
    /// As deep in the water as it floats.
    Afloat,
}

impl Default for Above {
    fn default() -> Self {
        Above::Height(0.0)
    }
}

/// What a body is in pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BodyKind {
    /// A boat, its bow along the heading.
    Boat,
    /// A tree trunk.
    Log,
    /// A wooden crate.
    #[default]
    Crate,
    /// A round float.
    Buoy,
}

fn one() -> f64 {
    1.0
}

fn half() -> f64 {
    0.5
}

impl Body {
    /// What it is in pictures.
    pub fn kind(&self) -> BodyKind {
        let plain = if self.radius.is_some() { BodyKind::Buoy } else { BodyKind::Crate };
        self.kind.unwrap_or(plain)
    }

    /// The body as the model knows it. `None` if a key is missing, which no checked scene has.
    pub fn body(&self, lattice: &Lattice) -> Option<headwater::flow::Body> {
        use headwater::flow::Body as Model;
        let at = resolve(self.at, lattice);
        let outline = match (self.radius, self.size) {
            (Some(radius), _) => Model::disc(at, radius, 0.0, self.height),
            (None, Some(size)) => Model::rect(at, size, 0.0, 0.0, self.height),
            (None, None) => return None,
        };
        let solid = |density: f64| density * outline.area() * self.height;
        let mass = self.mass.or(self.density.map(solid))?;
        let draft = match self.above {
            Above::Height(above) => -above,
            Above::Afloat(_) => (mass / (WATER_DENSITY * outline.area())).min(self.height),
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
    fn a_body_weighs_what_its_size_and_density_say() {
        let lattice = Square::new(10, 10, 1.0, 1.0).unwrap().into();
        let body = |keys: &str| {
            let body: Body =
                toml::from_str(&format!("at = ['50%', 3]\nheight = 0.5\n{keys}")).unwrap();
            (body.kind(), body.body(&lattice).unwrap())
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
