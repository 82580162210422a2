//! Use of a [`LandRenderer`] within egui. The renderer is stored in egui's callback resources, and
//! a [`FrameDescription`] describes each frame.

use super::frame_description::FrameDescription;
use super::renderer::LandRenderer;
use super::style::Quality;
use eframe::egui::{self, PaintCallbackInfo};
use eframe::egui_wgpu::{self, CallbackResources, CallbackTrait, RenderState, ScreenDescriptor};

/// Half of the canvas. A comparison shows two worlds, each drawn by its own [`LandRenderer`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CanvasHalf {
    /// The half that shows the main world. Without a comparison, it is the whole canvas.
    #[default]
    First,
    /// The half that shows the comparison world.
    Second,
}

#[derive(Default)]
struct InstalledRenderers([Option<LandRenderer>; 2]);

/// Creates the [`LandRenderer`] of one half of the canvas and stores it in the callback resources
/// of egui's renderer, where [`installed_renderer`] finds it. If `quality` is `None`, chooses the
/// quality that suits the adapter. Both halves share their pipelines if they have the same quality.
pub fn install_renderer(state: &RenderState, half: CanvasHalf, quality: Option<Quality>) {
    let quality = quality.unwrap_or_else(|| Quality::for_adapter(&state.adapter.get_info()));
    let mut renderer = state.renderer.write();
    let renderers = renderer
        .callback_resources
        .entry::<InstalledRenderers>()
        .or_insert_with(InstalledRenderers::default);
    let other = renderers.0[1 - half as usize].as_ref().filter(|other| other.quality() == quality);
    let land = match other {
        Some(other) => other.with_shared_pipelines(state.target_format),
        None => LandRenderer::new(&state.device, &state.queue, state.target_format, quality),
    };
    renderers.0[half as usize] = Some(land);
}

/// Returns the [`LandRenderer`] of one half of the canvas, or `None` if [`install_renderer`] has
/// not been called for it.
pub fn installed_renderer(
    resources: &mut CallbackResources,
    half: CanvasHalf,
) -> Option<&mut LandRenderer> {
    resources.get_mut::<InstalledRenderers>()?.0[half as usize].as_mut()
}

/// Removes the [`LandRenderer`] of one half of the canvas and frees its GPU resources.
pub fn remove_renderer(state: &RenderState, half: CanvasHalf) {
    if let Some(renderers) =
        state.renderer.write().callback_resources.get_mut::<InstalledRenderers>()
    {
        renderers.0[half as usize] = None;
    }
}

/// Returns an egui callback that draws one half of the canvas with its [`LandRenderer`] into the
/// rectangle `rect` (points). `description` describes the frame to draw.
pub fn paint_callback(
    rect: egui::Rect,
    half: CanvasHalf,
    description: FrameDescription,
) -> egui::PaintCallback {
    egui_wgpu::Callback::new_paint_callback(rect, LandCallback { half, description })
}

struct LandCallback {
    half: CanvasHalf,
    description: FrameDescription,
}

impl CallbackTrait for LandCallback {
    fn prepare(
        &self,
        _device: &wgpu::Device,
        _queue: &wgpu::Queue,
        screen: &ScreenDescriptor,
        encoder: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        if let Some(land) = installed_renderer(resources, self.half) {
            let size =
                self.description.size.map(|points| (points * screen.pixels_per_point) as u32);
            land.draw(encoder, size, &self.description);
        }
        Vec::new()
    }

    fn paint(
        &self,
        _info: PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        // egui has already set the viewport to the rectangle.
        let renderers = resources.get::<InstalledRenderers>();
        if let Some(land) = renderers.and_then(|renderers| renderers.0[self.half as usize].as_ref())
        {
            land.paint(pass);
        }
    }
}
