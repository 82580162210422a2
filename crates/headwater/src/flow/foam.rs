//! Foam and flow maps: what a shader needs to make water look alive. They are read off the state of a
//! moment; nothing here lasts or moves.

use super::Flow;
use crate::field::Field;

/// Froude numbers between which water begins to break and is white all over: 1 is where a stream
/// outruns its own waves.
const BREAKING: [f32; 2] = [0.9, 2.0];
/// Slopes of the surface (m per m) between which a wave begins to spill and is white all over; steady
/// waves break at 0.3 to 0.4.
const STEEP: [f32; 2] = [0.15, 0.45];
/// Rates of convergence, in parts of the velocity of a wave per cell, between which the surface begins
/// to churn and is white all over.
const CHURN: [f32; 2] = [0.05, 0.4];

impl Flow {
    /// How white the water is in each cell, 0 to 1: where it outruns its waves (Froude number), where
    /// its surface is steep, and where it runs together. Dry cells have none.
    pub fn foam(&self) -> Field<f32> {
        let velocity =
            Field::from_fn(self.lattice.nx(), self.lattice.ny(), |x, y| self.velocity(x, y));
        Field::from_fn(velocity.nx(), velocity.ny(), |x, y| self.foam_at(&velocity, x, y))
    }

    fn foam_at(&self, velocity: &Field<[f32; 2]>, x: usize, y: usize) -> f32 {
        let state = &self.state;
        let depth = state.depth[(x, y)];
        let dry = self.params.dry_depth as f32;
        if depth <= dry {
            return 0.0;
        }
        let wave = (self.params.gravity as f32 * depth).sqrt();
        let [u, v] = velocity[(x, y)];
        // A dry side counts as level and still.
        let wet = |at: (usize, usize)| state.depth[at] > dry;
        let surface = |at: (usize, usize)| if wet(at) { at } else { (x, y) };
        let rise = self.lattice.gradient((x, y), |at| {
            let (x, y) = surface(at);
            Some(f64::from(state.surface(x, y)))
        });
        let change = |axis: usize| {
            let part = |at: (usize, usize)| if wet(at) { velocity[at][axis] } else { 0.0 };
            self.lattice.gradient((x, y), |at| Some(f64::from(part(at))))[axis]
        };
        let steepness = (rise[0] * rise[0] + rise[1] * rise[1]).sqrt() as f32;
        // Per cell, on either side of the middle.
        let spreading = (change(0) * self.lattice.dx() + change(1) * self.lattice.dy()) as f32;
        let parts = [
            ramp(BREAKING, (u * u + v * v).sqrt() / wave),
            ramp(STEEP, steepness),
            ramp(CHURN, -spreading / wave),
        ];
        // Thin films are wet ground, not white water.
        let body = ramp([dry, 10.0 * dry], depth);
        body * (1.0 - parts.into_iter().map(|part| 1.0 - part).product::<f32>())
    }
}

/// 0 below the first bound, 1 above the second, smooth between.
fn ramp([low, high]: [f32; 2], value: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use crate::flow::{Flow, Params};
    use crate::{Field, Square};

    fn world(depth: impl FnMut(usize, usize) -> f32) -> Flow {
        let lattice = Square::new(40, 20, 1.0, 1.0).unwrap();
        let bed = Field::new(40, 20, 0.0);
        Flow::new(lattice, Params::default(), bed, Field::from_fn(40, 20, depth)).unwrap()
    }

    #[test]
    fn still_water_and_dry_land_have_no_foam() {
        let mut flow = world(|_, _| 2.0);
        flow.advance(1.0).unwrap();
        assert_eq!(flow.foam().min_max(), Some((0.0, 0.0)));
        assert_eq!(world(|_, _| 0.0).foam().min_max(), Some((0.0, 0.0)));
    }

    #[test]
    fn a_bore_is_white_and_the_lake_behind_it_is_not() {
        let mut flow = world(|x, _| if x < 20 { 2.0 } else { 0.02 });
        flow.advance(1.5).unwrap();
        let foam = flow.foam();
        let front = foam.row(10)[20..].iter().copied().fold(0.0, f32::max);
        assert!(front > 0.5, "{front}");
        assert!(foam[(2, 10)] < 0.1, "{}", foam[(2, 10)]);
        assert!(foam.as_slice().iter().all(|f| (0.0..=1.0).contains(f)));
    }
}
