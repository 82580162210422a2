//! [`Backend`]: the hardware or processes that step a world.

use crate::run::ranks::Ranks;
#[cfg(feature = "gpu")]
use headwater_gpu::Gpu;

/// Hardware or processes that step the world of a run or of an interactive session.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Backend {
    /// CPU.
    #[default]
    Cpu,
    /// GPU. Supported by the models `flow` and `waves`.
    #[cfg(feature = "gpu")]
    Gpu(Gpu),
    /// CPU with a memory limit (bytes). Only some rows of the world are in memory at a time; the
    /// others are on disk. Only the model `flow` supports this, with bit-identical results. It can
    /// be chosen only when a run starts.
    Memory(usize),
    /// Several processes, each of which owns some rows of the world. Only the model `flow` supports
    /// this, with results bit-identical to those of a single process. It can be chosen only when a
    /// run starts.
    Distributed(Ranks),
}

impl Backend {
    /// Returns whether a device such as a GPU steps the world. Its steps are done in batches and
    /// may differ from steps on the CPU.
    pub fn is_device(&self) -> bool {
        !matches!(self, Self::Cpu | Self::Memory(_) | Self::Distributed(_))
    }

    /// Returns the end of the error message "the model `NAME` …" for a model that does not support
    /// this backend.
    pub(in crate::run) fn limitation(&self) -> &'static str {
        match self {
            Backend::Distributed(_) => "runs in a single process only",
            _ => "runs on the CPU only",
        }
    }

    /// Returns the backend's name for the summary: `cpu`, `cpu, 4096 MiB of memory`, `gpu: `
    /// followed by the adapter name, or the name of the ranks.
    pub fn name(&self) -> String {
        match self {
            Backend::Cpu => "cpu".into(),
            Backend::Memory(bytes) => format!("cpu, {} MiB of memory", bytes >> 20),
            Backend::Distributed(ranks) => ranks.name.clone(),
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => {
                let adapter = gpu.adapter();
                // Browsers may hide the adapter name.
                let name = if adapter.name.is_empty() { "one" } else { &adapter.name };
                format!("gpu: {name} ({})", adapter.backend)
            }
        }
    }
}
