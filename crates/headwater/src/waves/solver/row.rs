//! Computation of one step in one row, as part of a pass over several steps (see `super::pass`). It
//! includes the boundary faces, and the detection of motion in tiles.

use super::loops;
use super::rows::{east_boundary_flux, update_x_fluxes, update_y_fluxes, west_boundary_flux};
use crate::waves::context::StepContext;
use crate::waves::params::EdgeKind;
use crate::waves::state::tiles::{self, ActiveRuns, Scan};
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

/// Largest number of steps in a pass. The tiles are scanned for motion after this number of steps.
pub(in crate::waves) const MAX_STEPS: usize = tiles::STEPS_PER_SCAN as usize;

/// Flux through edges of fixed height in each step of a pass, as a height summed over cells (m).
pub(in crate::waves) type BoundaryFlux = [f64; MAX_STEPS];

pub(in crate::waves) struct PassContext<'a> {
    pub(in crate::waves) nx: usize,
    pub(in crate::waves) ny: usize,
    pub(in crate::waves) rules: &'a StepContext<'a>,
    pub(in crate::waves) runs: &'a ActiveRuns,
    /// Motion flags of each tile. Bit k is set if scan k found motion in the tile.
    pub(in crate::waves) marks: &'a [AtomicU8],
    pub(in crate::waves) steps_done: u64,
    pub(in crate::waves) zero_row: &'a [f32],
    /// Rows whose flux through the western and eastern edges counts in the boundary flux of the
    /// step.
    pub(in crate::waves) included_rows: Range<usize>,
}

impl PassContext<'_> {
    pub(in crate::waves) fn has_runs(&self, rows: Range<usize>) -> bool {
        let mut tiles = rows.start / tiles::TILE_HEIGHT..rows.end.div_ceil(tiles::TILE_HEIGHT);
        tiles.any(|row| !self.runs.tile_runs(row).is_empty())
    }

    pub(in crate::waves) fn update_y_fluxes(
        &self,
        flux: &mut [f32],
        north: &[f32],
        south: &[f32],
        y: usize,
    ) {
        for &(from, to) in self.runs.face_runs(y, self.ny) {
            update_y_fluxes(
                flux,
                &north[..self.nx],
                &south[..self.nx],
                self.rules,
                [y, self.ny],
                from..to,
            );
        }
    }

    pub(in crate::waves) fn north_inflow(&self, faces: &[f32]) -> f64 {
        self.boundary_inflow(self.rules.edges.north, faces)
    }

    pub(in crate::waves) fn south_inflow(&self, faces: &[f32]) -> f64 {
        -self.boundary_inflow(self.rules.edges.south, faces)
    }

    fn boundary_inflow(&self, kind: EdgeKind, faces: &[f32]) -> f64 {
        if kind != EdgeKind::Pinned {
            return 0.0;
        }
        faces.iter().map(|&flux| f64::from(self.rules.coefficients.quantize(flux))).sum()
    }

    /// Computes step `step_index` of the pass in row `y`. The northern faces of the row must
    /// already be updated. Updates the x-faces, the southern faces `south` and the heights. `next`
    /// holds the heights of the row to the south. Returns the flux through the western and eastern
    /// edges (m, summed over cells) if their height is fixed.
    #[expect(clippy::too_many_arguments, reason = "the arrays of a row")]
    pub(in crate::waves) fn step_row(
        &self,
        step_index: usize,
        y: usize,
        north: &[f32],
        next: &[f32],
        flux_x: &mut [f32],
        south: &mut [f32],
        height: &mut [f32],
    ) -> f64 {
        let &Self { nx, ny, rules, .. } = self;
        let (rule, speed_map) = (rules.coefficients, rules.speed_map);
        let ends = [height[0], height[nx - 1]];
        let gain = speed_map.gain_y(rule, 0, y + 1, ny);
        for &(from, to) in self.runs.tile_runs(y / tiles::TILE_HEIGHT) {
            if from == 0 {
                flux_x[0] = west_boundary_flux(flux_x[0], ends, rules, y, nx);
            } else {
                update_x_fluxes(flux_x, height, rules, y, from..from + 1);
            }
            let west = flux_x[from];
            // The face to the east of the last column is computed separately.
            let inner = from..to.min(nx - 1);
            let (north, next) = (&north[from..to], &next[from..to]);
            let (flux, south) = (&mut flux_x[from + 1..=inner.end], &mut south[from..to]);
            let cells = &mut height[from..=inner.end];
            match &speed_map.map {
                None => loops::step_cells(rule, gain, west, north, next, flux, south, cells),
                Some(gains) => {
                    let gains_x = &gains.x.row(y)[from + 1..=inner.end];
                    let gains = [gains_x, &gains.y.row(y + 1)[from..to]];
                    loops::step_cells_with_gains(
                        rule, gains, west, north, next, flux, south, cells,
                    );
                }
            }
            if to == nx {
                let i = nx - 1 - from;
                flux_x[nx] = east_boundary_flux(flux_x[nx], ends, rules, y, nx);
                let gain = speed_map.gain_y(rule, nx - 1, y + 1, ny);
                south[i] = rule.new_flux(south[i], ends[1], next[i], gain);
                let [west, east] = [flux_x[nx - 1], flux_x[nx]];
                height[nx - 1] = rule.new_height(ends[1], west, east, north[i], south[i]);
            }
        }
        self.scan_row_for_motion(step_index, y, flux_x, north, south);
        self.west_east_inflow(y, flux_x)
    }

    pub(in crate::waves) fn step_row_between_faces(
        &self,
        l: usize,
        y: usize,
        north: &[f32],
        south: &[f32],
        flux_x: &mut [f32],
        height: &mut [f32],
    ) -> f64 {
        let &Self { nx, rules, .. } = self;
        let ends = [height[0], height[nx - 1]];
        for &(from, to) in self.runs.tile_runs(y / tiles::TILE_HEIGHT) {
            if from == 0 {
                flux_x[0] = west_boundary_flux(flux_x[0], ends, rules, y, nx);
            }
            if to == nx {
                flux_x[nx] = east_boundary_flux(flux_x[nx], ends, rules, y, nx);
            }
            update_x_fluxes(flux_x, height, rules, y, from.max(1)..(to + 1).min(nx));
            let (north, south) = (&north[from..to], &south[from..to]);
            loops::update_heights(
                rules.coefficients,
                &flux_x[from..=to],
                north,
                south,
                &mut height[from..to],
            );
        }
        self.scan_row_for_motion(l, y, flux_x, north, south);
        self.west_east_inflow(y, flux_x)
    }

    fn west_east_inflow(&self, y: usize, flux_x: &[f32]) -> f64 {
        if !self.included_rows.contains(&y) {
            return 0.0;
        }
        let edges = self.rules.edges;
        self.boundary_inflow(edges.west, &flux_x[..1])
            - self.boundary_inflow(edges.east, &flux_x[self.nx..])
    }

    /// Marks the tiles of row `y` that contain motion, if step `pass_step` of the pass is one after
    /// which the tiles are scanned.
    fn scan_row_for_motion(
        &self,
        pass_step: usize,
        y: usize,
        flux_x: &[f32],
        north: &[f32],
        south: &[f32],
    ) {
        let Some(scan) = Scan::from_step(self.steps_done + pass_step as u64) else { return };
        let row = y / tiles::TILE_HEIGHT;
        let across = self.nx.div_ceil(tiles::TILE_WIDTH);
        for &(from, to) in self.runs.tile_runs(row) {
            for from in (from..to).step_by(tiles::TILE_WIDTH) {
                let to = (from + tiles::TILE_WIDTH).min(self.nx);
                let mark = &self.marks[row * across + from / tiles::TILE_WIDTH];
                let moves = || {
                    loops::any_nonzero(&flux_x[from..=to])
                        || loops::any_nonzero(&north[from..to])
                        || loops::any_nonzero(&south[from..to])
                };
                if !scan.is_marked(mark.load(Ordering::Relaxed)) && moves() {
                    mark.fetch_or(scan.bit(), Ordering::Relaxed);
                }
            }
        }
    }
}
