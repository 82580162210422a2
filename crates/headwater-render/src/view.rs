//! Input of a top-view picture: [`View`].

use super::bodies::body_sprite::BodySprite;
use super::scenery::Scenery;
use headwater::{Field, Lattice};

/// References to the data drawn in one picture. All fields must have the shape of the lattice.
/// Cells missing from a field count as without data (bed) or as dry (depth).
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Grid of the world. Sets the aspect ratio and the scale of the picture.
    pub lattice: Lattice,
    /// Bed height (m above `datum`). A NaN or infinite height counts as no data.
    pub bed: &'a Field<f32>,
    /// Depth of the liquid (m); negative and non-finite values count as dry.
    pub depth: &'a Field<f32>,
    /// Whether each cell is closed to water; closed cells are drawn as buildings.
    pub closed: Option<&'a Field<bool>>,
    /// Whether each cell lacks data; such cells are drawn hatched.
    pub no_data: Option<&'a Field<bool>>,
    /// Velocity at the cell centres, to the east and to the south (m/s).
    pub velocity: Option<(&'a Field<f32>, &'a Field<f32>)>,
    /// Drifting particles to draw.
    pub particles: &'a [Particle],
    /// Culverts, gates and weirs, each given by the centres of its two openings (m, to the east and
    /// south of the top-left corner).
    pub structures: &'a [[[f64; 2]; 2]],
    /// Sprites of the floating bodies to draw.
    pub bodies: &'a [BodySprite],
    /// Rivers, plants and ground colours to draw.
    pub scenery: Option<&'a Scenery>,
    /// Simulated time (s), shown in the time label.
    pub time: f64,
    /// Text that is shown instead of the time.
    pub label: Option<&'a str>,
    /// Height above sea level (m) that corresponds to a bed height of zero. Contours lie at round
    /// heights above the sea, and the palette `island` has its beaches at sea level.
    pub datum: f64,
}

impl<'a> View<'a> {
    /// Creates a view of ground and water only, at time zero, with bed heights measured from sea
    /// level.
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
    /// Position (m), to the east and south of the top-left corner of the world.
    pub position: [f64; 2],
    /// Velocity (m/s) to the east and south.
    pub velocity: [f64; 2],
    /// Age as a fraction of the particle's lifetime, from 0 to 1.
    pub age: f32,
}
