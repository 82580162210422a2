//! Cache of compiled kernels, because compilation takes far longer than a step of a small world.

use crate::shader::BindingDecl;
use std::sync::{Mutex, PoisonError};

/// Cache key of a kernel. Two kernels with equal keys are identical after compilation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KernelSource {
    pub(crate) text: String,
    pub(crate) entry: String,
    /// Name of the buffer that is bound with a dynamic offset, and the number of its bytes that a
    /// dispatch can access. `None` if there is no such buffer.
    pub(crate) dynamic_buffer: Option<(&'static str, u64)>,
}

/// Compiled kernel with its bind group layout. Clones share the wgpu pipeline.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline {
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) bindings: Vec<BindingDecl>,
    /// Name of the buffer that is bound with a dynamic offset, and the number of its bytes that a
    /// dispatch can access. `None` if the kernel uses no such buffer.
    pub(crate) dynamic_buffer: Option<(&'static str, u64)>,
}

/// Cache of the compiled kernels of a device, ordered from most to least recently used.
#[derive(Debug, Default)]
pub(crate) struct KernelCache(Mutex<Vec<(KernelSource, Pipeline)>>);

/// Maximum number of kernels in the cache, enough for several worlds. Kernels contain constants
/// that edits change (such as the number of tracers), so old kernels must be evicted.
pub(crate) const CAPACITY: usize = 64;

impl KernelCache {
    /// Returns the compiled kernel for `source` if it is in the cache, and marks it as most
    /// recently used.
    pub(crate) fn find(&self, source: &KernelSource) -> Option<Pipeline> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|(cached, _)| cached == source)?;
        all[..=at].rotate_right(1);
        Some(all[0].1.clone())
    }

    /// Adds a kernel to the cache. If the cache is full, evicts the least recently used kernel.
    pub(crate) fn insert(&self, source: KernelSource, pipeline: Pipeline) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.truncate(CAPACITY - 1);
        all.insert(0, (source, pipeline));
    }

    #[cfg(all(test, feature = "test-on-device"))]
    pub(crate) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
