//! Dynamic state of a [`Waves`](super::Waves) world: surface heights and face fluxes.

pub(super) mod basin;
pub(super) mod device;
pub(super) mod snapshot;
pub(super) mod tiles;

use crate::field::Field;
use serde::{Deserialize, Serialize};

/// Surface heights and face fluxes of a [`Waves`](super::Waves) world.
///
/// The damped wave equation is stepped as `z⁺ = z + A·(z − z⁻) + B·Σ(z_neighbour − z)` (Lengyel,
/// ch. 15). Instead of the older surface z⁻, the state holds the flux over each face in the last
/// step. One cell gains exactly what its neighbour loses, so the volume is conserved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Height of the surface (m), `nx × ny`; whole multiples of [`quantum`](Self::quantum).
    pub height: Field<f32>,
    /// Flux to the east over each x-face in the last step (m of cell height), `(nx + 1) × ny`.
    pub flux_x: Field<f32>,
    /// Flux to the south over each y-face in the last step (m of cell height), `nx × (ny + 1)`.
    pub flux_y: Field<f32>,
    /// Height change (m) of each cell by the current in the last step, `nx × ny`; `None` without a
    /// current.
    pub carried: Option<Field<f32>>,
    /// Unit of height (m), a power of two; all heights are whole multiples of it.
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

    pub(super) fn fits(&self, nx: usize, ny: usize) -> bool {
        let shape = |field: &Field<f32>| (field.nx(), field.ny());
        shape(&self.height) == (nx, ny)
            && shape(&self.flux_x) == (nx + 1, ny)
            && shape(&self.flux_y) == (nx, ny + 1)
            && self.carried.iter().all(|field| shape(field) == (nx, ny))
    }
}
