//! [`Backend`]: the hardware or processes that step a world.

use crate::run::ranks::Ranks;
#[cfg(feature = "gpu")]
use headwater_gpu::Gpu;
use std::path::PathBuf;

/// Hardware or processes that step the world of a run or of an interactive session.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Backend {
    /// Steps the world on the CPU, in a single process.
    #[default]
    Cpu,
    /// Steps the world on this GPU. Only the models `flow` and `waves` support it.
    #[cfg(feature = "gpu")]
    Gpu(Gpu),
    /// Steps the world on the CPU with this limit on memory use (bytes). Only some rows of the
    /// world are in memory at a time; the others are on disk. Only the model `flow` supports this
    /// backend. The results are bit-identical to those without a limit. This backend can be chosen
    /// only when a run starts.
    Memory(usize),
    /// Steps the world in several processes. Each process owns some rows of the world. Only the
    /// model `flow` supports this backend. The results are bit-identical to those of a single
    /// process. This backend can be chosen only when a run starts.
    Distributed(Ranks),
}

/// Memory limit of a process, and the folder for data that exceeds the limit.
#[derive(Clone, Debug)]
pub struct MemoryLimit {
    /// Memory that the program may use (bytes).
    pub bytes: usize,
    /// Folder for blocks of rows that do not fit in memory. The folder is created and removed
    /// together with the world.
    pub scratch: PathBuf,
}

impl Backend {
    /// Returns whether a device such as a GPU steps the world. A device executes steps in batches,
    /// and its results may differ from the results on the CPU.
    pub fn is_device(&self) -> bool {
        !matches!(self, Self::Cpu | Self::Memory(_) | Self::Distributed(_))
    }

    /// Returns an error text for a model that does not support this backend. The text has no
    /// subject; the caller puts "the model `NAME`" before it.
    pub(in crate::run) fn limitation_message(&self) -> &'static str {
        match self {
            Backend::Distributed(_) => "runs in a single process only",
            _ => "runs on the CPU only",
        }
    }

    /// Returns the name of the backend for the run's summary: `cpu`, `cpu, 4096 MiB of memory`, or
    /// `gpu: ` followed by the adapter name. For several processes, returns the name in [`Ranks`].
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
