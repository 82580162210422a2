//! Memory copy on the device, which serves as the bandwidth reference for benchmarks.

use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{BindGroup, Kernel};
use crate::shader::compose;
#[cfg(not(target_arch = "wasm32"))]
use std::time::{Duration, Instant};

/// Workgroup size of the copy kernel (invocations).
const THREADS: u32 = 256;

/// Benchmark kernel that copies `f32` values between two buffers of a device.
#[derive(Debug)]
pub struct DeviceCopy {
    gpu: Gpu,
    kernel: Kernel,
    bind_group: BindGroup,
    from: Buffer<f32>,
    #[cfg_attr(
        target_arch = "wasm32",
        expect(dead_code, reason = "read only by functions that block")
    )]
    to: Buffer<f32>,
}

pub(crate) fn shader() -> String {
    compose(&[("THREADS", THREADS)], &[include_str!("copy.wgsl")])
}

impl DeviceCopy {
    /// Creates the two device buffers of the benchmark. The source buffer contains `data`,
    /// truncated to a multiple of four elements.
    ///
    /// # Errors
    /// Returns [`GpuError::Limit`] or [`GpuError::OutOfMemory`] if allocation fails.
    pub fn new(gpu: &Gpu, data: &[f32]) -> Result<Self, GpuError> {
        let kernel = Kernel::new(gpu, &shader(), "copy", None)?;
        let count = data.len() / 4 * 4;
        let from = Buffer::from_slice(gpu, "copy source", &data[..count])?;
        let to = Buffer::new(gpu, "copy target", count)?;
        let bind_group = kernel.bind(gpu, &[("source", from.binding()), ("target_", to.binding())]);
        Ok(Self { gpu: gpu.clone(), kernel, bind_group, from, to })
    }

    /// Returns the memory traffic of one copy (bytes): each byte is read once and written once.
    pub fn bytes(&self) -> u64 {
        2 * 4 * self.from.len() as u64
    }

    /// Submits `times` copies without waiting for their completion.
    pub fn run(&self, times: usize) {
        let groups = (self.from.len() / 4).div_ceil(THREADS as usize) as u32;
        // A dispatch has at most 65535 workgroups along an axis.
        let rows = groups.div_ceil(65_535).max(1);
        let groups = [groups.div_ceil(rows), rows];
        self.gpu.submit(|pass| {
            for _ in 0..times {
                self.kernel.dispatch(pass, &self.bind_group, 0, groups);
            }
        });
    }

    /// Returns the wall-clock time of `times` copies, from submission to completion.
    ///
    /// # Errors
    /// Returns a [`GpuError`] if the device is lost or reports an error.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn benchmark(&self, times: usize) -> Result<Duration, GpuError> {
        self.gpu.wait()?;
        let start = Instant::now();
        self.run(times);
        self.gpu.wait()?;
        Ok(start.elapsed())
    }

    /// Reads back the copied values from the destination buffer.
    ///
    /// # Errors
    /// Returns a [`GpuError`] if the device is lost or reports an error.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_result(&self) -> Result<Vec<f32>, GpuError> {
        self.to.read(&self.gpu, 0, self.to.len())?.wait()
    }
}
