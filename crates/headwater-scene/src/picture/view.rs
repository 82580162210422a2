//! What a picture shows: [`View`].

use super::body_sprite::BodySprite;
use super::scenery::Scenery;
use headwater::{Field, Lattice};

/// What there is to see at one moment. All fields have the lattice's shape; cells that a field
/// does not have count as no data (bed) or as dry.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The grid: it gives the picture its proportions and its metres.
    pub lattice: Lattice,
    /// Height of the ground (m, above `datum`). A height that is no number counts as no data.
    pub bed: &'a Field<f32>,
    /// Depth of the liquid (m). What is below zero or no number counts as dry.
    pub depth: &'a Field<f32>,
    /// Obstacles, drawn as buildings.
    pub closed: Option<&'a Field<bool>>,
    /// Cells of which nothing is known, drawn as a quiet hatched ground.
    pub no_data: Option<&'a Field<bool>>,
    /// Velocity in the cells' centres, to the east and to the south (m/s).
    pub velocity: Option<(&'a Field<f32>, &'a Field<f32>)>,
    /// What drifts on the water.
    pub particles: &'a [Particle],
    /// Culverts, gates and weirs, each by the middles of its mouths (m, to the east and to the south).
    pub structures: &'a [[[f64; 2]; 2]],
    /// What floats on the water.
    pub bodies: &'a [BodySprite],
    /// Rivers, plants and the colours of the ground.
    pub scenery: Option<&'a Scenery>,
    /// Simulated time (s), for the time label.
    pub time: f64,
    /// What the time label says, where it is not a time.
    pub label: Option<&'a str>,
    /// The height above sea level that a bed of zero stands for (m). Contours lie at round heights
    /// above the sea, and the palette `island` puts its beaches there.
    pub datum: f64,
}

impl<'a> View<'a> {
    /// A view of ground and water alone, at time zero and with heights above the sea.
    pub fn new(lattice: impl Into<Lattice>, bed: &'a Field<f32>, depth: &'a Field<f32>) -> Self {
        Self {
            lattice: lattice.into(),
            bed,
            depth,
            closed: None,
            no_data: None,
            velocity: None,
            particles: &[],
            structures: &[],
            bodies: &[],
            scenery: None,
            time: 0.0,
            label: None,
            datum: 0.0,
        }
    }
}

/// A speck that drifts on the water, drawn as a bright streak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// From the top-left corner to the east and to the south (m).
    pub position: [f64; 2],
    /// To the east and to the south (m/s).
    pub velocity: [f64; 2],
    /// From 0, just born, to 1, about to die.
    pub age: f32,
}
