//! [`Compute`]: the choice between the CPU and the GPU that draws the window. Worlds on the GPU are
//! drawn there without read-back.

use super::stage::Stage;
use super::widgets::Tip as _;
use crate::status::Probe;
use eframe::egui;
use eframe::egui_wgpu::{RenderState, WgpuSetup};
use headwater_gpu::{Gpu, GpuError};
use headwater_scene::run::Backend;
use std::sync::Arc;

/// Requests a device that supports world computation, if the adapter has one; otherwise the default
/// device of the window.
pub fn ask_for_compute(setup: &mut WgpuSetup) {
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

/// Capability of the window's device.
#[derive(Debug, Default)]
enum Device {
    /// No frame has been drawn yet, or there is no device.
    #[default]
    Unknown,
    /// It can only draw, for this reason.
    Draws(String),
    /// It can also compute.
    Fit,
    Open(Gpu),
}

/// Number of cells from which a world moves to a hardware GPU automatically. Smaller worlds run in
/// real time on the CPU, with the same bits on all machines.
pub(super) const MANY_CELLS: usize = 512 * 512;

pub(super) enum Word {
    /// A large world stays on the CPU.
    Notice(String),
    Problem(String),
    /// The device is lost, which also draws the window.
    Lost(String),
}

#[derive(Debug, Default)]
pub(super) struct Compute {
    device: Device,
    /// True for hardware, false for a software rasterizer.
    is_real: bool,
    /// The user's choice, if any: true for the GPU.
    chosen: Option<bool>,
    /// Why the shown world is not on the GPU although requested.
    pub(super) refused: Option<String>,
    /// Number of frames that have announced the slow initialization of the device.
    said: u32,
}

/// Number of frames that announce the initialization beforehand.
const SAY: u32 = 1;

impl Compute {
    /// Moves the shown world to its compute device. Returns a message if that failed.
    pub(super) fn frame(
        &mut self,
        render: Option<&RenderState>,
        stage: &mut Stage,
        is_replaying: bool,
    ) -> Option<Word> {
        if let (Device::Unknown, Some(render)) = (&self.device, render) {
            self.is_real = render.adapter.get_info().device_type != wgpu::DeviceType::Cpu;
            self.device = match Gpu::check_device(&render.adapter, &render.device) {
                Ok(()) => Device::Fit,
                Err(error) => Device::Draws(error.to_string()),
            };
        }
        let fallen = stage.live.take_fallback_reason().or_else(|| self.fault(stage));
        if let Some(reason) = fallen {
            let mut is_lost = false;
            if let Device::Open(gpu) = &self.device
                && let Err(lost @ GpuError::Lost(_)) = gpu.check()
            {
                self.device = Device::Draws(lost.to_string());
                is_lost = true;
            }
            self.refused = Some(reason.clone());
            stage.edits += 1;
            let words = format!("on the CPU: {reason}");
            return Some(if is_lost { Word::Lost(words) } else { Word::Problem(words) });
        }
        let there = stage.live.backend().is_device();
        let wanted = self.wanted(stage);
        if there == wanted || wanted && self.why_not(stage).is_some() {
            return None;
        }
        // Relaxation to a steady state and replays run on the CPU first.
        if wanted && (self.refused.is_some() || stage.live.is_settling() || is_replaying) {
            return None;
        }
        if !wanted && !stage.live.read_back() {
            return None;
        }
        if wanted && self.said < SAY && !matches!(self.device, Device::Open(_)) {
            self.said += 1;
            return None;
        }
        let moved = self.backend(wanted, render).and_then(|backend| {
            stage.live.set_backend(&backend).map_err(|error| error.to_string())
        });
        stage.edits += 1;
        let reason = moved.err()?;
        self.refused = Some(reason.clone());
        let words = format!("on the CPU: {reason}");
        Some(if self.chosen.is_none() { Word::Notice(words) } else { Word::Problem(words) })
    }

    fn wanted(&self, stage: &Stage) -> bool {
        let lattice = stage.live.lattice();
        let is_large = lattice.nx() * lattice.ny() >= MANY_CELLS;
        self.chosen
            .unwrap_or(self.is_real && is_large && stage.live.simulation().supports_devices())
    }

    /// Returns the error of a device that only draws.
    fn fault(&self, stage: &Stage) -> Option<String> {
        match &self.device {
            Device::Open(gpu) if !stage.live.backend().is_device() => {
                gpu.check().err().map(|error| error.to_string())
            }
            _ => None,
        }
    }

    /// Returns the requested backend, and opens the device at its first use.
    fn backend(&mut self, wanted: bool, render: Option<&RenderState>) -> Result<Backend, String> {
        if !wanted {
            return Ok(Backend::Cpu);
        }
        if let (Device::Fit, Some(render)) = (&self.device, render) {
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

    /// Returns why the shown world cannot be computed on the GPU.
    fn why_not(&self, stage: &Stage) -> Option<String> {
        match (&self.device, stage.live.scene()) {
            (Device::Unknown, _) => Some("There is no device".into()),
            (Device::Draws(reason), _) => Some(format!("This device can only draw: {reason}")),
            _ if stage.live.simulation().supports_devices() => None,
            (_, scene) => Some(format!("The model `{}` runs on the CPU only", scene.model())),
        }
    }

    /// Chooses the compute device until further notice.
    pub(super) fn choose(&mut self, gpu: bool) {
        (self.chosen, self.refused, self.said) = (Some(gpu), None, 0);
    }

    /// Returns true in the frame before the slow initialization.
    pub(super) fn is_getting_ready(&self, stage: &Stage) -> bool {
        self.wanted(stage) && self.said > 0 && matches!(self.device, Device::Fit)
    }

    pub(super) fn show(&mut self, ui: &mut egui::Ui, stage: &Stage, probe: &Probe) {
        let there = stage.live.backend().is_device();
        let why_not = self.why_not(stage);
        let tip = match (&why_not, &self.refused) {
            (Some(reason), _) => reason.clone(),
            (None, Some(reason)) => format!("It was refused: {reason}\nClick to try again."),
            (None, None) => "Step the world on the GPU, and draw it from there".into(),
        };
        let cpu = probe.named("backend.cpu", ui.selectable_label(!there, "CPU"));
        let cpu = cpu.tip("Step the world on the CPU");
        let gpu = egui::Button::selectable(there, "GPU");
        let gpu = probe.named("backend.gpu", ui.add_enabled(why_not.is_none(), gpu));
        let gpu = gpu.tip(&tip).on_disabled_hover_text(&tip);
        if cpu.clicked() || gpu.clicked() {
            self.choose(gpu.clicked());
        }
    }
}
