//! The device: which GPU is used, what it is called, and what becomes of its faults.

use crate::compiled::Compiled;
use crate::error::GpuError;
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(not(target_arch = "wasm32"))]
use std::task::{Context, Poll, Waker};
#[cfg(not(target_arch = "wasm32"))]
use wgpu::ErrorFilter;
use wgpu::{Backends, DeviceType, Limits};

/// A GPU, opened. Everything that lives on it keeps a handle of its own; a clone is the same device.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    adapter: Arc<Adapter>,
    fault: Arc<Mutex<Option<GpuError>>>,
    pub(crate) compiled: Arc<Compiled>,
}

/// What a GPU is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// Its name, as `NVIDIA H200` or `llvmpipe (LLVM 15.0.6, 256 bits)`.
    pub name: String,
    /// What it is reached by: `vulkan`, `metal`, `dx12` or `webgpu`.
    pub backend: String,
    /// Its driver and the driver's version; empty where that is not told, as in browsers.
    pub driver: String,
    /// True if it is a program that runs on the CPU.
    pub software: bool,
}

impl Adapter {
    fn of(info: &wgpu::AdapterInfo) -> Self {
        let driver = format!("{} {}", info.driver, info.driver_info);
        Self {
            name: info.name.clone(),
            backend: info.backend.to_string(),
            driver: driver.trim().to_owned(),
            software: info.device_type == DeviceType::Cpu,
        }
    }
}

/// Bytes of workgroup memory that every device has.
pub(crate) const LEAST_MEMORY: u64 = 16 << 10;

/// The backends that compute.
const BACKENDS: Backends = Backends::PRIMARY;

impl Gpu {
    /// Opens the fastest GPU, a real one before one that is a program, or with `name` the first whose name
    /// has that in it, in capitals or not.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] if there is none, [`GpuError::NoDevice`] if it cannot be opened.
    pub async fn open(name: Option<&str>) -> Result<Self, GpuError> {
        let descriptor = wgpu::InstanceDescriptor {
            backends: BACKENDS,
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        };
        let instance = wgpu::Instance::new(descriptor);
        let mut adapters = instance.enumerate_adapters(BACKENDS).await;
        adapters.sort_by_key(|adapter| rank(adapter.get_info().device_type));
        let found = || adapters.iter().map(|adapter| adapter.get_info().name).collect();
        let fits = |adapter: &&wgpu::Adapter| {
            let own = adapter.get_info().name.to_lowercase();
            name.is_none_or(|name| own.contains(&name.to_lowercase()))
        };
        let Some(adapter) = adapters.iter().find(fits) else {
            return Err(GpuError::NoAdapter { wanted: name.map(str::to_owned), found: found() });
        };
        let descriptor = Self::descriptor(adapter);
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(|error| {
            GpuError::NoDevice { adapter: adapter.get_info().name, why: error.to_string() }
        })?;
        Self::of(adapter, device, queue)
    }

    /// What a device has to be asked for so that worlds can live on it: all that the adapter has, for worlds are large,
    /// and tiles want workgroup memory. For whoever opens a device to share it.
    pub fn descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
        wgpu::DeviceDescriptor {
            label: Some("headwater"),
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        }
    }

    /// A device that somebody else has opened, as a window does for what it draws, best with what
    /// [`descriptor`](Self::descriptor) asks for. From now on its faults, whosever they are, come to light in
    /// [`check`](Self::check), in place of where they went before.
    ///
    /// # Errors
    /// [`GpuError::Limit`], which names what the device allows too little of for any world; a world may need more, and
    /// says so when it is handed over.
    pub fn of(
        adapter: &wgpu::Adapter,
        device: wgpu::Device,
        queue: wgpu::Queue,
    ) -> Result<Self, GpuError> {
        let gpu = Self::guest(adapter, device, queue)?;
        watch(&gpu.device, &gpu.fault);
        Ok(gpu)
    }

    /// As [`of`](Self::of), but as a guest, on a device whose owner goes on hearing of its faults, as engines do. Faults
    /// of calls that are made within [`catch`](Self::catch) come to light here and not there; that the device is lost
    /// does when something is to be brought back.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn guest(
        adapter: &wgpu::Adapter,
        device: wgpu::Device,
        queue: wgpu::Queue,
    ) -> Result<Self, GpuError> {
        let about = Adapter::of(&adapter.get_info());
        let fault = Arc::new(Mutex::new(None));
        suits(&about, &device.limits())?;
        let (adapter, compiled) = (Arc::new(about), Arc::default());
        Ok(Self { device, queue, adapter, fault, compiled })
    }

    /// Does some work, whose faults [`check`](Self::check) then tells, and nobody else is told of.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn catch<R>(&self, work: impl FnOnce() -> R) -> R {
        let filters = [ErrorFilter::OutOfMemory, ErrorFilter::Internal, ErrorFilter::Validation];
        let scopes = filters.map(|filter| self.device.push_error_scope(filter));
        let result = work();
        // The innermost first. Outside browsers they wait for nothing.
        for scope in scopes.into_iter().rev() {
            if let Some(error) = pollster::block_on(scope.pop()) {
                note(&self.fault, fault_of(error));
            }
        }
        result
    }

    /// Whether a device that somebody else has opened allows what any world needs; nothing is done to it.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn check_device(adapter: &wgpu::Adapter, device: &wgpu::Device) -> Result<(), GpuError> {
        suits(&Adapter::of(&adapter.get_info()), &device.limits())
    }

    /// The device, to draw with.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Its queue. What is submitted there comes before or after what is submitted here, in the order of the calls.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// As [`open`](Self::open) with no name, and waits for it; the same errors.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new() -> Result<Self, GpuError> {
        pollster::block_on(Self::open(None))
    }

    /// As [`open`](Self::open) with a name, and waits for it; the same errors.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn named(name: &str) -> Result<Self, GpuError> {
        pollster::block_on(Self::open(Some(name)))
    }

    /// What it is called.
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    /// What it allows.
    pub fn limits(&self) -> Limits {
        self.device.limits()
    }

    /// The first fault of the device, if it had one. Faults come late, when the device gets to a call; so
    /// whoever brings something back from it asks here first. Loss stays; other faults are told once.
    ///
    /// # Errors
    /// The fault.
    pub fn check(&self) -> Result<(), GpuError> {
        match self.take_fault() {
            None => Ok(()),
            Some(lost @ GpuError::Lost(_)) => Err(lost),
            Some(refused) => {
                // A lost device refuses calls before it says that it is lost, which it does when all that was under
                // way has ended.
                let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
                match self.take_fault() {
                    Some(lost @ GpuError::Lost(_)) => Err(lost),
                    _ => Err(refused),
                }
            }
        }
    }

    /// The fault that was noted. Loss stays noted.
    fn take_fault(&self) -> Option<GpuError> {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(&*fault, Some(GpuError::Lost(_))) { fault.clone() } else { fault.take() }
    }

    /// Fails if something needs more than the device allows.
    ///
    /// # Errors
    /// [`GpuError::Limit`], which names the limit.
    pub(crate) fn within(
        &self,
        what: &str,
        (needed, limit): (u64, u64),
        unit: &'static str,
        name: &'static str,
    ) -> Result<(), GpuError> {
        within(&self.adapter, what, (needed, limit), unit, name)
    }

    /// Waits until all is done that was submitted up to a moment: what [`Queue::submit`](wgpu::Queue::submit) gave then.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait_for(&self, moment: wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let until = wgpu::PollType::Wait { submission_index: Some(moment), timeout: None };
        let polled = self.device.poll(until);
        self.check()?;
        polled.map(|_| ()).map_err(|error| GpuError::Lost(error.to_string()))
    }

    /// Waits until all that was submitted is done.
    ///
    /// # Errors
    /// [`GpuError::Lost`] if the device is gone, or the first fault on the way.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self) -> Result<(), GpuError> {
        let polled = self.device.poll(wgpu::PollType::wait_indefinitely());
        self.check()?;
        polled.map(|_| ()).map_err(|error| GpuError::Lost(error.to_string()))
    }

    /// Waits for a future that waits for this device.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        let mut future = std::pin::pin!(future);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
            // What went wrong is told by the future itself.
            let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
        }
    }

    /// Lets what is done call back, without waiting. Browsers do so by themselves.
    pub fn poll(&self) {
        // What went wrong is told by `check`.
        let _ = self.device.poll(wgpu::PollType::Poll);
    }

    /// Gives the device up, as if it had been lost. For tests of what becomes of a world then.
    pub fn lose(&self) {
        self.device.destroy();
        let _ = self.device.poll(wgpu::PollType::Poll);
    }
}

/// Fails if something needs more than a device allows.
fn within(
    adapter: &Adapter,
    what: &str,
    (needed, limit): (u64, u64),
    unit: &'static str,
    name: &'static str,
) -> Result<(), GpuError> {
    if needed <= limit {
        return Ok(());
    }
    let adapter = adapter.name.clone();
    Err(GpuError::Limit { what: what.to_owned(), needed, limit, unit, name, adapter })
}

/// Fails unless limits suit every world.
fn suits(adapter: &Adapter, limits: &Limits) -> Result<(), GpuError> {
    for (needed, limit, unit, name) in needs(limits) {
        within(adapter, "water on the GPU", (needed, u64::from(limit)), unit, name)?;
    }
    Ok(())
}

/// What every world needs: how much, what there is, of what, and the limit's name in WebGPU. Devices without compute
/// shaders, as WebGL's, allow none of it.
fn needs(limits: &Limits) -> [(u64, u32, &'static str, &'static str); 4] {
    let buffers = limits.max_storage_buffers_per_shader_stage;
    let memory = limits.max_compute_workgroup_storage_size;
    let invocations = limits.max_compute_invocations_per_workgroup;
    let textures = limits.max_storage_textures_per_shader_stage;
    [
        (8, buffers, "buffers", "max_storage_buffers_per_shader_stage"),
        (LEAST_MEMORY, memory, "bytes", "max_compute_workgroup_storage_size"),
        (256, invocations, "invocations", "max_compute_invocations_per_workgroup"),
        (1, textures, "textures", "max_storage_textures_per_shader_stage"),
    ]
}

/// Real and fast ones first.
fn rank(kind: DeviceType) -> u8 {
    match kind {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}

/// Notes the first fault; loss before all others.
fn note(fault: &Mutex<Option<GpuError>>, new: GpuError) {
    let mut fault = fault.lock().unwrap_or_else(PoisonError::into_inner);
    if fault.is_none() || matches!(new, GpuError::Lost(_)) {
        *fault = Some(new);
    }
}

fn fault_of(error: wgpu::Error) -> GpuError {
    match error {
        wgpu::Error::OutOfMemory { .. } => {
            GpuError::OutOfMemory { what: "a buffer".to_owned(), bytes: 0 }
        }
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
            GpuError::Refused(description)
        }
    }
}

fn watch(device: &wgpu::Device, fault: &Arc<Mutex<Option<GpuError>>>) {
    let at_loss = Arc::clone(fault);
    device.set_device_lost_callback(move |reason, message| {
        note(&at_loss, GpuError::Lost(format!("{reason:?}: {message}")));
    });
    let at_fault = Arc::clone(fault);
    device.on_uncaptured_error(Arc::new(move |error| note(&at_fault, fault_of(error))));
}
