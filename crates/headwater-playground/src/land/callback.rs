//! [`Land`] within egui: it lives among the renderer's resources, and a [`Shot`] is all that a frame brings.

use super::renderer::Land;
use super::shot::Shot;
use super::style::Quality;
use eframe::egui::{self, PaintCallbackInfo};
use eframe::egui_wgpu::{self, CallbackResources, CallbackTrait, RenderState, ScreenDescriptor};

/// Which of two worlds beside each other a [`Land`] draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Half {
    /// The one that is always there.
    #[default]
    First,
    /// The one beside it.
    Second,
}

#[derive(Default)]
struct Lands([Option<Land>; 2]);

/// Makes a [`Land`] for a half of a window and puts it among its renderer's resources, from where [`installed`] has it. The quality is
/// what suits the adapter, if none is given. Of the same quality, the second shares what the first is made of.
pub fn install(state: &RenderState, half: Half, quality: Option<Quality>) {
    let quality = quality.unwrap_or_else(|| Quality::of(&state.adapter.get_info()));
    let mut renderer = state.renderer.write();
    let lands = renderer.callback_resources.entry::<Lands>().or_insert_with(Lands::default);
    let other = lands.0[1 - half as usize].as_ref().filter(|other| other.quality() == quality);
    let land = match other {
        Some(other) => other.beside(state.target_format),
        None => Land::new(&state.device, &state.queue, state.target_format, quality),
    };
    lands.0[half as usize] = Some(land);
}

/// The [`Land`] of a half, if there is one.
pub fn installed(resources: &mut CallbackResources, half: Half) -> Option<&mut Land> {
    resources.get_mut::<Lands>()?.0[half as usize].as_mut()
}

/// Takes the [`Land`] of a half away, with all that it holds on the device.
pub fn remove(state: &RenderState, half: Half) {
    if let Some(lands) = state.renderer.write().callback_resources.get_mut::<Lands>() {
        lands.0[half as usize] = None;
    }
}

/// Shows the installed [`Land`] of a half in a rectangle of the window.
pub fn paint_callback(rect: egui::Rect, half: Half, shot: Shot) -> egui::PaintCallback {
    egui_wgpu::Callback::new_paint_callback(rect, LandCallback { half, shot })
}

struct LandCallback {
    half: Half,
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
        if let Some(land) = installed(resources, self.half) {
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
        let lands = resources.get::<Lands>();
        if let Some(land) = lands.and_then(|lands| lands.0[self.half as usize].as_ref()) {
            land.paint(pass);
        }
    }
}
