//! Worlds stepped on a device such as a GPU: the constants of a step ([`DeviceView`]), the input of
//! each step ([`Waves::stir`]), and reading back ([`Waves::read_back`]).

use super::absorbing::Parts;
use super::params::EdgeKind;
use super::press::Press;
use super::world::Waves;
use crate::brush::Brush;
use crate::error::InputError;
use crate::field::Field;
use crate::lattice::Edge;
use crate::ledger::Cause;
use crate::parameter::Range;
use serde::{Deserialize, Serialize};

/// What a step needs beside heights and fluxes, for a device that does it. All is as [`Waves::step`] itself
/// has it, to the last bit.
#[derive(Clone, Copy, Debug)]
pub struct DeviceView<'a> {
    pub(super) waves: &'a Waves,
}

/// The constants of a step.
///
/// A flux becomes `f ← keep·f + gain·(z_before − z_after)`, of which `friction` is taken, at most all of it. What
/// crosses a face is the nearest whole number of quanta, the even one of two as near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// How much of a flux stays.
    pub keep: f32,
    /// How much a difference in height adds to a flux, on faces within the grid where there is no map of gains.
    pub gain: f32,
    /// What every flux loses in a step (m).
    pub friction: f32,
    /// The height (m) of which all heights are whole multiples; a power of two.
    pub quantum: f32,
    /// The gain of the boundary faces on the west, east, north and south, where there is no map.
    pub boundary: [f32; 4],
}

/// How waves fade at absorbing edges. After each step, with what really crossed the faces in it: the part of a
/// height that came along x loses `columns[x]` of itself, cut to whole quanta, and gains what came along x in the
/// step; the height loses as much. Then the fluxes over x-faces lose `x_faces[x]` of themselves. So do rows, each on
/// the cells and faces of its layers only.
#[derive(Clone, Copy, Debug)]
pub struct Fading<'a> {
    /// Width (cells) of the layers on the west, east, north and south; 0 where there is none.
    pub widths: [usize; 4],
    /// What the cells of each column lose.
    pub columns: &'a [f32],
    /// What the x-faces of each column of faces lose.
    pub x_faces: &'a [f32],
    /// What the cells of each row lose.
    pub rows: &'a [f32],
    /// What the y-faces of each row of faces lose.
    pub y_faces: &'a [f32],
    /// The parts of the heights that came along x and along y (m).
    pub parts: [&'a Field<f32>; 2],
}

/// What stirs the surface in one step: cells by their number, row by row, each any number of times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stirred {
    /// By how much cells rise before the step (m).
    pub rises: Vec<(usize, f32)>,
    /// What presses on cells while fluxes are pushed (m): it counts as height there.
    pub heads: Vec<(usize, f32)>,
}

/// What has become of a world on a device.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Heights (m).
    pub height: Field<f32>,
    /// Fluxes over x-faces (m).
    pub flux_x: Field<f32>,
    /// Fluxes over y-faces (m).
    pub flux_y: Field<f32>,
    /// The parts of the heights that came along x and along y (m), with absorbing edges.
    pub parts: Option<[Field<f32>; 2]>,
    /// The height (m, summed over cells) that came over edges.
    pub came: f64,
    /// Steps done since the start.
    pub steps: u64,
    /// The world that was [`stirred`](Waves::stir) for these steps, if one was.
    pub stirred: Option<&'a Waves>,
}

impl<'a> DeviceView<'a> {
    /// The constants of a step.
    pub fn coefficients(&self) -> Coefficients {
        let rule = &self.waves.rule;
        Coefficients {
            keep: rule.keep,
            gain: rule.gain,
            friction: rule.friction,
            quantum: self.waves.state.quantum,
            boundary: self.waves.medium.boundary,
        }
    }

    /// The gains of all x-faces and of all y-faces, where they differ.
    pub fn gains(&self) -> Option<[&'a Field<f32>; 2]> {
        self.waves.medium.map.as_ref().map(|gains| [&gains.x, &gains.y])
    }

    /// How waves fade, if any edge absorbs.
    pub fn fading(&self) -> Option<Fading<'a>> {
        let Waves { absorbing, parts, .. } = self.waves;
        parts.as_ref().map(|parts| Fading {
            widths: absorbing.widths,
            columns: &absorbing.columns,
            x_faces: &absorbing.x_faces,
            rows: &absorbing.rows,
            y_faces: &absorbing.y_faces,
            parts: [&parts.x, &parts.y],
        })
    }

    /// Whether west and east are joined, and north and south.
    pub fn joined(&self) -> [bool; 2] {
        [Edge::West, Edge::North]
            .map(|edge| self.waves.params.edges.kind(edge) == EdgeKind::Periodic)
    }

    /// Whether the west, east, north and south edges are pinned, so that what crosses them counts.
    pub fn pinned(&self) -> [bool; 4] {
        Edge::ALL.map(|edge| self.waves.params.edges.kind(edge) == EdgeKind::Pinned)
    }

    /// True if a current carries the surface.
    pub fn has_current(&self) -> bool {
        self.waves.current.is_some()
    }

    /// True if rain, wind, bodies or wave makers stir the surface in every step.
    pub fn is_stirred(&self) -> bool {
        let Waves { shower, gusts, bodies, makers, .. } = self.waves;
        shower.is_some() || gusts.is_some() || !bodies.is_empty() || !makers.is_empty()
    }
}

impl Waves {
    /// What a step needs to know, for a device that does it.
    pub fn device_view(&self) -> DeviceView<'_> {
        DeviceView { waves: self }
    }

    /// What [`Edit::Disturb`](super::Edit::Disturb) would do: the cells by their number, row by row, and by how
    /// much each rises (m). It does not depend on the surface as it is.
    ///
    /// # Errors
    /// As [`edit`](Self::edit).
    pub fn rises_of(&self, brush: &Brush, height: f64) -> Result<Vec<(usize, f32)>, InputError> {
        let quantum = self.state.quantum;
        let nx = self.lattice.nx();
        let disturbance = self.disturbance(brush, height, &self.scratch)?;
        let Some(disturbance) = disturbance else { return Ok(Vec::new()) };
        let rises = disturbance.rises(quantum).filter(|&(_, rise)| rise != 0.0);
        Ok(rises.map(|((x, y), rise)| (y * nx + x, rise)).collect())
    }

    /// The first stage of the next step, and nothing but that: drops fall, bodies and gusts move, and time goes on
    /// by a step. Heights and fluxes stay as they are; what would have happened to them is returned.
    ///
    /// # Errors
    /// None that was not found when rain, wind, bodies or makers were set.
    pub fn stir(&mut self) -> Result<Stirred, InputError> {
        let (mut rises, mut places, mut press) = (Vec::new(), Vec::new(), Press::default());
        if let Some(rain) = self.drops_due(&mut places) {
            for place in places {
                rises.extend(self.rises_of(&Brush::soft(place, rain.radius), -rain.depth)?);
            }
        }
        self.press(&mut press);
        self.steps += 1;
        Ok(Stirred { rises, heads: press.cells })
    }

    /// Takes over what became of this world on a device. What was set on it stays as it is; the ledger books what
    /// came over its edges.
    ///
    /// # Errors
    /// [`InputError`] if a field has another shape than the grid or holds what no world comes to, or if steps
    /// run backwards. The world then is as it was.
    pub fn read_back(&mut self, progress: Progress) -> Result<(), InputError> {
        let Progress { height, flux_x, flux_y, parts, came, steps, stirred } = progress;
        let damaged = |what| Err(InputError::invalid_snapshot(what));
        let state = &mut self.state;
        let fits = |new: &Field<f32>, old: &Field<f32>| {
            new.same_shape(old) && new.as_slice().iter().all(|value| value.is_finite())
        };
        let whole = |new: &Field<f32>, old: &Field<f32>| {
            fits(new, old) && new.as_slice().iter().all(|z| (z / state.quantum).fract() == 0.0)
        };
        if !whole(&height, &state.height) {
            return damaged("heights that came back do not fit its grid or are no whole quanta");
        }
        if !fits(&flux_x, &state.flux_x) || !fits(&flux_y, &state.flux_y) {
            return damaged("a flux that came back is not finite, or has another shape");
        }
        let parts_fit = match (&parts, &self.parts) {
            (Some([x, y]), Some(old)) => whole(x, &old.x) && whole(y, &old.y),
            (None, None) => true,
            _ => false,
        };
        if !parts_fit {
            return damaged("the absorbing layers that came back do not fit its grid and edges");
        }
        Range::ANY.check("what came over edges", came, "m")?;
        if steps < self.steps {
            return Err(InputError::new(
                "steps that came back",
                steps,
                format!("{} or more", self.steps),
            ));
        }
        (state.height, state.flux_x, state.flux_y) = (height, flux_x, flux_y);
        self.parts = parts.map(|[x, y]| Parts { x, y });
        if let Some(stirred) = stirred {
            self.shower = stirred.shower.clone();
            self.gusts = stirred.gusts.clone();
            self.bodies = stirred.bodies.clone();
        }
        if came != 0.0 {
            self.ledger.record(Cause::Boundary, came * self.lattice.cell_area());
        }
        self.steps = steps;
        self.tiles.wake_all();
        Ok(())
    }
}
