//! [`Backend`]: what computes a run or a live world.

use super::ranks::Ranks;
#[cfg(feature = "gpu")]
use headwater_gpu::Gpu;

/// What computes a run, or a live world.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Backend {
    /// The processor.
    #[default]
    Cpu,
    /// A GPU. The models `flow` and `waves` can be stepped there.
    #[cfg(feature = "gpu")]
    Gpu(Gpu),
    /// The processor, with so many bytes of the world in memory at most: some rows of it at a time. The model `flow` can be stepped so, and comes to the
    /// same bits. A world is so from its beginning.
    Memory(usize),
    /// Several processes, each of which owns some rows of the world. Only the model `flow` supports this;
    /// its results are bit-identical to those of one process. Chosen when a run starts.
    Distributed(Ranks),
}

impl Backend {
    /// True if the world is stepped on a device, where steps are other ones, and not each by itself.
    pub fn is_device(&self) -> bool {
        !matches!(self, Self::Cpu | Self::Memory(_) | Self::Distributed(_))
    }

    /// What cannot be done by it is done so.
    pub(super) fn instead(&self) -> &'static str {
        match self {
            Backend::Distributed(_) => "is stepped by one process alone",
            _ => "runs on the CPU alone",
        }
    }

    /// What it is called in a summary: `cpu`, `cpu, 4096 MiB of memory`, `gpu: ` and the adapter's name, or the name of the ranks.
    pub fn name(&self) -> String {
        match self {
            Backend::Cpu => "cpu".into(),
            Backend::Memory(bytes) => format!("cpu, {} MiB of memory", bytes >> 20),
            Backend::Distributed(ranks) => ranks.name.clone(),
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => {
                let adapter = gpu.adapter();
                // Browsers may keep the name to themselves.
                let name = if adapter.name.is_empty() { "one" } else { &adapter.name };
                format!("gpu: {name} ({})", adapter.backend)
            }
        }
    }
}
