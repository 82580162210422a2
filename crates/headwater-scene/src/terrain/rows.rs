//! [`Rows`]: the ground of a scene some rows at a time, for worlds that are never in memory as a whole.

use super::{datum, drawn_in, shape, size_taken};
use crate::agree::agreed;
use crate::flow::ShapeOp;
use crate::scene::{SceneError, Site};
use headwater::part::Peers;
use headwater::{Field, Lattice};
use std::ops::Range;

/// Rows that are looked at together.
const TOGETHER: usize = 64;

/// The ground of a scene, made anew whenever some rows of it are asked for.
pub(crate) struct Rows<'a> {
    scene: &'a dyn Site,
    /// Where its cells are.
    pub(crate) lattice: Lattice,
    /// The scene's height at which the bed is 0 (m).
    pub(crate) datum: f64,
    /// What was decided for lack of better knowledge.
    pub(crate) notices: Vec<String>,
}

impl<'a> Rows<'a> {
    /// The ground of a scene; some rows of it are gone through once, to find its lowest and highest place together with peers who go through the others.
    ///
    /// # Errors
    /// [`SceneError`] if it comes from a file, has a sub-grid or a shape that smooths, or as [`build`](super::build); nothing if a peer has found something
    /// wrong.
    pub(crate) fn of(
        scene: &'a dyn Site,
        own: &Range<usize>,
        peers: &mut dyn Peers,
    ) -> Result<Self, Option<SceneError>> {
        let mut rows = Self::bare(scene)?;
        let [low, high] = agreed(rows.extremes(own), peers)?;
        let mut most = [-low, high];
        peers.greatest(&mut most);
        rows.datum = datum(scene, [-most[0], most[1]])?;
        Ok(rows)
    }

    /// Where the cells of a scene are.
    ///
    /// # Errors
    /// As [`of`](Self::of), as far as no height need be known.
    pub(crate) fn lattice_of(scene: &'a dyn Site) -> Result<Lattice, SceneError> {
        Self::bare(scene).map(|rows| rows.lattice)
    }

    /// The same, with nothing known of its heights.
    fn bare(scene: &'a dyn Site) -> Result<Self, SceneError> {
        let ground = scene.ground();
        let refuse = |key: &str, what: &str| Err(scene.refuse(key, format!("{what} {WHOLE}")));
        if ground.file.is_some() {
            return refuse("terrain.file", "a file is read as a whole:");
        }
        if ground.subgrid.is_some() {
            return refuse("terrain.subgrid", "a sub-grid is made as a whole:");
        }
        if let Some(i) = ground.shapes.iter().position(|shape| shape.op == ShapeOp::Smooth) {
            return refuse(&format!("terrain.shape[{i}]"), "smoothing looks far around:");
        }
        let Some(lattice) = scene.lattice() else {
            return Err(scene.refuse("grid", "no such grid".into()));
        };
        scene.fits(&lattice)?;
        let mut notices = size_taken(scene, &lattice);
        let narrow = ground.shapes.iter().enumerate();
        notices.extend(narrow.filter_map(|(i, shape)| shape::notice(i, shape, &lattice, 1)));
        Ok(Self { scene, lattice, datum: 0.0, notices })
    }

    /// The lowest and the highest place (m) of some rows.
    fn extremes(&self, rows: &Range<usize>) -> Result<[f64; 2], SceneError> {
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for first in rows.clone().step_by(TOGETHER) {
            let heights = self.heights(first..(first + TOGETHER).min(rows.end))?;
            let all = heights.as_slice().iter();
            range = all.fold(range, |[low, high], height| [low.min(*height), high.max(*height)]);
        }
        Ok(range)
    }

    fn heights(&self, rows: Range<usize>) -> Result<Field<f64>, SceneError> {
        let mut heights = drawn_in(self.scene, &self.lattice, rows.clone());
        for i in 0..self.scene.ground().shapes.len() {
            shape::apply_in(self.scene, i, &self.lattice, rows.start, &mut heights)?;
        }
        Ok(heights)
    }

    /// Height of the ground above the datum (m) in some rows: that of [`Terrain::bed`](super::Terrain::bed), bit for bit.
    ///
    /// # Errors
    /// [`SceneError`] if the area of a shape makes no sense, which no checked scene has.
    pub(crate) fn bed(&self, rows: Range<usize>) -> Result<Field<f32>, SceneError> {
        Ok(self.heights(rows)?.map(|height| (height - self.datum) as f32))
    }
}

/// Why the ground has to be there as a whole.
const WHOLE: &str = "not with --memory or --world spread, where only some rows are there at a time";
