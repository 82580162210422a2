//! A world of water over terrain on the device: handed over, changed, drawn, brought back.

use super::batch::{Batch, Moment};
use super::draw::Drawing;
use super::on_device::OnDevice;
use super::options::Options;
use super::records::Drawn;
use super::tracers::Tracers;
use super::{ledger, limit};
use crate::buffer::Pending;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::flow::{DeviceState, Flow, Physics};

/// A world of water over terrain that is stepped on a GPU.
///
/// It keeps the [`Flow`] as it was when it was last brought back, on the ground as it is now: if the device is lost,
/// that one can go on.
#[derive(Debug)]
pub struct GpuFlow {
    pub(super) gpu: Gpu,
    pub(super) flow: Flow,
    pub(super) options: Options,
    pub(super) on_device: OnDevice,
    /// Where the world on the device is in time; see [`Batch`] for what is still on its way.
    pub(super) now: Moment,
    pub(super) batch: Option<Batch>,
    /// What the water asks of a step now, where that counts.
    pub(super) note: [u32; limit::NOTE],
    /// The same, on its way after an edit.
    pub(super) surveyed: Option<Pending<u32>>,
    /// Whether the water was edited since it was brought back.
    pub(super) edited: bool,
}

impl GpuFlow {
    /// Hands a world over to a GPU, with all that was set up on it.
    ///
    /// # Errors
    /// [`GpuError::NotDone`] if there is something in it that is not done there, [`GpuError::Limit`] and
    /// [`GpuError::OutOfMemory`] if it is too large for the device.
    pub fn new(gpu: &Gpu, flow: Flow, options: Options) -> Result<Self, GpuError> {
        Ok(Self::handed(gpu, &flow, options)?(flow))
    }

    /// Hands a world over. What it gives makes the whole of it, with the owner's half.
    pub(super) fn handed(
        gpu: &Gpu,
        flow: &Flow,
        options: Options,
    ) -> Result<impl FnOnce(Flow) -> Self + use<>, GpuError> {
        check(flow)?;
        let on_device = OnDevice::new(gpu, flow, options)?;
        let (gpu, now, note) = (gpu.clone(), Moment::of(flow), limit::note(flow));
        let (batch, surveyed, edited) = (None, None, false);
        Ok(move |flow| Self { gpu, flow, options, on_device, now, batch, note, surveyed, edited })
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The world as it was when it was last brought back, but for what was edited since: of that it has the ground.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// As [`flow`](Self::flow), to go on on the CPU.
    pub fn into_flow(self) -> Flow {
        self.flow
    }

    /// Brings the world back as it is when all steps so far are done. From then on [`flow`](Self::flow) is that.
    ///
    /// # Errors
    /// [`GpuError::Lost`] if the device is gone, or its first fault; [`GpuError::Input`] if a step was too long,
    /// see [`steps`](Self::steps), once the world is back, or if what came back cannot be.
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
        let returned = on_device.buffers.fields.read_back(gpu, now.side_h, now.side_q).await?;
        let remainder = on_device.exchange.read_back(gpu, &self.flow).await?;
        let tracers = match &on_device.tracers {
            None => None,
            Some(tracers) => Some(tracers.read_back(gpu).await?),
        };
        let booked = ledger::booked(&words.await?, self.flow.lattice().cell_area());
        self.flow.read_back(DeviceState {
            depth: returned.depth,
            remainder: returned.remainder,
            discharge_x: returned.x,
            discharge_y: returned.y,
            discharge_z: returned.z,
            momentum: returned.momentum,
            remainders: remainder,
            tracers,
            volume_changes: booked,
            time: now.time,
            last_dt: now.last_dt,
            steps: now.steps,
        })?;
        on_device.buffers.ledger.write(gpu, 0, &[0; ledger::LEN]);
        self.edited = false;
        Ok(())
    }

    /// As [`read_back`](Self::read_back), and waits for it; the same errors.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn sync(&mut self) -> Result<&Flow, GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(async { self.read_back().await.map(|_| ()) })?;
        Ok(&self.flow)
    }

    /// Draws the world, as it is after all that was submitted so far, into a texture of the format
    /// [`CANVAS`](crate::CANVAS): a texel for each cell, column by column to the east and row by row to the south, of the
    /// height of its ground (m), the depth of its water (m), and the velocity of that to the east and to the south
    /// (m/s), as [`State`](headwater::flow::State) and [`Flow::velocity`] have them.
    /// [`Gpu::canvas`] makes such a texture.
    ///
    /// It submits the drawing and does not wait, in browsers neither: what is submitted afterwards on the same
    /// [`queue`](Gpu::queue) finds it done.
    ///
    /// # Errors
    /// [`GpuError::Canvas`] if the texture is none of these or too small, or the device's first fault.
    pub fn draw_into(&mut self, view: &wgpu::TextureView) -> Result<(), GpuError> {
        let Self { gpu, flow, on_device, now, batch, .. } = self;
        gpu.check()?;
        let buffers = &on_device.buffers;
        gpu.check_canvas(view, flow.lattice().nx(), flow.lattice().ny())?;
        let drawing = match on_device.drawing.take() {
            Some(drawing) => drawing,
            None => Drawing::new(gpu, flow, buffers)?,
        };
        let drawn = Drawn {
            side_h: now.side_h,
            side_q: now.side_q,
            steps: batch.as_ref().map_or(0, |batch| batch.plan.len() as u32),
            record: (buffers.window / 4) as u32,
            dt: now.last_dt,
            ..Drawn::default()
        };
        drawing.draw(gpu, buffers, drawn, view);
        on_device.drawing = Some(drawing);
        Ok(())
    }

    /// How many tracers the world has at most; 0 if it has none.
    pub fn tracers(&self) -> usize {
        self.on_device.tracers.as_ref().map_or(0, Tracers::count)
    }

    /// Writes the [tracers](Self::tracers), as they are after all that was submitted so far, into a buffer for vertices that shaders
    /// may write (`STORAGE`): for each five f32, which are where it is (m, to the east and to the south), its velocity (m/s), and its
    /// age as a part of its lifetime. Those that are not on their way have the age 1. It does not wait.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if the buffer has no room for them all; else the device's first fault.
    pub fn draw_tracers(&mut self, target: &wgpu::Buffer) -> Result<(), GpuError> {
        let Self { gpu, on_device, .. } = self;
        gpu.check()?;
        let Some(tracers) = &mut on_device.tracers else { return Ok(()) };
        let needed = 20 * tracers.count() as u64;
        gpu.within("the tracers", (needed, target.size()), "bytes", "the buffer's size")?;
        tracers.show(gpu, &on_device.buffers, target)
    }

    /// Changes the world by what can be done to a [`Flow`]: it is brought back, changed there, and what it has
    /// become is handed over again, with its kernels.
    ///
    /// # Errors
    /// As [`read_back`](Self::read_back) and [`new`](Self::new), and whatever `change` says.
    pub async fn change_async<E: Into<GpuError>>(
        &mut self,
        change: impl FnOnce(&mut Flow) -> Result<(), E>,
    ) -> Result<(), GpuError> {
        self.read_back().await?;
        change(&mut self.flow).map_err(Into::into)?;
        check(&self.flow)?;
        self.on_device = OnDevice::new(&self.gpu, &self.flow, self.options)?;
        (self.now, self.note) = (Moment::of(&self.flow), limit::note(&self.flow));
        Ok(())
    }

    /// As [`change_async`](Self::change_async), and waits for it; the same errors.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn change<E: Into<GpuError>>(
        &mut self,
        change: impl FnOnce(&mut Flow) -> Result<(), E>,
    ) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.change_async(change))
    }
}

/// Heights of the ground from here on (m) are none: they mark closed cells.
const HIGHEST: f32 = 1e30;

fn check(flow: &Flow) -> Result<(), GpuError> {
    let elsewhere = flow.device_view();
    let too_high = || flow.state().bed.as_slice().iter().any(|z| z.abs() >= HIGHEST);
    let not_done = [
        (elsewhere.has_structures(), "culverts, gates and weirs are"),
        (
            flow.lattice().is_hex() && flow.params().level == Physics::ShallowWater,
            "shallow water on hexagons is",
        ),
        (
            elsewhere.has_streams(),
            "streams that come in with a `level` or a velocity `along` the edge are",
        ),
        (flow.state().subgrid.is_some(), "banks within cells (`subgrid`) are"),
        (elsewhere.has_bodies(), "floating bodies are"),
        (elsewhere.has_flood(), "greatest depths and the like (`flood`) are"),
        (
            elsewhere.has_uneven_soil(),
            "soils that differ from place to place, or take the less the more they hold (`deficit`), are",
        ),
        (elsewhere.is_relaxing(), "walks to a steady state are"),
        (too_high(), "heights of 1e30 m or more are"),
    ];
    match not_done.into_iter().find(|(is_there, _)| *is_there) {
        Some((_, what)) => Err(GpuError::NotDone(what)),
        None => Ok(()),
    }
}
