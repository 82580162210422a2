//! Stability limit of the schemes whose stable time step depends on the water. The CPU chooses one
//! step length for a batch of steps. Before each step, the device checks that this length is still
//! stable (limit.wgsl).

use super::buffers::records::Step;
use headwater::Series;
use headwater::flow::{DeviceView, Flow, InteriorExtremes, Physics};

/// Number of passes of the kernel in summarize.wgsl, which computes the summary of a state after an
/// edit.
pub(crate) const SUMMARY_PASSES: u32 = 2;

/// Number of elements of a state summary: the largest depth (m; for shallow water, the largest wave
/// rate), the largest loss rate (m²/s), and a flag that is 1 if the device has computed the state.
/// The flag is 0 for states of skipped steps.
pub(crate) const SUMMARY_WORDS: usize = 3;

/// Ratio of the step length of a batch to the stable time step at the start of the batch. It is
/// below 1 so that a slight decrease of the stable time step does not end the batch early.
pub(crate) const STEP_SAFETY: f64 = 0.95;

/// Returns the longest stable time step (s) at the simulated time `time` (s), given the summary of
/// the state at this time.
pub(crate) fn stable_dt(flow: &Flow, summary: &[u32; SUMMARY_WORDS], time: f64) -> f64 {
    let view = flow.device_view();
    let number = |bits: u32| f64::from(f32::from_bits(bits));
    match flow.params().level {
        Physics::Pipes => view.pipes_stable_dt(),
        Physics::Inertial => {
            let demand = InteriorExtremes {
                max_depth: number(summary[0]),
                max_loss_rate: number(summary[1]),
            };
            view.inertial_stable_dt(demand, view.exterior_extremes(time))
        }
        Physics::ShallowWater => view.shallow_stable_dt(f32::from_bits(summary[0]), time),
    }
}

/// Computes the state summary of a world on the CPU. [`stable_dt`] computes the stable time step
/// from it.
pub(crate) fn summarize(flow: &Flow) -> [u32; SUMMARY_WORDS] {
    let view = flow.device_view();
    match flow.params().level {
        Physics::Pipes => return [0; SUMMARY_WORDS],
        Physics::ShallowWater => return [view.shallow_wave_rate().to_bits(), 0, 1],
        Physics::Inertial => {}
    }
    let demand = view.interior_extremes(view.exterior_extremes(flow.time()));
    [(demand.max_depth as f32).to_bits(), (demand.max_loss_rate as f32).to_bits(), 1]
}

/// Returns whether all boundary conditions, sources and rates are constant over time, so that steps
/// of equal length have equal parameters.
pub(crate) fn is_steady(view: DeviceView<'_>) -> bool {
    let constant = |series: &Series| series.points().len() == 1;
    view.boundaries().iter().all(|boundary| boundary.kind.is_constant())
        && view
            .springs()
            .chain(view.drains())
            .all(|outlet| constant(&outlet.source.rate) && outlet.source.during.is_none())
        && view.rain().is_none_or(|(rain, _)| constant(&rain.rate))
        && view.evaporation().is_none_or(|(rate, _)| constant(rate))
}

/// Lower bound of the wave rate (cells/s), which avoids a division by zero.
const MIN_WAVE_RATE: f32 = 1e-6;

/// Bounds on the values in a state summary. A step of a given length is stable if the values do not
/// exceed them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StabilityBounds {
    max_depth: f32,
    max_loss: f32,
    max_depth_any_loss: f32,
}

impl StabilityBounds {
    /// Returns the bounds for a step of `dt` seconds that starts at the simulated time `time` (s).
    pub(crate) fn new(flow: &Flow, time: f64, dt: f64) -> Self {
        let view = flow.device_view();
        if flow.params().level == Physics::ShallowWater {
            // In shallow-water summaries, the wave rate takes the place of the largest depth. At
            // rates near 0, a thin film of water sets the limit.
            let is_stable =
                |rate: f64| view.shallow_stable_dt((rate as f32).max(MIN_WAVE_RATE), time) >= dt;
            return Self {
                max_depth: largest_depth_where(is_stable),
                max_loss: f32::MAX,
                max_depth_any_loss: 0.0,
            };
        }
        let surge = view.exterior_extremes(time);
        let min_fraction = DeviceView::MIN_WAVE_FRACTION;
        Self {
            max_depth: largest_depth_where(|h| view.inertial_wave_dt(h, surge) >= dt),
            // The largest loss rate follows from loss_limit(loss) = loss_limit(1)/loss ≥ dt.
            max_loss: (view.inertial_loss_dt(1.0) / dt) as f32,
            max_depth_any_loss: largest_depth_where(|h| {
                min_fraction * view.inertial_wave_dt(h, surge) >= dt
            }),
        }
    }

    /// Writes the bounds into a step record, together with the water depth `outside_depth` (m)
    /// beyond the edges after the step.
    pub(crate) fn write_to(self, step: &mut Step, outside_depth: f64) {
        step.max_depth = self.max_depth;
        step.max_loss = self.max_loss;
        step.max_depth_any_loss = self.max_depth_any_loss;
        step.outside_depth = outside_depth as f32;
    }
}

/// Returns the largest depth (m) for which `predicate` returns true, by bisection over `f32`
/// values. `predicate` must be true up to some depth and false above it. Returns −1 if `predicate`
/// returns false for the depth 0.
fn largest_depth_where(predicate: impl Fn(f64) -> bool) -> f32 {
    let predicate = |bits: u32| predicate(f64::from(f32::from_bits(bits)));
    if !predicate(0) {
        return -1.0;
    }
    let (mut low, mut high) = (0, f32::MAX.to_bits());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if predicate(middle) { low = middle } else { high = middle }
    }
    f32::from_bits(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bisection_finds_the_largest_valid_depth_exactly() {
        assert_eq!(largest_depth_where(|h| h <= 3.25), 3.25);
        assert_eq!(largest_depth_where(|_| false), -1.0);
    }
}
