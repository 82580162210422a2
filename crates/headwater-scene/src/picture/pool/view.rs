//! What a picture of a pool shows: [`PoolView`].

use crate::picture::body_sprite::BodySprite;
use headwater::waves::Waves;
use headwater::{Field, Square};

/// What there is to see of a pool at one moment.
#[derive(Clone, Copy, Debug)]
pub struct PoolView<'a> {
    /// The grid: it gives the picture its proportions and its metres.
    pub lattice: Square,
    /// Height of the surface (m), of the lattice's shape. What is no number counts as 0.
    pub height: &'a Field<f32>,
    /// Where land is, of the same shape.
    pub land: Option<&'a Field<bool>>,
    /// Depth of the water (m), away from the shore.
    pub depth: f64,
    /// What swims in it.
    pub bodies: &'a [BodySprite],
    /// Simulated time (s), for the time label.
    pub time: f64,
}

impl<'a> PoolView<'a> {
    /// The view of a world of waves, with its bodies as they shall look.
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
