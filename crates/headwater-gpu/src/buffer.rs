//! Typed GPU buffers ([`Buffer`]) and asynchronous read-back of their contents ([`Pending`]).

use crate::api::mapped_bytes;
use crate::device::Gpu;
use crate::error::GpuError;
use bytemuck::Pod;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use wgpu::BufferUsages;

/// GPU storage or uniform buffer with elements of type `T`.
#[derive(Debug)]
pub struct Buffer<T> {
    pub(crate) raw: wgpu::Buffer,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    /// Creates a storage buffer with `len` zeroed elements. If `len` is 0, one element is
    /// allocated, because wgpu has no empty buffers.
    ///
    /// # Errors
    /// Returns [`GpuError::Limit`] if the size exceeds a device limit, and
    /// [`GpuError::OutOfMemory`] if allocation fails.
    pub fn new(gpu: &Gpu, label: &str, len: usize) -> Result<Self, GpuError> {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        Self::with_usage(gpu, label, len, usage)
    }

    /// Creates a storage buffer with the contents of `data`.
    ///
    /// # Errors
    /// Returns the same errors as [`new`](Self::new).
    pub fn from_slice(gpu: &Gpu, label: &str, data: &[T]) -> Result<Self, GpuError> {
        let buffer = Self::new(gpu, label, data.len())?;
        buffer.write(gpu, 0, data);
        Ok(buffer)
    }

    /// Creates a uniform buffer that contains one record.
    ///
    /// # Errors
    /// Returns the same errors as [`new`](Self::new).
    pub fn new_uniform(gpu: &Gpu, label: &str, record: T) -> Result<Self, GpuError> {
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let buffer = Self::with_usage(gpu, label, 1, usage)?;
        buffer.write(gpu, 0, &[record]);
        Ok(buffer)
    }

    fn with_usage(
        gpu: &Gpu,
        label: &str,
        len: usize,
        usage: BufferUsages,
    ) -> Result<Self, GpuError> {
        let bytes = (len.max(1) * size_of::<T>()).next_multiple_of(4) as u64;
        let limits = gpu.limits();
        gpu.check_limit(label, (bytes, limits.max_buffer_size), "bytes", "max_buffer_size")?;
        let (binding, name) = if usage.contains(BufferUsages::STORAGE) {
            (limits.max_storage_buffer_binding_size, "max_storage_buffer_binding_size")
        } else {
            (limits.max_uniform_buffer_binding_size, "max_uniform_buffer_binding_size")
        };
        gpu.check_limit(label, (bytes, binding), "bytes", name)?;
        let raw = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage,
            mapped_at_creation: false,
        });
        gpu.check().map_err(|error| match error {
            GpuError::OutOfMemory { .. } => {
                GpuError::OutOfMemory { label: label.to_owned(), bytes }
            }
            other => other,
        })?;
        Ok(Self { raw, len, element: PhantomData })
    }

    /// Returns a binding resource that covers the whole buffer.
    pub fn binding(&self) -> wgpu::BindingResource<'_> {
        self.raw.as_entire_binding()
    }

    /// Returns the number of elements of the buffer.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the buffer was created with a length of 0.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes `data` to the buffer, starting at element `start`. The write takes effect before all
    /// commands that are submitted later. Elements of `data` beyond the end of the buffer are
    /// ignored.
    pub fn write(&self, gpu: &Gpu, start: usize, data: &[T]) {
        let fitting = &data[..data.len().min(self.len.saturating_sub(start))];
        if !fitting.is_empty() {
            let offset = (start * size_of::<T>()) as u64;
            gpu.queue.write_buffer(&self.raw, offset, bytemuck::cast_slice(fitting));
        }
    }

    /// Starts an asynchronous copy of `count` elements, starting at element `start`, to the CPU.
    /// The copy sees the results of all commands submitted so far.
    ///
    /// # Errors
    /// Returns [`GpuError::OutOfMemory`] if the staging buffer cannot be allocated, and
    /// [`GpuError::Lost`] if the device is lost.
    pub fn read(&self, gpu: &Gpu, start: usize, count: usize) -> Result<Pending<T>, GpuError> {
        let count = count.min(self.len.saturating_sub(start));
        read_ranges(gpu, &[(self, start, count)])
    }
}

/// Starts an asynchronous copy of several buffer ranges to the CPU, as [`Buffer::read`] does for
/// one range. Each range is given as (buffer, first element, number of elements). It must lie
/// within its buffer, and its size must be a multiple of 4 bytes. The result is the concatenation
/// of the ranges.
pub(crate) fn read_ranges<T: Pod>(
    gpu: &Gpu,
    parts: &[(&Buffer<T>, usize, usize)],
) -> Result<Pending<T>, GpuError> {
    let raw: Vec<_> =
        parts.iter().map(|&(buffer, start, count)| (&buffer.raw, start, count)).collect();
    read_raw(gpu, &raw)
}

/// Starts an asynchronous copy of several buffer ranges to the CPU, as [`read_ranges`] does, but
/// for untyped wgpu buffers that contain elements of type `T`.
pub(crate) fn read_raw<T: Pod>(
    gpu: &Gpu,
    parts: &[(&wgpu::Buffer, usize, usize)],
) -> Result<Pending<T>, GpuError> {
    let size = size_of::<T>() as u64;
    let count: usize = parts.iter().map(|part| part.2).sum();
    let bytes = (count.max(1) as u64 * size).next_multiple_of(4);
    let copy = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read-back"),
        size: bytes,
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.check()?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut end = 0;
    for &(buffer, start, count) in parts {
        let bytes = (count as u64 * size).next_multiple_of(4);
        if bytes > 0 {
            encoder.copy_buffer_to_buffer(buffer, start as u64 * size, &copy, end, bytes);
        }
        end += bytes;
    }
    gpu.queue.submit([encoder.finish()]);
    let state = Arc::new(Mutex::new(PendingState::default()));
    let arrived = Arc::clone(&state);
    copy.map_async(wgpu::MapMode::Read, .., move |outcome| {
        let mut state = arrived.lock().unwrap_or_else(PoisonError::into_inner);
        state.outcome = Some(outcome.map_err(|error| GpuError::Lost(error.to_string())));
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    });
    Ok(Pending { gpu: gpu.clone(), copy, count, state, element: PhantomData })
}

/// Elements of a buffer that are being copied from the device to the CPU; see [`Buffer::read`].
///
/// This type is a future. Outside browsers, [`Gpu::poll`] must be called regularly (for example
/// once per frame) so that the future completes. [`wait`](Self::wait) blocks and polls;
/// [`try_take`](Self::try_take) polls once without blocking.
#[derive(Debug)]
pub struct Pending<T> {
    gpu: Gpu,
    copy: wgpu::Buffer,
    count: usize,
    state: Arc<Mutex<PendingState>>,
    element: PhantomData<T>,
}

#[derive(Debug, Default)]
struct PendingState {
    outcome: Option<Result<(), GpuError>>,
    waker: Option<Waker>,
}

impl<T> Pending<T> {
    /// Returns whether the elements have arrived, so that [`try_take`](Self::try_take) returns a
    /// result.
    pub fn has_arrived(&self) -> bool {
        self.gpu.poll();
        self.state.lock().unwrap_or_else(PoisonError::into_inner).outcome.is_some()
    }
}

impl<T: Pod> Pending<T> {
    /// Polls the device, and returns the elements if they have arrived. Returns `None` if they have
    /// not arrived.
    pub fn try_take(&mut self) -> Option<Result<Vec<T>, GpuError>> {
        self.gpu.poll();
        let outcome = self.state.lock().unwrap_or_else(PoisonError::into_inner).outcome.clone();
        outcome.map(|outcome| outcome.and_then(|()| self.read_mapped_elements()))
    }

    /// Blocks until the elements have arrived and returns them.
    ///
    /// # Errors
    /// Returns [`GpuError::Lost`] if the device is lost, otherwise its first error.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(mut self) -> Result<Vec<T>, GpuError> {
        self.gpu.wait()?;
        self.try_take()
            .unwrap_or_else(|| Err(GpuError::Lost("the read-back returned no data".to_owned())))
    }

    fn read_mapped_elements(&self) -> Result<Vec<T>, GpuError> {
        self.gpu.check()?;
        let view = mapped_bytes(&self.copy)?;
        let bytes = &view[..self.count * size_of::<T>()];
        Ok(bytemuck::pod_collect_to_vec(bytes))
    }
}

impl<T: Pod + Unpin> Future for Pending<T> {
    type Output = Result<Vec<T>, GpuError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).waker =
            Some(context.waker().clone());
        match self.try_take() {
            Some(outcome) => Poll::Ready(outcome),
            None => Poll::Pending,
        }
    }
}
