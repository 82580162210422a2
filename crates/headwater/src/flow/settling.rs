//! What a world on its way to a steady state keeps: running means of what moves its water, and how steady it is.

use super::state::{Discharges, Momentum, State};
use crate::field::Field;
use crate::lattice::Lattice;
use crate::parallel::{for_each_row_pair, map_rows};
use crate::parameter::{Range, parameters};
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize};

parameters! {
    /// When a world counts as steady, and when to give up.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Settle {
        /// The residual at which it is steady: the mean rate at which the surface of wet cells still changes; 1e-5 is 36 mm an
        /// hour. Pipes without friction come no lower than about a millionth of the depth in a step: so much is left to the
        /// rounding of depths.
        tolerance: f64 = 1e-5; Fixed, "tolerance", "m/s", |_| Range::above_zero(1.0), [1e-7, 1e-3];
        /// The time after which it gives up, and says so.
        longest: f64 = 86_400.0; Fixed, "longest time", "s", |_| Range::above_zero(1e9), [60.0, 1e6];
    }
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// True if the world is steady, to the tolerance.
    pub reached: bool,
    /// Unsteadiness (m/s): mean over wet cells of the rate of change of depth, and of what
    /// discharges still swing about their means, as a rate of the surface.
    pub residual: f64,
    /// How long it took (s), by a clock that nothing else goes by.
    pub seconds: f64,
    /// Steps done.
    pub steps: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Settling {
    pub(super) settle: Settle,
    /// Angular frequency of the basin's slowest swing (1/s), by which damping and filter are chosen.
    slowest: f64,
    mean: Mean,
    before: Field<f32>,
    since: f64,
    pub(super) progress: Settled,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Mean {
    Discharges(Discharges),
    Momentum(Momentum),
}

impl Settling {
    pub(super) fn new(settle: Settle, state: &State, slowest: f64) -> Self {
        let mean = match &state.momentum {
            Some(momentum) => Mean::Momentum(momentum.clone()),
            None => Mean::Discharges(state.discharges()),
        };
        let progress = Settled { reached: false, residual: f64::MAX, seconds: 0.0, steps: 0 };
        Self { settle, slowest, mean, before: state.depth.clone(), since: 0.0, progress }
    }

    /// Damping rate χ (1/s), for the slowest swing; the filter Δ is twice its period over 2π.
    fn damping(&self) -> f64 {
        2.0 * self.slowest
    }

    /// Draws what moves the water and its mean towards each other, exactly for a step.
    pub(super) fn damp(&mut self, state: &mut State, dry: f32, dt: f64) {
        let (damping, per_width) = (self.damping(), 0.5 * self.slowest);
        let both = damping + per_width;
        let gone = (1.0 - libm::exp(-both * dt)) / both;
        let parts = [(damping * gone) as f32, (per_width * gone) as f32];
        match (&mut self.mean, &mut state.momentum) {
            (Mean::Momentum(mean), Some(q)) => {
                for (q, mean) in [(&mut q.x, &mut mean.x), (&mut q.y, &mut mean.y)] {
                    let depth = &state.depth;
                    damp(q, mean, parts, |x, y| depth[(x, y)] > dry);
                }
            }
            (Mean::Discharges(mean), _) => {
                damp(&mut state.discharge_x, &mut mean.x, parts, |_, _| true);
                damp(&mut state.discharge_y, &mut mean.y, parts, |_, _| true);
                if let (Some(q), Some(mean)) = (&mut state.discharge_z, &mut mean.z) {
                    damp(q, mean, parts, |_, _| true);
                }
            }
            (Mean::Momentum(_), None) => {}
        }
    }

    /// Computes the residual of the window that ends now, and begins the next. `celerity` is the
    /// wave speed (m/s), `slowest` the angular frequency of the slowest swing (1/s).
    pub(super) fn measure(
        &mut self,
        state: &State,
        lattice: &Lattice,
        dry: f32,
        [celerity, slowest]: [f64; 2],
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
        // Of a wave's discharge `q`, the part of the surface that goes with it is `q/c`.
        let swing = self.swing(state, lattice, scratch) / (wet * celerity);
        self.progress.residual = sum / (wet * seconds) + self.damping() * swing;
        // A river that fills its bed swings faster than the film that it began as.
        self.slowest = slowest;
        self.before.clone_from(depth);
        self.since = self.progress.seconds;
    }

    /// The sum over all cells of how far unit discharges are from their means (m²/s).
    fn swing(&self, state: &State, lattice: &Lattice, scratch: &ScratchPool) -> f64 {
        let apart = |a, b| apart(a, b, scratch);
        match (&self.mean, &state.momentum) {
            (Mean::Momentum(mean), Some(q)) => apart(&q.x, &mean.x) + apart(&q.y, &mean.y),
            (Mean::Discharges(mean), _) => {
                let width = |is_x| lattice.face_width(is_x);
                let straight = apart(&state.discharge_x, &mean.x) / width(true)
                    + apart(&state.discharge_y, &mean.y) / width(false);
                let slanted = state.discharge_z.as_ref().zip(mean.z.as_ref());
                straight + slanted.map_or(0.0, |(q, mean)| apart(q, mean) / width(false))
            }
            (Mean::Momentum(_), None) => 0.0,
        }
    }

    pub(super) fn fits(&self, state: &State) -> bool {
        let same = |a: &Field<f32>, b: &Field<f32>| {
            a.same_shape(b) && a.as_slice().iter().all(|v| v.is_finite())
        };
        let means = match (&self.mean, &state.momentum) {
            (Mean::Momentum(mean), Some(q)) => same(&mean.x, &q.x) && same(&mean.y, &q.y),
            (Mean::Discharges(mean), None) => {
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
        let Settle { tolerance, longest } = self.settle;
        let numbers = [tolerance, longest, self.slowest];
        means
            && same(&self.before, &state.depth)
            && numbers.into_iter().all(|v| v.is_finite() && v > 0.0)
            && self.since.is_finite()
            && self.progress.seconds.is_finite()
    }
}

/// Draws `q` and `mean` towards each other by their parts where `moves` says so; elsewhere the mean
/// is reset.
fn damp(
    q: &mut Field<f32>,
    mean: &mut Field<f32>,
    [to_mean, to_q]: [f32; 2],
    moves: impl Fn(usize, usize) -> bool + Sync,
) {
    let nx = q.nx();
    for_each_row_pair(q.as_mut_slice(), nx, mean.as_mut_slice(), nx, |y, q, mean| {
        for (x, (q, mean)) in q.iter_mut().zip(mean).enumerate() {
            let apart = *q - *mean;
            if moves(x, y) {
                (*q, *mean) = (*q - to_mean * apart, *mean + to_q * apart);
            } else {
                *mean = *q;
            }
        }
    });
}

fn apart(a: &Field<f32>, b: &Field<f32>, scratch: &ScratchPool) -> f64 {
    let rows = map_rows(scratch, a.ny(), a.nx(), |y, _| {
        let pairs = a.row(y).iter().zip(b.row(y));
        pairs.map(|(a, b)| f64::from((a - b).abs())).sum::<f64>()
    });
    rows.iter().sum()
}
