//! [`View`], the input of a picture seen from above.

use super::bodies::body_sprite::BodySprite;
use super::scenery::Scenery;
use headwater::{Field, Lattice};

/// References to the data that are drawn in one picture. All fields should have the shape of the
/// lattice. Where a field is smaller, cells outside it have no data (`bed`) or are dry (`depth`).
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Grid of the world. It determines the aspect ratio and the scale of the picture.
    pub lattice: Lattice,
    /// Bed height (m above `datum`). A NaN or infinite height counts as no data.
    pub bed: &'a Field<f32>,
    /// Depth of the liquid (m); negative and non-finite values count as dry.
    pub depth: &'a Field<f32>,
    /// Mask of the cells that are closed to water. These cells are drawn as buildings.
    pub closed: Option<&'a Field<bool>>,
    /// Mask of the cells without data. These cells are drawn hatched.
    pub no_data: Option<&'a Field<bool>>,
    /// Flow velocity at the cell centres (m/s): the field of eastward components and the field of
    /// southward components.
    pub velocity: Option<(&'a Field<f32>, &'a Field<f32>)>,
    /// Drifting particles to draw.
    pub particles: &'a [Particle],
    /// Culverts, gates and weirs, each given by the centres of its two openings (m east and m south
    /// of the top-left corner of the world).
    pub structures: &'a [[[f64; 2]; 2]],
    /// Sprites of the floating bodies to draw.
    pub bodies: &'a [BodySprite],
    /// Rivers, plants and ground colours to draw.
    pub scenery: Option<&'a Scenery>,
    /// Simulated time (s), shown in the time label.
    pub time: f64,
    /// String that is shown in the label instead of the time.
    pub label: Option<&'a str>,
    /// Elevation above sea level (m) of the bed height 0. Contours lie at round elevations, and the
    /// palette `island` has its beaches at sea level.
    pub datum: f64,
}

impl<'a> View<'a> {
    /// Creates a view of the ground and the water only. The time is zero, and bed heights are
    /// measured from sea level.
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

/// Drifting particle, drawn as a bright streak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// Position of the particle (m east and m south of the top-left corner of the world).
    pub position: [f64; 2],
    /// Eastward and southward velocity of the particle (m/s).
    pub velocity: [f64; 2],
    /// Age of the particle as a fraction of its lifetime, from 0 to 1.
    pub age: f32,
}
