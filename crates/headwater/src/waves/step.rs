//! Time: one step, and frames of many.

use super::bodies::Press;
use super::context::Step;
use super::error::number;
use super::{Waves, WavesError, pass, plain, rim, rows};
use crate::ledger::Cause;

/// Which loops do a step; the outcome is the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Path {
    Rows,
    Plain,
}

/// What an [`advance`](Waves::advance) has done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Steps done.
    pub steps: u32,
    /// How far the time is beyond the older of the last two surfaces, 0 to 1 of a step, for
    /// [`Waves::interpolated`]. What is drawn so lags behind by one step.
    pub alpha: f64,
    /// Time (s) dropped because it would have taken more than
    /// [`Params::max_steps`](super::Params::max_steps).
    pub dropped: f64,
}

/// A frame that ends this part of a step before a whole step counts as having reached it: frame times
/// add up with rounding.
const NEARLY: f64 = 1e-6;

/// The most steps that a frame may ask for; what is beyond
/// [`Params::max_steps`](super::Params::max_steps) is dropped anyway.
const LONGEST: f64 = 1e9;

impl Waves {
    /// Steps the world by [`Params::step`](super::Params::step):
    ///
    /// 0. **Disturb.** Drops fall; bodies and gusts move, and with wave makers press on the surface during stages 2 to 4.
    /// 1. **Carry**, with a current: heights and fluxes go along with it.
    /// 2. **Smooth**, with dispersion: what pushes is `G·z`, else z itself.
    /// 3. **Push** the flux over every face: `f ← A·f + B·(z_before − z_after)`, with
    ///    `A = (2 − μt)/(2 + μt)`, `B = 2q/(2 + μt)`, `q = c²t²/d²`.
    /// 4. **Settle**: `z ← z + f_west − f_east + f_north − f_south`, in whole quanta. With 3, this is
    ///    `z⁺ = k1·z + k2·z⁻ + k3·Σz_neighbour`.
    /// 5. **Edges**: what crossed pinned edges is booked, and waves fade in absorbing layers.
    pub fn step(&mut self) {
        self.step_by(Path::Rows);
    }

    /// The same step by plain loops on one thread: slower, and equal to [`step`](Self::step) in
    /// every bit. It is there to check against and to measure against.
    pub fn step_plain(&mut self) {
        self.step_by(Path::Plain);
    }

    /// Takes `count` steps, as [`step`](Self::step) does, and equal to them in every bit. Where nothing stirs the
    /// surface, it does several of them in one pass over memory, which is faster: no rain, wind, bodies,
    /// makers or current, no dispersion and no absorbing edges.
    pub fn step_many(&mut self, count: u64) {
        let mut left = count;
        while left > 0 {
            left -= if self.is_undisturbed() { self.pass(left) } else { self.pass(1) };
        }
    }

    /// Whether nothing but the surface itself makes its steps.
    fn is_undisturbed(&self) -> bool {
        self.shower.is_none()
            && self.gusts.is_none()
            && self.bodies.is_empty()
            && self.makers.is_empty()
            && self.stream.is_none()
            && self.filter.is_none()
            && self.parts.is_none()
    }

    /// Takes up to `most` steps, above 1 only of an undisturbed surface; returns how many.
    fn pass(&mut self, most: u64) -> u64 {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let count = pass::together(nx, ny, self.steps, most);
        if count == 1 {
            self.step();
            return 1;
        }
        let Self { state, rule, medium, params, tiles, ledger, .. } = self;
        let step = Step { rule, medium, edges: &params.edges };
        let crossed = pass::drive(state, tiles, &step, self.steps, count);
        let area = self.lattice.cell_area();
        for came in crossed.into_iter().take(count).filter(|&came| came != 0.0) {
            ledger.book(Cause::Boundary, came * area);
        }
        self.steps += count as u64;
        count as u64
    }

    fn step_by(&mut self, path: Path) {
        // Checked when it was set, so that nothing is left to go wrong.
        let _ = self.let_it_rain();
        let carried = self.carry(path == Path::Rows);
        let mut press = Press::default();
        self.press_bodies(&mut press);
        self.press_gusts(&mut press);
        for [columns, rows] in self.press_makers(&mut press) {
            self.tiles.wake(columns, rows);
        }
        let Self { state, rule, medium, params, filter, room, tiles, .. } = self;
        press.apply(state.height.as_mut_slice(), 1.0);
        let by_rows = path == Path::Rows;
        let edges = &params.edges;
        let head = filter.as_ref().and_then(|filter| {
            filter.apply(&state.height, room, medium, edges, by_rows);
            room.smooth.as_ref()
        });
        let step = Step { rule, medium, edges };
        if head.is_some() || !by_rows {
            // A filter reaches beyond the next tile, and plain loops look at none.
            tiles.fit(state.height.nx(), state.height.ny());
            tiles.wake_all();
        }
        match (path, head) {
            (Path::Plain, _) => plain::drive(state, &step, head),
            (Path::Rows, Some(head)) => rows::drive(state, &step, head),
            (Path::Rows, None) => {
                pass::drive(state, tiles, &step, self.steps, 1);
            }
        }
        press.apply(state.height.as_mut_slice(), -1.0);
        let area = self.lattice.cell_area();
        let crossed = rim::crossed(state, rule, params);
        let faded = match &mut self.parts {
            Some(parts) => self.layers.fade(state, parts, rule, tiles),
            None => 0.0,
        };
        for came in [carried, crossed, faded] {
            if came != 0.0 {
                self.ledger.book(Cause::Boundary, came * area);
            }
        }
        self.steps += 1;
    }

    /// How many steps, whole and in part, an [`advance`](Self::advance) by `seconds` asks for.
    pub(crate) fn due(&self, seconds: f64) -> f64 {
        self.owed + seconds / self.params.step + NEARLY
    }

    /// Lets the current carry the surface; returns the height (m, summed over cells) that came over
    /// edges.
    fn carry(&mut self, by_rows: bool) -> f64 {
        let Self { stream, state, parts, layers, rule, tiles, drift, .. } = self;
        let Some(stream) = stream else { return 0.0 };
        // What a current carries does not lie still.
        tiles.wake_all();
        drift.x_first = self.steps.is_multiple_of(2);
        stream.carry(state, (&*layers, parts.as_mut()), rule, drift, by_rows)
    }

    /// Advances by the time of a frame (s), in whole steps; what is left over counts for the next
    /// frame. So 30, 60 and 144 frames per second give the same motion.
    ///
    /// # Errors
    /// [`WavesError::Number`] if `seconds` is below 0, no number or as long as 10⁹ steps.
    pub fn advance(&mut self, seconds: f64) -> Result<Frame, WavesError> {
        let most = LONGEST * self.params.step;
        let in_range = (0.0..=most).contains(&seconds);
        number("an advance", seconds, in_range, format!("from 0 to {most} s"))?;
        let owed = self.owed + seconds / self.params.step;
        let due = (owed + NEARLY).floor();
        let most = f64::from(self.params.max_steps);
        let dropped = (due - most).max(0.0);
        let steps = due.min(most) as u32;
        self.step_many(steps.into());
        self.owed = owed - due;
        let alpha = self.owed.max(0.0);
        Ok(Frame { steps, alpha, dropped: dropped * self.params.step })
    }
}
