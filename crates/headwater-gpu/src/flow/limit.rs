//! How long steps may be where that depends on the water: the CPU chooses one length for a batch, and each step
//! on the device looks whether it still holds; see limit.wgsl.

use super::records::Step;
use headwater::Series;
use headwater::flow::{Boundary, BoundaryKind, DeviceView, Flow, InteriorExtremes, Physics};

/// How often the water is gone through to learn what it allows after an edit; see survey.wgsl.
pub(crate) const SURVEYS: u32 = 2;

/// Numbers of a state's note: greatest depth, greatest loss, and whether the state came to be.
pub(crate) const NOTE: usize = 3;

/// The part of the longest step that a batch takes, so that a limit that falls a little does not end it.
pub(crate) const SLACK: f64 = 0.95;

/// The longest step (s) of a world from `time` on: its last step, or [`note`], has left a note of the water.
pub(crate) fn limit(flow: &Flow, note: &[u32; NOTE], time: f64) -> f64 {
    let elsewhere = flow.device_view();
    let number = |bits: u32| f64::from(f32::from_bits(bits));
    match flow.params().level {
        Physics::Pipes => elsewhere.pipes_limit(),
        Physics::Inertial => {
            let interior = InteriorExtremes { deepest: number(note[0]), loss: number(note[1]) };
            elsewhere.inertial_limit(interior, elsewhere.exterior_extremes(time))
        }
        Physics::ShallowWater => elsewhere.shallow_limit(f32::from_bits(note[0]), time),
    }
}

/// The note of a state that is known on the CPU.
pub(crate) fn note(flow: &Flow) -> [u32; NOTE] {
    let elsewhere = flow.device_view();
    match flow.params().level {
        Physics::Pipes => return [0; NOTE],
        Physics::ShallowWater => return [elsewhere.shallow_rate().to_bits(), 0, 1],
        Physics::Inertial => {}
    }
    let interior = elsewhere.interior_extremes(elsewhere.exterior_extremes(flow.time()));
    [(interior.deepest as f32).to_bits(), (interior.loss as f32).to_bits(), 1]
}

/// True if nothing that is set on a world changes in time, so that all steps of one length are told the same.
pub(crate) fn is_steady(elsewhere: DeviceView<'_>) -> bool {
    let constant = |series: &Series| series.points().len() == 1;
    let boundary = |boundary: &Boundary| match &boundary.kind {
        BoundaryKind::Wall | BoundaryKind::Open | BoundaryKind::Periodic => true,
        BoundaryKind::Inflow { discharge } | BoundaryKind::Outflow { discharge } => {
            constant(discharge)
        }
        BoundaryKind::Stream { discharge, along, level } => {
            constant(discharge) && constant(along) && level.as_ref().is_none_or(constant)
        }
        BoundaryKind::Stage { level } => constant(level),
        BoundaryKind::Wave { amplitude, .. } => *amplitude == 0.0,
        BoundaryKind::Recorded { rise, .. } => constant(rise),
        BoundaryKind::Solitary { height, .. } => *height == 0.0,
    };
    elsewhere.boundaries().iter().all(boundary)
        && elsewhere
            .springs()
            .chain(elsewhere.drains())
            .all(|outlet| constant(&outlet.source.rate) && outlet.source.during.is_none())
        && elsewhere.rain().is_none_or(|(rain, _)| constant(&rain.rate))
        && elsewhere.evaporation().is_none_or(|(rate, _)| constant(rate))
}

/// Less than any wave crosses (cells in a second).
const LEAST: f32 = 1e-6;

/// What the water must not exceed for a step of `dt` to be stable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    deepest: f32,
    loss: f32,
    deepest_of_losses: f32,
}

impl Allowed {
    /// Of a step of `dt` seconds from `time` on.
    pub(crate) fn new(flow: &Flow, time: f64, dt: f64) -> Self {
        let elsewhere = flow.device_view();
        if flow.params().level == Physics::ShallowWater {
            // The fastest wave stands where else the greatest depth does.
            // A film sets the least there is of it; of none at all there would be no limit to take.
            let allows = |rate: f64| elsewhere.shallow_limit((rate as f32).max(LEAST), time) >= dt;
            return Self { deepest: deepest(allows), loss: f32::MAX, deepest_of_losses: 0.0 };
        }
        let exterior = elsewhere.exterior_extremes(time);
        let least = DeviceView::MIN_WAVE_FRACTION;
        Self {
            deepest: deepest(|h| elsewhere.wave_limit(h, exterior) >= dt),
            // loss_limit(loss) = loss_limit(1)/loss ≥ dt.
            loss: (elsewhere.loss_limit(1.0) / dt) as f32,
            deepest_of_losses: deepest(|h| least * elsewhere.wave_limit(h, exterior) >= dt),
        }
    }

    /// Tells a step, and how deep the water outside will be after it (m).
    pub(crate) fn set(self, step: &mut Step, outside: f64) {
        step.deepest = self.deepest;
        step.loss = self.loss;
        step.deepest_of_losses = self.deepest_of_losses;
        step.outside = outside as f32;
    }
}

/// The greatest float for which something holds that holds up to some depth (m); −1 if not even for 0.
fn deepest(holds: impl Fn(f64) -> bool) -> f32 {
    let holds = |bits: u32| holds(f64::from(f32::from_bits(bits)));
    if !holds(0) {
        return -1.0;
    }
    let (mut low, mut high) = (0, f32::MAX.to_bits());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle } else { high = middle }
    }
    f32::from_bits(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_depth_that_holds_is_found_to_the_bit() {
        assert_eq!(deepest(|h| h <= 3.25), 3.25);
        assert_eq!(deepest(|_| false), -1.0);
    }
}
