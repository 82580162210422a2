//! What computes a run or a live world: the processor, or a GPU or a team of processes between the moments at which somebody
//! looks at the world.

use super::team::Team;
#[cfg(feature = "gpu")]
use headwater_gpu::Gpu;
use std::sync::Arc;

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
    /// A team of processes, each of which steps a part. The models `flow`, `waves` and, by stream power, `hydrology` can be stepped so, and come to the same bits.
    Team(Arc<dyn Team>),
    /// A team of processes, each of which makes some rows of the world and keeps them: none has the whole. The model `flow` can be stepped so, and comes to
    /// the same bits. A world is so from its beginning.
    Spread(Arc<dyn Team>),
}

impl Backend {
    /// True if the world is stepped on a device, where steps are other ones, and not each by itself.
    pub fn is_device(&self) -> bool {
        !matches!(self, Self::Cpu | Self::Memory(_) | Self::Team(_) | Self::Spread(_))
    }

    /// What cannot be done by it is done so.
    pub(super) fn instead(&self) -> &'static str {
        match self {
            Backend::Team(_) | Backend::Spread(_) => "is stepped by one process alone",
            _ => "runs on the CPU alone",
        }
    }

    /// What it is called in a summary: `cpu`, `cpu, 4096 MiB of memory`, `gpu: ` and the adapter's name, or what the team calls itself.
    pub fn name(&self) -> String {
        match self {
            Backend::Cpu => "cpu".into(),
            Backend::Memory(bytes) => format!("cpu, {} MiB of memory", bytes >> 20),
            Backend::Team(team) => team.name(),
            Backend::Spread(team) => format!("{}, none with the whole world", team.name()),
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
