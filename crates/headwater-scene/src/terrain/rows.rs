//! [`Rows`]: the ground of a scene some rows at a time, for worlds that are never in memory as a whole.

use super::laid::{self, Laid};
use super::{datum, drawn_in, shape, size_taken};
use crate::agree::agreed;
use crate::raster::Georeference;
use crate::scene::{SceneError, Site};
use headwater::distributed::Communicator;
use headwater::{Field, Lattice};
use std::ops::Range;
use std::path::Path;

/// Rows that are looked at together.
const TOGETHER: usize = 64;

/// Rows beside those that somebody holds which are asked for too: as many as a window has at most.
const REACH: usize = 16;

/// The ground of a scene, made anew whenever some rows of it are asked for.
pub(crate) struct Rows<'a> {
    scene: &'a dyn Site,
    /// What its file has, if it comes from one.
    laid: Option<Laid>,
    /// Where its cells are.
    pub(crate) lattice: Lattice,
    /// Where it lies on a map, if its file says so.
    pub(crate) georeference: Option<Georeference>,
    /// The scene's height at which the bed is 0 (m).
    pub(crate) datum: f64,
    /// The lowest height (m), which cells without data have.
    lowest: f64,
    /// How many of the own cells have no data.
    pub(crate) missing: usize,
    /// What was decided for lack of better knowledge.
    pub(crate) notices: Vec<String>,
}

impl<'a> Rows<'a> {
    /// The ground of a scene; its `own` rows are gone through once, to find its lowest and highest place together with peers who go through the others. What
    /// its file has, if it comes from one, is laid in a file of a name, or without one kept as far as these rows need it.
    ///
    /// # Errors
    /// [`SceneError`] as [`build`](super::build); nothing if a peer has found something wrong.
    pub(crate) fn of(
        scene: &'a dyn Site,
        own: &Range<usize>,
        laid: Option<&Path>,
        peers: &mut dyn Communicator,
    ) -> Result<Self, Option<SceneError>> {
        let found = Self::bare(scene, own, laid).and_then(|mut rows| {
            let range = rows.extremes(own)?;
            Ok((rows, range))
        });
        let (mut rows, [low, high]) = agreed(found, peers)?;
        let mut most = [-low, high];
        peers.allreduce_max(&mut most);
        rows.datum = datum(scene, [-most[0], most[1]])?;
        rows.lowest = -most[0];
        Ok(rows)
    }

    /// Where the cells of a scene are, and where they lie on a map, if its file says so.
    ///
    /// # Errors
    /// As [`of`](Self::of), as far as no height need be known.
    pub(crate) fn extent(
        scene: &'a dyn Site,
    ) -> Result<(Lattice, Option<Georeference>), SceneError> {
        let ground = scene.ground();
        let (lattice, map) = match &ground.file {
            Some(path) => laid::extent(scene, path)?,
            None => {
                let none = || scene.refuse("grid", "no such grid".into());
                (scene.lattice().ok_or_else(none)?, None)
            }
        };
        scene.fits(&lattice)?;
        Ok((lattice, map))
    }

    /// The ground with nothing known of its heights.
    fn bare(
        scene: &'a dyn Site,
        own: &Range<usize>,
        laid: Option<&Path>,
    ) -> Result<Self, SceneError> {
        let (lattice, georeference) = Self::extent(scene)?;
        let ground = scene.ground();
        let near = REACH + reach(scene, &lattice);
        let near = own.start.saturating_sub(near)..(own.end + near).min(lattice.ny());
        let file = ground.file.as_ref();
        let laid = file.map(|path| Laid::of(scene, path, near, laid)).transpose()?;
        let mut notices = match &laid {
            Some(laid) => laid.notices.clone(),
            None => size_taken(scene, &lattice),
        };
        let narrow = ground.shapes.iter().enumerate();
        notices.extend(narrow.filter_map(|(i, shape)| shape::notice(i, shape, &lattice, 1)));
        let (datum, lowest) = (0.0, 0.0);
        Ok(Self { scene, laid, lattice, georeference, datum, lowest, missing: 0, notices })
    }

    /// The lowest and the highest place (m) of some rows, whose cells without data are counted.
    fn extremes(&mut self, rows: &Range<usize>) -> Result<[f64; 2], SceneError> {
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for first in rows.clone().step_by(TOGETHER) {
            let some = first..(first + TOGETHER).min(rows.end);
            let (heights, no_data) = self.heights(some)?;
            for (height, missing) in heights.as_slice().iter().zip(no_data.as_slice()) {
                match missing {
                    true => self.missing += 1,
                    false => range = [range[0].min(*height), range[1].max(*height)],
                }
            }
        }
        Ok(range)
    }

    /// Heights (m) and where there are no data.
    fn heights(&self, rows: Range<usize>) -> Result<(Field<f64>, Field<bool>), SceneError> {
        let reach = reach(self.scene, &self.lattice);
        // Rows of hexagons keep their shift.
        let first = rows.start.saturating_sub(reach) / 2 * 2;
        let first = if reach == 0 { rows.start } else { first };
        let all = first..(rows.end + reach).min(self.lattice.ny());
        let own: Vec<usize> = (rows.start - first..rows.end - first).collect();
        let rows = all;
        let (mut heights, no_data) = match &self.laid {
            None => {
                let heights = drawn_in(self.scene, &self.lattice, rows.clone());
                let no_data = Field::new(heights.nx(), heights.ny(), false);
                (heights, no_data)
            }
            Some(laid) => laid.rows(rows.clone()).map_err(|error| {
                let message = format!("its heights cannot be read back: {error}");
                self.scene.refuse("terrain.file", message)
            })?,
        };
        for i in 0..self.scene.ground().shapes.len() {
            shape::apply_in(self.scene, i, &self.lattice, rows.start, &mut heights)?;
        }
        match reach {
            0 => Ok((heights, no_data)),
            _ => Ok((heights.of_rows(&own), no_data.of_rows(&own))),
        }
    }

    /// Height of the ground above the datum (m) in some rows, and where there are no data: as [`Terrain`](super::Terrain) has them, bit
    /// for bit.
    ///
    /// # Errors
    /// [`SceneError`] if heights cannot be read back, or if the area of a shape makes no sense, which no checked scene has.
    pub(crate) fn ground(
        &self,
        rows: Range<usize>,
    ) -> Result<(Field<f32>, Field<bool>), SceneError> {
        let (heights, no_data) = self.heights(rows)?;
        let bed = Field::from_fn(heights.nx(), heights.ny(), |x, y| {
            let height = if no_data[(x, y)] { self.lowest } else { heights[(x, y)] };
            (height - self.datum) as f32
        });
        Ok((bed, no_data))
    }
}

/// Rows to the north and south of a cell that its height depends on.
fn reach(scene: &dyn Site, lattice: &Lattice) -> usize {
    scene.ground().shapes.iter().map(|shape| shape::reach(shape, lattice)).sum()
}
