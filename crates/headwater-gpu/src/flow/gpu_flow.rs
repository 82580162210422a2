//! [`GpuFlow`]: a flow world on the device. This module contains its upload, modification, drawing
//! and read-back.

use super::batch::{Batch, Clock};
use super::buffers::ledger;
use super::buffers::records::DrawParams;
use super::draw::Drawing;
use super::limit;
use super::on_device::DeviceWorld;
use super::options::Options;
use super::tracers::Tracers;
use crate::buffer::Pending;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::flow::{DeviceState, Flow, Physics};

/// Flow world that is stepped on a GPU.
///
/// The CPU keeps a copy of the world. The water of the copy is that of the last read-back; its
/// ground is always current. If the device is lost, the simulation can continue from this copy.
#[derive(Debug)]
pub struct GpuFlow {
    pub(super) gpu: Gpu,
    pub(super) flow: Flow,
    pub(super) options: Options,
    pub(super) on_device: DeviceWorld,
    /// Simulated time and step count after the last completed batch of steps. For steps that have
    /// been submitted since, see [`Batch`].
    pub(super) clock: Clock,
    pub(super) batch: Option<Batch>,
    /// Summary of the current state: the numbers that determine the stable time step. Not used if
    /// the stable time step does not depend on the water.
    pub(super) summary: [u32; limit::SUMMARY_WORDS],
    /// Read-back of the summary that was computed after an edit; `None` if no such read-back is in
    /// progress.
    pub(super) pending_summary: Option<Pending<u32>>,
    /// Whether the water has been edited since the last read-back.
    pub(super) is_edited: bool,
}

impl GpuFlow {
    /// Uploads a world with all its settings to the device.
    ///
    /// # Errors
    /// Returns [`GpuError::Unsupported`] if the world uses a feature that the GPU does not support,
    /// and [`GpuError::Limit`] or [`GpuError::OutOfMemory`] if the world is too large for the
    /// device.
    pub fn new(gpu: &Gpu, flow: Flow, options: Options) -> Result<Self, GpuError> {
        Ok(Self::upload(gpu, &flow, options)?(flow))
    }

    /// Uploads a world to the device. Returns a closure that creates the [`GpuFlow`] when it is
    /// given the CPU copy of the world.
    pub(super) fn upload(
        gpu: &Gpu,
        flow: &Flow,
        options: Options,
    ) -> Result<impl FnOnce(Flow) -> Self + use<>, GpuError> {
        check_supported(flow)?;
        let on_device = DeviceWorld::new(gpu, flow, options)?;
        let (gpu, clock, summary) = (gpu.clone(), Clock::from_flow(flow), limit::summarize(flow));
        let (batch, pending_summary, is_edited) = (None, None, false);
        Ok(move |flow| Self {
            gpu,
            flow,
            options,
            on_device,
            clock,
            batch,
            summary,
            pending_summary,
            is_edited,
        })
    }

    /// Returns the device on which the world is stepped.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Returns the CPU copy of the world. Its water is that of the last read-back; its ground is
    /// always current.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// Returns the CPU copy of the world, so that the simulation can continue on the CPU. The copy
    /// has the state of the last read-back.
    pub fn into_flow(self) -> Flow {
        self.flow
    }

    /// Reads back the state after all submitted steps into the CPU copy of the world, and returns
    /// the copy.
    ///
    /// # Errors
    /// Returns [`GpuError::Lost`] if the device is lost, otherwise its first error. Returns
    /// [`GpuError::Input`] if a step was above the stability limit, see [`steps`](Self::steps) (the
    /// state is read back nevertheless), or if the state is invalid.
    pub async fn read_back(&mut self) -> Result<&Flow, GpuError> {
        let finished = self.finish_batch().await;
        if matches!(finished, Err(GpuError::Input(_)) | Ok(())) {
            self.read_back_state().await?;
        }
        finished?;
        Ok(&self.flow)
    }

    pub(super) async fn read_back_state(&mut self) -> Result<(), GpuError> {
        if self.clock.steps == self.flow.steps() && !self.is_edited {
            return self.gpu.check();
        }
        let Self { gpu, on_device, clock, .. } = self;
        let words = on_device.buffers.ledger.read(gpu, 0, ledger::LEN)?;
        let returned =
            on_device.buffers.fields.read_back(gpu, clock.buffer_h, clock.buffer_q).await?;
        let remainder = on_device.exchange.read_back(gpu, &self.flow).await?;
        let tracers = match &on_device.tracers {
            None => None,
            Some(tracers) => Some(tracers.read_back(gpu).await?),
        };
        let exchanged = ledger::exchanged_volumes(&words.await?, self.flow.lattice().cell_area());
        self.flow.import_device_state(DeviceState {
            depth: returned.depth,
            remainder: returned.remainder,
            discharge_x: returned.x,
            discharge_y: returned.y,
            discharge_z: returned.z,
            momentum: returned.momentum,
            remainders: remainder,
            tracers,
            volume_changes: exchanged,
            time: clock.time,
            last_dt: clock.last_dt,
            steps: clock.steps,
        })?;
        on_device.buffers.ledger.write(gpu, 0, &[0; ledger::LEN]);
        self.is_edited = false;
        Ok(())
    }

    /// Reads back the state after all submitted steps, as [`read_back`](Self::read_back) does, and
    /// blocks until it has arrived.
    ///
    /// # Errors
    /// Returns the same errors as [`read_back`](Self::read_back).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn sync(&mut self) -> Result<&Flow, GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(async { self.read_back().await.map(|_| ()) })?;
        Ok(&self.flow)
    }

    /// Draws the world, after all submitted work, into a texture of the format
    /// [`CANVAS_FORMAT`](crate::CANVAS_FORMAT), which [`Gpu::create_canvas`] creates. Texel (x, y)
    /// is the cell in column x and row y. Its channels are the ground elevation (m), the water
    /// depth (m), and the eastward and southward velocity (m/s), as in
    /// [`State`](headwater::flow::State) and [`Flow::velocity`].
    ///
    /// The drawing is submitted without waiting. Later submissions to the same
    /// [`queue`](Gpu::queue) see the result.
    ///
    /// # Errors
    /// Returns [`GpuError::Canvas`] if the texture has another format or is too small, otherwise
    /// the first error of the device.
    pub fn draw_into(&mut self, view: &wgpu::TextureView) -> Result<(), GpuError> {
        let Self { gpu, flow, on_device, clock, batch, .. } = self;
        gpu.check()?;
        let buffers = &on_device.buffers;
        gpu.check_canvas(view, flow.lattice().nx(), flow.lattice().ny())?;
        let drawing = match on_device.drawing.take() {
            Some(drawing) => drawing,
            None => Drawing::new(gpu, flow, buffers)?,
        };
        let params = DrawParams {
            buffer_h: clock.buffer_h,
            buffer_q: clock.buffer_q,
            steps: batch.as_ref().map_or(0, |batch| batch.plan.len() as u32),
            record_words: (buffers.record_bytes / 4) as u32,
            dt: clock.last_dt,
            ..DrawParams::default()
        };
        drawing.draw(gpu, buffers, params, view);
        on_device.drawing = Some(drawing);
        Ok(())
    }

    /// Returns the maximum number of tracer particles. Returns 0 if the world has no tracers.
    pub fn max_tracers(&self) -> usize {
        self.on_device.tracers.as_ref().map_or(0, Tracers::count)
    }

    /// Writes the tracers into a vertex buffer with the usage `STORAGE`. There are
    /// [`max_tracers`](Self::max_tracers) tracers, of five `f32` values each: distances east and
    /// south of the north-west corner (m), eastward and southward velocity (m/s), and age divided
    /// by lifetime. The last value is 1 for inactive tracers. The write is submitted after all
    /// earlier work; the function does not wait for it.
    ///
    /// # Errors
    /// Returns [`GpuError::Limit`] if the buffer is too small, otherwise the first error of the
    /// device.
    pub fn write_tracers(&mut self, target: &wgpu::Buffer) -> Result<(), GpuError> {
        let Self { gpu, on_device, .. } = self;
        gpu.check()?;
        let Some(tracers) = &mut on_device.tracers else { return Ok(()) };
        let needed = 20 * tracers.count() as u64;
        gpu.check_limit("the tracers", (needed, target.size()), "bytes", "the buffer's size")?;
        tracers.write_vertices(gpu, &on_device.buffers, target)
    }

    /// Modifies the world with the closure `change`: reads the world back, applies the closure, and
    /// uploads the world again with newly compiled kernels.
    ///
    /// # Errors
    /// Returns the errors of [`read_back`](Self::read_back), of [`new`](Self::new) and of `change`.
    pub async fn change_async<E: Into<GpuError>>(
        &mut self,
        change: impl FnOnce(&mut Flow) -> Result<(), E>,
    ) -> Result<(), GpuError> {
        self.read_back().await?;
        change(&mut self.flow).map_err(Into::into)?;
        check_supported(&self.flow)?;
        self.on_device = DeviceWorld::new(&self.gpu, &self.flow, self.options)?;
        (self.clock, self.summary) = (Clock::from_flow(&self.flow), limit::summarize(&self.flow));
        Ok(())
    }

    /// Blocking version of [`change_async`](Self::change_async).
    ///
    /// # Errors
    /// Returns the same errors as [`change_async`](Self::change_async).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn change<E: Into<GpuError>>(
        &mut self,
        change: impl FnOnce(&mut Flow) -> Result<(), E>,
    ) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.change_async(change))
    }
}

/// Largest allowed magnitude of bed elevations (m). Larger values mark closed cells in device
/// buffers.
const MAX_BED_ELEVATION: f32 = 1e30;

fn check_supported(flow: &Flow) -> Result<(), GpuError> {
    let view = flow.device_view();
    let too_high = || flow.state().bed.as_slice().iter().any(|z| z.abs() >= MAX_BED_ELEVATION);
    let unsupported = [
        (view.has_structures(), "culverts, gates and weirs are"),
        (
            flow.lattice().is_hex() && flow.params().level == Physics::ShallowWater,
            "shallow water on hexagons is",
        ),
        (
            view.has_streams(),
            "streams that come in with a `level` or a velocity `along` the edge are",
        ),
        (flow.state().subgrid.is_some(), "banks within cells (`subgrid`) are"),
        (view.has_bodies(), "floating bodies are"),
        (view.has_flood_statistics(), "flood statistics (`flood`) are"),
        (view.has_nonuniform_soil(), "soils that vary in space or have a `deficit` are"),
        (view.is_relaxing(), "relaxation to a steady state is"),
        (too_high(), "heights of 1e30 m or more are"),
    ];
    match unsupported.into_iter().find(|(is_used, _)| *is_used) {
        Some((_, what)) => Err(GpuError::Unsupported(what)),
        None => Ok(()),
    }
}
