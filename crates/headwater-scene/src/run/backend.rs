//! What computes a run or a live world: the processor, or a GPU between the moments at which somebody looks at the world.

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
}

impl Backend {
    /// True if the world is stepped elsewhere than where it is kept.
    pub fn is_device(&self) -> bool {
        !matches!(self, Backend::Cpu)
    }

    /// What it is called in a summary: `cpu`, or `gpu: ` and the adapter's name.
    pub fn name(&self) -> String {
        match self {
            Backend::Cpu => "cpu".into(),
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => {
                let adapter = gpu.adapter();
                format!("gpu: {} ({})", adapter.name, adapter.backend)
            }
        }
    }
}
