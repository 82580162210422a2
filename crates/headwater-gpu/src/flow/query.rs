//! What a game asks of water that is on the GPU: depth, surface and velocity at points, and discharges through lines,
//! without bringing whole fields back. Only the few cells and faces around what is asked come, and are looked at
//! by the CPU's own code.

use super::fields::{Fields, without_subnormals};
use super::gpu_flow::GpuFlow;
use crate::buffer::{Buffer, Pending, read_parts};
use crate::error::GpuError;
use crate::layout::Layout;
use headwater::flow::{DeviceState, Flow};
use headwater::{Field, Hex, Lattice, Point, Square};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The water at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reading {
    /// Its depth (m), as [`Flow::depth_at`].
    pub depth: f32,
    /// Height of its surface (m), as [`Flow::surface_at`]; `None` where it is dry.
    pub surface: Option<f32>,
    /// Its velocity (m/s, to the east and to the south), as [`Flow::velocity_at`].
    pub velocity: [f32; 2],
    /// Rise of its surface over a metre to the east and to the south, from one cell before to one after; where that is dry, from
    /// the point itself. 0 where it is dry here.
    pub slope: [f32; 2],
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answers {
    /// When (s).
    pub time: f64,
    /// The water at each point; `None` off the grid.
    pub points: Vec<Option<Reading>>,
    /// The discharge through each line (m³/s), as [`Flow::discharge_through`].
    pub lines: Vec<f64>,
}

/// Answers on their way: a future, to be awaited or asked now and then ([`try_take`](Self::try_take)). Steps that are
/// submitted in the meantime do not change them.
#[derive(Debug)]
pub struct Asked {
    values: Pending<f32>,
    /// For each point on the grid, the cells around it.
    patches: Vec<Option<(Point, Patch)>>,
    /// For each line, by which sign each of its faces counts.
    signs: Vec<Vec<f64>>,
    time: f64,
}

/// Cells around a point: enough for all that is asked of it, and up to the edge of the grid where that is near.
#[derive(Debug)]
struct Patch {
    first: [usize; 2],
    /// A world of these cells alone, to be filled with water.
    world: Flow,
    last_dt: f32,
}

/// Cells of a patch to each side of the point's own; one more than what is interpolated, so that the rim of a patch is
/// not felt.
const REACH: usize = 3;

impl Patch {
    /// The columns or rows of a patch, an even number of them before it.
    fn span(middle: usize, n: usize) -> std::ops::Range<usize> {
        let first = middle.saturating_sub(REACH) & !1;
        first..(middle + REACH + 2).min(n)
    }

    fn new(flow: &Flow, [cx, cy]: [usize; 2]) -> Result<Self, GpuError> {
        let lattice = flow.lattice();
        let (columns, rows) = (Self::span(cx, lattice.nx()), Self::span(cy, lattice.ny()));
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

    /// Where a point lies in it.
    fn within(&self, [x, y]: Point) -> Point {
        let lattice = self.world.lattice();
        [x - self.first[0] as f64 * lattice.dx(), y - self.first[1] as f64 * lattice.dy()]
    }

    /// The places of its fields: depth, and discharges by family.
    fn shapes(&self) -> Vec<(usize, usize)> {
        let state = self.world.state();
        let mut shapes = vec![(state.depth.nx(), state.depth.ny())];
        let discharges = [&state.discharge_x, &state.discharge_y].into_iter();
        shapes.extend(discharges.chain(&state.discharge_z).map(|q| (q.nx(), q.ny())));
        shapes
    }

    /// Rows of the fields on the device that it consists of.
    fn parts<'a>(&self, all: &[(&'a Buffer<f32>, usize)], layout: Layout) -> Vec<Part<'a>> {
        let mut parts = Vec::new();
        for ((nx, ny), &(buffer, start)) in self.shapes().into_iter().zip(all) {
            for y in 0..ny {
                let at = layout.place((self.first[0], self.first[1] + y));
                parts.push((buffer, start + at, nx));
            }
        }
        parts
    }

    /// Fills it with the water that came, and looks at a point.
    fn read(
        mut self,
        point: Point,
        values: &mut impl Iterator<Item = f32>,
    ) -> Result<Reading, GpuError> {
        let mut fields = Vec::new();
        for (nx, ny) in self.shapes() {
            let field: Vec<f32> = values.by_ref().take(nx * ny).collect();
            let field = Field::from_vec(nx, ny, field);
            fields.push(field.map_err(|error| GpuError::Refused(error.to_string()))?);
        }
        let mut fields = fields.into_iter();
        let state = self.world.state().clone();
        let progress = DeviceState {
            depth: fields.next().map_or(state.depth, without_subnormals),
            discharge_x: fields.next().unwrap_or(state.discharge_x),
            discharge_y: fields.next().unwrap_or(state.discharge_y),
            discharge_z: fields.next(),
            // Nothing that is asked looks at these.
            remainder: state.remainder,
            momentum: state.momentum,
            remainders: headwater::flow::Remainders::default(),
            tracers: None,
            volume_changes: Vec::new(),
            time: 0.0,
            last_dt: self.last_dt,
            steps: 0,
        };
        self.world.read_back(progress)?;
        let at = self.within(point);
        Ok(Reading {
            depth: self.world.depth_at(at).unwrap_or(0.0),
            surface: self.world.surface_at(at),
            velocity: self.world.velocity_at(at).unwrap_or([0.0; 2]),
            slope: self.slope(at),
        })
    }

    fn slope(&self, at: Point) -> [f32; 2] {
        let lattice = self.world.lattice();
        let Some(here) = self.world.surface_at(at) else { return [0.0; 2] };
        [lattice.dx(), lattice.dy()].into_iter().enumerate().fold([0.0; 2], |mut slope, (i, d)| {
            let beside = |by: f64| {
                let mut there = at;
                there[i] += by;
                self.world.surface_at(there)
            };
            let (after, before) = (beside(d), beside(-d));
            let run = f32::from(u8::from(after.is_some()) + u8::from(before.is_some())) * d as f32;
            if run > 0.0 {
                slope[i] = (after.unwrap_or(here) - before.unwrap_or(here)) / run;
            }
            slope
        })
    }
}

/// A part of a buffer: its first place, and how many.
type Part<'a> = (&'a Buffer<f32>, usize, usize);

impl Fields {
    /// Depth and discharges, and where the sides begin that hold the world now.
    fn now(&self, side_h: u32, side_q: u32) -> Vec<(&Buffer<f32>, usize)> {
        let start = |side: u32| side as usize * self.layout.plane();
        let mut all = vec![(&self.depth, start(side_h))];
        all.extend([&self.x, &self.y].into_iter().chain(&self.z).map(|q| (q, start(side_q))));
        all
    }
}

impl GpuFlow {
    /// Asks for the water at points, and the discharges through lines (from, to), as they are after all steps so far.
    /// It waits only to learn how far those came, with physics whose step depends on the water.
    ///
    /// # Errors
    /// The device's first fault, or that of an earlier step, see [`steps`](Self::steps).
    pub async fn ask(&mut self, points: &[Point], lines: &[[Point; 2]]) -> Result<Asked, GpuError> {
        self.finish_batch().await?;
        let Self { gpu, flow, on_device, now, .. } = self;
        let all = on_device.buffers.fields.now(now.side_h, now.side_q);
        let layout = on_device.buffers.fields.layout;
        let mut parts = Vec::new();
        let mut patches = Vec::new();
        for &point in points {
            let Some((x, y)) = flow.lattice().cell_at(point) else {
                patches.push(None);
                continue;
            };
            let patch = Patch { last_dt: now.last_dt, ..Patch::new(flow, [x, y])? };
            parts.extend(patch.parts(&all, layout));
            patches.push(Some((point, patch)));
        }
        let mut signs = Vec::new();
        for &[a, b] in lines {
            let faces = flow.device_view().faces_through(a, b);
            for &(family, face, _) in &faces {
                let (buffer, start) = all[1 + family];
                parts.push((buffer, start + layout.place(face), 1));
            }
            signs.push(faces.into_iter().map(|(_, _, sign)| sign).collect());
        }
        Ok(Asked { values: read_parts(gpu, &parts)?, patches, signs, time: now.time })
    }

    /// As [`ask`](Self::ask), and waits for the answers; the same errors.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn measure(&mut self, points: &[Point], lines: &[[Point; 2]]) -> Result<Answers, GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(async { self.ask(points, lines).await?.await })
    }
}

impl Asked {
    /// The answers, if they have arrived; `None` if not yet, or if they have been taken.
    pub fn try_take(&mut self) -> Option<Result<Answers, GpuError>> {
        let values = self.values.try_take()?;
        Some(values.and_then(|values| self.answers(values)))
    }

    fn answers(&mut self, values: Vec<f32>) -> Result<Answers, GpuError> {
        let mut values = values.into_iter();
        let mut points = Vec::new();
        for patch in std::mem::take(&mut self.patches) {
            points.push(match patch {
                None => None,
                Some((point, patch)) => Some(patch.read(point, &mut values)?),
            });
        }
        let line = |signs: &Vec<f64>| {
            let faces = signs.iter().zip(values.by_ref());
            faces.map(|(sign, q)| sign * f64::from(q)).sum()
        };
        let lines = self.signs.iter().map(line).collect();
        Ok(Answers { time: self.time, points, lines })
    }
}

impl Future for Asked {
    type Output = Result<Answers, GpuError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match Pin::new(&mut self.values).poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(values) => Poll::Ready(values.and_then(|values| self.answers(values))),
        }
    }
}
