//! Time: one step, and walks of many.

use super::books::Books;
use super::context::{Limit, Roughness, Step};
use super::params::Physics;
use super::state::State;
use super::velocity::Moving;
use super::when::When;
use super::workspace::Workspace;
use super::world::Flow;
use super::{bodies, inertial, pipes, plain, shallow, sweep};
use crate::clock::Advanced;
use crate::error::InputError;

/// Which loops do a step; the outcome is the same.
#[derive(Clone, Copy)]
pub(super) enum Path {
    Rows,
    Plain,
}

/// The part of a step on hexagons that wave makers allow where they reckon by pipes. Their rows are closer than their columns: in a
/// whole step a wave would leave from more than the last row.
const WAVES_ON_HEXAGONS: f64 = 0.74;

/// Shorter than this (s) no step is: its reciprocal is no number for what is counted in 32 bits.
const SHORTEST: f64 = 1e-20;

/// The time after a step of an advance to `stop`. Time adds up with rounding; arriving means arriving.
pub(super) fn arrive(time: f64, stop: f64, dt: f64) -> f64 {
    // A clock that is far on has no number for a short step more: it goes to the next that there is.
    if dt >= stop - time { stop } else { (time + dt).max(time.next_up()) }
}

impl Flow {
    /// The largest stable step now, and the cell that allows no longer one.
    pub fn limit(&self) -> Limit {
        let mut limit = self.limit_inside();
        limit.dt *= self.edge_share();
        limit
    }

    /// The part of a step that the edges leave.
    pub(super) fn edge_share(&self) -> f64 {
        let pipes = self.lattice.is_hex() && !self.params.level.has_momentum();
        let waves = pipes && self.boundaries.has_waves();
        if waves { WAVES_ON_HEXAGONS } else { 1.0 }
    }

    /// What all but the edges allows.
    fn limit_inside(&self) -> Limit {
        match self.params.level {
            Physics::Pipes => {
                Limit { dt: pipes::stable_dt(&self.params, &self.lattice), cell: None }
            }
            Physics::Inertial => {
                let Self { state, lattice, params, spare, .. } = self;
                let (ahead, tiles) = (self.ahead(self.time), &self.workspace.sweep.tiles);
                let edges = self.boundaries.at(ahead, params.gravity, spare);
                let rise = self.fastest_rise(ahead);
                inertial::limit(state, lattice, params, &edges, rise, tiles, spare)
            }
            Physics::ShallowWater => {
                let Self { state, lattice, params, spare, .. } = self;
                let (ahead, tiles) = (self.ahead(self.time), &self.workspace.sweep.tiles);
                let edges = self.boundaries.at(ahead, params.gravity, spare);
                let rise = self.fastest_rise(ahead);
                shallow::limit::limit(state, lattice, params.gravity, &edges, rise, tiles, spare)
            }
        }
    }

    /// All that may come in a step from `time` (s) on, which is no longer than one in a dry world.
    pub(super) fn ahead(&self, time: f64) -> When {
        let Self { lattice, params, .. } = self;
        let longest = match params.level {
            Physics::Pipes => pipes::stable_dt(params, lattice),
            Physics::Inertial => inertial::limit::longest(lattice, params),
            Physics::ShallowWater => shallow::limit::longest_of_all(lattice, params.gravity),
        };
        When::Most { from: time, until: time + longest }
    }

    /// The fastest that what comes from above, below or through structures can lift a surface (m/s).
    pub(super) fn fastest_rise(&self, ahead: When) -> f64 {
        let Self { state, lattice, params, spare, .. } = self;
        let (through, most) = (&self.structures, self.exchange.greatest_rain());
        self.exchange.fastest_rise(state, lattice, ahead, most)
            + through.fastest_rise(state, lattice, params.gravity, ahead.moment(), spare)
    }

    /// The largest stable step now (s).
    pub fn stable_dt(&self) -> f64 {
        self.limit().dt
    }

    /// Steps the world by `dt` seconds:
    ///
    /// 0. **Exchange.** Structures pass water from mouth to mouth; springs and rain give; soil, air and
    ///    drains take.
    /// 1. **Boundary.** Every outermost face is set afresh.
    /// 2. **Accelerate** every inner face: `Q ← Q·(1 − friction)^dt + g·dt·A/l·(η_before − η_after)`.
    /// 3. **Viscosity**: `Q ← Q·H²/(H² + 3·dt·ν)`, `H` the depth of the cell that `Q` leaves.
    ///    [`Physics::Inertial`] does 2 and 3 in one, with pipes as deep as the water and Manning's
    ///    friction.
    ///    [`Physics::ShallowWater`] does 1 to 3 by what meets at each face: depth and momentum of the
    ///    cells on both sides, half a step later.
    /// 4. **Outflow scaling**: what leaves a cell is cut down, all faces alike, to what it has.
    /// 5. **Depth**: `h ← h + dt/(dx·dy)·(ΣQ_in − ΣQ_out)`.
    ///
    /// Where momentum is part of the state, it follows: what crossed the faces, then friction.
    ///
    /// Floating bodies weigh on the water in 1 to 3; afterwards they move, and push the water in turn.
    ///
    /// Tracer particles then move with the new discharges; what is kept of a [`Flood`](super::Flood) sees the new state.
    ///
    /// # Errors
    /// [`InputError`] unless `dt` is above 0 and no longer than [`stable_dt`](Self::stable_dt).
    pub fn step(&mut self, dt: f64) -> Result<(), InputError> {
        self.step_with(dt, Path::Rows)
    }

    /// The same step by plain loops on one thread: slower, and equal to [`step`](Self::step) in
    /// every bit. It is there to check against and to measure against.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn step_plain(&mut self, dt: f64) -> Result<(), InputError> {
        self.step_with(dt, Path::Plain)
    }

    fn step_with(&mut self, dt: f64, path: Path) -> Result<(), InputError> {
        let limit = self.stable_dt();
        let allowed = format_args!("above 0 up to {limit} s, the stability limit");
        InputError::check("a step", dt, dt >= SHORTEST && dt <= limit, allowed)?;
        self.stable_step(dt, path);
        Ok(())
    }

    /// A step that is known to be stable.
    pub(super) fn stable_step(&mut self, dt: f64, path: Path) {
        let mut ledger = std::mem::take(&mut self.ledger);
        self.begin_step(path);
        self.give_and_take(dt, &mut ledger, None);
        self.move_water(dt, path, &mut ledger);
        self.ledger = ledger;
        self.end_step(dt);
    }

    /// What comes before a step changes anything.
    pub(super) fn begin_step(&mut self, path: Path) {
        let Self { lattice, params, state, boundaries, exchange, workspace, .. } = self;
        let (structures, changes, spare) = (&self.structures, &mut self.changes, &self.spare);
        let tiles = &mut workspace.sweep.tiles;
        if matches!(path, Path::Plain) || exchange.is_everywhere() || !self.bodies.is_empty() {
            tiles.wake_all();
        }
        tiles.wake(exchange.cells().chain(structures.cells()));
        // A tile's look whether it rests takes its ground to be alike in a cell.
        tiles.wake(state.subgrid.iter().flat_map(|subgrid| subgrid.cells()));
        tiles.mark_stepped(boundaries.joined(), changes);
        if let Some(record) = &mut self.flood {
            let dry = params.dry_depth as f32;
            record.begin(
                Moving { state, lattice, dry, dt: self.last_dt },
                changes,
                self.time,
                spare,
            );
        }
    }

    /// Stage 0 of a step. Where structures pass their water elsewhere, `through` does it to the state.
    pub(super) fn give_and_take(
        &mut self,
        dt: f64,
        books: &mut impl Books,
        through: Option<&mut dyn FnMut(&mut State)>,
    ) {
        let Self { lattice, params, state, exchange, structures, workspace, .. } = self;
        let (time, spare) = (self.time, &self.spare);
        let taken = exchange.takes() || !structures.is_empty() || through.is_some();
        let pass = |state: &mut State| match through {
            Some(through) => through(state),
            None => structures.apply(state, lattice, params.gravity, time, dt, spare),
        };
        if params.level.has_momentum() && taken {
            let (_, before) = workspace.buffers(&state.depth);
            before.clone_from(&state.depth);
            pass(state);
            exchange.apply(state, books, lattice, time, dt, spare);
            state.momentum.iter_mut().for_each(|q| q.follow(before, &state.depth));
        } else {
            pass(state);
            exchange.apply(state, books, lattice, time, dt, spare);
        }
    }

    /// Stages 1 to 5 of a step, and what follows them: momentum and bodies.
    pub(super) fn move_water(&mut self, dt: f64, path: Path, books: &mut impl Books) {
        let Self { lattice, params, state, boundaries, workspace, .. } = self;
        let spare = &self.spare;
        let roughness = match &self.roughness {
            None => Roughness::Uniform(params.manning as f32),
            Some(map) => Roughness::Map(map),
        };
        let when = When::step(params.level, self.time, dt);
        let edges = &boundaries.at(when, params.gravity, spare);
        let step = Step { lattice, params, edges, roughness, dt };
        let load = (!self.bodies.is_empty()).then(|| {
            let mut load = spare.scratch::<bodies::Load>();
            load.lay(&self.bodies, state, lattice, params);
            load
        });
        match path {
            Path::Rows => {
                let steps = std::slice::from_ref(&step);
                let passed = match params.level {
                    Physics::Pipes => {
                        let pipes = pipes::sweep::Pipes::new(&step);
                        sweep::pass(state, &mut workspace.sweep, steps, &[pipes], spare)
                    }
                    Physics::Inertial => {
                        let inertial = inertial::sweep::Inertial::new(
                            state,
                            &mut workspace.parted,
                            &step,
                            spare,
                        );
                        sweep::pass(state, &mut workspace.sweep, steps, &[inertial], spare)
                    }
                    Physics::ShallowWater => {
                        if lattice.is_hex() {
                            shallow::hexagons::rows::drive(state, workspace, &step, spare);
                        } else {
                            shallow::rows::drive(state, workspace, &step, spare);
                        }
                        let Workspace { banks, pushes, .. } = workspace;
                        shallow::banks::drive(state, banks, pushes, &step);
                        let roughness = shallow::banks::roughness(state, banks, step.roughness);
                        let step = Step { roughness, ..step };
                        let shallow = shallow::sweep::Shallow::new(&step, pushes);
                        sweep::pass(
                            state,
                            &mut workspace.sweep,
                            std::slice::from_ref(&step),
                            &[shallow],
                            spare,
                        )
                    }
                };
                boundaries.book_crossed(lattice, books, |edge, n| passed.over(0, edge, n, spare));
            }
            Path::Plain => {
                match params.level {
                    Physics::Pipes => pipes::plain::drive(state, &step),
                    Physics::Inertial => inertial::plain::drive(state, workspace, &step),
                    Physics::ShallowWater if lattice.is_hex() => {
                        shallow::hexagons::plain::drive(state, workspace, &step);
                    }
                    Physics::ShallowWater => shallow::plain::drive(state, workspace, &step),
                }
                if params.level.has_momentum() {
                    let mut banks = std::mem::take(&mut workspace.banks);
                    let roughness = shallow::banks::roughness(state, &mut banks, step.roughness);
                    let step = Step { roughness, ..step };
                    plain::transport(state, workspace, &step);
                    shallow::plain::update_momentum(state, workspace, &step);
                    workspace.banks = banks;
                } else {
                    plain::transport(state, workspace, &step);
                }
                boundaries.book(state, &step, books, spare);
            }
        }
        if let Some(load) = load {
            bodies::advance(&mut self.bodies, &load, state, &step, spare);
        }
    }

    /// What a step ends with: tracers, time, and what is kept of a flood.
    pub(super) fn end_step(&mut self, dt: f64) {
        let Self { lattice, params, state, boundaries, spare, changes, .. } = self;
        if let Some(tracers) = &mut self.tracers {
            let (dry, dt32) = (params.dry_depth as f32, dt as f32);
            let moving = Moving { state, lattice, dry, dt: dt32 };
            tracers.advect(moving, boundaries.joined(), dt);
        }
        self.time += dt;
        self.last_dt = dt as f32;
        self.steps += 1;
        if let Some(record) = &mut self.flood {
            let dry = params.dry_depth as f32;
            record.see(Moving { state, lattice, dry, dt: self.last_dt }, changes, self.time, spare);
        }
    }

    /// Advances by `seconds`, in equal steps within the stability limit and
    /// [`max_dt`](super::Params::max_dt), as many as it takes. A frame that must not last longer than some number of steps
    /// takes them by [`steps_toward`](Self::steps_toward).
    ///
    /// # Errors
    /// [`InputError`] if `seconds` is below 0, no number, longer than 10⁹ s or than 10⁹ of the longest steps.
    pub fn advance(&mut self, seconds: f64) -> Result<Advanced, InputError> {
        let stop = self.stop_after(seconds)?;
        let before = self.steps;
        while self.steps_toward(stop, usize::MAX)? > 0 {}
        Ok(Advanced { steps: self.steps - before, alpha: 0.0, dropped: 0.0 })
    }

    /// When an advance by `seconds` ends (s).
    fn stop_after(&self, seconds: f64) -> Result<f64, InputError> {
        self.params.check_advance(seconds)?;
        Ok(self.time + seconds)
    }

    /// The same advance by plain loops on one thread: slower, and equal to [`advance`](Self::advance) in every bit. It
    /// is there to check against and to measure against.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_plain(&mut self, seconds: f64) -> Result<Advanced, InputError> {
        let stop = self.stop_after(seconds)?;
        let before = self.steps;
        while let ([dt, ..], 1) = self.lengths(stop, 1) {
            let time = arrive(self.time, stop, dt);
            self.stable_step(dt, Path::Plain);
            self.time = time;
        }
        Ok(Advanced { steps: self.steps - before, alpha: 0.0, dropped: 0.0 })
    }

    /// Does one step of an advance to the time `stop` (s); false if there was nothing left to do.
    ///
    /// The step depends on the state and on `stop` alone, so a walk to `stop` is the same whether it
    /// is done in one go or broken off, saved and resumed.
    ///
    /// # Errors
    /// [`InputError`] if `stop` is no finite number.
    pub fn step_toward(&mut self, stop: f64) -> Result<bool, InputError> {
        Ok(self.steps_toward(stop, 1)? > 0)
    }

    /// Does a few steps of an advance to the time `stop` (s), at most `most`, and says how many; 0 if there was
    /// nothing left to do. They are the steps that [`step_toward`](Self::step_toward) does one by one, but where
    /// nothing comes between them they take one pass over the grid, which is faster.
    ///
    /// # Errors
    /// As [`step_toward`](Self::step_toward).
    pub fn steps_toward(&mut self, stop: f64, most: usize) -> Result<usize, InputError> {
        InputError::check("a time to advance to", stop, true, "a finite number of seconds")?;
        let most = if self.steps_follow_on() { most.min(sweep::MOST) } else { most.min(1) };
        let (lengths, count) = self.lengths(stop, most);
        let time = lengths[..count].iter().fold(self.time, |time, dt| arrive(time, stop, *dt));
        match count {
            0 => return Ok(0),
            1 => self.stable_step(lengths[0], Path::Rows),
            _ => {
                let mut ledger = std::mem::take(&mut self.ledger);
                self.pass(&lengths[..count], &mut ledger);
                self.ledger = ledger;
            }
        }
        self.time = time;
        Ok(count)
    }

    /// How long the next steps of an advance to the time `stop` (s) are, as long as the longest stays the same, and how many
    /// they are; at most `most`.
    fn lengths(&self, stop: f64, most: usize) -> ([f64; sweep::MOST], usize) {
        self.lengths_within(self.stable_dt(), stop, most)
    }

    /// The same, with the longest stable step (s) known.
    pub(super) fn lengths_within(
        &self,
        stable: f64,
        stop: f64,
        most: usize,
    ) -> ([f64; sweep::MOST], usize) {
        let longest = stable.min(self.params.max_dt.unwrap_or(f64::INFINITY));
        let mut time = self.time;
        let (mut lengths, mut count) = ([0.0; sweep::MOST], 0);
        while stop - time >= SHORTEST && count < most {
            let left = stop - time;
            // However far off: as many steps as there are numbers for.
            let steps = (left / longest).ceil().min(f64::MAX);
            let dt = (left / steps).min(longest);
            time = arrive(time, stop, dt);
            lengths[count] = dt;
            count += 1;
        }
        (lengths, count)
    }

    /// True if nothing happens between two steps, and the length of the next is known before the last is done.
    pub(super) fn steps_follow_on(&self) -> bool {
        self.params.level == Physics::Pipes
            && self.exchange.is_empty()
            && self.structures.is_empty()
            && self.bodies.is_empty()
            && self.tracers.is_none()
            && self.flood.is_none()
    }

    /// Several steps that follow on one another, in one pass over the grid, of these lengths, up to [`sweep::MOST`].
    pub(super) fn pass(&mut self, lengths: &[f64], books: &mut impl Books) {
        let Self { lattice, params, state, boundaries, workspace, spare, .. } = self;
        let spare = &*spare;
        workspace.sweep.tiles.mark_stepped(boundaries.joined(), &mut self.changes);
        let mut time = self.time;
        let count = lengths.len();
        let length = |i: usize| lengths.get(i).copied().unwrap_or(0.0);
        let edges: [_; sweep::MOST] = std::array::from_fn(|i| {
            let dt = length(i);
            let edges = boundaries.at(When::step(params.level, time, dt), params.gravity, spare);
            time += dt;
            edges
        });
        let roughness = Roughness::Uniform(params.manning as f32);
        let step = |i| Step { lattice, params, edges: &edges[i], roughness, dt: length(i) };
        let steps: [Step; sweep::MOST] = std::array::from_fn(step);
        let pipes = steps.each_ref().map(pipes::sweep::Pipes::new);
        let (sweep, steps, pipes) = (&mut workspace.sweep, &steps[..count], &pipes[..count]);
        let passed = sweep::pass(state, sweep, steps, pipes, spare);
        for number in 0..count {
            books.next_step();
            boundaries.book_crossed(lattice, books, |edge, n| passed.over(number, edge, n, spare));
        }
        self.last_dt = lengths.last().map_or(self.last_dt, |&dt| dt as f32);
        self.steps += count as u64;
    }
}
