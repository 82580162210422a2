//! Orographic rain, which is strong on windward slopes and weak on leeward slopes.
//!
//! Moist air moves over the map. Moisture condenses faster where the air rises than over level
//! ground, and slower where it sinks. The condensed moisture drifts with the wind while it falls
//! (R. Smith, "A linear upslope-time-delay model for orographic precipitation", J. Hydrol. 282:2,
//! 2003; R. Smith, I. Barstad, J. Atmos. Sci. 61:1377, 2004). Moisture is conserved, so the leeward
//! side lacks the rain that fell on the windward side.

use crate::brush::{self, Brush};
use crate::error::InputError;
use crate::field::Field;
use crate::hydrology::check::check_field;
use crate::hydrology::state::fixed::{self, MAX_HEIGHT};
use crate::hydrology::world::Hydrology;
use crate::lattice::Square;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::{Point, Region};
use serde::{Deserialize, Serialize};

parameters! {
    /// A wind that brings rain. Several winds together describe a climate, for example one wind per
    /// season.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Wind {
        /// Direction in which the wind blows, as a vector (east, south) of any length above 0.
        towards: Point = [1.0, 0.0]; Live, "towards", "", |_| Range::new(-1e9, 1e9), [-1.0, 1.0];
        /// Weight of this wind in the total rain. The rain is divided between all winds in
        /// proportion to their weights. A year with a wet and a dry season, for example, has two
        /// winds with weights 3 and 1.
        part: f64 = 1.0; Live, "part of the rain", "", |_| Range::above_zero(1e9), [0.1, 10.0];
        /// Increase of the condensation rate on an upward slope of 1, relative to the rate over
        /// level ground.
        lift: f64 = 10.0; Live, "lift", "1", |_| Range::new(0.0, 1000.0), [0.0, 50.0];
        /// Distance over level ground after which 1/e of the moisture remains, in widths of the map
        /// along the wind direction.
        reach: f64 = 2.0; Live, "reach", "widths", |_| Range::new(0.01, 1000.0), [0.1, 10.0];
        /// Distance that rain drifts with the wind while it falls (in cell sizes). Hills narrower
        /// than this distance have no effect on the air.
        drift: f64 = 8.0; Live, "drift", "cells", |_| Range::new(0.0, 256.0), [0.0, 32.0];
    }
}

/// Smallest condensation rate, relative to the rate over level ground. It is above 0 because some
/// moisture condenses even in sinking air.
const MIN_CONDENSATION: f64 = 0.02;

impl Wind {
    /// Checks that every parameter is in its range, and that the wind direction is not zero.
    ///
    /// # Errors
    /// Returns an [`InputError`] that names the first invalid parameter.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()?;
        let [east, south] = self.towards;
        let in_range = east.hypot(south) > 0.0;
        InputError::check("towards", 0.0, in_range, "a direction with a length above 0")
    }

    /// Returns the fraction of the moisture that falls as rain on each cell. `surface` holds the
    /// surface elevations (m) of square cells of side `size` (m).
    fn rain_fraction(&self, surface: &Field<f32>, size: f64) -> Field<f64> {
        let [east, south] = self.towards;
        // The sweep proceeds line by line along the axis that is closest to the wind direction.
        let along_x = east.abs() >= south.abs();
        let (main, cross) = if along_x { (east, south) } else { (south, east) };
        let (nx, ny) = (surface.nx(), surface.ny());
        let (lines, width) = if along_x { (nx, ny) } else { (ny, nx) };
        let at = |line: usize, i: usize| {
            let line = if main > 0.0 { line } else { lines - 1 - line };
            if along_x { (line, i) } else { (i, line) }
        };
        let cross_offset = cross / main.abs();
        let step = size * 1.0_f64.hypot(cross_offset);
        let reach = self.reach * size * lines as f64;
        let drift = self.drift * size;
        // Fraction of the condensed moisture that falls per step. Without drift, all of it falls.
        let fall_fraction = 1.0 - libm::exp(-step / drift.max(1e-9 * step));
        let mut rain = Field::new(nx, ny, 0.0);
        // Moisture of air that enters the map, and its condensed moisture in equilibrium over level
        // ground.
        let level = 1.0 - libm::exp(-step / reach);
        let fresh = [1.0, level * (1.0 - fall_fraction) / fall_fraction];
        let [mut moist, mut drifting] = fresh.map(|value| vec![value; width]);
        let (mut next_moist, mut next_drifting) = (moist.clone(), drifting.clone());
        for line in 0..lines {
            for i in 0..width {
                // Upwind position on the previous line, between the centres of two cells.
                let from = i as f64 - cross_offset;
                let (low, part) = (from.floor(), from - from.floor());
                let before = |k: f64| (0.0..width as f64).contains(&k).then_some(k as usize);
                let (a, b) = (before(low), before(low + 1.0));
                let mix = |values: &[f64], beyond: f64| {
                    let value = |k: Option<usize>| k.map_or(beyond, |k| values[k]);
                    value(a) * (1.0 - part) + if part > 0.0 { value(b) * part } else { 0.0 }
                };
                let here = f64::from(surface[at(line, i)]);
                let height = |k: Option<usize>| match (line.checked_sub(1), k) {
                    (Some(line), Some(k)) => f64::from(surface[at(line, k)]),
                    _ => here,
                };
                let upwind =
                    height(a) * (1.0 - part) + if part > 0.0 { height(b) * part } else { 0.0 };
                let slope = (here - upwind) / step;
                let (moisture, condensed) = (mix(&moist, fresh[0]), mix(&drifting, fresh[1]));
                let rate = (1.0 + self.lift * slope).max(MIN_CONDENSATION) / reach;
                let lost = moisture * (1.0 - libm::exp(-rate * step));
                let bank_changes = (condensed + lost) * fall_fraction;
                rain[at(line, i)] = bank_changes;
                next_moist[i] = moisture - lost;
                next_drifting[i] = condensed + lost - bank_changes;
            }
            std::mem::swap(&mut moist, &mut next_moist);
            std::mem::swap(&mut drifting, &mut next_drifting);
        }
        rain
    }
}

/// Returns the relative rain on each cell that several winds bring, with a mean of 1. `surface`
/// holds the elevation of the surface of ground, lakes and sea (m) for square cells of side `size`
/// (m). The weight of each wind is [`Wind::part`], independent of where its rain falls.
///
/// ```
/// use headwater::Field;
/// use headwater::hydrology::{Wind, orographic_rain};
///
/// // A ridge from north to south, and a wind from the west.
/// let ridge = Field::from_fn(96, 32, |x, _| 20.0 * (-((x as f32 - 48.0) / 12.0).powi(2)).exp());
/// let rain = orographic_rain(&ridge, 1.0, &[Wind::default()])?;
/// let mean = |columns: std::ops::Range<usize>| {
///     columns.clone().map(|x| rain[(x, 16)]).sum::<f32>() / columns.len() as f32
/// };
/// assert!(mean(32..52) > 1.5, "the windward side");
/// assert!(mean(62..82) < 0.5, "the lee");
/// # Ok::<(), headwater::InputError>(())
/// ```
///
/// # Errors
/// Returns [`InputError`] if `winds` is empty, if a parameter of a wind is out of range, if a
/// [`Square`] cannot have this cell size, or if an elevation is not finite or is outside
/// ±[`MAX_HEIGHT`].
pub fn orographic_rain(
    surface: &Field<f32>,
    size: f64,
    winds: &[Wind],
) -> Result<Field<f32>, InputError> {
    if winds.is_empty() {
        return Err(InputError::new("number of winds", 0, "1 or more"));
    }
    winds.iter().enumerate().try_for_each(|(i, wind)| {
        wind.validate().map_err(|error| error.with_table_prefix(&format!("wind[{i}]")))
    })?;
    let lattice = Square::new(surface.nx(), surface.ny(), size, size)?;
    let allowed = Range::new(-MAX_HEIGHT, MAX_HEIGHT).description("m");
    check_field("surface", surface, &lattice.into(), allowed, |z| {
        f64::from(z.abs()) <= MAX_HEIGHT
    })?;
    let parts: f64 = winds.iter().map(|wind| wind.part).sum();
    let mut all = Field::new(surface.nx(), surface.ny(), 0.0_f64);
    for wind in winds {
        let smooth = smooth_surface(surface, wind.drift);
        let rain = wind.rain_fraction(&smooth, size);
        let mean = rain.as_slice().iter().sum::<f64>() / rain.as_slice().len() as f64;
        for (sum, rain) in all.as_mut_slice().iter_mut().zip(rain.as_slice()) {
            *sum += wind.part / parts * rain / mean;
        }
    }
    Ok(all.map(|&rain| rain as f32))
}

fn smooth_surface(surface: &Field<f32>, cells: f64) -> Field<f32> {
    let mut smooth = surface.clone();
    let half = (0.5 * cells).round();
    if let (Ok(lattice), true) = (Square::new(surface.nx(), surface.ny(), 1.0, 1.0), half >= 1.0)
        && let Ok(touched) = Brush::with_flat_falloff(Region::Everywhere).cells(lattice)
    {
        brush::smooth_heights(&mut smooth, &touched, lattice, half, 1.0);
    }
    smooth
}

impl Hydrology {
    /// Sets the rain of the world to the result of [`orographic_rain`] for the current land, lakes
    /// and sea. The total rain does not change. The caller must repeat the call when the land or
    /// the season changes.
    ///
    /// # Errors
    /// Returns [`InputError`] in the cases listed for [`orographic_rain`] and
    /// [`set_rain`](Self::set_rain).
    pub fn set_winds(&mut self, winds: &[Wind]) -> Result<(), InputError> {
        let grid = self.land.grid();
        let terrain = self.land.terrain();
        let surface = Field::from_fn(grid.nx, grid.ny, |x, y| {
            let cell = y * grid.nx + x;
            let level = self.waters.level_over(terrain, cell);
            fixed::to_metres_f32(level.unwrap_or(self.land.bed[cell]))
        });
        let rain = orographic_rain(&surface, self.land.lattice.dx(), winds)?;
        self.set_rain(Some(&rain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moisture_is_conserved() {
        // The level land behind the hills is much longer than the distance over which moisture is
        // lost, so all rain falls on the map.
        let wind = Wind { reach: 0.02, drift: 3.0, ..Wind::default() };
        let hill = Field::from_fn(400, 5, |x, _| if x < 40 { (x as f32 / 5.0).sin() } else { 0.0 });
        for towards in [[1.0, 0.0], [-2.0, 0.0]] {
            let rain = Wind { towards, ..wind }.rain_fraction(&hill, 2.0);
            let sum: f64 = rain.row(2).iter().sum();
            let fall_fraction = 1.0 - (-1.0_f64 / 3.0).exp();
            let condensed = (1.0 - (-1.0_f64 / 8.0).exp()) * (1.0 - fall_fraction) / fall_fraction;
            assert!((sum / (1.0 + condensed) - 1.0).abs() < 1e-9, "{sum}");
        }
    }

    #[test]
    fn rain_is_uniform_on_level_ground_with_a_long_reach() {
        let wind = Wind { reach: 1000.0, towards: [0.3, -0.9], ..Wind::default() };
        let rain = orographic_rain(&Field::new(60, 40, 5.0), 3.0, &[wind]).unwrap();
        let (low, high) = rain.min_max().unwrap();
        assert!(low > 0.995 && high < 1.005, "{low} {high}");
    }
}
