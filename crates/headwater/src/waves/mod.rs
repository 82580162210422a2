//! `waves`: ripples on a surface whose mean level is given. Ponds, pools, fountains.
//!
//! A [`Waves`] is a world: a surface over square cells, what bounds it and what stirs it. The surface
//! follows the damped wave equation `∂²z/∂t² = c²·∇²z − μ·∂z/∂t` (E. Lengyel, *Mathematics for 3D Game
//! Programming and Computer Graphics*, ch. 15) in steps that never change. Nothing makes or takes
//! water but the edges and [`Waves::set_surface`]; the sum of all heights is exact. A current may carry
//! it along ([`Waves::set_current`]). It does not know breaking waves, and a shore falls dry only if
//! somebody says so, as [`coupling`](crate::coupling) does.
//!
//! ```
//! use headwater::waves::{Body, Edit, EdgeKind, Edges, Params, Shape, Waves};
//! use headwater::{Brush, Region, Square};
//!
//! // A pond of 12 m × 8 m, open to the east.
//! let lattice = Square::new(120, 80, 0.1, 0.1)?;
//! let edges = Edges { east: EdgeKind::Absorbing, ..Edges::default() };
//! let mut waves = Waves::new(lattice, Params { speed: 1.5, edges, ..Params::default() })?;
//!
//! // An island, a drop beside it, and a boat under way.
//! waves.edit(&Brush::flat(Region::disc([6.0, 4.0], 1.0)), Edit::Land)?;
//! waves.drop([3.0, 4.0], 0.4, 0.05)?;
//! let shape = Shape::Rect { half: [0.4, 0.2] };
//! let boat = Body { shape, position: [2.0, 6.5], velocity: [1.2, 0.0], draft: 0.05 };
//! waves.set_bodies(vec![boat])?;
//!
//! // Frames of any length: whole steps are done, and what is left over says how far to interpolate.
//! for _ in 0..36 {
//!     let frame = waves.advance(1.0 / 36.0)?;
//!     let _surface = waves.interpolated(frame.alpha);
//! }
//! assert_eq!(waves.steps(), 60);
//! assert!(waves.surface_at([4.2, 4.0]).is_some_and(|z| z != 0.0), "the ring has come here");
//!
//! // Light gathers under crests; none is lost.
//! let light = waves.caustics(1.0);
//! assert!((light.sum() / 9600.0 - 1.0).abs() < 1e-6);
//! // Volume went nowhere but over the edge.
//! assert!(waves.balance().residual.abs() < 1e-12);
//!
//! // A step too long is refused, with the longest that is not.
//! let hasty = Params { speed: 1.5, step: 0.1, ..Params::default() };
//! assert!(Waves::new(lattice, hasty).unwrap_err().to_string().contains("steps up to 0.0471"));
//! # Ok::<(), headwater::waves::WavesError>(())
//! ```

mod bodies;
mod context;
mod current;
mod dispersion;
mod disturb;
mod energy;
mod error;
mod maker;
mod medium;
mod params;
mod plain;
mod rim;
mod rows;
mod snapshot;
mod state;
mod step;
mod tiles;
mod view;
mod weather;

pub use bodies::{Body, Shape};
pub use disturb::Edit;
pub use energy::Energy;
pub use error::WavesError;
pub use maker::Maker;
pub use params::{EdgeKind, Edges, Params, ParamsError};
pub use snapshot::Snapshot;
pub use state::State;
pub use step::Frame;
pub use view::{VIEWS, refracted};
pub use weather::{Rain, Wind};

use crate::field::Field;
use crate::lattice::Square;
use crate::ledger::{Balance, Cause, Ledger};
use medium::Medium;
use serde::{Deserialize, Serialize};
use state::Rule;

/// A world of waves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Waves {
    lattice: Square,
    params: Params,
    state: State,
    /// What absorbing layers need to know of the heights in them.
    parts: Option<rim::Parts>,
    /// Where land is; `None` if nowhere.
    land: Option<Field<bool>>,
    /// Speed of waves (m/s) in each cell, in place of the one of `params`.
    speed: Option<Field<f32>>,
    /// What carries the surface along.
    current: Option<current::Current>,
    bodies: Vec<Body>,
    makers: Vec<Maker>,
    shower: Option<weather::Shower>,
    gusts: Option<weather::Gusts>,
    ledger: Ledger,
    steps: u64,
    /// Steps that frames have asked for beyond the whole ones done; below 1.
    owed: f64,
    /// What follows from the above.
    #[serde(skip, default = "Rule::none")]
    rule: Rule,
    #[serde(skip)]
    medium: Medium,
    #[serde(skip)]
    layers: rim::Layers,
    #[serde(skip)]
    stream: Option<current::Stream>,
    #[serde(skip)]
    drift: current::Room,
    #[serde(skip)]
    filter: Option<dispersion::Filter>,
    #[serde(skip)]
    room: dispersion::Room,
    #[serde(skip)]
    tiles: tiles::Tiles,
}

impl Waves {
    /// A world with a flat surface at rest, at height 0.
    ///
    /// # Errors
    /// [`WavesError`] if a parameter is out of its range, cells are not square, the step is too long
    /// for the speed (the error says the largest of either), or the water too deep for dispersion.
    pub fn new(lattice: Square, params: Params) -> Result<Self, WavesError> {
        params.validate()?;
        check_square(&lattice)?;
        let filter = dispersion::filter(&params, &lattice)?;
        let quantum = params.quantum() as f32;
        let mut waves = Self {
            state: State::new(lattice.nx(), lattice.ny(), quantum),
            rule: rule(&params, &lattice),
            parts: rim::Parts::new(&params, lattice.nx(), lattice.ny()),
            lattice,
            params,
            land: None,
            speed: None,
            current: None,
            bodies: Vec::new(),
            makers: Vec::new(),
            shower: None,
            gusts: None,
            ledger: Ledger::default(),
            steps: 0,
            owed: 0.0,
            medium: Medium::default(),
            layers: rim::Layers::default(),
            stream: None,
            drift: current::Room::default(),
            filter,
            room: dispersion::Room::default(),
            tiles: tiles::Tiles::default(),
        };
        waves.check_speeds(None)?;
        waves.refit();
        Ok(waves)
    }

    /// Sets the surface (m), at rest, to the nearest whole quanta; what that adds or takes is booked as
    /// an edit.
    ///
    /// # Errors
    /// [`WavesError`] if the field has another shape than the grid, or a height above
    /// [`Params::highest`] or below its opposite.
    pub fn set_surface(&mut self, surface: &Field<f32>) -> Result<(), WavesError> {
        let highest = self.params.highest;
        let fits = |z: f32| f64::from(z.abs()) <= highest;
        self.check_field("height", surface, &format!("from -{highest} to {highest} m"), fits)?;
        let before = self.volume();
        self.state = State::new(surface.nx(), surface.ny(), self.state.quantum);
        self.parts = rim::Parts::new(&self.params, surface.nx(), surface.ny());
        self.state.height = surface.map(|&z| self.rule.whole(z));
        self.ledger.book(Cause::Edit, self.volume() - before);
        self.tiles.wake_all();
        Ok(())
    }

    /// Sets where land is, or with `None` clears it. Waves come back from land; water in it waits.
    ///
    /// # Errors
    /// [`WavesError::Shape`] if the mask has another shape than the grid.
    pub fn set_land(&mut self, land: Option<Field<bool>>) -> Result<(), WavesError> {
        if let Some(land) = &land {
            self.check_shape("mask of land", land)?;
        }
        self.land = land;
        self.refit();
        Ok(())
    }

    /// Gives each cell its own speed of waves (m/s), as √(g·h) over water of depth h, or with `None`
    /// all the one of [`Params::speed`]. A speed of 0 stops waves.
    ///
    /// # Errors
    /// [`WavesError`] if the map has another shape than the grid, a speed below 0 or one too large for
    /// the step, or if the world has dispersion.
    pub fn set_speed(&mut self, speed: Option<Field<f32>>) -> Result<(), WavesError> {
        self.check_speeds(speed.as_ref())?;
        self.speed = speed;
        self.refit();
        Ok(())
    }

    /// Lets the water run at the given velocity in every cell (m/s, to the east and to the south) and
    /// carry the surface along, or with `None` lets it stand still. The sum of the heights stays
    /// exact; over pinned edges the current brings and takes, into absorbing ones it fades, walls and land
    /// stop it. With a current, nothing sleeps.
    ///
    /// The current is given: waves do not act on it.
    ///
    /// # Errors
    /// [`WavesError`] if a field has another shape than the grid, a velocity is not finite, or along an
    /// axis it goes further than a cell in a step (the error says the largest velocity and the
    /// longest step).
    pub fn set_current(
        &mut self,
        current: Option<(Field<f32>, Field<f32>)>,
    ) -> Result<(), WavesError> {
        if let Some((east, south)) = &current {
            self.check_current(east, south)?;
        }
        self.take_current(current);
        self.refit();
        Ok(())
    }

    /// Sets land, speeds and current at once, as [`set_land`](Self::set_land),
    /// [`set_speed`](Self::set_speed) and [`set_current`](Self::set_current) do, but what stood on a cell
    /// that becomes land goes aside: its neighbours that are still water share it.
    ///
    /// # Errors
    /// [`WavesError`] as the three have it. Nothing is set then.
    pub fn set_waters(
        &mut self,
        land: Field<bool>,
        speed: Field<f32>,
        current: (Field<f32>, Field<f32>),
    ) -> Result<(), WavesError> {
        self.check_shape("mask of land", &land)?;
        self.check_speeds(Some(&speed))?;
        self.check_current(&current.0, &current.1)?;
        self.retreat(&land);
        self.land = land.as_slice().contains(&true).then_some(land);
        self.speed = Some(speed);
        self.take_current(Some(current));
        self.refit();
        Ok(())
    }

    /// Moves what stands on cells that become land to their neighbours that do not.
    fn retreat(&mut self, land: &Field<bool>) {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        for y in 0..ny {
            for x in 0..nx {
                let height = self.state.height[(x, y)];
                if !land[(x, y)] || self.is_land(x, y) || height == 0.0 {
                    continue;
                }
                let around = [
                    (x > 0).then(|| (x - 1, y)),
                    (x + 1 < nx).then_some((x + 1, y)),
                    (y > 0).then(|| (x, y - 1)),
                    (y + 1 < ny).then_some((x, y + 1)),
                ];
                let wet: Vec<_> = around.into_iter().flatten().filter(|&at| !land[at]).collect();
                for (i, &at) in wet.iter().enumerate() {
                    // The last takes what is left, so that whole quanta stay whole.
                    let left = self.state.height[(x, y)];
                    let share = self.rule.whole(left / (wet.len() - i) as f32);
                    self.state.height[at] += share;
                    self.state.height[(x, y)] -= share;
                }
            }
        }
    }

    fn take_current(&mut self, current: Option<(Field<f32>, Field<f32>)>) {
        let runs = |field: &Field<f32>| field.as_slice().iter().any(|&v| v != 0.0);
        self.current = current
            .filter(|(east, south)| runs(east) || runs(south))
            .map(|(east, south)| current::Current { east, south });
        if self.current.is_none() {
            self.state.carried = None;
        }
    }

    /// Where cells and faces are.
    pub fn lattice(&self) -> &Square {
        &self.lattice
    }

    /// The parameters the world was made with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Heights and fluxes as they are.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Where land is, if there may be any.
    pub fn land(&self) -> Option<&Field<bool>> {
        self.land.as_ref()
    }

    /// True where land is; false off the grid.
    pub fn is_land(&self, x: usize, y: usize) -> bool {
        self.land.as_ref().and_then(|land| land.get(x, y)).is_some_and(|&land| land)
    }

    /// Simulated time since the start (s).
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.params.step
    }

    /// Steps done since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How many tiles of the surface the next step will look into for motion. 0 where all is at rest,
    /// as a look every few steps finds out.
    pub fn awake(&self) -> usize {
        self.tiles.count()
    }

    /// The volume above height 0 (m³), below 0 if more is missing than is there. Exact: heights are
    /// whole quanta, and their sum has no rounding.
    pub fn volume(&self) -> f64 {
        self.state.height.sum() * self.lattice.cell_area()
    }

    /// The mean height (m) over all cells.
    pub fn mean_level(&self) -> f64 {
        self.state.height.sum() / self.lattice.cells() as f64
    }

    /// What came and went, by cause.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The ledger held against the volume that is there.
    pub fn balance(&self) -> Balance {
        self.ledger.balance(self.volume())
    }

    /// Brings what follows from land, speeds and current up to date, and wakes every tile. Nothing goes on
    /// crossing a face that is closed.
    fn refit(&mut self) {
        let Self { lattice, params, rule, land, speed, state, .. } = self;
        let uniform = params.long_wave_speed();
        self.medium =
            Medium::new(lattice, rule, &params.edges, land.as_ref(), speed.as_ref(), uniform);
        let fastest = speed.as_ref().and_then(Field::min_max).map(|range| range.1);
        self.layers = rim::Layers::new(params, lattice, fastest.map_or(uniform, f64::from));
        if let Some(gains) = &self.medium.map {
            for (flux, gain) in [(&mut state.flux_x, &gains.x), (&mut state.flux_y, &gains.y)] {
                for (flux, &gain) in flux.as_mut_slice().iter_mut().zip(gain.as_slice()) {
                    if gain == 0.0 {
                        *flux = 0.0;
                    }
                }
            }
        }
        let is_land = |x, y| land.as_ref().is_some_and(|land| land[(x, y)]);
        self.stream = self.current.as_ref().map(|current| {
            let (medium, layers) = (&self.medium, &self.layers);
            current::Stream::new(current, params, lattice, medium, rule, layers, is_land)
        });
        self.tiles.wake_all();
    }

    /// Checks the speeds that are to be (m/s) for shape, range and stability.
    fn check_speeds(&self, speed: Option<&Field<f32>>) -> Result<(), WavesError> {
        let limit = self.filter.as_ref().map_or(params::LARGEST_Q, |filter| filter.largest_q);
        let Some(speed) = speed else {
            return self.params.check_stable(self.params.long_wave_speed(), &self.lattice, limit);
        };
        if self.params.dispersion {
            return Err(WavesError::Dispersive);
        }
        let allowed = "a number of 0 m/s or above";
        self.check_field("speed", speed, allowed, |c| c.is_finite() && c >= 0.0)?;
        let fastest = speed.min_max().map_or(0.0, |range| range.1);
        self.params.check_stable(fastest.into(), &self.lattice, limit)
    }

    /// Checks a current (m/s) for shape, range and stability.
    fn check_current(&self, east: &Field<f32>, south: &Field<f32>) -> Result<(), WavesError> {
        let mut fastest = 0.0_f64;
        for (what, field) in [("velocity to the east", east), ("velocity to the south", south)] {
            self.check_field(what, field, "a finite number of m/s", f32::is_finite)?;
            for &v in field.as_slice() {
                fastest = fastest.max(f64::from(v.abs()));
            }
        }
        current::swift(fastest, &self.params, &self.lattice).map_or(Ok(()), Err)
    }

    fn check_shape<T>(&self, what: &'static str, field: &Field<T>) -> Result<(), WavesError> {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let (found_nx, found_ny) = (field.nx(), field.ny());
        if (found_nx, found_ny) == (nx, ny) {
            Ok(())
        } else {
            Err(WavesError::Shape { what, found_nx, found_ny, nx, ny })
        }
    }

    /// Checks the shape of a field, and each of its values.
    fn check_field(
        &self,
        what: &'static str,
        field: &Field<f32>,
        allowed: &str,
        ok: impl Fn(f32) -> bool,
    ) -> Result<(), WavesError> {
        self.check_shape(what, field)?;
        match field.as_slice().iter().position(|&value| !ok(value)) {
            None => Ok(()),
            Some(i) => {
                let (x, y) = (i % field.nx(), i / field.nx());
                let allowed = allowed.to_owned();
                Err(WavesError::Cell { what, x, y, found: field[(x, y)], allowed })
            }
        }
    }
}

/// The constants of a world's steps.
fn rule(params: &Params, lattice: &Square) -> Rule {
    let q = params.q(params.long_wave_speed(), lattice);
    Rule::new(q, params.damping, params.step, params.quantum() as f32)
}

fn check_square(lattice: &Square) -> Result<(), WavesError> {
    let (dx, dy) = (lattice.dx(), lattice.dy());
    if dx == dy { Ok(()) } else { Err(WavesError::NotSquare { dx, dy }) }
}
