//! [`GpuWaves`]: a wave world on the device. This module contains its upload, stepping, edits,
//! drawing and read-back.

use super::draw::Drawing;
use super::on_device::DeviceWorld;
use crate::device::Gpu;
use crate::error::GpuError;
#[cfg(not(target_arch = "wasm32"))]
use headwater::waves::Edit;
use headwater::waves::{DeviceState, Waves};
use headwater::{Brush, Field, InputError, Region};

/// Maximum number of steps in one submission to the device queue.
const STEPS_PER_SUBMISSION: u64 = 64;

/// Wave world that is stepped on a GPU.
///
/// The state is read back only on request: [`waves`](Self::waves) is the world as of the last
/// [`sync`](Self::sync). If the device is lost, the simulation can continue from this state on the
/// CPU or on another device.
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
    /// CPU copy of the world, with the state of the last read-back.
    pub(super) waves: Waves,
    /// Second CPU copy of the world, used only to compute the forcing of each step. Its bodies and
    /// drops advance with the submitted steps; its surface does not change.
    forcing_world: Option<Waves>,
    steps: u64,
    pub(super) on_device: DeviceWorld,
}

impl GpuWaves {
    /// Uploads a world to the device.
    ///
    /// # Errors
    /// Returns [`GpuError::Unsupported`] if the waves have a current or dispersion, and
    /// [`GpuError::Limit`] or [`GpuError::OutOfMemory`] if the world is too large for the device.
    pub fn new(gpu: &Gpu, waves: Waves) -> Result<Self, GpuError> {
        Ok(Self::upload(gpu, &waves)?(waves))
    }

    /// Uploads a world to the device. Returns a closure that takes the CPU copy of the world and
    /// returns the complete [`GpuWaves`].
    pub(super) fn upload(
        gpu: &Gpu,
        waves: &Waves,
    ) -> Result<impl FnOnce(Waves) -> Self + use<>, GpuError> {
        check_supported(waves)?;
        let on_device = DeviceWorld::new(gpu, waves)?;
        let forcing_world = waves.device_view().has_forcing().then(|| waves.clone());
        let (gpu, steps) = (gpu.clone(), waves.steps());
        Ok(move |waves| Self { gpu, steps, waves, forcing_world, on_device })
    }

    /// Returns the device on which the world is stepped.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Returns the CPU copy of the world, with the state of the last read-back.
    pub fn waves(&self) -> &Waves {
        &self.waves
    }

    /// Returns the CPU copy of the world, so that the simulation can continue on the CPU. The copy
    /// has the state of the last read-back.
    pub fn into_waves(self) -> Waves {
        self.waves
    }

    /// Returns the number of steps that the world has performed, including steps that are submitted
    /// but not completed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the simulated time (s) of the world after all submitted steps.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.waves.params().step
    }

    /// Submits `count` steps without waiting for their completion. The resulting state is that of
    /// [`Waves::step_many`].
    ///
    /// # Errors
    /// Returns a [`GpuError`] if the device is lost or out of memory.
    pub fn step_many(&mut self, count: u64) -> Result<(), GpuError> {
        let mut left = count;
        while left > 0 {
            let batch = left.min(STEPS_PER_SUBMISSION);
            let forcing = match &mut self.forcing_world {
                None => Vec::new(),
                Some(forcing_world) => {
                    (0..batch).map(|_| forcing_world.apply_forcing()).collect::<Result<_, _>>()?
                }
            };
            self.on_device.submit_steps(&self.gpu, batch, &forcing)?;
            self.steps += batch;
            left -= batch;
        }
        Ok(())
    }

    /// Applies an edit, as [`Waves::edit`] does. Disturbances of the surface are applied on the
    /// device. For other edits, the world is read back and uploaded again.
    ///
    /// # Errors
    /// Returns [`GpuError::Input`] if the brush or a value of `edit` is invalid, otherwise the same
    /// errors as [`sync`](Self::sync).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn edit(&mut self, brush: &Brush, edit: Edit) -> Result<(), GpuError> {
        match edit {
            Edit::Disturb { height } => self.disturb(brush, height),
            Edit::Land | Edit::Water => self.change(|waves| waves.edit(brush, edit)),
        }
    }

    /// Disturbs the surface as [`Edit::Disturb`] does, without waiting. If `height` (m) is
    /// positive, moves water toward the centre of the brush and raises the surface there; if it is
    /// negative, moves water away from the centre.
    ///
    /// # Errors
    /// Returns [`GpuError::Input`] if a value is invalid, and other [`GpuError`]s if the device is
    /// lost or out of memory.
    pub fn disturb(&mut self, brush: &Brush, height: f64) -> Result<(), GpuError> {
        let rises = self.waves.disturbance_height_changes(brush, height)?;
        if rises.is_empty() { Ok(()) } else { self.on_device.add_height_changes(&self.gpu, rises) }
    }

    /// Adds the impact of a drop on the surface, as [`Waves::add_drop`] does, without waiting for
    /// the device. The drop makes a depression with the centre `center`, the radius `radius` and
    /// the depth `depth` (all in m).
    ///
    /// # Errors
    /// Returns the same errors as [`disturb`](Self::disturb).
    pub fn drop(&mut self, center: [f64; 2], radius: f64, depth: f64) -> Result<(), GpuError> {
        self.disturb(&Brush::smooth_disc(center, radius), -depth)
    }

    /// Draws a furrow in the water along the line through `points` (m), like that of a finger or an
    /// oar, as [`Waves::draw_stroke`] does. `width` and `depth` are the width and the depth of the
    /// furrow (m). Does not wait for the device.
    ///
    /// # Errors
    /// Returns the same errors as [`disturb`](Self::disturb).
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

    /// Reads back the state after all submitted steps into the CPU copy of the world, and returns
    /// the copy.
    ///
    /// # Errors
    /// Returns [`GpuError::Lost`] if the device is lost, otherwise its first error. Returns
    /// [`GpuError::Input`] if the state on the device is invalid; the CPU copy then keeps the state
    /// of the last read-back.
    pub async fn read_back(&mut self) -> Result<&Waves, GpuError> {
        let Self { gpu, waves, forcing_world, on_device, steps } = self;
        let quantum = waves.state().quantum;
        let returned = on_device.fields.read_back(gpu, on_device.current_set, quantum).await?;
        waves.import_device_state(DeviceState {
            height: returned.height,
            flux_x: returned.flux_x,
            flux_y: returned.flux_y,
            parts: returned.parts,
            inflow: returned.inflow,
            steps: *steps,
            forced_by: forcing_world.as_ref(),
        })?;
        on_device.fields.clear_ledger(gpu);
        Ok(&self.waves)
    }

    /// Reads back the state after all submitted steps, as [`read_back`](Self::read_back) does, and
    /// blocks until it has arrived.
    ///
    /// # Errors
    /// Returns the same errors as [`read_back`](Self::read_back).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn sync(&mut self) -> Result<&Waves, GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(async { self.read_back().await.map(|_| ()) })?;
        Ok(&self.waves)
    }

    /// Draws the world, after all submitted work, into a texture of the format
    /// [`CANVAS_FORMAT`](crate::CANVAS_FORMAT), which [`Gpu::create_canvas`] creates. Texel (x, y)
    /// is the cell in column x and row y. Its channels are:
    ///
    /// - the bed elevation relative to the surface at rest (m), which is the negative of
    ///   [`Waves::still_depth`];
    /// - the water depth including waves (m), which is 0 on land;
    /// - two zeros, because the model has no water velocity.
    ///
    /// The drawing is submitted without waiting. Later submissions to the same
    /// [`queue`](Gpu::queue) see the result.
    ///
    /// # Errors
    /// Returns [`GpuError::Canvas`] if the texture has another format or is too small, otherwise
    /// the first error of the device.
    pub fn draw_into(&mut self, view: &wgpu::TextureView) -> Result<(), GpuError> {
        self.draw_over(view, None)
    }

    /// Draws the world as [`draw_into`](Self::draw_into) does. If `ground` is given, it contains
    /// ground elevations relative to the surface at rest (m), which are drawn in place of the bed.
    /// Every cell that is not land is then drawn as filled with water up to the surface. `ground`
    /// is uploaded only if it differs from that of the previous call.
    ///
    /// # Errors
    /// Returns the same errors as [`draw_into`](Self::draw_into), and [`GpuError::Input`] if the
    /// size of `ground` differs from that of the grid.
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
            Some(drawing) if drawing.custom_ground.as_ref() == ground => drawing,
            _ => Drawing::new(gpu, waves, layout, ground)?,
        };
        drawing.draw(gpu, &on_device.fields, on_device.current_set, view);
        on_device.drawing = Some(drawing);
        Ok(())
    }

    /// Modifies the world with the closure `change`: reads the world back, applies the closure and
    /// uploads the world again.
    ///
    /// # Errors
    /// Returns the errors of [`read_back`](Self::read_back), of [`new`](Self::new) and of `change`.
    pub async fn change_async(
        &mut self,
        change: impl FnOnce(&mut Waves) -> Result<(), InputError>,
    ) -> Result<(), GpuError> {
        self.read_back().await?;
        change(&mut self.waves)?;
        check_supported(&self.waves)?;
        self.on_device = DeviceWorld::new(&self.gpu, &self.waves)?;
        self.forcing_world = self.waves.device_view().has_forcing().then(|| self.waves.clone());
        self.steps = self.waves.steps();
        Ok(())
    }

    /// Blocking version of [`change_async`](Self::change_async).
    ///
    /// # Errors
    /// Returns the same errors as [`change_async`](Self::change_async).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn change(
        &mut self,
        change: impl FnOnce(&mut Waves) -> Result<(), InputError>,
    ) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.change_async(change))
    }
}

fn check_supported(waves: &Waves) -> Result<(), GpuError> {
    if waves.device_view().has_current() {
        return Err(GpuError::Unsupported("currents that carry waves are"));
    }
    if waves.params().dispersion {
        return Err(GpuError::Unsupported("waves with dispersion are"));
    }
    Ok(())
}
