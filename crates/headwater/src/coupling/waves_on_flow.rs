//! Ripples on moving water. The `flow` model simulates the water, and the `waves` model adds short
//! waves that the `flow` model does not resolve.

use crate::error::InputError;
use crate::field::Field;
use crate::flow::Flow;
use crate::lattice::{Lattice, Square};
use crate::mesh::Mesh;
use crate::waves::{Params, Snapshot, Waves};

/// Waves on the surface of a [`Flow`].
///
/// Dry cells of the flow are land. Waves travel at the speed `√(g·h)` and are advected by the
/// velocity of the flow. Both speeds are limited by the time step of the waves (see
/// [`largest_speed`](Self::largest_speed)). The visible surface is the sum of the flow's surface
/// and the wave heights. The waves have no effect on the flow. The sum of the wave heights is
/// exactly conserved.
///
/// ```
/// use headwater::coupling::WavesOnFlow;
/// use headwater::flow::{Flow, Params};
/// use headwater::{Field, Square, waves};
///
/// // A lake on a slope, and a stone that falls into it.
/// let lattice = Square::new(60, 40, 1.0, 1.0)?;
/// let bed = Field::from_fn(60, 40, |x, _| 0.05 * x as f32);
/// let depth = bed.map(|&z| (1.5 - z).max(0.0));
/// let mut lake = Flow::new(lattice, Params::default(), bed, depth)?;
/// let mut ripples = WavesOnFlow::new(&lake, waves::Params::default())?;
/// ripples.waves_mut().add_drop([12.0, 20.0], 3.0, 0.05)?;
/// for _ in 0..60 {
///     ripples.advance(&mut lake, 1.0 / 30.0)?;
/// }
/// assert!(ripples.waves().is_land(45, 20), "the shore");
/// let (still, rippled) = (lake.layer("surface"), ripples.surface(&lake));
/// assert!(still.is_some_and(|still| *still != rippled));
/// assert_eq!(ripples.waves().mean_level(), 0.0);
/// # Ok::<(), headwater::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WavesOnFlow {
    waves: Waves,
}

impl WavesOnFlow {
    /// Creates waves at rest on the water of `flow`. The gravity in `params` is replaced by the
    /// gravity of the flow, and [`speed`](Params::speed) is replaced by speeds that follow from the
    /// depth.
    ///
    /// # Errors
    /// Returns [`InputError`] if the flow does not use square cells, if `params` enables
    /// dispersion, and in the cases listed for [`Waves::new`] and [`Waves::set_speed`].
    pub fn new(flow: &Flow, params: Params) -> Result<Self, InputError> {
        let lattice = square_lattice(flow)?;
        let gravity = flow.params().gravity;
        params.validate()?;
        let speed = params.largest_speed(&lattice);
        let mut waves_on_flow =
            Self { waves: Waves::new(lattice, Params { gravity, speed, ..params })? };
        waves_on_flow.update_from_flow(flow)?;
        Ok(waves_on_flow)
    }

    /// Returns the world of the `waves` model that simulates the ripples.
    pub fn waves(&self) -> &Waves {
        &self.waves
    }

    /// Returns mutable access to the wave model, for edits. Edits to its land, wave speeds and
    /// current are lost: the next [`advance`](Self::advance) computes these from the flow.
    pub fn waves_mut(&mut self) -> &mut Waves {
        &mut self.waves
    }

    /// Returns the largest wave speed that the waves support (m/s): `√½·d/t` for the cell size `d`
    /// and the time step `t`. Each component of the current is limited to √2 times this speed.
    pub fn largest_speed(&self) -> f64 {
        self.waves.params().largest_speed(self.waves.lattice())
    }

    /// Copies land, wave speeds and current from the flow to the waves. [`advance`](Self::advance)
    /// does this before the waves are stepped. Call this method after edits of the flow.
    ///
    /// # Errors
    /// Returns [`InputError`] if the lattice of the flow differs from the one passed to
    /// [`new`](Self::new).
    pub fn update_from_flow(&mut self, flow: &Flow) -> Result<(), InputError> {
        let lattice = square_lattice(flow)?;
        if lattice != *self.waves.lattice() {
            return Err(lattice_mismatch_error(format!(
                "{} × {} other cells",
                lattice.nx(),
                lattice.ny()
            )));
        }
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let max_speed = self.largest_speed();
        // Slightly reduced, so that rounding to `f32` does not exceed the limit.
        let max_speed = (max_speed * (1.0 - 1e-6)) as f32;
        let gravity = flow.params().gravity as f32;
        let dry = flow.params().dry_depth as f32;
        let depth = &flow.state().depth;
        let closed = &flow.state().closed;
        let land = Field::from_fn(nx, ny, |x, y| depth[(x, y)] <= dry || closed.contains(x, y));
        let speed = depth.map(|&h| (gravity * h.max(0.0)).sqrt().min(max_speed));
        let max_current = (lattice.dx() / self.waves.params().step * (1.0 - 1e-6)) as f32;
        let [east, south] =
            flow.velocities().map(|velocity| velocity.map(|&v| v.clamp(-max_current, max_current)));
        self.waves.set_basin(land, speed, (east, south))
    }

    /// Advances the flow and the waves by a duration (s). After each step of the flow, the waves
    /// catch up in whole steps of their own. Time shorter than one wave step is carried over.
    ///
    /// # Errors
    /// Returns [`InputError`] if `seconds` is not a valid duration for the flow, or if the lattice
    /// of the flow differs from the one passed to [`new`](Self::new).
    pub fn advance(&mut self, flow: &mut Flow, seconds: f64) -> Result<(), InputError> {
        flow.params().check_duration(seconds)?;
        let stop = flow.time() + seconds;
        let mut before = flow.time();
        while flow.step_toward(stop)? {
            let elapsed = flow.time() - before;
            before = flow.time();
            if self.waves.is_due(elapsed) {
                self.update_from_flow(flow)?;
            }
            self.advance_waves(elapsed)?;
        }
        Ok(())
    }

    fn advance_waves(&mut self, seconds: f64) -> Result<(), InputError> {
        let params = self.waves.params();
        let frame = params.step * f64::from(params.max_steps);
        let frames = (seconds / frame).floor();
        for _ in 0..frames as u64 {
            self.waves.advance(frame)?;
        }
        self.waves.advance((seconds - frames * frame).max(0.0))?;
        Ok(())
    }

    /// Returns the elevation of the visible water surface in each cell (m): the surface of the flow
    /// plus the wave height. In dry cells, returns the elevation of the ground.
    pub fn surface(&self, flow: &Flow) -> Field<f32> {
        let depth = self.visible_depth(flow);
        let bed = &flow.state().bed;
        Field::from_fn(bed.nx(), bed.ny(), |x, y| bed[(x, y)] + depth[(x, y)])
    }

    /// Returns the visible surface as a triangle mesh with normals. The mesh covers the cells in
    /// which the depth is greater than the dry depth of the flow.
    pub fn mesh(&self, flow: &Flow) -> Mesh {
        let dry = flow.params().dry_depth as f32;
        Mesh::from_water(*flow.lattice(), &flow.state().bed, &self.visible_depth(flow), dry)
    }

    /// Returns the depth of the flow plus the wave height in each cell (m, at least 0).
    fn visible_depth(&self, flow: &Flow) -> Field<f32> {
        let (depth, waves) = (&flow.state().depth, &self.waves);
        Field::from_fn(depth.nx(), depth.ny(), |x, y| match waves.is_land(x, y) {
            true => depth[(x, y)],
            false => (depth[(x, y)] + waves.state().height[(x, y)]).max(0.0),
        })
    }

    /// Returns a snapshot of the waves. The flow is not included, because it has its own snapshot.
    pub fn snapshot(&self) -> Snapshot {
        self.waves.snapshot()
    }

    /// Restores the waves from a snapshot. `flow` is the flow on which they travel.
    ///
    /// # Errors
    /// Returns [`InputError`] if the snapshot is invalid, or if its lattice differs from that of
    /// the flow.
    pub fn restore(snapshot: Snapshot, flow: &Flow) -> Result<Self, InputError> {
        let waves = Waves::restore(snapshot)?;
        if square_lattice(flow)? != *waves.lattice() {
            let (nx, ny) = (flow.lattice().nx(), flow.lattice().ny());
            return Err(lattice_mismatch_error(format!("{nx} × {ny} other cells")));
        }
        Ok(Self { waves })
    }
}

fn square_lattice(flow: &Flow) -> Result<Square, InputError> {
    match flow.lattice() {
        Lattice::Square(square) => Ok(*square),
        Lattice::Hex(_) => Err(lattice_mismatch_error("hexagons".into())),
    }
}

fn lattice_mismatch_error(found: String) -> InputError {
    InputError::new("the flow's lattice", found, "squares, the same as the waves'")
}
