//! Input of a picture of a pool: [`PoolView`].

use crate::picture::body_sprite::BodySprite;
use headwater::waves::Waves;
use headwater::{Field, Square};

/// References to the data drawn in one picture of a pool.
#[derive(Clone, Copy, Debug)]
pub struct PoolView<'a> {
    /// Grid, which sets the aspect ratio and the scale of the picture.
    pub lattice: Square,
    /// Height of the surface (m), of the lattice's shape; non-finite values count as 0.
    pub height: &'a Field<f32>,
    /// Land mask, of the same shape.
    pub land: Option<&'a Field<bool>>,
    /// Depth of the water (m) away from the shore.
    pub depth: f64,
    /// Floating bodies.
    pub bodies: &'a [BodySprite],
    /// Simulated time (s), for the time label.
    pub time: f64,
}

impl<'a> PoolView<'a> {
    /// Creates a view of a wave world with the sprites of its bodies.
    pub fn of(waves: &'a Waves, bodies: &'a [BodySprite]) -> Self {
        Self {
            lattice: *waves.lattice(),
            height: &waves.state().height,
            land: waves.land(),
            depth: waves.params().depth,
            bodies,
            time: waves.time(),
        }
    }
}
