//! Worlds that are stepped on a device such as a GPU: constants of a step ([`DeviceView`]), input
//! of each step ([`Waves::apply_forcing`]), and readback ([`Waves::read_back`]).

use super::absorbing::SplitHeights;
use super::params::EdgeKind;
use super::pressure::PressureHeads;
use super::world::Waves;
use crate::brush::Brush;
use crate::error::InputError;
use crate::field::Field;
use crate::lattice::Edge;
use crate::ledger::Cause;
use crate::parameter::Range;
use serde::{Deserialize, Serialize};

/// Inputs of a step apart from heights and fluxes, for its execution on a device. Bit-identical to
/// the inputs of [`Waves::step`].
#[derive(Clone, Copy, Debug)]
pub struct DeviceView<'a> {
    pub(super) waves: &'a Waves,
}

/// Constants of a step.
///
/// The flux update is `f ← keep·f + gain·(z_before − z_after)`, then reduced in magnitude by
/// `friction`, at most to 0. The transport over a face is the flux rounded to whole quanta, ties to
/// even.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Factor on the old flux.
    pub keep: f32,
    /// Gain of flux per difference of height, on inner faces without a map of gains.
    pub gain: f32,
    /// Loss of each flux per step (m).
    pub friction: f32,
    /// Unit of height (m), a power of two; all heights are whole multiples of it.
    pub quantum: f32,
    /// Gain of the boundary faces on the west, east, north and south, without a map of gains.
    pub boundary: [f32; 4],
}

/// Damping of waves in absorbing layers.
///
/// It follows each step and uses the actual transports of that step. The x part of a height loses
/// the fraction `columns[x]`, rounded to whole quanta, and gains the transport along x; the height
/// loses the same amount. Then the fluxes over x-faces lose the fraction `x_faces[x]`. Rows are
/// treated alike. Each applies only to the cells and faces in its layers.
#[derive(Clone, Copy, Debug)]
pub struct AbsorbingProfile<'a> {
    /// Width (cells) of the layers on the west, east, north and south; 0 without a layer.
    pub widths: [usize; 4],
    /// Fraction that the cells of each column lose per step.
    pub columns: &'a [f32],
    /// Fraction that the x-faces of each column of faces lose per step.
    pub x_faces: &'a [f32],
    /// Fraction that the cells of each row lose per step.
    pub rows: &'a [f32],
    /// Fraction that the y-faces of each row of faces lose per step.
    pub y_faces: &'a [f32],
    /// Parts of the heights moved along x and along y (m).
    pub parts: [&'a Field<f32>; 2],
}

/// Forcing of the surface in one step. Cells are given by row-major index and may repeat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Forcing {
    /// Rise of cells before the step (m).
    pub rises: Vec<(usize, f32)>,
    /// Pressure heads on cells during the flux update (m); they add to the height there.
    pub heads: Vec<(usize, f32)>,
}

/// State of a world on a device, for readback.
#[derive(Clone, Debug)]
pub struct DeviceState<'a> {
    /// Heights (m).
    pub height: Field<f32>,
    /// Fluxes over x-faces (m).
    pub flux_x: Field<f32>,
    /// Fluxes over y-faces (m).
    pub flux_y: Field<f32>,
    /// Parts of the heights moved along x and along y (m), with absorbing edges.
    pub parts: Option<[Field<f32>; 2]>,
    /// Height gained over edges (m, summed over cells).
    pub inflow: f64,
    /// Number of steps since the start.
    pub steps: u64,
    /// World that provided the [forcing](Waves::apply_forcing) of these steps, if any.
    pub forced_by: Option<&'a Waves>,
}

impl<'a> DeviceView<'a> {
    /// Returns the constants of a step.
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

    /// Returns the gains of all x-faces and of all y-faces, if they differ.
    pub fn gains(&self) -> Option<[&'a Field<f32>; 2]> {
        self.waves.speed_map.map.as_ref().map(|gains| [&gains.x, &gains.y])
    }

    /// Returns the absorbing layers, if any edge absorbs.
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

    /// Returns whether the axes x (west–east) and y (north–south) are periodic.
    pub fn periodic_axes(&self) -> [bool; 2] {
        [Edge::West, Edge::North]
            .map(|edge| self.waves.params.edges.kind(edge) == EdgeKind::Periodic)
    }

    /// Returns whether the west, east, north and south edges are pinned, so that their fluxes count
    /// as inflow.
    pub fn pinned(&self) -> [bool; 4] {
        Edge::ALL.map(|edge| self.waves.params.edges.kind(edge) == EdgeKind::Pinned)
    }

    /// Returns true if a current moves the surface.
    pub fn has_current(&self) -> bool {
        self.waves.current.is_some()
    }

    /// Returns true if rain, wind, bodies or wave makers act on the surface.
    pub fn has_forcing(&self) -> bool {
        let Waves { shower, gusts, bodies, makers, .. } = self.waves;
        shower.is_some() || gusts.is_some() || !bodies.is_empty() || !makers.is_empty()
    }
}

impl Waves {
    /// Returns the inputs of a step, for its execution on a device.
    pub fn device_view(&self) -> DeviceView<'_> {
        DeviceView { waves: self }
    }

    /// Returns the effect of [`Edit::Disturb`](super::Edit::Disturb): row-major indices of cells
    /// and their rise (m). It does not depend on the current surface.
    ///
    /// # Errors
    /// As [`edit`](Self::edit).
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
    /// Does not fail if rain, wind, bodies and makers were set through their methods, which check
    /// them.
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

    /// Takes over the state of this world from a device. Settings stay unchanged; the ledger
    /// records the inflow over edges.
    ///
    /// # Errors
    /// [`InputError`] if a field has another shape than the grid or contains invalid values, or if
    /// `steps` is less than before. The world is then unchanged.
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
