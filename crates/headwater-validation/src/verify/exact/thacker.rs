//! Frictionless oscillation of water in a bowl with a moving shore (Thacker 1981; SWASHES §4.2).

use super::{ExactSolution, GRAVITY};

/// Bowl in the shape of a paraboloid of revolution, `z = −h₀·(1 − r²/a²)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bowl {
    /// Position of the bowl's centre (m).
    pub(crate) middle: [f64; 2],
    /// Depth `h₀` (m) of the bowl's centre below the surface of the water at rest.
    pub(crate) depth: f64,
    /// Radius `a` (m) of the shoreline of the water at rest.
    pub(crate) radius: f64,
}

/// Bowl used in SWASHES.
pub(crate) const SWASHES_BOWL: Bowl = Bowl { middle: [2.0, 2.0], depth: 0.1, radius: 1.0 };

impl Bowl {
    /// Returns the vector from the bowl's centre to the position `at` (m).
    fn offset_from_center(&self, at: [f64; 2]) -> [f64; 2] {
        [at[0] - self.middle[0], at[1] - self.middle[1]]
    }

    fn bed(&self, at: [f64; 2]) -> f64 {
        let [x, y] = self.offset_from_center(at);
        -self.depth * (1.0 - (x * x + y * y) / self.radius.powi(2))
    }

    /// Returns the angular frequency `√(stiffness·g·h₀)/a` (rad/s) of an oscillation. `stiffness`
    /// is 2 for the planar and 8 for the radial oscillation.
    fn angular_frequency(&self, stiffness: f64) -> f64 {
        stiffness.sqrt() * (GRAVITY * self.depth).sqrt() / self.radius
    }
}

/// Oscillation of the water in a bowl. The water surface is a plane that tilts periodically.
///
/// The water keeps its shape and moves as a whole, `h = h₀·(1 − |r − X(t)|²/a²)`, with any harmonic
/// X, `X'' = −ω²·X`, `ω² = 2·g·h₀/a²`. In SWASHES X moves on a circle; here it moves along a line,
/// so that the water starts from rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanarOscillation {
    /// Bowl that contains the water.
    pub(crate) bowl: Bowl,
    /// Amplitude of the motion of the water's centre: eastward and southward components (m).
    pub(crate) amplitude: [f64; 2],
}

impl PlanarOscillation {
    fn angular_frequency(&self) -> f64 {
        self.bowl.angular_frequency(2.0)
    }

    /// Returns the period of the oscillation (s).
    pub(crate) fn period(&self) -> f64 {
        std::f64::consts::TAU / self.angular_frequency()
    }
}

impl ExactSolution for PlanarOscillation {
    fn bed(&self, at: [f64; 2]) -> f64 {
        self.bowl.bed(at)
    }

    fn depth(&self, at: [f64; 2], time: f64) -> f64 {
        let swing = (self.angular_frequency() * time).cos();
        let [x, y] = self.bowl.offset_from_center(at);
        let [x, y] = [x - swing * self.amplitude[0], y - swing * self.amplitude[1]];
        (self.bowl.depth * (1.0 - (x * x + y * y) / self.bowl.radius.powi(2))).max(0.0)
    }
}

/// Radial oscillation of the water in a bowl. The water surface is a paraboloid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RadialOscillation {
    /// Bowl that contains the water.
    pub(crate) bowl: Bowl,
    /// Parameter `r₀` of SWASHES (m). At the start the water is at rest, and the shoreline has the
    /// radius `√(a·r₀)`, where `a` is the radius of the shoreline at equilibrium.
    pub(crate) r0: f64,
}

impl RadialOscillation {
    fn angular_frequency(&self) -> f64 {
        self.bowl.angular_frequency(8.0)
    }

    /// Returns the period of the oscillation (s).
    pub(crate) fn period(&self) -> f64 {
        std::f64::consts::TAU / self.angular_frequency()
    }
}

impl ExactSolution for RadialOscillation {
    fn bed(&self, at: [f64; 2]) -> f64 {
        self.bowl.bed(at)
    }

    /// Returns the depth `h = h₀·(s − (r²/a²)·s²)` (m), with `s = √(1 − A²)/(1 − A·cos ωt)` and `A
    /// = (a² − r₀²)/(a² + r₀²)`.
    fn depth(&self, at: [f64; 2], time: f64) -> f64 {
        let (a2, r2) = (self.bowl.radius.powi(2), self.r0.powi(2));
        let big_a = (a2 - r2) / (a2 + r2);
        let s =
            (1.0 - big_a * big_a).sqrt() / (1.0 - big_a * (self.angular_frequency() * time).cos());
        let [x, y] = self.bowl.offset_from_center(at);
        (self.bowl.depth * (s - (x * x + y * y) / a2 * s * s)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOWL: Bowl = Bowl { middle: [2.0, 2.0], depth: 0.1, radius: 1.0 };
    const PLANAR: PlanarOscillation = PlanarOscillation { bowl: BOWL, amplitude: [0.3, 0.4] };
    const RADIAL: RadialOscillation = RadialOscillation { bowl: BOWL, r0: 0.8 };

    fn surface_elevation(flow: &dyn ExactSolution, at: [f64; 2], time: f64) -> f64 {
        flow.bed(at) + flow.depth(at, time)
    }

    /// Returns the residuals of two equations, computed by central differences: of mass, `∂h/∂t +
    /// ∇·(h·u)`, and of momentum in the x-direction, `∂u/∂t + (u·∇)u + g·∂η/∂x`.
    fn residuals(
        flow: &dyn ExactSolution,
        u: impl Fn([f64; 2], f64) -> [f64; 2],
        [x, y]: [f64; 2],
        t: f64,
    ) -> [f64; 2] {
        let d = 1e-4;
        let slope = |f: &dyn Fn(f64) -> f64| (f(d) - f(-d)) / (2.0 * d);
        let q = |x, y, i: usize| flow.depth([x, y], t) * u([x, y], t)[i];
        let mass = slope(&|e| flow.depth([x, y], t + e))
            + slope(&|e| q(x + e, y, 0))
            + slope(&|e| q(x, y + e, 1));
        let [u0, v0] = u([x, y], t);
        let momentum = slope(&|e| u([x, y], t + e)[0])
            + u0 * slope(&|e| u([x + e, y], t)[0])
            + v0 * slope(&|e| u([x, y + e], t)[0])
            + GRAVITY * slope(&|e| surface_elevation(flow, [x + e, y], t));
        [mass, momentum]
    }

    #[test]
    fn the_planar_solution_satisfies_the_equations_and_is_planar() {
        let omega = PLANAR.angular_frequency();
        let u = |_: [f64; 2], t: f64| PLANAR.amplitude.map(|x| -omega * x * (omega * t).sin());
        for t in [0.0, 0.7, 2.9] {
            let [mass, momentum] = residuals(&PLANAR, u, [2.1, 1.9], t);
            assert!(mass.abs() < 1e-6 && momentum.abs() < 1e-6, "{mass} {momentum}");
            let along = |x| surface_elevation(&PLANAR, [x, 2.0], t);
            assert!((along(1.9) - 2.0 * along(2.0) + along(2.1)).abs() < 1e-12);
        }
    }

    #[test]
    fn the_radial_solution_satisfies_the_equations() {
        let (omega, big_a) = (RADIAL.angular_frequency(), 0.36 / 1.64);
        // u = ½·ω·r·A·sin ωt/(1 − A·cos ωt)
        let u = |at: [f64; 2], t: f64| {
            let rate = 0.5 * omega * big_a * (omega * t).sin() / (1.0 - big_a * (omega * t).cos());
            BOWL.offset_from_center(at).map(|x| rate * x)
        };
        for t in [0.0, 0.7, 1.9] {
            let [mass, momentum] = residuals(&RADIAL, u, [2.3, 1.8], t);
            assert!(mass.abs() < 1e-6 && momentum.abs() < 1e-6, "{mass} {momentum}");
        }
    }

    #[test]
    fn solutions_are_periodic_with_the_given_initial_shore() {
        let shore = |flow: &dyn ExactSolution, x: f64, t| flow.depth([x, 2.0], t);
        let start = 2.0 + 0.8_f64.sqrt();
        assert!(shore(&RADIAL, start - 1e-6, 0.0) > 0.0);
        assert_eq!(shore(&RADIAL, start + 1e-6, 0.0), 0.0);
        for x in [1.5, 2.0, 2.5] {
            let there_and_back = |flow: &dyn ExactSolution, period| {
                (shore(flow, x, 0.0) - shore(flow, x, 3.0 * period)).abs()
            };
            assert!(there_and_back(&RADIAL, RADIAL.period()) < 1e-12);
            assert!(there_and_back(&PLANAR, PLANAR.period()) < 1e-12);
        }
    }
}
