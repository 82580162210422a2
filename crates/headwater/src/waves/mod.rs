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
mod elsewhere;
mod energy;
mod error;
mod loops;
mod maker;
mod medium;
mod params;
mod pass;
mod plain;
mod rim;
mod row;
mod rows;
mod seams;
mod snapshot;
mod state;
mod step;
mod tiles;
mod tune;
mod view;
mod waters;
mod weather;

pub use bodies::{Body, Shape};
pub use disturb::Edit;
pub use elsewhere::{Coefficients, Elsewhere, Fading, Progress, Stirred};
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
