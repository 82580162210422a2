//! Asynchronous queries of flow worlds on the GPU: depth, surface and velocity at points, and
//! discharges across lines. Only the cells and faces around the points and lines are read back. The
//! results are computed from them with the code of the CPU model.

use super::buffers::fields::{Fields, flush_subnormals};
use super::gpu_flow::GpuFlow;
use crate::buffer::{Buffer, Pending, read_ranges};
use crate::error::GpuError;
use crate::layout::Layout;
use headwater::flow::{DeviceState, Flow};
use headwater::{Field, Hex, Lattice, Point, Square};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// State of the water at a queried point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WaterSample {
    /// Water depth (m), as computed by [`Flow::depth_at`].
    pub depth: f32,
    /// Elevation of the water surface (m), as computed by [`Flow::surface_at`]. `None` if the point
    /// is dry.
    pub surface: Option<f32>,
    /// Eastward and southward velocity of the water (m/s), as computed by [`Flow::velocity_at`].
    pub velocity: [f32; 2],
    /// Slope of the water surface (rise per distance, dimensionless) in the eastward and southward
    /// directions. It is computed as a central difference over one cell to each side or, next to
    /// dry cells, as a one-sided difference. 0 if the point is dry.
    pub slope: [f32; 2],
}

/// Result of a query of points and lines.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryResult {
    /// Simulated time (s) of the queried state.
    pub time: f64,
    /// State of the water at each queried point, in the order of the query. `None` for points
    /// outside the grid.
    pub points: Vec<Option<WaterSample>>,
    /// Discharge across each queried line (m³/s), as computed by [`Flow::discharge_through`].
    pub lines: Vec<f64>,
}

/// Query of a [`GpuFlow`] whose result has not arrived yet, created by [`GpuFlow::query`]. It is a
/// future that can also be polled with [`try_take`](Self::try_take). Steps that are submitted later
/// do not affect the result.
#[derive(Debug)]
pub struct PendingQuery {
    values: Pending<f32>,
    /// Queried points, each with a copy of the cells around it. `None` for points outside the grid.
    patches: Vec<Option<(Point, Patch)>>,
    /// For each queried line, the signs (1 or −1) of the faces that it crosses. The discharge
    /// across the line is the sum of the face discharges, each multiplied by its sign.
    signs: Vec<Vec<f64>>,
    time: f64,
}

/// Copy of the cells around a queried point, clipped to the grid. It covers the stencils of all
/// queried quantities.
#[derive(Debug)]
struct Patch {
    first: [usize; 2],
    /// World on the CPU that consists of the copied cells.
    world: Flow,
    last_dt: f32,
}

/// Number of copied cells on each side of the cell that contains the point. It is one more than the
/// radius of the interpolation stencil, so that the edges of the copy do not affect the result.
const PATCH_RADIUS: usize = 3;

impl Patch {
    /// Returns the range of columns to copy around the column `center` of a grid with `n` columns.
    /// Also used for rows. The range starts at an even number, because every other row of hexagons
    /// is shifted and a copy must keep this pattern.
    fn clipped_range(center: usize, n: usize) -> std::ops::Range<usize> {
        let first = center.saturating_sub(PATCH_RADIUS) & !1;
        first..(center + PATCH_RADIUS + 2).min(n)
    }

    fn new(flow: &Flow, [cx, cy]: [usize; 2]) -> Result<Self, GpuError> {
        let lattice = flow.lattice();
        let (columns, rows) =
            (Self::clipped_range(cx, lattice.nx()), Self::clipped_range(cy, lattice.ny()));
        let (nx, ny) = (columns.len(), rows.len());
        let small: Lattice = match lattice {
            Lattice::Square(square) => {
                Square::new(nx, ny, square.dx(), square.dy()).map(Lattice::from)
            }
            Lattice::Hex(hex) => Hex::new(nx, ny, hex.spacing()).map(Lattice::from),
        }
        .map_err(GpuError::Input)?;
        let first = [columns.start, rows.start];
        let bed = Field::from_fn(nx, ny, |x, y| flow.state().bed[(first[0] + x, first[1] + y)]);
        let world = Flow::new(small, flow.params().clone(), bed, Field::new(nx, ny, 0.0))?;
        Ok(Self { first, world, last_dt: 0.0 })
    }

    /// Converts a point from coordinates of the grid (m) to coordinates of the copied cells (m).
    fn to_local(&self, [x, y]: Point) -> Point {
        let lattice = self.world.lattice();
        [x - self.first[0] as f64 * lattice.dx(), y - self.first[1] as f64 * lattice.dy()]
    }

    /// Returns the number of columns and the number of rows of each copied field. The fields are,
    /// in this order: the depth, the discharges across the x-faces, those across the y-faces and,
    /// for hexagons, those across the z-faces.
    fn field_shapes(&self) -> Vec<(usize, usize)> {
        let state = self.world.state();
        let mut shapes = vec![(state.depth.nx(), state.depth.ny())];
        let discharges = [&state.discharge_x, &state.discharge_y].into_iter();
        shapes.extend(discharges.chain(&state.discharge_z).map(|q| (q.nx(), q.ny())));
        shapes
    }

    /// Returns the buffer ranges that contain the copied cells and faces, row by row. Each item of
    /// `buffers` belongs to one field: its device buffer, and the index of the element where the
    /// field's current state starts.
    fn buffer_ranges<'a>(
        &self,
        buffers: &[(&'a Buffer<f32>, usize)],
        layout: Layout,
    ) -> Vec<BufferRange<'a>> {
        let mut parts = Vec::new();
        for ((nx, ny), &(buffer, start)) in self.field_shapes().into_iter().zip(buffers) {
            for y in 0..ny {
                let at = layout.index((self.first[0], self.first[1] + y));
                parts.push((buffer, start + at, nx));
            }
        }
        parts
    }

    /// Returns the state of the water at `point`. `values` contains the values of the cells and
    /// faces around it, read back from the GPU.
    fn evaluate(
        mut self,
        point: Point,
        values: &mut impl Iterator<Item = f32>,
    ) -> Result<WaterSample, GpuError> {
        let mut fields = Vec::new();
        for (nx, ny) in self.field_shapes() {
            let field: Vec<f32> = values.by_ref().take(nx * ny).collect();
            let field = Field::from_vec(nx, ny, field);
            fields.push(field.map_err(|error| GpuError::Refused(error.to_string()))?);
        }
        let mut fields = fields.into_iter();
        let state = self.world.state().clone();
        let progress = DeviceState {
            depth: fields.next().map_or(state.depth, flush_subnormals),
            discharge_x: fields.next().unwrap_or(state.discharge_x),
            discharge_y: fields.next().unwrap_or(state.discharge_y),
            discharge_z: fields.next(),
            // The queried quantities do not depend on the following fields.
            remainder: state.remainder,
            momentum: state.momentum,
            remainders: headwater::flow::RoundingRemainders::default(),
            tracers: None,
            volume_changes: Vec::new(),
            time: 0.0,
            last_dt: self.last_dt,
            steps: 0,
        };
        self.world.import_device_state(progress)?;
        let at = self.to_local(point);
        Ok(WaterSample {
            depth: self.world.depth_at(at).unwrap_or(0.0),
            surface: self.world.surface_at(at),
            velocity: self.world.velocity_at(at).unwrap_or([0.0; 2]),
            slope: self.slope(at),
        })
    }

    fn slope(&self, at: Point) -> [f32; 2] {
        let lattice = self.world.lattice();
        let Some(center_surface) = self.world.surface_at(at) else { return [0.0; 2] };
        [lattice.dx(), lattice.dy()].into_iter().enumerate().fold([0.0; 2], |mut slope, (i, d)| {
            let surface_at_offset = |by: f64| {
                let mut shifted = at;
                shifted[i] += by;
                self.world.surface_at(shifted)
            };
            let (after, before) = (surface_at_offset(d), surface_at_offset(-d));
            let run = f32::from(u8::from(after.is_some()) + u8::from(before.is_some())) * d as f32;
            if run > 0.0 {
                slope[i] =
                    (after.unwrap_or(center_surface) - before.unwrap_or(center_surface)) / run;
            }
            slope
        })
    }
}

/// Range of elements in a buffer: the buffer, the index of the first element, and the number of
/// elements.
type BufferRange<'a> = (&'a Buffer<f32>, usize, usize);

impl Fields {
    /// Returns the buffers of the depth and the discharges, each with the index of the first
    /// element of the current state. `buffer_h` and `buffer_q` are the current halves (0 or 1) of
    /// the depth and discharge buffers.
    fn current_buffers(&self, buffer_h: u32, buffer_q: u32) -> Vec<(&Buffer<f32>, usize)> {
        let start = |side: u32| side as usize * self.layout.element_count();
        let mut all = vec![(&self.depth, start(buffer_h))];
        all.extend([&self.x, &self.y].into_iter().chain(&self.z).map(|q| (q, start(buffer_q))));
        all
    }
}

impl GpuFlow {
    /// Starts a query of the water at `points` (m) and of the discharges across `lines`, each given
    /// by its two end points (m). The result describes the state after all submitted steps. If the
    /// stable time step depends on the water, the function first waits until the last batch is
    /// complete.
    ///
    /// # Errors
    /// Returns the first error of the device, or the error of an earlier step, see
    /// [`steps`](Self::steps).
    pub async fn query(
        &mut self,
        points: &[Point],
        lines: &[[Point; 2]],
    ) -> Result<PendingQuery, GpuError> {
        self.finish_batch().await?;
        let Self { gpu, flow, on_device, clock, .. } = self;
        let all = on_device.buffers.fields.current_buffers(clock.buffer_h, clock.buffer_q);
        let layout = on_device.buffers.fields.layout;
        let mut parts = Vec::new();
        let mut patches = Vec::new();
        for &point in points {
            let Some((x, y)) = flow.lattice().cell_at(point) else {
                patches.push(None);
                continue;
            };
            let patch = Patch { last_dt: clock.last_dt, ..Patch::new(flow, [x, y])? };
            parts.extend(patch.buffer_ranges(&all, layout));
            patches.push(Some((point, patch)));
        }
        let mut signs = Vec::new();
        for &[a, b] in lines {
            let faces = flow.device_view().faces_crossing_line(a, b);
            for &(family, face, _) in &faces {
                let (buffer, start) = all[1 + family];
                parts.push((buffer, start + layout.index(face), 1));
            }
            signs.push(faces.into_iter().map(|(_, _, sign)| sign).collect());
        }
        Ok(PendingQuery { values: read_ranges(gpu, &parts)?, patches, signs, time: clock.time })
    }

    /// Queries points and lines, as [`query`](Self::query) does, and blocks until the result has
    /// arrived.
    ///
    /// # Errors
    /// Returns the same errors as [`query`](Self::query).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn query_blocking(
        &mut self,
        points: &[Point],
        lines: &[[Point; 2]],
    ) -> Result<QueryResult, GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(async { self.query(points, lines).await?.await })
    }
}

impl PendingQuery {
    /// Returns the result if it has arrived. Returns `None` if the query is pending or if the
    /// result has already been taken.
    pub fn try_take(&mut self) -> Option<Result<QueryResult, GpuError>> {
        let values = self.values.try_take()?;
        Some(values.and_then(|values| self.decode(values)))
    }

    fn decode(&mut self, values: Vec<f32>) -> Result<QueryResult, GpuError> {
        let mut values = values.into_iter();
        let mut points = Vec::new();
        for patch in std::mem::take(&mut self.patches) {
            points.push(match patch {
                None => None,
                Some((point, patch)) => Some(patch.evaluate(point, &mut values)?),
            });
        }
        let line = |signs: &Vec<f64>| {
            let faces = signs.iter().zip(values.by_ref());
            faces.map(|(sign, q)| sign * f64::from(q)).sum()
        };
        let lines = self.signs.iter().map(line).collect();
        Ok(QueryResult { time: self.time, points, lines })
    }
}

impl Future for PendingQuery {
    type Output = Result<QueryResult, GpuError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match Pin::new(&mut self.values).poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(values) => Poll::Ready(values.and_then(|values| self.decode(values))),
        }
    }
}
