//! Cache of compiled kernels, because compilation takes far longer than a step of a small world.

use crate::shader::BindingDecl;
use std::sync::{Mutex, PoisonError};

/// Cache key: everything that a compiled kernel depends on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KernelSource {
    pub(crate) text: String,
    pub(crate) entry: String,
    /// Buffer that is bound with a dynamic offset, and the size of its visible window (bytes).
    pub(crate) window: Option<(&'static str, u64)>,
}

/// Compiled kernel. Clones share the pipeline.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline {
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) bindings: Vec<BindingDecl>,
    /// The window of its source, if the kernel uses that buffer.
    pub(crate) window: Option<(&'static str, u64)>,
}

/// Compiled kernels of a device, most recently used first.
#[derive(Debug, Default)]
pub(crate) struct KernelCache(Mutex<Vec<(KernelSource, Pipeline)>>);

/// Cache capacity (kernels), enough for several worlds. Kernels contain constants that change with
/// edits (such as the number of tracers), so old ones must be evicted.
pub(crate) const CAPACITY: usize = 64;

impl KernelCache {
    /// Returns the cached kernel for a source and marks it as most recently used.
    pub(crate) fn find(&self, source: &KernelSource) -> Option<Pipeline> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|(cached, _)| cached == source)?;
        all[..=at].rotate_right(1);
        Some(all[0].1.clone())
    }

    /// Adds a kernel and evicts the least recently used one if the cache is full.
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
