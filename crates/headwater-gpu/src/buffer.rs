//! Numbers on the device: [`Buffer`], made, filled and brought back ([`Pending`]).

use crate::api::mapped;
use crate::device::Gpu;
use crate::error::GpuError;
use bytemuck::Pod;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use wgpu::BufferUsages;

/// Numbers of one kind on the device, for shaders to read and write.
#[derive(Debug)]
pub struct Buffer<T> {
    pub(crate) raw: wgpu::Buffer,
    len: usize,
    kind: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    /// Room for `len` numbers, all 0. An empty one has room for one, for there are no empty buffers.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if that is more than a buffer can hold, [`GpuError::OutOfMemory`] if there is no
    /// room left.
    pub fn new(gpu: &Gpu, what: &str, len: usize) -> Result<Self, GpuError> {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        Self::with_usage(gpu, what, len, usage)
    }

    /// A buffer that holds `data`.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of(gpu: &Gpu, what: &str, data: &[T]) -> Result<Self, GpuError> {
        let buffer = Self::new(gpu, what, data.len())?;
        buffer.write(gpu, 0, data);
        Ok(buffer)
    }

    /// A buffer of one record that all invocations read alike.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn uniform(gpu: &Gpu, what: &str, record: T) -> Result<Self, GpuError> {
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let buffer = Self::with_usage(gpu, what, 1, usage)?;
        buffer.write(gpu, 0, &[record]);
        Ok(buffer)
    }

    fn with_usage(
        gpu: &Gpu,
        what: &str,
        len: usize,
        usage: BufferUsages,
    ) -> Result<Self, GpuError> {
        let bytes = (len.max(1) * size_of::<T>()).next_multiple_of(4) as u64;
        let limits = gpu.limits();
        gpu.within(what, (bytes, limits.max_buffer_size), "bytes", "max_buffer_size")?;
        let (binding, name) = if usage.contains(BufferUsages::STORAGE) {
            (limits.max_storage_buffer_binding_size, "max_storage_buffer_binding_size")
        } else {
            (limits.max_uniform_buffer_binding_size, "max_uniform_buffer_binding_size")
        };
        gpu.within(what, (bytes, binding), "bytes", name)?;
        let raw = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(what),
            size: bytes,
            usage,
            mapped_at_creation: false,
        });
        gpu.check().map_err(|error| match error {
            GpuError::OutOfMemory { .. } => GpuError::OutOfMemory { what: what.to_owned(), bytes },
            other => other,
        })?;
        Ok(Self { raw, len, kind: PhantomData })
    }

    /// All of it, for a kernel.
    pub fn binding(&self) -> wgpu::BindingResource<'_> {
        self.raw.as_entire_binding()
    }

    /// Numbers that it has room for.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if it was made for none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes `data` from place `start` on, before all that is submitted after this. What would not fit is left
    /// out.
    pub fn write(&self, gpu: &Gpu, start: usize, data: &[T]) {
        let fitting = &data[..data.len().min(self.len.saturating_sub(start))];
        if !fitting.is_empty() {
            let offset = (start * size_of::<T>()) as u64;
            gpu.queue.write_buffer(&self.raw, offset, bytemuck::cast_slice(fitting));
        }
    }

    /// Asks for a copy of `count` numbers from place `start` on, as they are when all that was submitted until
    /// now is done. It does not wait.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] if there is no room for the copy, [`GpuError::Lost`] if the device is gone.
    pub fn read(&self, gpu: &Gpu, start: usize, count: usize) -> Result<Pending<T>, GpuError> {
        let count = count.min(self.len.saturating_sub(start));
        read_parts(gpu, &[(self, start, count)])
    }
}

/// As [`Buffer::read`], of several parts of buffers (buffer, first place, count), one after the other. Each part has
/// to lie within its buffer, and to be whole words.
pub(crate) fn read_parts<T: Pod>(
    gpu: &Gpu,
    parts: &[(&Buffer<T>, usize, usize)],
) -> Result<Pending<T>, GpuError> {
    let raw: Vec<_> =
        parts.iter().map(|&(buffer, start, count)| (&buffer.raw, start, count)).collect();
    read_raw(gpu, &raw)
}

/// As [`read_parts`], of buffers whatever numbers they are of, as long as these are as large as `T`.
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
    let state = Arc::new(Mutex::new(State::default()));
    let arrived = Arc::clone(&state);
    copy.map_async(wgpu::MapMode::Read, .., move |outcome| {
        let mut state = arrived.lock().unwrap_or_else(PoisonError::into_inner);
        state.outcome = Some(outcome.map_err(|error| GpuError::Lost(error.to_string())));
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    });
    Ok(Pending { gpu: gpu.clone(), copy, count, state, kind: PhantomData })
}

/// Numbers on their way back from the device.
///
/// It is a future. Outside browsers somebody has to let the device call back ([`Gpu::poll`], once a frame);
/// [`wait`](Self::wait) does both, and [`try_take`](Self::try_take) asks without waiting.
#[derive(Debug)]
pub struct Pending<T> {
    gpu: Gpu,
    copy: wgpu::Buffer,
    count: usize,
    state: Arc<Mutex<State>>,
    kind: PhantomData<T>,
}

#[derive(Debug, Default)]
struct State {
    outcome: Option<Result<(), GpuError>>,
    waker: Option<Waker>,
}

impl<T> Pending<T> {
    /// Whether [`try_take`](Self::try_take) would tell something.
    pub fn has_arrived(&self) -> bool {
        self.gpu.poll();
        self.state.lock().unwrap_or_else(PoisonError::into_inner).outcome.is_some()
    }
}

impl<T: Pod> Pending<T> {
    /// The numbers, if they have arrived; `None` if not yet.
    pub fn try_take(&mut self) -> Option<Result<Vec<T>, GpuError>> {
        self.gpu.poll();
        let outcome = self.state.lock().unwrap_or_else(PoisonError::into_inner).outcome.clone();
        outcome.map(|outcome| outcome.and_then(|()| self.unpack()))
    }

    /// Waits for the numbers.
    ///
    /// # Errors
    /// [`GpuError::Lost`] if the device is gone, or its first fault on the way.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(mut self) -> Result<Vec<T>, GpuError> {
        self.gpu.wait()?;
        self.try_take().unwrap_or_else(|| Err(GpuError::Lost("nothing came back".to_owned())))
    }

    fn unpack(&self) -> Result<Vec<T>, GpuError> {
        self.gpu.check()?;
        let view = mapped(&self.copy)?;
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
