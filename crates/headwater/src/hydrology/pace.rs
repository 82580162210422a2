//! What a step of a drop comes to.

use super::land::Land;

/// The article's step, as a time for each unit of the way.
const DT: f64 = 1.2;
/// How high (units) the square of its speed lifts a drop.
const LIFT: f64 = 0.005;
/// The way (units) without a new lowest height after which a drop has come to rest.
const PATIENCE: f64 = 48.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) time: f32,
    /// Parts of its speed and of its water that it loses, and of what it could take or leave that it does.
    pub(super) friction: f32,
    pub(super) drying: f32,
    pub(super) exchange: f32,
    /// How high the square of its speed lifts it (m).
    pub(super) lift: f32,
    /// Steps without a new lowest height after which it has come to rest.
    pub(super) patience: u32,
    /// Cells that drain to a stream half as strong as streams get.
    pub(super) half: f32,
}

impl Pace {
    pub(super) fn of(land: &Land) -> Self {
        let (params, scale) = (&land.params, land.scale());
        Self {
            time: (DT * scale.step) as f32,
            friction: scale.in_step(params.friction) as f32,
            drying: scale.in_step(params.drying) as f32,
            exchange: scale.in_step(params.exchange) as f32,
            lift: (LIFT * scale.unit) as f32,
            patience: (PATIENCE / scale.step).ceil().max(1.0) as u32,
            half: land.half_stream(),
        }
    }
}
