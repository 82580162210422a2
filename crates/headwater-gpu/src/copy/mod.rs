//! A plain copy on the device: the bandwidth that everything else is held against.

use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Bound, Kernel};
use crate::shader::compose;
#[cfg(not(target_arch = "wasm32"))]
use std::time::{Duration, Instant};

/// Invocations of a workgroup.
const THREADS: u32 = 256;

/// Copies numbers from one buffer of the device to another.
#[derive(Debug)]
pub struct DeviceCopy {
    gpu: Gpu,
    kernel: Kernel,
    bound: Bound,
    from: Buffer<f32>,
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "nothing waits for it there"))]
    to: Buffer<f32>,
}

pub(crate) fn shader() -> String {
    compose(&[("THREADS", THREADS)], &[include_str!("copy.wgsl")])
}

impl DeviceCopy {
    /// A copy of `data`, cut to whole groups of four.
    ///
    /// # Errors
    /// [`GpuError`] if the device has no room for it.
    pub fn new(gpu: &Gpu, data: &[f32]) -> Result<Self, GpuError> {
        let kernel = Kernel::new(gpu, &shader(), "copy", None)?;
        let whole = data.len() / 4 * 4;
        let from = Buffer::of(gpu, "what is copied", &data[..whole])?;
        let to = Buffer::new(gpu, "the copy", whole)?;
        let bound = kernel.bind(gpu, &[("source", from.binding()), ("target_", to.binding())]);
        Ok(Self { gpu: gpu.clone(), kernel, bound, from, to })
    }

    /// Bytes that a copy moves: each is read once and written once.
    pub fn bytes(&self) -> u64 {
        2 * 4 * self.from.len() as u64
    }

    /// Copies `times` times; it does not wait.
    pub fn run(&self, times: usize) {
        let groups = (self.from.len() / 4).div_ceil(THREADS as usize) as u32;
        // A dispatch has at most 65535 workgroups along an axis.
        let rows = groups.div_ceil(65_535).max(1);
        let groups = [groups.div_ceil(rows), rows];
        self.gpu.submit(|pass| {
            for _ in 0..times {
                self.kernel.run(pass, &self.bound, 0, groups);
            }
        });
    }

    /// How long `times` copies take, from submitting them to their end.
    ///
    /// # Errors
    /// [`GpuError`] if the device fails.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn time(&self, times: usize) -> Result<Duration, GpuError> {
        self.gpu.wait()?;
        let start = Instant::now();
        self.run(times);
        self.gpu.wait()?;
        Ok(start.elapsed())
    }

    /// What has been copied.
    ///
    /// # Errors
    /// [`GpuError`] if the device fails.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn result(&self) -> Result<Vec<f32>, GpuError> {
        self.to.read(&self.gpu, 0, self.to.len())?.wait()
    }
}
