//! [`Land`] within egui: it lives among the renderer's resources, and a [`Shot`] is all that a frame brings.

use super::renderer::Land;
use super::shot::Shot;
use super::style::Quality;
use eframe::egui::{self, PaintCallbackInfo};
use eframe::egui_wgpu::{self, CallbackResources, CallbackTrait, RenderState, ScreenDescriptor};

/// Makes a [`Land`] for a window and puts it among its renderer's resources, from where
/// `renderer.callback_resources.get_mut::<Land>()` has it. The quality is what suits the adapter, if none is given.
pub fn install(state: &RenderState, quality: Option<Quality>) {
    let quality = quality.unwrap_or_else(|| Quality::of(&state.adapter.get_info()));
    let land = Land::new(&state.device, &state.queue, state.target_format, quality);
    state.renderer.write().callback_resources.insert(land);
}

/// Shows the installed [`Land`] in a rectangle of the window.
pub fn paint_callback(rect: egui::Rect, shot: Shot) -> egui::PaintCallback {
    egui_wgpu::Callback::new_paint_callback(rect, LandCallback { shot })
}

struct LandCallback {
    shot: Shot,
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
        if let Some(land) = resources.get_mut::<Land>() {
            let size = self.shot.size.map(|points| (points * screen.pixels_per_point) as u32);
            land.draw(encoder, size, &self.shot);
        }
        Vec::new()
    }

    fn paint(
        &self,
        _info: PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        // egui has set the viewport to the rectangle.
        if let Some(land) = resources.get::<Land>() {
            land.paint(pass);
        }
    }
}
