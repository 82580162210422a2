//! What computes: the processor, or a GPU in programs that are built with the feature `gpu`.

#[cfg(not(feature = "gpu"))]
use crate::usage::Usage;
use anyhow::Result;
use clap::ValueEnum;
use headwater_scene::run;

/// Why there is no GPU in a program without the feature, and what to do.
#[cfg(not(feature = "gpu"))]
pub(crate) const NO_GPU: &str = "this program was built without its GPU backend; build it with the feature `gpu`, as in \
     `cargo run --release -p headwater-cli --features gpu -- run SCENE --backend gpu`";

/// What computes.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Backend {
    /// The processor.
    Cpu,
    /// A GPU; for the models flow and waves, in programs that are built with the feature `gpu`.
    Gpu,
}

impl Backend {
    /// Opens it for runs.
    pub(crate) fn open(self) -> Result<run::Backend> {
        match self {
            Backend::Cpu => Ok(run::Backend::Cpu),
            #[cfg(feature = "gpu")]
            Backend::Gpu => Ok(run::Backend::Gpu(headwater_gpu::Gpu::new()?)),
            #[cfg(not(feature = "gpu"))]
            Backend::Gpu => Err(Usage(NO_GPU.into()).into()),
        }
    }
}
