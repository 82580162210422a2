//! GPU devices: selection of an adapter, properties of the adapter, and capture of asynchronous
//! device errors.

use crate::error::GpuError;
use crate::kernel_cache::KernelCache;
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(not(target_arch = "wasm32"))]
use std::task::{Context, Poll, Waker};
#[cfg(not(target_arch = "wasm32"))]
use wgpu::ErrorFilter;
use wgpu::{Backends, DeviceType, Limits};

/// Open GPU device with its queue. Clones refer to the same device.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    adapter: Arc<Adapter>,
    error: Arc<Mutex<Option<GpuError>>>,
    pub(crate) kernel_cache: Arc<KernelCache>,
}

/// Properties of a wgpu adapter, which is a GPU or a software rasterizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// Adapter name, such as `NVIDIA H200` or `llvmpipe (LLVM 15.0.6, 256 bits)`.
    pub name: String,
    /// Graphics API: `vulkan`, `metal`, `dx12` or `webgpu`.
    pub backend: String,
    /// Name and version of the driver. Empty if the platform does not report it, as in browsers.
    pub driver: String,
    /// Whether the adapter is a software rasterizer that runs on the CPU.
    pub software: bool,
}

impl Adapter {
    fn from_info(info: &wgpu::AdapterInfo) -> Self {
        let driver = format!("{} {}", info.driver, info.driver_info);
        Self {
            name: info.name.clone(),
            backend: info.backend.to_string(),
            driver: driver.trim().to_owned(),
            software: info.device_type == DeviceType::Cpu,
        }
    }
}

/// Workgroup memory (bytes) that every device provides, according to WebGPU's default limit.
pub(crate) const MIN_WORKGROUP_MEMORY: u64 = 16 << 10;

/// wgpu backends that support compute shaders.
const BACKENDS: Backends = Backends::PRIMARY;

impl Gpu {
    /// Opens the fastest GPU, preferring hardware over software adapters. If `name` is given, opens
    /// the first adapter whose name contains it, ignoring case.
    ///
    /// # Errors
    /// Returns [`GpuError::NoAdapter`] if no adapter matches, and [`GpuError::NoDevice`] if the
    /// adapter cannot be opened.
    pub async fn open(name: Option<&str>) -> Result<Self, GpuError> {
        let descriptor = wgpu::InstanceDescriptor {
            backends: BACKENDS,
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        };
        let instance = wgpu::Instance::new(descriptor);
        let mut adapters = instance.enumerate_adapters(BACKENDS).await;
        adapters.sort_by_key(|adapter| preference_rank(adapter.get_info().device_type));
        let found = || adapters.iter().map(|adapter| adapter.get_info().name).collect();
        let fits = |adapter: &&wgpu::Adapter| {
            let own = adapter.get_info().name.to_lowercase();
            name.is_none_or(|name| own.contains(&name.to_lowercase()))
        };
        let Some(adapter) = adapters.iter().find(fits) else {
            return Err(GpuError::NoAdapter {
                requested_name: name.map(str::to_owned),
                found: found(),
            });
        };
        let descriptor = Self::descriptor(adapter);
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(|error| {
            GpuError::NoDevice { adapter: adapter.get_info().name, reason: error.to_string() }
        })?;
        Self::from_device(adapter, device, queue)
    }

    /// Returns the device descriptor that this crate needs, which requests all limits of the
    /// adapter. Callers use it to open a device that they share with this crate.
    pub fn descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
        wgpu::DeviceDescriptor {
            label: Some("headwater"),
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        }
    }

    /// Creates a `Gpu` from a device that the caller has opened, such as that of a window. The
    /// device should have been opened with [`descriptor`](Self::descriptor). Replaces the error
    /// handlers of the device, so that [`check`](Self::check) returns all errors of the device.
    ///
    /// # Errors
    /// Returns [`GpuError::Limit`] if the device does not meet the minimum requirements of this
    /// crate. A large world may need more, which is checked when it is uploaded.
    pub fn from_device(
        adapter: &wgpu::Adapter,
        device: wgpu::Device,
        queue: wgpu::Queue,
    ) -> Result<Self, GpuError> {
        let gpu = Self::from_shared_device(adapter, device, queue)?;
        install_error_handlers(&gpu.device, &gpu.error);
        Ok(gpu)
    }

    /// Creates a `Gpu` from a device that the caller has opened, as
    /// [`from_device`](Self::from_device) does, but keeps the error handlers of the device, as game
    /// engines require. [`check`](Self::check) then returns only errors of calls within
    /// [`capture_errors`](Self::capture_errors). A lost device is detected only at the next
    /// read-back.
    ///
    /// # Errors
    /// Returns the same errors as [`from_device`](Self::from_device).
    pub fn from_shared_device(
        adapter: &wgpu::Adapter,
        device: wgpu::Device,
        queue: wgpu::Queue,
    ) -> Result<Self, GpuError> {
        let adapter_info = Adapter::from_info(&adapter.get_info());
        let error = Arc::new(Mutex::new(None));
        check_limits(&adapter_info, &device.limits())?;
        let (adapter, kernel_cache) = (Arc::new(adapter_info), Arc::default());
        Ok(Self { device, queue, adapter, error, kernel_cache })
    }

    /// Calls `work` and captures the device errors that it causes, so that [`check`](Self::check)
    /// returns them. The error handlers of the device's owner do not receive these errors.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn capture_errors<R>(&self, work: impl FnOnce() -> R) -> R {
        let filters = [ErrorFilter::OutOfMemory, ErrorFilter::Internal, ErrorFilter::Validation];
        let scopes = filters.map(|filter| self.device.push_error_scope(filter));
        let result = work();
        // The innermost scope comes first. Outside browsers, the scopes resolve without waiting.
        for scope in scopes.into_iter().rev() {
            if let Some(error) = pollster::block_on(scope.pop()) {
                record_error(&self.error, convert_wgpu_error(error));
            }
        }
        result
    }

    /// Checks that a device meets the minimum requirements of this crate, which apply to worlds of
    /// any size. Does not modify the device.
    ///
    /// # Errors
    /// Returns [`GpuError::Limit`] if a limit of the device is too low.
    pub fn check_device(adapter: &wgpu::Adapter, device: &wgpu::Device) -> Result<(), GpuError> {
        check_limits(&Adapter::from_info(&adapter.get_info()), &device.limits())
    }

    /// Returns the underlying wgpu device.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Returns the wgpu queue of the device. Submissions by the caller and by this crate are
    /// executed in the order of the calls.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Opens the fastest GPU, as [`open`](Self::open) does, and blocks until it is available.
    ///
    /// # Errors
    /// Returns the same errors as [`open`](Self::open).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new() -> Result<Self, GpuError> {
        pollster::block_on(Self::open(None))
    }

    /// Opens the first adapter whose name contains `name`, ignoring case, and blocks until it is
    /// available.
    ///
    /// # Errors
    /// Returns the same errors as [`open`](Self::open).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open_by_name(name: &str) -> Result<Self, GpuError> {
        pollster::block_on(Self::open(Some(name)))
    }

    /// Returns the properties of the adapter to which the device belongs.
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    /// Returns the limits of the device, such as its largest buffer.
    pub fn limits(&self) -> Limits {
        self.device.limits()
    }

    /// Checks for device errors. Device errors are asynchronous, so every read-back calls this
    /// function first. Loss of the device is permanent and is returned by every call; other errors
    /// are returned once.
    ///
    /// # Errors
    /// Returns the first device error since the last call.
    pub fn check(&self) -> Result<(), GpuError> {
        match self.take_error() {
            None => Ok(()),
            Some(lost @ GpuError::Lost(_)) => Err(lost),
            Some(refused) => {
                // A lost device rejects calls before it reports the loss. The loss is reported only
                // after the pending work has ended.
                let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
                match self.take_error() {
                    Some(lost @ GpuError::Lost(_)) => Err(lost),
                    _ => Err(refused),
                }
            }
        }
    }

    /// Removes and returns the captured device error; returns `None` if no error was captured. If
    /// the error is the loss of the device, which is permanent, returns a copy and keeps the error.
    fn take_error(&self) -> Option<GpuError> {
        let mut error = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(&*error, Some(GpuError::Lost(_))) { error.clone() } else { error.take() }
    }

    /// Checks that a resource does not exceed a limit of the device. `label` is the name of the
    /// resource, `needed` and `limit` are amounts in `unit`, and `name` is the name of the limit in
    /// WebGPU.
    ///
    /// # Errors
    /// Returns [`GpuError::Limit`] if `needed` exceeds `limit`.
    pub(crate) fn check_limit(
        &self,
        label: &str,
        (needed, limit): (u64, u64),
        unit: &'static str,
        name: &'static str,
    ) -> Result<(), GpuError> {
        check_resource_limit(&self.adapter, label, (needed, limit), unit, name)
    }

    /// Blocks until a submission, given by the index that [`Queue::submit`](wgpu::Queue::submit)
    /// returned, is complete.
    ///
    /// # Errors
    /// Returns the same errors as [`wait`](Self::wait).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait_for(&self, submission: wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let until = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        let polled = self.device.poll(until);
        self.check()?;
        polled.map(|_| ()).map_err(|error| GpuError::Lost(error.to_string()))
    }

    /// Blocks until all submissions are complete.
    ///
    /// # Errors
    /// Returns [`GpuError::Lost`] if the device is lost, otherwise its first error.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self) -> Result<(), GpuError> {
        let polled = self.device.poll(wgpu::PollType::wait_indefinitely());
        self.check()?;
        polled.map(|_| ()).map_err(|error| GpuError::Lost(error.to_string()))
    }

    /// Blocks until `future`, which depends on this device, is complete, and returns its output.
    /// Polls the device meanwhile.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        let mut future = std::pin::pin!(future);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
            // The future itself returns the error.
            let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
        }
    }

    /// Runs the callbacks of completed GPU work, without blocking. Browsers do this automatically.
    pub fn poll(&self) {
        // `check` returns the error.
        let _ = self.device.poll(wgpu::PollType::Poll);
    }

    /// Destroys the device, which then counts as lost. Intended for tests of error handling.
    pub fn destroy(&self) {
        self.device.destroy();
        let _ = self.device.poll(wgpu::PollType::Poll);
    }
}

/// Checks that a resource with the name `label` does not exceed a limit of the device.
///
/// # Errors
/// Returns [`GpuError::Limit`] if `needed` exceeds `limit`.
fn check_resource_limit(
    adapter: &Adapter,
    label: &str,
    (needed, limit): (u64, u64),
    unit: &'static str,
    name: &'static str,
) -> Result<(), GpuError> {
    if needed <= limit {
        return Ok(());
    }
    let adapter = adapter.name.clone();
    Err(GpuError::Limit { label: label.to_owned(), needed, limit, unit, name, adapter })
}

/// Checks that the device limits meet the [minimum requirements](minimum_requirements).
///
/// # Errors
/// Returns [`GpuError::Limit`] if a limit is too low.
fn check_limits(adapter: &Adapter, limits: &Limits) -> Result<(), GpuError> {
    for (needed, limit, unit, name) in minimum_requirements(limits) {
        check_resource_limit(adapter, "water on the GPU", (needed, u64::from(limit)), unit, name)?;
    }
    Ok(())
}

/// Returns the limits that every world needs, as tuples of four: the needed value, the value that
/// the device supports, the unit, and the name of the limit in WebGPU. Devices without compute
/// shaders, such as those of WebGL, support 0 of each.
fn minimum_requirements(limits: &Limits) -> [(u64, u32, &'static str, &'static str); 4] {
    let buffers = limits.max_storage_buffers_per_shader_stage;
    let memory = limits.max_compute_workgroup_storage_size;
    let invocations = limits.max_compute_invocations_per_workgroup;
    let textures = limits.max_storage_textures_per_shader_stage;
    [
        (8, buffers, "buffers", "max_storage_buffers_per_shader_stage"),
        (MIN_WORKGROUP_MEMORY, memory, "bytes", "max_compute_workgroup_storage_size"),
        (256, invocations, "invocations", "max_compute_invocations_per_workgroup"),
        (1, textures, "textures", "max_storage_textures_per_shader_stage"),
    ]
}

/// Returns the rank by which adapters are sorted. Rank 0, the most preferred, is a discrete GPU.
fn preference_rank(kind: DeviceType) -> u8 {
    match kind {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}

/// Stores `new_error` as the captured device error, unless an error is already stored. Loss of the
/// device replaces other errors.
fn record_error(error: &Mutex<Option<GpuError>>, new_error: GpuError) {
    let mut error = error.lock().unwrap_or_else(PoisonError::into_inner);
    if error.is_none() || matches!(new_error, GpuError::Lost(_)) {
        *error = Some(new_error);
    }
}

fn convert_wgpu_error(error: wgpu::Error) -> GpuError {
    match error {
        wgpu::Error::OutOfMemory { .. } => {
            GpuError::OutOfMemory { label: "a buffer".to_owned(), bytes: 0 }
        }
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
            GpuError::Refused(description)
        }
    }
}

fn install_error_handlers(device: &wgpu::Device, error: &Arc<Mutex<Option<GpuError>>>) {
    let on_loss = Arc::clone(error);
    device.set_device_lost_callback(move |reason, message| {
        record_error(&on_loss, GpuError::Lost(format!("{reason:?}: {message}")));
    });
    let on_error = Arc::clone(error);
    device.on_uncaptured_error(Arc::new(move |error| {
        record_error(&on_error, convert_wgpu_error(error));
    }));
}
