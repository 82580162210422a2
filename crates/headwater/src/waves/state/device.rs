//! Support for stepping a [`Waves`](crate::waves::Waves) world on a device such as a GPU: the constants of
//! a step ([`DeviceView`]), the forcing of each step ([`Waves::apply_forcing`]), and readback of
//! the result ([`Waves::read_back`]).

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

/// Inputs of a step except heights and fluxes, for execution on a device. A device that uses them
/// obtains results bit-identical to [`Waves::step`].
#[derive(Clone, Copy, Debug)]
pub struct DeviceView<'a> {
    pub(in crate::waves) waves: &'a Waves,
}

/// Constants of the flux and height update.
///
/// The flux update is `f ← keep·f + gain·(z_before − z_after)`, then reduced in magnitude by
/// `friction`, at most to 0. The transport over a face is the flux rounded to whole quanta, ties to
/// even.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Factor on the flux of the previous step (dimensionless).
    pub keep: f32,
    /// Flux per height difference (dimensionless) on inner faces. Ignored if gains are given per
    /// face.
    pub gain: f32,
    /// Reduction of each flux's magnitude per step (m).
    pub friction: f32,
    /// Unit of height (m), a power of two; all heights are whole multiples of it.
    pub quantum: f32,
    /// Flux per height difference on the west, east, north and south boundary faces. Ignored if
    /// gains are given per face.
    pub boundary: [f32; 4],
}

/// Damping coefficients of the absorbing layers along the edges of the grid.
///
/// It follows each step and uses the actual transports of that step. The x part of a height loses
/// the fraction `columns[x]`, rounded to whole quanta, and gains the transport along x; the height
/// loses the same amount. Then the fluxes over x-faces lose the fraction `x_faces[x]`. The y parts,
/// the y-faces and the rows are treated in the same way. Each factor applies only inside the
/// layers.
#[derive(Clone, Copy, Debug)]
pub struct AbsorbingProfile<'a> {
    /// Width of the west, east, north and south layer (cells); 0 without a layer.
    pub widths: [usize; 4],
    /// Fraction of its height part that a cell loses per step, by column.
    pub columns: &'a [f32],
    /// Fraction of its flux that an x-face loses per step, by column of faces.
    pub x_faces: &'a [f32],
    /// Fraction of its height part that a cell loses per step, by row.
    pub rows: &'a [f32],
    /// Fraction of its flux that a y-face loses per step, by row of faces.
    pub y_faces: &'a [f32],
    /// Parts of the heights (m) that waves along x and waves along y have contributed.
    pub parts: [&'a Field<f32>; 2],
}

/// Forcing of the surface in one step. Cell indices are row-major and may repeat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Forcing {
    /// Height increments (m) as (cell, increment), applied before the step.
    pub rises: Vec<(usize, f32)>,
    /// Pressure heads (m) as (cell, head), added to the cell's height during the flux update.
    pub heads: Vec<(usize, f32)>,
}

/// State of a world that was stepped on a device, as input of [`Waves::read_back`].
#[derive(Clone, Debug)]
pub struct DeviceState<'a> {
    /// Height of each cell (m).
    pub height: Field<f32>,
    /// Flux over each x-face in the last step (m of cell height).
    pub flux_x: Field<f32>,
    /// Flux over each y-face in the last step (m of cell height).
    pub flux_y: Field<f32>,
    /// Parts of the heights (m) that waves along x and waves along y have contributed; `None`
    /// without absorbing edges.
    pub parts: Option<[Field<f32>; 2]>,
    /// Height gained over the edges of the grid since the last readback (m, summed over cells).
    pub inflow: f64,
    /// Number of steps since the start of the world.
    pub steps: u64,
    /// World whose [`apply_forcing`](Waves::apply_forcing) provided the forcing of these steps;
    /// `None` for steps without forcing.
    pub forced_by: Option<&'a Waves>,
}

impl<'a> DeviceView<'a> {
    /// Returns the constants of the flux and height update.
    pub fn coefficients(&self) -> Coefficients {
        let rule = &self.waves.rule;
        Coefficients {
            keep: rule.keep,
            gain: rule.gain,
            friction: rule.friction,
            quantum: self.waves.state.quantum,
            boundary: self.waves.speed_map.boundary,
        }
    }

    /// Returns the gains of all x-faces and of all y-faces; `None` if all inner faces have the same
    /// gain.
    pub fn gains(&self) -> Option<[&'a Field<f32>; 2]> {
        self.waves.speed_map.map.as_ref().map(|gains| [&gains.x, &gains.y])
    }

    /// Returns the absorbing layers; `None` if no edge absorbs.
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

    /// Returns whether the x axis (west–east) and the y axis (north–south) are periodic.
    pub fn periodic_axes(&self) -> [bool; 2] {
        [Edge::West, Edge::North]
            .map(|edge| self.waves.params.edges.kind(edge) == EdgeKind::Periodic)
    }

    /// Returns whether the west, east, north and south edges are pinned. The flux over a pinned
    /// edge counts as inflow.
    pub fn pinned(&self) -> [bool; 4] {
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
    /// Returns the inputs of a step except heights and fluxes, for execution on a device.
    pub fn device_view(&self) -> DeviceView<'_> {
        DeviceView { waves: self }
    }

    /// Returns the height changes that [`Edit::Disturb`](crate::waves::Edit::Disturb) would make, as
    /// (row-major cell index, change in m). They do not depend on the current surface.
    ///
    /// # Errors
    /// Returns [`InputError`] as for [`edit`](Self::edit).
    pub fn disturbance_rises(
        &self,
        brush: &Brush,
        height: f64,
    ) -> Result<Vec<(usize, f32)>, InputError> {
        let quantum = self.state.quantum;
        let nx = self.lattice.nx();
        let disturbance = self.disturbance(brush, height, &self.scratch)?;
        let Some(disturbance) = disturbance else { return Ok(Vec::new()) };
        let rises = disturbance.rises(quantum).filter(|&(_, rise)| rise != 0.0);
        Ok(rises.map(|((x, y), rise)| (y * nx + x, rise)).collect())
    }

    /// Performs the forcing stage of the next step: draws rain drops, moves bodies and gusts, and
    /// advances time by one step. Returns the forcing without applying it to heights and fluxes.
    ///
    /// # Errors
    /// Returns [`InputError`] if the forcing is invalid, which cannot happen if rain, wind, bodies
    /// and wave makers were set through methods of this world.
    pub fn apply_forcing(&mut self) -> Result<Forcing, InputError> {
        let (mut rises, mut places, mut pressure) =
            (Vec::new(), Vec::new(), PressureHeads::default());
        if let Some(rain) = self.draw_drops(&mut places) {
            for place in places {
                rises
                    .extend(self.disturbance_rises(&Brush::soft(place, rain.radius), -rain.depth)?);
            }
        }
        self.collect_pressure(&mut pressure);
        self.steps += 1;
        Ok(Forcing { rises, heads: pressure.cells })
    }

    /// Replaces heights, fluxes and the step count with the state read from a device. Parameters
    /// stay unchanged. The ledger records the inflow over the edges.
    ///
    /// # Errors
    /// Returns [`InputError`] if a field has another shape than the grid or contains invalid
    /// values, or if `steps` is less than before. The world is then unchanged.
    pub fn read_back(&mut self, progress: DeviceState) -> Result<(), InputError> {
        let DeviceState { height, flux_x, flux_y, parts, inflow, steps, forced_by } = progress;
        let damaged = |what| Err(InputError::invalid_snapshot(what));
        let state = &mut self.state;
        let fits = |new: &Field<f32>, old: &Field<f32>| {
            new.same_shape(old) && new.as_slice().iter().all(|value| value.is_finite())
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
        Range::ANY.check("inflow over edges", inflow, "m")?;
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
