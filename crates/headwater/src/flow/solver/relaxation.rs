//! State of a relaxation to a steady state: the running means of the discharges or of the momentum,
//! and the residual.

use crate::field::Field;
use crate::flow::state::{Discharges, Momentum, State};
use crate::lattice::Lattice;
use crate::parallel::{for_each_row_pair, map_rows};
use crate::parameter::{Range, parameters};
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize};

parameters! {
    /// Stopping criteria of a relaxation to a steady state.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct RelaxationParams {
        /// Residual below which the world counts as steady. The residual is the mean rate of change
        /// of the surface in wet cells; 1e-5 is 36 mm per hour. Because depths are rounded, the
        /// residual of `pipes` without friction does not fall below about a millionth of the depth
        /// per step.
        tolerance: f64 = 1e-5; Fixed, "tolerance", "m/s", |_| Range::above_zero(1.0), [1e-7, 1e-3];
        /// Duration after which the relaxation stops even if no steady state is reached. It does
        /// not count as simulated time.
        longest: f64 = 86_400.0; Fixed, "longest time", "s", |_| Range::above_zero(1e9), [60.0, 1e6];
    }
}

/// Progress or result of a relaxation to a steady state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelaxationStatus {
    /// Whether the residual has fallen below the tolerance.
    pub reached: bool,
    /// Residual (m/s), the sum of two terms: the mean absolute rate of change of the depth in wet
    /// cells, and the mean absolute deviation of the discharges from their running means, converted
    /// to a rate of change of the surface.
    pub residual: f64,
    /// Duration of the relaxation (s), which does not count as simulated time.
    pub seconds: f64,
    /// Number of relaxation steps so far.
    pub steps: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Relaxation {
    pub(in crate::flow) settle: RelaxationParams,
    /// Angular frequency of the slowest oscillation of the basin (1/s). This frequency determines
    /// the damping rate and the filter width.
    slowest_frequency: f64,
    mean: RunningMean,
    before: Field<f32>,
    since: f64,
    pub(in crate::flow) progress: RelaxationStatus,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum RunningMean {
    Discharges(Discharges),
    Momentum(Momentum),
}

impl Relaxation {
    pub(in crate::flow) fn new(
        params: RelaxationParams,
        state: &State,
        slowest_frequency: f64,
    ) -> Self {
        let mean = match &state.momentum {
            Some(momentum) => RunningMean::Momentum(momentum.clone()),
            None => RunningMean::Discharges(state.clone_discharges()),
        };
        let progress =
            RelaxationStatus { reached: false, residual: f64::MAX, seconds: 0.0, steps: 0 };
        Self {
            settle: params,
            slowest_frequency,
            mean,
            before: state.depth.clone(),
            since: 0.0,
            progress,
        }
    }

    /// Returns the damping rate χ (1/s), which is 2·ω for a slowest oscillation of angular
    /// frequency ω. The filter width Δ is 2/ω.
    fn damping_rate(&self) -> f64 {
        2.0 * self.slowest_frequency
    }

    /// Relaxes the discharges or the momentum toward their running means over `dt` seconds, and the
    /// running means toward the current values. The damping equations are solved exactly. Momentum
    /// is damped only in cells deeper than `dry` (m).
    pub(in crate::flow) fn damp_discharges(&mut self, state: &mut State, dry: f32, dt: f64) {
        let (damping, per_width) = (self.damping_rate(), 0.5 * self.slowest_frequency);
        let both = damping + per_width;
        let decay = (1.0 - libm::exp(-both * dt)) / both;
        let parts = [(damping * decay) as f32, (per_width * decay) as f32];
        match (&mut self.mean, &mut state.momentum) {
            (RunningMean::Momentum(mean), Some(q)) => {
                for (q, mean) in [(&mut q.x, &mut mean.x), (&mut q.y, &mut mean.y)] {
                    let depth = &state.depth;
                    damp_field(q, mean, parts, |x, y| depth[(x, y)] > dry);
                }
            }
            (RunningMean::Discharges(mean), _) => {
                damp_field(&mut state.discharge_x, &mut mean.x, parts, |_, _| true);
                damp_field(&mut state.discharge_y, &mut mean.y, parts, |_, _| true);
                if let (Some(q), Some(mean)) = (&mut state.discharge_z, &mut mean.z) {
                    damp_field(q, mean, parts, |_, _| true);
                }
            }
            (RunningMean::Momentum(_), None) => {}
        }
    }

    /// Computes the residual from the changes in depth since the previous evaluation. A cell counts
    /// as wet if its depth exceeds `dry` (m). `celerity` is the wave speed (m/s), and
    /// `slowest_frequency` the angular frequency of the slowest oscillation (1/s).
    pub(in crate::flow) fn update_residual(
        &mut self,
        state: &State,
        lattice: &Lattice,
        dry: f32,
        [celerity, slowest_frequency]: [f64; 2],
        scratch: &ScratchPool,
    ) {
        let depth = &state.depth;
        let rows = map_rows(scratch, depth.ny(), depth.nx(), |y, _| {
            let pairs = depth.row(y).iter().zip(self.before.row(y));
            pairs.fold((0.0_f64, 0_u64), |(sum, count), (&h, &before)| {
                let wet = u64::from(h > dry || before > dry);
                (sum + (f64::from(h) - f64::from(before)).abs(), count + wet)
            })
        });
        let (sum, wet) = rows.iter().fold((0.0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let wet = wet.max(1) as f64;
        let seconds = self.progress.seconds - self.since;
        // A wave with the unit discharge `q` has the surface elevation `q/c`.
        let deviation = self.total_deviation(state, lattice, scratch) / (wet * celerity);
        self.progress.residual = sum / (wet * seconds) + self.damping_rate() * deviation;
        // A river oscillates faster after it has filled than as a thin film at the start.
        self.slowest_frequency = slowest_frequency;
        self.before.clone_from(depth);
        self.since = self.progress.seconds;
    }

    /// Returns the deviation of the unit discharges from their running means (m²/s), summed over
    /// all cells.
    fn total_deviation(&self, state: &State, lattice: &Lattice, scratch: &ScratchPool) -> f64 {
        let sum_differences = |a, b| sum_abs_differences(a, b, scratch);
        match (&self.mean, &state.momentum) {
            (RunningMean::Momentum(mean), Some(q)) => {
                sum_differences(&q.x, &mean.x) + sum_differences(&q.y, &mean.y)
            }
            (RunningMean::Discharges(mean), _) => {
                let width = |is_x| lattice.face_width(is_x);
                let straight = sum_differences(&state.discharge_x, &mean.x) / width(true)
                    + sum_differences(&state.discharge_y, &mean.y) / width(false);
                let slanted = state.discharge_z.as_ref().zip(mean.z.as_ref());
                straight + slanted.map_or(0.0, |(q, mean)| sum_differences(q, mean) / width(false))
            }
            (RunningMean::Momentum(_), None) => 0.0,
        }
    }

    pub(in crate::flow) fn fits(&self, state: &State) -> bool {
        let same = |a: &Field<f32>, b: &Field<f32>| {
            a.has_same_shape(b) && a.as_slice().iter().all(|v| v.is_finite())
        };
        let means = match (&self.mean, &state.momentum) {
            (RunningMean::Momentum(mean), Some(q)) => same(&mean.x, &q.x) && same(&mean.y, &q.y),
            (RunningMean::Discharges(mean), None) => {
                same(&mean.x, &state.discharge_x)
                    && same(&mean.y, &state.discharge_y)
                    && match (&mean.z, &state.discharge_z) {
                        (Some(mean), Some(q)) => same(mean, q),
                        (None, None) => true,
                        _ => false,
                    }
            }
            _ => false,
        };
        let RelaxationParams { tolerance, longest } = self.settle;
        let numbers = [tolerance, longest, self.slowest_frequency];
        means
            && same(&self.before, &state.depth)
            && numbers.into_iter().all(|v| v.is_finite() && v > 0.0)
            && self.since.is_finite()
            && self.progress.seconds.is_finite()
    }
}

/// Relaxes `q` toward `mean`, and `mean` toward `q`, in cells for which `is_wet(x, y)` is true. The
/// changes are the fractions `to_mean` and `to_q` of the difference. In all other cells, sets
/// `mean` to `q`.
fn damp_field(
    q: &mut Field<f32>,
    mean: &mut Field<f32>,
    [to_mean, to_q]: [f32; 2],
    is_wet: impl Fn(usize, usize) -> bool + Sync,
) {
    let nx = q.nx();
    for_each_row_pair(q.as_mut_slice(), nx, mean.as_mut_slice(), nx, |y, q, mean| {
        for (x, (q, mean)) in q.iter_mut().zip(mean).enumerate() {
            let difference = *q - *mean;
            if is_wet(x, y) {
                (*q, *mean) = (*q - to_mean * difference, *mean + to_q * difference);
            } else {
                *mean = *q;
            }
        }
    });
}

fn sum_abs_differences(a: &Field<f32>, b: &Field<f32>, scratch: &ScratchPool) -> f64 {
    let rows = map_rows(scratch, a.ny(), a.nx(), |y, _| {
        let pairs = a.row(y).iter().zip(b.row(y));
        pairs.map(|(a, b)| f64::from((a - b).abs())).sum::<f64>()
    });
    rows.iter().sum()
}
