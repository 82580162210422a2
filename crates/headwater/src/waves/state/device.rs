//! Support for stepping a [`Waves`](crate::waves::Waves) world on a device such as a GPU.
//! [`DeviceView`] holds the constants of a step, [`Waves::apply_forcing`] returns the forcing of
//! each step, and [`Waves::import_device_state`] stores the result.

use crate::brush::Brush;
use crate::error::InputError;
use crate::field::Field;
use crate::lattice::Edge;
use crate::ledger::Cause;
use crate::parameter::Range;
use crate::waves::forcing::pressure::PressureHeads;
use crate::waves::params::EdgeKind;
use crate::waves::solver::absorbing::SplitHeights;
use crate::waves::world::Waves;
use serde::{Deserialize, Serialize};

/// All inputs of a step except heights and fluxes, for the computation on a device such as a GPU.
/// With these inputs, a device can obtain the same results as [`Waves::step`] bit for bit.
#[derive(Clone, Copy, Debug)]
pub struct DeviceView<'a> {
    pub(in crate::waves) waves: &'a Waves,
}

/// Constants for the update of fluxes and heights.
///
/// The new flux is `f ← flux_retention·f + gain·(z_before − z_after)`. Its magnitude is then
/// reduced by `friction`, at most to 0. The transport through a face is the flux rounded to a
/// multiple of the unit of height, with ties to even.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Factor by which the flux of the previous step is multiplied (dimensionless).
    pub flux_retention: f32,
    /// Flux per height difference on faces inside the grid (dimensionless). Not used if gains are
    /// given for each face.
    pub gain: f32,
    /// Height by which the magnitude of each flux is reduced per step (m).
    pub friction: f32,
    /// Unit of height (m), a power of two. All heights are multiples of this unit.
    pub quantum: f32,
    /// Flux per height difference on the boundary faces of the western, eastern, northern and
    /// southern edge (dimensionless). Not used if gains are given for each face.
    pub boundary: [f32; 4],
}

/// Damping factors of the absorbing layers along the edges of the grid.
///
/// Damping follows each step and uses the actual transports of that step. The x part of a height
/// loses the fraction `columns[x]`, rounded to a multiple of the unit of height, and gains the
/// transport along x. The height loses the same amount as its x part. Afterwards, the fluxes
/// through x-faces lose the fraction `x_faces[x]`. The y parts are treated in the same way with
/// `rows` and `y_faces`. Each factor applies only inside the layers.
#[derive(Clone, Copy, Debug)]
pub struct AbsorbingProfile<'a> {
    /// Width of the layers at the western, eastern, northern and southern edge (cells). 0 for edges
    /// without a layer.
    pub widths: [usize; 4],
    /// Damping factors of cells by column: the fraction of the x part of a cell's height that is
    /// lost per step.
    pub columns: &'a [f32],
    /// Damping factors of x-faces by column of faces: the fraction of a face's flux that is lost
    /// per step.
    pub x_faces: &'a [f32],
    /// Damping factors of cells by row: the fraction of the y part of a cell's height that is lost
    /// per step.
    pub rows: &'a [f32],
    /// Damping factors of y-faces by row of faces: the fraction of a face's flux that is lost per
    /// step.
    pub y_faces: &'a [f32],
    /// Heights in absorbing layers, split into two parts (m): the x part, which fluxes along x have
    /// contributed, and the y part, which fluxes along y have contributed.
    pub parts: [&'a Field<f32>; 2],
}

/// Forcing of the surface in one step. Cells are identified by row-major indices, which can occur
/// more than once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Forcing {
    /// Pairs of a cell and the height by which it is raised before the step (m).
    pub rises: Vec<(usize, f32)>,
    /// Pairs of a cell and a pressure head (m). The head is added to the height of the cell during
    /// the flux update.
    pub heads: Vec<(usize, f32)>,
}

/// State of a world after steps on a device. It is the argument of [`Waves::import_device_state`].
#[derive(Clone, Debug)]
pub struct DeviceState<'a> {
    /// Height of each cell (m).
    pub height: Field<f32>,
    /// Eastward flux through each x-face in the last step, given as the height change that it
    /// causes in one cell (m).
    pub flux_x: Field<f32>,
    /// Southward flux through each y-face in the last step, given as the height change that it
    /// causes in one cell (m).
    pub flux_y: Field<f32>,
    /// Heights in absorbing layers, split into two parts (m): the x part, which fluxes along x have
    /// contributed, and the y part, which fluxes along y have contributed. `None` if no edge is
    /// absorbing.
    pub parts: Option<[Field<f32>; 2]>,
    /// Height gained through the edges of the grid since the device state was last read back (m,
    /// summed over cells).
    pub inflow: f64,
    /// Number of steps since the start of the world.
    pub steps: u64,
    /// World on which [`apply_forcing`](Waves::apply_forcing) was called to obtain the forcing of
    /// these steps. `None` if the steps had no forcing.
    pub forced_by: Option<&'a Waves>,
}

impl<'a> DeviceView<'a> {
    /// Returns the constants for the update of fluxes and heights.
    pub fn coefficients(&self) -> Coefficients {
        let rule = &self.waves.rule;
        Coefficients {
            flux_retention: rule.flux_retention,
            gain: rule.gain,
            friction: rule.friction,
            quantum: self.waves.state.quantum,
            boundary: self.waves.speed_map.boundary,
        }
    }

    /// Returns the gains (fluxes per height difference, dimensionless) of all x-faces and of all
    /// y-faces. Returns `None` if all faces inside the grid have the same gain.
    pub fn flux_gains(&self) -> Option<[&'a Field<f32>; 2]> {
        self.waves.speed_map.map.as_ref().map(|gains| [&gains.x, &gains.y])
    }

    /// Returns the damping factors of the absorbing layers. Returns `None` if no edge absorbs
    /// waves.
    pub fn absorbing_profile(&self) -> Option<AbsorbingProfile<'a>> {
        let Waves { absorbing, parts, .. } = self.waves;
        parts.as_ref().map(|parts| AbsorbingProfile {
            widths: absorbing.widths,
            columns: &absorbing.columns,
            x_faces: &absorbing.x_faces,
            rows: &absorbing.rows,
            y_faces: &absorbing.y_faces,
            parts: [&parts.x, &parts.y],
        })
    }

    /// Returns whether the x axis (west to east) is periodic, and whether the y axis (north to
    /// south) is periodic.
    pub fn periodic_axes(&self) -> [bool; 2] {
        [Edge::West, Edge::North]
            .map(|edge| self.waves.params.edges.kind(edge) == EdgeKind::Periodic)
    }

    /// Returns whether the surface height is fixed at 0 at the western, eastern, northern and
    /// southern edge. The flux through such an edge counts as inflow.
    pub fn pinned_edges(&self) -> [bool; 4] {
        Edge::ALL.map(|edge| self.waves.params.edges.kind(edge) == EdgeKind::Pinned)
    }

    /// Returns whether a current advects the surface.
    pub fn has_current(&self) -> bool {
        self.waves.current.is_some()
    }

    /// Returns whether rain, wind, bodies or wave makers act on the surface.
    pub fn has_forcing(&self) -> bool {
        let Waves { shower, gusts, bodies, makers, .. } = self.waves;
        shower.is_some() || gusts.is_some() || !bodies.is_empty() || !makers.is_empty()
    }
}

impl Waves {
    /// Returns all inputs of a step except heights and fluxes, for the computation on a device such
    /// as a GPU.
    pub fn device_view(&self) -> DeviceView<'_> {
        DeviceView { waves: self }
    }

    /// Returns the height changes that [`Edit::Disturb`](crate::waves::Edit::Disturb) would cause,
    /// as pairs of a row-major cell index and a height change (m). The changes do not depend on the
    /// current surface.
    ///
    /// # Errors
    /// Returns [`InputError`] in the cases listed for [`edit`](Self::edit).
    pub fn disturbance_height_changes(
        &self,
        brush: &Brush,
        height: f64,
    ) -> Result<Vec<(usize, f32)>, InputError> {
        let quantum = self.state.quantum;
        let nx = self.lattice.nx();
        let disturbance = self.compute_disturbance(brush, height, &self.scratch)?;
        let Some(disturbance) = disturbance else { return Ok(Vec::new()) };
        let rises = disturbance.height_changes(quantum).filter(|&(_, rise)| rise != 0.0);
        Ok(rises.map(|((x, y), rise)| (y * nx + x, rise)).collect())
    }

    /// Performs the forcing stage of the next step. Draws rain drops, moves bodies and gusts, and
    /// advances the time by one step. Returns the forcing without applying it to heights and
    /// fluxes.
    ///
    /// # Errors
    /// Returns [`InputError`] if the forcing is invalid. This cannot occur if rain, wind, bodies
    /// and wave makers were set by the methods of this world.
    pub fn apply_forcing(&mut self) -> Result<Forcing, InputError> {
        let (mut rises, mut places, mut pressure) =
            (Vec::new(), Vec::new(), PressureHeads::default());
        if let Some(rain) = self.draw_drop_positions(&mut places) {
            for place in places {
                rises.extend(self.disturbance_height_changes(
                    &Brush::smooth_disc(place, rain.radius),
                    -rain.depth,
                )?);
            }
        }
        self.collect_pressure(&mut pressure);
        self.steps += 1;
        Ok(Forcing { rises, heads: pressure.cells })
    }

    /// Replaces heights, fluxes and the number of steps by those of a state from a device.
    /// Parameters are not changed. The ledger records the inflow through the edges.
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of a field differs from that of the grid, if a value is
    /// invalid, or if `steps` is smaller than the current number of steps. In these cases, the
    /// world is unchanged.
    pub fn import_device_state(&mut self, device_state: DeviceState) -> Result<(), InputError> {
        let DeviceState { height, flux_x, flux_y, parts, inflow, steps, forced_by } = device_state;
        let damaged = |what| Err(InputError::invalid_snapshot(what));
        let state = &mut self.state;
        let fits = |new: &Field<f32>, old: &Field<f32>| {
            new.has_same_shape(old) && new.as_slice().iter().all(|value| value.is_finite())
        };
        let whole = |new: &Field<f32>, old: &Field<f32>| {
            fits(new, old) && new.as_slice().iter().all(|z| (z / state.quantum).fract() == 0.0)
        };
        if !whole(&height, &state.height) {
            return damaged("the heights read back do not fit its grid or are not whole quanta");
        }
        if !fits(&flux_x, &state.flux_x) || !fits(&flux_y, &state.flux_y) {
            return damaged("a flux read back is not finite or has another shape");
        }
        let parts_fit = match (&parts, &self.parts) {
            (Some([x, y]), Some(old)) => whole(x, &old.x) && whole(y, &old.y),
            (None, None) => true,
            _ => false,
        };
        if !parts_fit {
            return damaged("the absorbing layers read back do not fit its grid and edges");
        }
        Range::ANY.check("inflow through edges", inflow, "m")?;
        if steps < self.steps {
            return Err(InputError::new(
                "steps read back",
                steps,
                format!("{} or more", self.steps),
            ));
        }
        (state.height, state.flux_x, state.flux_y) = (height, flux_x, flux_y);
        self.parts = parts.map(|[x, y]| SplitHeights { x, y });
        if let Some(forced) = forced_by {
            self.shower = forced.shower.clone();
            self.gusts = forced.gusts.clone();
            self.bodies = forced.bodies.clone();
        }
        if inflow != 0.0 {
            self.ledger.record(Cause::Boundary, inflow * self.lattice.cell_area());
        }
        self.steps = steps;
        self.tiles.wake_all();
        Ok(())
    }
}
