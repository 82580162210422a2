//! Dynamic state of a [`Waves`](super::Waves) world: surface heights and face fluxes.

pub(super) mod basin;
pub(super) mod device;
pub(super) mod snapshot;
pub(super) mod tiles;

use crate::field::Field;
use serde::{Deserialize, Serialize};

/// Surface heights and face fluxes of a [`Waves`](super::Waves) world.
///
/// The damped wave equation is discretised as `z⁺ = z + A·(z − z⁻) + B·Σ(z_neighbour − z)`
/// (Lengyel, ch. 15), where z⁻, z and z⁺ are the old, current and new height of a cell and A and B
/// are constants. Instead of the old surface z⁻, the state contains the flux through each face in
/// the last step. A cell gains exactly what its neighbour loses, so the volume is conserved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Height of the surface in each cell (m), `nx × ny` values. Heights are multiples of
    /// [`quantum`](Self::quantum).
    pub height: Field<f32>,
    /// Eastward flux through each x-face in the last step, `(nx + 1) × ny` values, given as the
    /// height change that it causes in one cell (m).
    pub flux_x: Field<f32>,
    /// Southward flux through each y-face in the last step, `nx × (ny + 1)` values, given as the
    /// height change that it causes in one cell (m).
    pub flux_y: Field<f32>,
    /// Height change that the current caused in each cell in the last step (m), `nx × ny` values.
    /// `None` without a current.
    pub carried: Option<Field<f32>>,
    /// Unit of height (m), a power of two. All heights are multiples of this unit.
    pub quantum: f32,
}

impl State {
    pub(super) fn new(nx: usize, ny: usize, quantum: f32) -> Self {
        Self {
            height: Field::new(nx, ny, 0.0),
            flux_x: Field::new(nx + 1, ny, 0.0),
            flux_y: Field::new(nx, ny + 1, 0.0),
            carried: None,
            quantum,
        }
    }

    pub(super) fn has_shape(&self, nx: usize, ny: usize) -> bool {
        let shape = |field: &Field<f32>| (field.nx(), field.ny());
        shape(&self.height) == (nx, ny)
            && shape(&self.flux_x) == (nx + 1, ny)
            && shape(&self.flux_y) == (nx, ny + 1)
            && self.carried.iter().all(|field| shape(field) == (nx, ny))
    }
}
