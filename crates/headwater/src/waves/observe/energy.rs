//! Kinetic and potential energy of waves.

use crate::field::Field;
use crate::waves::context::StepContext;
use crate::waves::params::EdgeKind;
use crate::waves::world::Waves;

/// Energy of the waves divided by the density of the liquid (m⁵/s², which is J per kg/m³).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Energy {
    /// Kinetic energy: `½·g·d²·Σf²/q`, where `q = c²t²/d²`, with the gravity g, the cell size d,
    /// the wave speed c and the time step t. The sum is over all faces, with the flux f. Per unit
    /// of area, it equals `½·h·u²` for water of depth h (`c² = g·h`) and velocity u.
    pub kinetic: f64,
    /// Potential energy: `½·g·d²·Σ z·z⁻`, with the gravity g, the cell size d, the surface height z
    /// and the height z⁻ one step earlier. The sum is over all cells. With dispersion, z is
    /// replaced by the filtered height `G·z`.
    pub potential: f64,
}

impl Energy {
    /// Returns the sum of kinetic and potential energy.
    ///
    /// Without damping, the scheme conserves this sum exactly. With the damping rate μ, the sum
    /// decreases by `½·g·d²·(μt/2)·Σ(f + f⁻)²/q` per step, where f⁻ is the flux one step earlier
    /// and the other symbols are those of [`kinetic`](Self::kinetic). The rounding of heights and
    /// the dry friction of fluxes change the sum slightly, and a non-uniform current changes it
    /// more.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

impl Waves {
    /// Returns the current energy of the waves. The energy of bodies is not included.
    pub fn energy(&self) -> Energy {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let unit = 0.5 * self.params.gravity * self.lattice.cell_area();
        let mut kinetic = 0.0;
        for y in 0..ny {
            kinetic += (0..=nx).map(|x| self.x_face_kinetic_energy(x, y)).sum::<f64>();
        }
        for y in 0..=ny {
            kinetic += (0..nx).map(|x| self.y_face_kinetic_energy(x, y)).sum::<f64>();
        }
        let mut older = Field::from_fn(nx, ny, |x, y| {
            self.state.height[(x, y)] - self.wave_height_change(x, y)
        });
        if let Some(filter) = &self.filter {
            let step = StepContext {
                coefficients: &self.rule,
                speed_map: &self.speed_map,
                edges: &self.params.edges,
            };
            older = filter.filter_surface(&older, &step);
        }
        let pairs = self.state.height.as_slice().iter().zip(older.as_slice());
        let potential: f64 = pairs.map(|(&z, &old)| f64::from(z) * f64::from(old)).sum();
        Energy { kinetic: unit * kinetic, potential: unit * potential }
    }

    /// Returns the energy of the waves in a cell, divided by the density of the liquid and the area
    /// of the cell (m³/s²). It consists of the potential energy of the cell's height and half of
    /// the kinetic energy of its four faces.
    pub(in crate::waves) fn energy_density(&self, x: usize, y: usize) -> f32 {
        let height = f64::from(self.state.height[(x, y)]);
        let faces = self.x_face_kinetic_energy(x, y)
            + self.x_face_kinetic_energy(x + 1, y)
            + self.y_face_kinetic_energy(x, y)
            + self.y_face_kinetic_energy(x, y + 1);
        (0.5 * self.params.gravity * (height * height + 0.5 * faces)) as f32
    }

    fn x_face_kinetic_energy(&self, x: usize, y: usize) -> f64 {
        let gain = self.speed_map.gain_x(&self.rule, x, y, self.lattice.nx());
        // Faces on periodic edges are stored on both sides of the grid.
        let same = x == self.lattice.nx() && self.params.edges.east == EdgeKind::Periodic;
        if same { 0.0 } else { self.face_kinetic_energy(self.state.flux_x[(x, y)], gain) }
    }

    fn y_face_kinetic_energy(&self, x: usize, y: usize) -> f64 {
        let gain = self.speed_map.gain_y(&self.rule, x, y, self.lattice.ny());
        let same = y == self.lattice.ny() && self.params.edges.south == EdgeKind::Periodic;
        if same { 0.0 } else { self.face_kinetic_energy(self.state.flux_y[(x, y)], gain) }
    }

    /// Returns the contribution `f²/q` of a face with the flux f to the kinetic energy, where `q =
    /// c²t²/d²`. `gain` is the flux gain of the face, which equals `q/(1 + μt/2)` for the damping
    /// rate μ.
    fn face_kinetic_energy(&self, flux: f32, gain: f32) -> f64 {
        let q = f64::from(gain) * (1.0 + 0.5 * self.params.damping * self.params.step);
        if q > 0.0 { f64::from(flux) * f64::from(flux) / q } else { 0.0 }
    }
}
