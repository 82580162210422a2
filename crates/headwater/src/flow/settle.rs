//! Running to a steady state, with the clock held.
//!
//! Waves in a basin die down slowly, without friction never. Selective frequency damping (Åkervik et al.
//! 2006) draws every discharge towards its own running mean, `dq/dt = … − χ·(q − q̄)`, `dq̄/dt = (q − q̄)/Δ`: what
//! swings is damped, what is steady is its own mean, so the steady states are those of the equations, no
//! others. Water itself is never touched: the volume is kept as in any step.

use super::error::{FlowError, number};
use super::state::{Discharges, Momentum, State};
use super::{Flow, Physics};
use crate::field::Field;
use crate::parallel::{for_each_row_pair, per_row};
use serde::{Deserialize, Serialize};

/// When a world counts as steady, and when to give up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settle {
    /// The residual (m/s) at which it is steady, above 0: the mean rate at which the surface of wet cells still
    /// changes, see [`Settled::residual`]. 1e-5 by default, 36 mm an hour. Pipes without friction come no
    /// lower than about a millionth of the depth in a step: so much is left to the rounding of depths.
    pub tolerance: f64,
    /// The time (s) after which it gives up, above 0. A day by default.
    pub longest: f64,
}

impl Default for Settle {
    fn default() -> Self {
        Self { tolerance: 1e-5, longest: 86_400.0 }
    }
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// True if the world is steady, to the tolerance.
    pub reached: bool,
    /// How unsteady it is (m/s): the mean over wet cells of the rate at which depth changes, and of what
    /// discharges still swing about their means, as the rate at which that would lift the surface.
    pub residual: f64,
    /// How long it took (s), by a clock that nothing else goes by.
    pub seconds: f64,
    /// Steps done.
    pub steps: u64,
}

/// A world on its way to a steady state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Settling {
    settle: Settle,
    /// Angular frequency of the basin's slowest swing (1/s), by which damping and filter are chosen.
    slowest: f64,
    mean: Mean,
    /// Depths when the window began.
    before: Field<f32>,
    /// Time when the window began (s).
    since: f64,
    progress: Settled,
}

/// The running means of what moves the water.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Mean {
    Discharges(Discharges),
    Momentum(Momentum),
}

/// Steps after which the residual is looked at. Over a single step the rounding of depths would show.
const WINDOW: u64 = 50;

impl Flow {
    /// Lets the water come to a steady state. The world's clock stands still: springs, rain and edges stay as
    /// they are at this moment, tracers and bodies where they are; the ledger goes on.
    ///
    /// It gives up after [`Settle::longest`], and says so: a basin that fills has no steady state before it
    /// spills.
    ///
    /// # Errors
    /// [`FlowError::Number`] if a number of `settle` is out of its range.
    pub fn settle(&mut self, settle: Settle) -> Result<Settled, FlowError> {
        self.begin_settling(settle)?;
        loop {
            if let Some(settled) = self.settle_step() {
                return Ok(settled);
            }
        }
    }

    /// Begins to settle, for whoever wants to look on: [`settle_step`](Self::settle_step) does the steps.
    ///
    /// # Errors
    /// As [`settle`](Self::settle).
    pub fn begin_settling(&mut self, settle: Settle) -> Result<(), FlowError> {
        let Settle { tolerance, longest } = settle;
        number("the tolerance of settling", tolerance, tolerance > 0.0, "a number of m/s above 0")?;
        number("the longest time of settling", longest, longest > 0.0, "a number of s above 0")?;
        let mean = match &self.state.momentum {
            Some(momentum) => Mean::Momentum(momentum.clone()),
            None => Mean::Discharges(self.state.discharges()),
        };
        let progress = Settled { reached: false, residual: f64::MAX, seconds: 0.0, steps: 0 };
        self.settling = Some(Box::new(Settling {
            settle,
            slowest: self.slowest_swing(),
            mean,
            before: self.state.depth.clone(),
            since: 0.0,
            progress,
        }));
        Ok(())
    }

    /// Does a step of settling; tells when it is over, and then whenever it is asked again.
    pub fn settle_step(&mut self) -> Option<Settled> {
        let Some(mut settling) = self.settling.take() else {
            return Some(Settled { reached: true, residual: 0.0, seconds: 0.0, steps: 0 });
        };
        let dt = self.stable_dt().min(self.params.max_dt.unwrap_or(f64::INFINITY));
        // Whatever drifts waits.
        let (time, swarm) = (self.time, self.swarm.take());
        let bodies = std::mem::take(&mut self.bodies);
        self.stable_step(dt, super::step::Path::Rows);
        (self.time, self.swarm, self.bodies) = (time, swarm, bodies);
        let dry = self.params.dry_depth as f32;
        settling.damp(&mut self.state, dry, dt);
        self.scratch.sweep.tiles.wake_all();
        settling.progress.steps += 1;
        settling.progress.seconds += dt;
        if settling.progress.steps.is_multiple_of(WINDOW) {
            settling.look(self);
            let Settled { residual, seconds, .. } = settling.progress;
            settling.progress.reached = residual <= settling.settle.tolerance;
            if settling.progress.reached || seconds >= settling.settle.longest {
                return Some(settling.progress);
            }
        }
        self.settling = Some(settling);
        None
    }

    /// How far settling has come, while it goes on.
    pub fn settling(&self) -> Option<Settled> {
        self.settling.as_ref().map(|settling| settling.progress)
    }

    /// The angular frequency of the slowest swing (1/s): a wave to the other side of the world and back.
    fn slowest_swing(&self) -> f64 {
        std::f64::consts::PI * self.celerity() / self.lattice.width().max(self.lattice.height())
    }

    /// How fast waves run in water of the world's mean depth (m/s).
    fn celerity(&self) -> f64 {
        let gravity = self.params.gravity;
        match self.params.physics {
            Physics::Pipes => {
                (gravity * self.params.pipe_area / self.lattice.face_width(true)).sqrt()
            }
            Physics::Inertial | Physics::ShallowWater => {
                let wet = self
                    .state
                    .depth
                    .as_slice()
                    .iter()
                    .filter(|&&h| f64::from(h) > self.params.dry_depth);
                let depth = self.state.depth.sum() / (wet.count().max(1)) as f64;
                (gravity * depth.max(THIN)).sqrt()
            }
        }
    }
}

/// A dry world is filtered as one with so much water (m).
const THIN: f64 = 0.01;

impl Settling {
    /// Damping rate χ (1/s): fast enough for the slowest swing, whose mean the filter (Δ twice as long as
    /// its period over 2π) just tells from it.
    fn damping(&self) -> f64 {
        2.0 * self.slowest
    }

    /// Draws what moves the water towards its mean, and the mean after it: exact for a step in which
    /// nothing else happens.
    fn damp(&mut self, state: &mut State, dry: f32, dt: f64) {
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

    /// Works out the residual over the window that ends now, and begins the next.
    fn look(&mut self, flow: &Flow) {
        let depth = &flow.state.depth;
        let dry = flow.params.dry_depth as f32;
        let rows = per_row(depth.ny(), depth.nx(), |y, _| {
            let pairs = depth.row(y).iter().zip(self.before.row(y));
            pairs.fold((0.0_f64, 0_u64), |(sum, count), (&h, &before)| {
                let wet = u64::from(h > dry || before > dry);
                (sum + (f64::from(h) - f64::from(before)).abs(), count + wet)
            })
        });
        let (sum, wet) = rows.into_iter().fold((0.0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let wet = wet.max(1) as f64;
        let seconds = self.progress.seconds - self.since;
        // Of a wave's discharge `q`, the part of the surface that goes with it is `q/c`.
        let swing = self.swing(flow) / (wet * flow.celerity());
        self.progress.residual = sum / (wet * seconds) + self.damping() * swing;
        // A river that fills its bed swings faster than the film that it began as.
        self.slowest = flow.slowest_swing();
        self.before.clone_from(depth);
        self.since = self.progress.seconds;
    }

    /// The sum over all cells of how far unit discharges are from their means (m²/s).
    fn swing(&self, flow: &Flow) -> f64 {
        let state = &flow.state;
        match (&self.mean, &state.momentum) {
            (Mean::Momentum(mean), Some(q)) => apart(&q.x, &mean.x) + apart(&q.y, &mean.y),
            (Mean::Discharges(mean), _) => {
                let width = |is_x| flow.lattice.face_width(is_x);
                let straight = apart(&state.discharge_x, &mean.x) / width(true)
                    + apart(&state.discharge_y, &mean.y) / width(false);
                let slanted = state.discharge_z.as_ref().zip(mean.z.as_ref());
                straight + slanted.map_or(0.0, |(q, mean)| apart(q, mean) / width(false))
            }
            (Mean::Momentum(_), None) => 0.0,
        }
    }

    /// True if its fields fit a world's.
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

    /// All fields that a step reads, for a hash of the world.
    pub(super) fn fields(&self) -> Vec<&Field<f32>> {
        let mut fields = vec![&self.before];
        match &self.mean {
            Mean::Momentum(mean) => fields.extend([&mean.x, &mean.y]),
            Mean::Discharges(mean) => fields.extend([&mean.x, &mean.y].into_iter().chain(&mean.z)),
        }
        fields
    }
}

/// Draws `q` towards `mean` and `mean` towards `q`, each by its part of the way, where `moves` says so;
/// elsewhere the mean forgets.
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

/// How far two fields are apart, summed over all places.
fn apart(a: &Field<f32>, b: &Field<f32>) -> f64 {
    let rows = per_row(a.ny(), a.nx(), |y, _| {
        let pairs = a.row(y).iter().zip(b.row(y));
        pairs.map(|(a, b)| f64::from((a - b).abs())).sum::<f64>()
    });
    rows.into_iter().sum()
}
