//! [`BackendChoice`]: the choice between the CPU and the GPU for stepping the world. The GPU is the
//! one that draws the window, so worlds on the GPU are drawn without read-back.

use super::world_view::WorldView;
use crate::app::panels::widgets::Tip as _;
use crate::status::Probe;
use eframe::egui;
use eframe::egui_wgpu::{RenderState, WgpuSetup};
use headwater_gpu::{Gpu, GpuError};
use headwater_scene::run::Backend;
use std::sync::Arc;

/// Makes the window request a device that can compute worlds if the adapter supports one, and the
/// default device otherwise.
pub fn request_compute_limits(setup: &mut WgpuSetup) {
    let WgpuSetup::CreateNew(setup) = setup else { return };
    let usual = Arc::clone(&setup.device_descriptor);
    setup.device_descriptor = Arc::new(move |adapter| {
        let usual = usual(adapter);
        if adapter.get_info().backend == wgpu::Backend::Gl {
            return usual;
        }
        let required_limits = Gpu::descriptor(adapter).required_limits;
        wgpu::DeviceDescriptor { required_limits, ..usual }
    });
}

/// Capabilities of the window's device.
#[derive(Debug, Default)]
enum Device {
    /// Not known yet: no frame has been drawn, or there is no device.
    #[default]
    Unknown,
    /// The device can only draw. The field is the reason why the device cannot compute worlds.
    DrawOnly(String),
    /// The device can draw and compute worlds.
    Capable,
    Open(Gpu),
}

/// Smallest number of cells of a world that is moved to a hardware GPU automatically. Smaller
/// worlds run in real time on the CPU, where their results are bit-identical on all machines.
pub(in crate::app) const AUTO_GPU_MIN_CELLS: usize = 512 * 512;

pub(in crate::app) enum BackendMessage {
    /// A large world stays on the CPU. The field is the reason.
    Notice(String),
    Problem(String),
    /// The GPU device, which also draws the window, is lost. The field is the reason.
    Lost(String),
}

#[derive(Debug, Default)]
pub(in crate::app) struct BackendChoice {
    device: Device,
    /// Whether the adapter is hardware; false for a software rasterizer.
    is_hardware: bool,
    /// Device that the user has chosen, if any: true for the GPU, false for the CPU.
    chosen: Option<bool>,
    /// Reason why the displayed world runs on the CPU although the GPU was requested; `None`
    /// otherwise.
    pub(in crate::app) refused: Option<String>,
    /// Number of frames so far that have announced the initialization of the device, which is slow.
    announced_frames: u32,
}

/// Number of frames that show an announcement before the initialization of the device begins.
const ANNOUNCED_FRAMES: u32 = 1;

impl BackendChoice {
    /// Moves the displayed world to the device that it should run on. Returns a message if this
    /// fails.
    pub(in crate::app) fn update_backend(
        &mut self,
        render: Option<&RenderState>,
        world_view: &mut WorldView,
        is_replaying: bool,
    ) -> Option<BackendMessage> {
        if let (Device::Unknown, Some(render)) = (&self.device, render) {
            self.is_hardware = render.adapter.get_info().device_type != wgpu::DeviceType::Cpu;
            self.device = match Gpu::check_device(&render.adapter, &render.device) {
                Ok(()) => Device::Capable,
                Err(error) => Device::DrawOnly(error.to_string()),
            };
        }
        let fallen =
            world_view.live.take_fallback_reason().or_else(|| self.device_error(world_view));
        if let Some(reason) = fallen {
            let mut is_lost = false;
            if let Device::Open(gpu) = &self.device
                && let Err(lost @ GpuError::Lost(_)) = gpu.check()
            {
                self.device = Device::DrawOnly(lost.to_string());
                is_lost = true;
            }
            self.refused = Some(reason.clone());
            world_view.edits += 1;
            let words = format!("on the CPU: {reason}");
            return Some(if is_lost {
                BackendMessage::Lost(words)
            } else {
                BackendMessage::Problem(words)
            });
        }
        let is_on_gpu = world_view.live.backend().is_device();
        let is_gpu_wanted = self.is_gpu_wanted(world_view);
        if is_on_gpu == is_gpu_wanted
            || is_gpu_wanted && self.unsupported_reason(world_view).is_some()
        {
            return None;
        }
        // Relaxation to a steady state and replays run on the CPU before the world moves to the
        // GPU.
        if is_gpu_wanted
            && (self.refused.is_some() || world_view.live.is_settling() || is_replaying)
        {
            return None;
        }
        if !is_gpu_wanted && !world_view.live.read_back() {
            return None;
        }
        if is_gpu_wanted
            && self.announced_frames < ANNOUNCED_FRAMES
            && !matches!(self.device, Device::Open(_))
        {
            self.announced_frames += 1;
            return None;
        }
        let moved = self.wanted_backend(is_gpu_wanted, render).and_then(|backend| {
            world_view.live.set_backend(&backend).map_err(|error| error.to_string())
        });
        world_view.edits += 1;
        let reason = moved.err()?;
        self.refused = Some(reason.clone());
        let words = format!("on the CPU: {reason}");
        Some(if self.chosen.is_none() {
            BackendMessage::Notice(words)
        } else {
            BackendMessage::Problem(words)
        })
    }

    fn is_gpu_wanted(&self, world_view: &WorldView) -> bool {
        let lattice = world_view.live.lattice();
        let is_large = lattice.nx() * lattice.ny() >= AUTO_GPU_MIN_CELLS;
        self.chosen.unwrap_or(
            self.is_hardware && is_large && world_view.live.simulation().supports_devices(),
        )
    }

    /// Returns the error that the open GPU device reports while the world runs on the CPU. Returns
    /// `None` if the device has no error or is not open, or if the world runs on the GPU.
    fn device_error(&self, world_view: &WorldView) -> Option<String> {
        match &self.device {
            Device::Open(gpu) if !world_view.live.backend().is_device() => {
                gpu.check().err().map(|error| error.to_string())
            }
            _ => None,
        }
    }

    /// Returns the backend that the world should run on, opening the device at its first use.
    fn wanted_backend(
        &mut self,
        is_gpu_wanted: bool,
        render: Option<&RenderState>,
    ) -> Result<Backend, String> {
        if !is_gpu_wanted {
            return Ok(Backend::Cpu);
        }
        if let (Device::Capable, Some(render)) = (&self.device, render) {
            let (device, queue) = (render.device.clone(), render.queue.clone());
            let gpu = Gpu::from_device(&render.adapter, device, queue)
                .map_err(|error| error.to_string())?;
            self.device = Device::Open(gpu);
        }
        match &self.device {
            Device::Open(gpu) => Ok(Backend::Gpu(gpu.clone())),
            _ => Err("There is no device".into()),
        }
    }

    /// Returns the reason why the displayed world cannot be computed on the GPU; `None` if the GPU
    /// can compute it.
    fn unsupported_reason(&self, world_view: &WorldView) -> Option<String> {
        match (&self.device, world_view.live.scene()) {
            (Device::Unknown, _) => Some("There is no device".into()),
            (Device::DrawOnly(reason), _) => Some(format!("This device can only draw: {reason}")),
            _ if world_view.live.simulation().supports_devices() => None,
            (_, scene) => Some(format!("The model `{}` runs on the CPU only", scene.model())),
        }
    }

    /// Chooses the device for this and later worlds: true for the GPU, false for the CPU.
    pub(in crate::app) fn choose_device(&mut self, gpu: bool) {
        (self.chosen, self.refused, self.announced_frames) = (Some(gpu), None, 0);
    }

    /// Returns true in the frame before the slow initialization of the device.
    pub(in crate::app) fn is_initializing(&self, world_view: &WorldView) -> bool {
        self.is_gpu_wanted(world_view)
            && self.announced_frames > 0
            && matches!(self.device, Device::Capable)
    }

    pub(in crate::app) fn show(
        &mut self,
        ui: &mut egui::Ui,
        world_view: &WorldView,
        probe: &Probe,
    ) {
        let is_on_gpu = world_view.live.backend().is_device();
        let unsupported_reason = self.unsupported_reason(world_view);
        let tip = match (&unsupported_reason, &self.refused) {
            (Some(reason), _) => reason.clone(),
            (None, Some(reason)) => format!("It was refused: {reason}\nClick to try again."),
            (None, None) => "Step the world on the GPU, and draw it from there".into(),
        };
        let cpu = probe.record_widget("backend.cpu", ui.selectable_label(!is_on_gpu, "CPU"));
        let cpu = cpu.tip("Step the world on the CPU");
        let gpu = egui::Button::selectable(is_on_gpu, "GPU");
        let gpu =
            probe.record_widget("backend.gpu", ui.add_enabled(unsupported_reason.is_none(), gpu));
        let gpu = gpu.tip(&tip).on_disabled_hover_text(&tip);
        if cpu.clicked() || gpu.clicked() {
            self.choose_device(gpu.clicked());
        }
    }
}
