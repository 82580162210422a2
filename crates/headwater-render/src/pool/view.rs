//! [`PoolView`], the input of a picture of a pool.

use crate::bodies::body_sprite::BodySprite;
use headwater::waves::Waves;
use headwater::{Field, Square};

/// References to the data that are drawn in one picture of a pool.
#[derive(Clone, Copy, Debug)]
pub struct PoolView<'a> {
    /// Grid of the wave world. It determines the aspect ratio and the scale of the picture.
    pub lattice: Square,
    /// Height of the water surface (m) above the surface at rest, with the shape of the lattice.
    /// NaN and infinite values count as 0.
    pub height: &'a Field<f32>,
    /// Whether each cell is land, with the shape of the lattice; `None` if all cells are water.
    pub land: Option<&'a Field<bool>>,
    /// Depth of the water at rest (m) away from the shore.
    pub depth: f64,
    /// Sprites of the floating bodies to draw.
    pub bodies: &'a [BodySprite],
    /// Simulated time (s), shown in the time label.
    pub time: f64,
}

impl<'a> PoolView<'a> {
    /// Creates a view of the current state of a wave world. `bodies` are the sprites of the
    /// floating bodies to draw.
    pub fn from_waves(waves: &'a Waves, bodies: &'a [BodySprite]) -> Self {
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
