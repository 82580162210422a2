//! Normal flow: a film of water on a plane where Manning friction balances gravity, `S =
//! n²·u²/h^(4/3)`.

use super::ExactSolution;

/// Film of water in normal flow on a plane that falls to the east.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Film {
    /// Slope of the plane (m/m).
    pub(crate) slope: f64,
    /// Depth of the film (m).
    pub(crate) depth: f64,
    /// Manning's roughness coefficient (s/m^⅓).
    pub(crate) manning: f64,
    /// Position (m) at which the height of the plane is 0.
    pub(crate) foot_x: f64,
}

impl Film {
    /// Returns the velocity of the film (m/s): `h^(2/3)·√S/n`.
    pub(crate) fn velocity(&self) -> f64 {
        self.depth.powf(2.0 / 3.0) * self.slope.sqrt() / self.manning
    }

    /// Returns the unit discharge of the film (m²/s).
    pub(crate) fn discharge(&self) -> f64 {
        self.depth * self.velocity()
    }
}

impl ExactSolution for Film {
    fn bed(&self, [x, _]: [f64; 2]) -> f64 {
        self.slope * (self.foot_x - x)
    }

    fn depth(&self, _: [f64; 2], _: f64) -> f64 {
        self.depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_balances_gravity() {
        let film = Film { slope: 0.3, depth: 0.02, manning: 0.03, foot_x: 100.0 };
        let friction = (0.03 * film.velocity()).powi(2) / 0.02_f64.powf(4.0 / 3.0);
        assert!((friction - 0.3).abs() < 1e-12);
        // Equivalent form in SWASHES, the normal depth of a discharge: h = (n·q/√S)^(3/5).
        let depth = (0.03 * film.discharge() / 0.3_f64.sqrt()).powf(0.6);
        assert!((depth - 0.02).abs() < 1e-12);
        assert!((film.bed([0.0, 0.0]) - 30.0).abs() < 1e-12);
    }
}
