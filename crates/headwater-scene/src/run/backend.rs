//! [`Backend`]: hardware and processes that step a world.

use super::ranks::Ranks;
#[cfg(feature = "gpu")]
use headwater_gpu::Gpu;

/// Hardware and processes that step a run or a live world.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Backend {
    /// CPU.
    #[default]
    Cpu,
    /// GPU. Supported by the models `flow` and `waves`.
    #[cfg(feature = "gpu")]
    Gpu(Gpu),
    /// CPU with a memory limit (bytes): some rows of the world are in memory at a time. Only the
    /// model `flow` supports this; its results are bit-identical. Chosen when a run starts.
    Memory(usize),
    /// Several processes, each of which owns some rows of the world. Only the model `flow` supports
    /// this; its results are bit-identical to a single process. Chosen when a run starts.
    Distributed(Ranks),
}

impl Backend {
    /// Returns whether the world is stepped on a device, where steps may differ from those on the
    /// CPU and are done in batches.
    pub fn is_device(&self) -> bool {
        !matches!(self, Self::Cpu | Self::Memory(_) | Self::Distributed(_))
    }

    /// Returns the end of an error message for models that do not support this backend.
    pub(super) fn limitation(&self) -> &'static str {
        match self {
            Backend::Distributed(_) => "runs in a single process only",
            _ => "runs on the CPU only",
        }
    }

    /// Returns the name in the summary: `cpu`, `cpu, 4096 MiB of memory`, `gpu: ` and the adapter's
    /// name, or the name of the ranks.
    pub fn name(&self) -> String {
        match self {
            Backend::Cpu => "cpu".into(),
            Backend::Memory(bytes) => format!("cpu, {} MiB of memory", bytes >> 20),
            Backend::Distributed(ranks) => ranks.name.clone(),
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => {
                let adapter = gpu.adapter();
                // Browsers may hide the name.
                let name = if adapter.name.is_empty() { "one" } else { &adapter.name };
                format!("gpu: {name} ({})", adapter.backend)
            }
        }
    }
}
