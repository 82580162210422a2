//! [`Rows`]: the ground of a scene some rows at a time, for worlds that are never in memory as a whole.

use super::laid::Laid;
use super::{datum, drawn_in, file, shape, size_taken};
use crate::flow::ShapeOp;
use crate::raster::Georeference;
use crate::scene::{SceneError, Site};
use headwater::{Field, Lattice};
use std::ops::Range;
use std::path::Path;

/// Rows that are looked at together.
const TOGETHER: usize = 64;

/// The ground of a scene, made anew whenever some rows of it are asked for.
pub(crate) struct Rows<'a> {
    scene: &'a dyn Site,
    /// What its file has, if it comes from one.
    laid: Option<Laid>,
    /// Where its cells are.
    pub(crate) lattice: Lattice,
    /// The scene's height at which the bed is 0 (m).
    pub(crate) datum: f64,
    /// The lowest height (m), which cells without data have.
    lowest: f64,
    /// Where the world lies on a map, if its file says so.
    pub(crate) georeference: Option<Georeference>,
    /// How many cells have no data.
    pub(crate) missing: usize,
    /// What was decided for lack of better knowledge.
    pub(crate) notices: Vec<String>,
}

impl<'a> Rows<'a> {
    /// The ground of a scene; it is gone through once, to find its lowest and highest place. What its file has, if it comes from one,
    /// is laid in a file of that name.
    ///
    /// # Errors
    /// [`SceneError`] if it has a sub-grid or a shape that smooths, or as [`build`](super::build).
    pub(crate) fn of(scene: &'a dyn Site, laid: &Path) -> Result<Self, SceneError> {
        let ground = scene.ground();
        let refuse = |key: &str, what: &str| Err(scene.refuse(key, format!("{what} {WHOLE}")));
        if ground.subgrid.is_some() {
            return refuse("terrain.subgrid", "a sub-grid is made as a whole:");
        }
        if let Some(i) = ground.shapes.iter().position(|shape| shape.op == ShapeOp::Smooth) {
            return refuse(&format!("terrain.shape[{i}]"), "smoothing looks far around:");
        }
        let laid = match &ground.file {
            Some(path) => Some(Laid::of(scene, path, laid)?),
            None => None,
        };
        let lattice = match &laid {
            Some(laid) => laid.lattice(),
            None => scene.lattice().ok_or_else(|| scene.refuse("grid", "no such grid".into()))?,
        };
        scene.fits(&lattice)?;
        let notices = match &laid {
            Some(laid) => laid.notices.clone(),
            None => size_taken(scene, &lattice),
        };
        let georeference = laid.as_ref().and_then(|laid| laid.georeference);
        let mut rows = Self {
            scene,
            laid,
            lattice,
            datum: 0.0,
            lowest: 0.0,
            georeference,
            missing: 0,
            notices,
        };
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for first in (0..lattice.ny()).step_by(TOGETHER) {
            let some = first..(first + TOGETHER).min(lattice.ny());
            let (heights, no_data) = rows.heights(some)?;
            for (height, missing) in heights.as_slice().iter().zip(no_data.as_slice()) {
                match missing {
                    true => rows.missing += 1,
                    false => range = [range[0].min(*height), range[1].max(*height)],
                }
            }
        }
        rows.notices.extend(file::missing(rows.missing));
        let narrow = ground.shapes.iter().enumerate();
        let narrow = narrow.filter_map(|(i, shape)| shape::notice(i, shape, &lattice, 1));
        rows.notices.extend(narrow);
        rows.datum = datum(scene, range)?;
        rows.lowest = range[0];
        Ok(rows)
    }

    /// Heights (m) and where there are no data.
    fn heights(&self, rows: Range<usize>) -> Result<(Field<f64>, Field<bool>), SceneError> {
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
        Ok((heights, no_data))
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

/// Why the ground has to be there as a whole.
const WHOLE: &str = "not with --memory, where only some rows are there at a time";
