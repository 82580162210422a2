//! What was compiled for a device, kept: compiling takes longer than a small world's step by far, and drivers that are
//! programs compile for a second.

use crate::shader::Bound;
use std::sync::{Mutex, PoisonError};

/// What a kernel is compiled from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) entry: String,
    /// The buffer that it sees through a window, and how many bytes that has.
    pub(crate) window: Option<(&'static str, u64)>,
}

/// A compiled kernel; a clone is the same.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline {
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) bound: Vec<Bound>,
    /// As its source has it, if it looks at that buffer at all.
    pub(crate) window: Option<(&'static str, u64)>,
}

/// Kernels that were compiled for a device, those that were asked for last in front. A second world of the same kind
/// finds its own here.
#[derive(Debug, Default)]
pub(crate) struct Compiled(Mutex<Vec<(Source, Pipeline)>>);

/// How many kernels are kept: all of several worlds. Some have numbers in their text that change when a world is
/// edited (how many tracers there may be), so those of the past have to go.
pub(crate) const KEPT: usize = 64;

impl Compiled {
    /// The kernel of this source, if it is there.
    pub(crate) fn find(&self, source: &Source) -> Option<Pipeline> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|(known, _)| known == source)?;
        all[..=at].rotate_right(1);
        Some(all[0].1.clone())
    }

    /// Keeps a kernel, in place of the one that was asked for longest ago if there are too many.
    pub(crate) fn keep(&self, source: Source, pipeline: Pipeline) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.truncate(KEPT - 1);
        all.insert(0, (source, pipeline));
    }

    #[cfg(all(test, feature = "test-on-device"))]
    pub(crate) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
