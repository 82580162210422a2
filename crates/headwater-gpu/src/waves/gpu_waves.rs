//! A wave world on the device: handed over, stirred, drawn, brought back.

use super::draw::Drawing;
use super::on_device::OnDevice;
use crate::device::Gpu;
use crate::error::GpuError;
#[cfg(not(target_arch = "wasm32"))]
use headwater::waves::Edit;
use headwater::waves::{DeviceState, Waves};
use headwater::{Brush, Field, InputError, Region};

/// Steps that are submitted at once.
const BATCH: u64 = 64;

/// A [`Waves`] that is stepped on the GPU.
///
/// Nothing comes back unless asked: [`waves`](Self::waves) is the world as it was last brought back, by
/// [`sync`](Self::sync). If the device is lost, it can go on from there on the CPU or on another device.
///
/// ```no_run
/// use headwater::Square;
/// use headwater::waves::{Params, Waves};
/// use headwater_gpu::{Gpu, waves::GpuWaves};
///
/// let pond = Waves::new(Square::new(1024, 1024, 0.1, 0.1)?, Params::default())?;
/// let mut pond = GpuWaves::new(&Gpu::new()?, pond)?;
/// pond.drop([51.2, 40.0], 0.4, 0.05)?;
/// pond.step_many(600)?;
/// let surface = &pond.sync()?.state().height;
/// # let _ = surface;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GpuWaves {
    gpu: Gpu,
    /// The world as it was last brought back.
    pub(super) waves: Waves,
    /// The same with all that has stirred it since: bodies and drops are ahead of the surface.
    ahead: Option<Waves>,
    steps: u64,
    pub(super) on_device: OnDevice,
}

impl GpuWaves {
    /// Takes a world to the device.
    ///
    /// # Errors
    /// [`GpuError::NotDone`] if a current carries the surface or it has dispersion, [`GpuError`] if the device has
    /// no room for it.
    pub fn new(gpu: &Gpu, waves: Waves) -> Result<Self, GpuError> {
        Ok(Self::handed(gpu, &waves)?(waves))
    }

    /// Hands a world over. What it gives makes the whole of it, with the owner's half.
    pub(super) fn handed(
        gpu: &Gpu,
        waves: &Waves,
    ) -> Result<impl FnOnce(Waves) -> Self + use<>, GpuError> {
        check(waves)?;
        let on_device = OnDevice::new(gpu, waves)?;
        let ahead = waves.device_view().has_forcing().then(|| waves.clone());
        let (gpu, steps) = (gpu.clone(), waves.steps());
        Ok(move |waves| Self { gpu, steps, waves, ahead, on_device })
    }

    /// The device it is on.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The world as it was when it was last brought back.
    pub fn waves(&self) -> &Waves {
        &self.waves
    }

    /// The same, to go on on the CPU.
    pub fn into_waves(self) -> Waves {
        self.waves
    }

    /// Steps submitted since the start of the world.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Simulated time of the steps submitted since the start (s).
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.waves.params().step
    }

    /// Submits `count` steps, as [`Waves::step_many`] takes them; it does not wait.
    ///
    /// # Errors
    /// [`GpuError`] if the device is lost or full.
    pub fn step_many(&mut self, count: u64) -> Result<(), GpuError> {
        let mut left = count;
        while left > 0 {
            let batch = left.min(BATCH);
            let stirred = match &mut self.ahead {
                None => Vec::new(),
                Some(ahead) => {
                    (0..batch).map(|_| ahead.apply_forcing()).collect::<Result<_, _>>()?
                }
            };
            self.on_device.run(&self.gpu, batch, &stirred)?;
            self.steps += batch;
            left -= batch;
        }
        Ok(())
    }

    /// Works on the world with a brush, as [`Waves::edit`]. What disturbs the surface is sent to the device; for the
    /// rest, the world is brought back and handed over again.
    ///
    /// # Errors
    /// [`GpuError::Input`] if the brush or a number of `edit` makes no sense, otherwise as
    /// [`sync`](Self::sync).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn edit(&mut self, brush: &Brush, edit: Edit) -> Result<(), GpuError> {
        match edit {
            Edit::Disturb { height } => self.disturb(brush, height),
            Edit::Land | Edit::Water => self.change(|waves| waves.edit(brush, edit)),
        }
    }

    /// Disturbs the surface, as [`Edit::Disturb`] does; it does not wait.
    ///
    /// # Errors
    /// [`GpuError::Input`] if the numbers make no sense, [`GpuError`] if the device is lost or full.
    pub fn disturb(&mut self, brush: &Brush, height: f64) -> Result<(), GpuError> {
        let rises = self.waves.disturbance_rises(brush, height)?;
        if rises.is_empty() { Ok(()) } else { self.on_device.raise(&self.gpu, rises) }
    }

    /// A drop falls, as [`Waves::drop`]; it does not wait.
    ///
    /// # Errors
    /// As [`disturb`](Self::disturb).
    pub fn drop(&mut self, center: [f64; 2], radius: f64, depth: f64) -> Result<(), GpuError> {
        self.disturb(&Brush::soft(center, radius), -depth)
    }

    /// A finger or an oar drawn along `points`, as [`Waves::stroke`]; it does not wait.
    ///
    /// # Errors
    /// As [`disturb`](Self::disturb).
    pub fn stroke(
        &mut self,
        points: impl Into<Vec<[f64; 2]>>,
        width: f64,
        depth: f64,
    ) -> Result<(), GpuError> {
        let region = Region::line(points, width);
        let brush = Brush { region, falloff: headwater::Falloff::Smooth };
        self.disturb(&brush, -depth)
    }

    /// Brings the world back as it is when all steps so far are done. From then on [`waves`](Self::waves) is that.
    ///
    /// # Errors
    /// [`GpuError::Lost`] if the device is gone, or its first fault; [`GpuError::Input`] if what came back cannot
    /// be. The world then is as it was when it was last brought back.
    pub async fn read_back(&mut self) -> Result<&Waves, GpuError> {
        let Self { gpu, waves, ahead, on_device, steps } = self;
        let quantum = waves.state().quantum;
        let returned = on_device.fields.read_back(gpu, on_device.side, quantum).await?;
        waves.read_back(DeviceState {
            height: returned.height,
            flux_x: returned.flux_x,
            flux_y: returned.flux_y,
            parts: returned.parts,
            inflow: returned.came,
            steps: *steps,
            forced_by: ahead.as_ref(),
        })?;
        on_device.fields.clear_ledger(gpu);
        Ok(&self.waves)
    }

    /// As [`read_back`](Self::read_back), and waits for it; the same errors.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn sync(&mut self) -> Result<&Waves, GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(async { self.read_back().await.map(|_| ()) })?;
        Ok(&self.waves)
    }

    /// Draws the world, as it is after all that was submitted so far, into a texture of the format
    /// [`CANVAS`](crate::CANVAS): a texel for each cell, column by column to the east and row by row to the south, of the
    /// height of its bed, below 0 by [`Waves::still_depth`] (m), the depth of its water, waves included, 0 or above
    /// and 0 on land (m), and two times 0: waves do not tell how their water moves. [`Gpu::canvas`] makes such a texture.
    ///
    /// It submits the drawing and does not wait, in browsers neither: what is submitted afterwards on the same
    /// [`queue`](Gpu::queue) finds it done.
    ///
    /// # Errors
    /// [`GpuError::Canvas`] if the texture is none of these or too small, or the device's first fault.
    pub fn draw_into(&mut self, view: &wgpu::TextureView) -> Result<(), GpuError> {
        self.draw_over(view, None)
    }

    /// As [`draw_into`](Self::draw_into), over another ground: heights (m) in place of the bed's, and water up to the surface
    /// wherever there is no land. As long as the ground is the same, it stays on the device.
    ///
    /// # Errors
    /// As [`draw_into`](Self::draw_into), and [`GpuError::Input`] if the ground is of another grid.
    pub fn draw_over(
        &mut self,
        view: &wgpu::TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<(), GpuError> {
        let Self { gpu, waves, on_device, .. } = self;
        gpu.check()?;
        let layout = on_device.fields.layout;
        gpu.check_canvas(view, layout.nx, layout.ny)?;
        if let Some(field) = ground {
            let grid = [layout.nx, layout.ny];
            InputError::check_shape("the ground", [field.nx(), field.ny()], grid)?;
        }
        let drawing = match on_device.drawing.take() {
            Some(drawing) if drawing.asked.as_ref() == ground => drawing,
            _ => Drawing::new(gpu, waves, layout, ground)?,
        };
        drawing.draw(gpu, &on_device.fields, on_device.side, view);
        on_device.drawing = Some(drawing);
        Ok(())
    }

    /// Changes the world by what can be done to a [`Waves`]: it is brought back, changed there, and what it has become
    /// is handed over again.
    ///
    /// # Errors
    /// As [`read_back`](Self::read_back) and [`new`](Self::new), and whatever `change` says.
    pub async fn change_async(
        &mut self,
        change: impl FnOnce(&mut Waves) -> Result<(), InputError>,
    ) -> Result<(), GpuError> {
        self.read_back().await?;
        change(&mut self.waves)?;
        check(&self.waves)?;
        self.on_device = OnDevice::new(&self.gpu, &self.waves)?;
        self.ahead = self.waves.device_view().has_forcing().then(|| self.waves.clone());
        self.steps = self.waves.steps();
        Ok(())
    }

    /// As [`change_async`](Self::change_async), and waits for it; the same errors.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn change(
        &mut self,
        change: impl FnOnce(&mut Waves) -> Result<(), InputError>,
    ) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.change_async(change))
    }
}

fn check(waves: &Waves) -> Result<(), GpuError> {
    if waves.device_view().has_current() {
        return Err(GpuError::NotDone("currents that carry waves are"));
    }
    if waves.params().dispersion {
        return Err(GpuError::NotDone("waves with dispersion are"));
    }
    Ok(())
}
