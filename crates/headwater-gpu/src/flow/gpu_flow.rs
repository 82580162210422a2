//! A flow world on the device: upload, modification, drawing and read-back.

use super::batch::{Batch, Clock};
use super::draw::Drawing;
use super::on_device::OnDevice;
use super::options::Options;
use super::records::DrawParams;
use super::tracers::Tracers;
use super::{ledger, limit};
use crate::buffer::Pending;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::flow::{DeviceState, Flow, Physics};

/// A [`Flow`] that is stepped on a GPU.
///
/// Keeps the [`Flow`] as of the last read-back, with the current ground. If the device is lost, it
/// can continue from there.
#[derive(Debug)]
pub struct GpuFlow {
    pub(super) gpu: Gpu,
    pub(super) flow: Flow,
    pub(super) options: Options,
    pub(super) on_device: OnDevice,
    /// Clock after the last finished batch; see [`Batch`] for steps in flight.
    pub(super) now: Clock,
    pub(super) batch: Option<Batch>,
    /// Summary of the current state, if the stable time step depends on the water.
    pub(super) summary: [u32; limit::SUMMARY_WORDS],
    /// Pending summary after an edit.
    pub(super) pending_summary: Option<Pending<u32>>,
    /// True if the water was edited since the last read-back.
    pub(super) edited: bool,
}

impl GpuFlow {
    /// Uploads a world with all its settings.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] if the world uses a feature that the GPU does not support,
    /// [`GpuError::Limit`] or [`GpuError::OutOfMemory`] if it is too large for the device.
    pub fn new(gpu: &Gpu, flow: Flow, options: Options) -> Result<Self, GpuError> {
        Ok(Self::upload(gpu, &flow, options)?(flow))
    }

    /// Uploads a world and returns a constructor that adds the CPU half.
    pub(super) fn upload(
        gpu: &Gpu,
        flow: &Flow,
        options: Options,
    ) -> Result<impl FnOnce(Flow) -> Self + use<>, GpuError> {
        check(flow)?;
        let on_device = OnDevice::new(gpu, flow, options)?;
        let (gpu, now, summary) = (gpu.clone(), Clock::from_flow(flow), limit::summary(flow));
        let (batch, pending_summary, edited) = (None, None, false);
        Ok(move |flow| Self {
            gpu,
            flow,
            options,
            on_device,
            now,
            batch,
            summary,
            pending_summary,
            edited,
        })
    }

    /// Returns the device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Returns the world as of the last read-back, with the current ground.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// Returns the world as of the last read-back, to continue on the CPU.
    pub fn into_flow(self) -> Flow {
        self.flow
    }

    /// Reads back the state after all submitted steps into [`flow`](Self::flow).
    ///
    /// # Errors
    /// [`GpuError::Lost`] if the device is lost, otherwise its first error; [`GpuError::Input`] if
    /// a step was above the stability limit, see [`steps`](Self::steps) (the world is read back all
    /// the same), or if the returned state is invalid.
    pub async fn read_back(&mut self) -> Result<&Flow, GpuError> {
        let finished = self.finish_batch().await;
        if matches!(finished, Err(GpuError::Input(_)) | Ok(())) {
            self.fetch().await?;
        }
        finished?;
        Ok(&self.flow)
    }

    pub(super) async fn fetch(&mut self) -> Result<(), GpuError> {
        if self.now.steps == self.flow.steps() && !self.edited {
            return self.gpu.check();
        }
        let Self { gpu, on_device, now, .. } = self;
        let words = on_device.buffers.ledger.read(gpu, 0, ledger::LEN)?;
        let returned = on_device.buffers.fields.read_back(gpu, now.buffer_h, now.buffer_q).await?;
        let remainder = on_device.exchange.read_back(gpu, &self.flow).await?;
        let tracers = match &on_device.tracers {
            None => None,
            Some(tracers) => Some(tracers.read_back(gpu).await?),
        };
        let exchanged = ledger::exchanged_volumes(&words.await?, self.flow.lattice().cell_area());
        self.flow.read_back(DeviceState {
            depth: returned.depth,
            remainder: returned.remainder,
            discharge_x: returned.x,
            discharge_y: returned.y,
            discharge_z: returned.z,
            momentum: returned.momentum,
            remainders: remainder,
            tracers,
            volume_changes: exchanged,
            time: now.time,
            last_dt: now.last_dt,
            steps: now.steps,
        })?;
        on_device.buffers.ledger.write(gpu, 0, &[0; ledger::LEN]);
        self.edited = false;
        Ok(())
    }

    /// Like [`read_back`](Self::read_back), but blocks.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn sync(&mut self) -> Result<&Flow, GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(async { self.read_back().await.map(|_| ()) })?;
        Ok(&self.flow)
    }

    /// Draws the world, after all submitted work, into a texture of the format
    /// [`CANVAS`](crate::CANVAS). Texel (x, y) is the cell in column x and row y. Its channels are
    /// the ground height (m), the water depth (m), and the velocity to the east and to the south
    /// (m/s), as in [`State`](headwater::flow::State) and [`Flow::velocity`].
    /// [`Gpu::create_canvas`] creates such a texture.
    ///
    /// The drawing is submitted without waiting, in browsers too. Later submissions to the same
    /// [`queue`](Gpu::queue) see the result.
    ///
    /// # Errors
    /// [`GpuError::Canvas`] if the texture has another format or is too small, otherwise the
    /// device's first error.
    pub fn draw_into(&mut self, view: &wgpu::TextureView) -> Result<(), GpuError> {
        let Self { gpu, flow, on_device, now, batch, .. } = self;
        gpu.check()?;
        let buffers = &on_device.buffers;
        gpu.check_canvas(view, flow.lattice().nx(), flow.lattice().ny())?;
        let drawing = match on_device.drawing.take() {
            Some(drawing) => drawing,
            None => Drawing::new(gpu, flow, buffers)?,
        };
        let params = DrawParams {
            buffer_h: now.buffer_h,
            buffer_q: now.buffer_q,
            steps: batch.as_ref().map_or(0, |batch| batch.plan.len() as u32),
            record_words: (buffers.window / 4) as u32,
            dt: now.last_dt,
            ..DrawParams::default()
        };
        drawing.draw(gpu, buffers, params, view);
        on_device.drawing = Some(drawing);
        Ok(())
    }

    /// Returns the maximum number of tracers; 0 without tracers.
    pub fn tracers(&self) -> usize {
        self.on_device.tracers.as_ref().map_or(0, Tracers::count)
    }

    /// Writes the [tracers](Self::tracers), after all submitted work, into a vertex buffer with the
    /// usage `STORAGE`, without waiting. Each tracer has five `f32`: position (m, to the east and
    /// to the south), velocity (m/s), and age divided by lifetime. Inactive tracers have the age 1.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if the buffer is too small, otherwise the device's first error.
    pub fn draw_tracers(&mut self, target: &wgpu::Buffer) -> Result<(), GpuError> {
        let Self { gpu, on_device, .. } = self;
        gpu.check()?;
        let Some(tracers) = &mut on_device.tracers else { return Ok(()) };
        let needed = 20 * tracers.count() as u64;
        gpu.within("the tracers", (needed, target.size()), "bytes", "the buffer's size")?;
        tracers.export(gpu, &on_device.buffers, target)
    }

    /// Modifies the world with a closure: reads it back, applies `change`, and uploads it again
    /// with newly compiled kernels.
    ///
    /// # Errors
    /// As [`read_back`](Self::read_back) and [`new`](Self::new), and the errors of `change`.
    pub async fn change_async<E: Into<GpuError>>(
        &mut self,
        change: impl FnOnce(&mut Flow) -> Result<(), E>,
    ) -> Result<(), GpuError> {
        self.read_back().await?;
        change(&mut self.flow).map_err(Into::into)?;
        check(&self.flow)?;
        self.on_device = OnDevice::new(&self.gpu, &self.flow, self.options)?;
        (self.now, self.summary) = (Clock::from_flow(&self.flow), limit::summary(&self.flow));
        Ok(())
    }

    /// Like [`change_async`](Self::change_async), but blocks.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn change<E: Into<GpuError>>(
        &mut self,
        change: impl FnOnce(&mut Flow) -> Result<(), E>,
    ) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.change_async(change))
    }
}

/// Magnitude of bed heights (m) that is reserved to mark closed cells.
const MAX_HEIGHT: f32 = 1e30;

fn check(flow: &Flow) -> Result<(), GpuError> {
    let view = flow.device_view();
    let too_high = || flow.state().bed.as_slice().iter().any(|z| z.abs() >= MAX_HEIGHT);
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
        (view.has_flood(), "flood statistics (`flood`) are"),
        (view.has_uneven_soil(), "soils that vary in space or have a `deficit` are"),
        (view.is_relaxing(), "relaxation to a steady state is"),
        (too_high(), "heights of 1e30 m or more are"),
    ];
    match unsupported.into_iter().find(|(is_used, _)| *is_used) {
        Some((_, what)) => Err(GpuError::Unsupported(what)),
        None => Ok(()),
    }
}
