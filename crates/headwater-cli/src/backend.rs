//! Backend that steps the world: the CPU, or a GPU if the program was built with the feature `gpu`.

#[cfg(not(feature = "gpu"))]
use crate::usage::UserError;
use anyhow::Result;
use clap::ValueEnum;
use headwater_scene::run;

/// Error message for programs built without the feature `gpu`.
#[cfg(not(feature = "gpu"))]
pub const NO_GPU: &str = "this program was built without its GPU backend; to include it, add `--features gpu` to \
     `cargo run`, `cargo build` or `cargo install`";

/// Backend that steps the world.
#[derive(Clone, Copy, ValueEnum)]
pub enum Backend {
    /// The CPU.
    Cpu,
    /// A GPU; for the models flow and waves, in programs built with the feature `gpu`.
    Gpu,
}

impl Backend {
    /// Opens the backend: for a GPU, finds and initialises a device.
    pub fn open(self) -> Result<run::Backend> {
        match self {
            Backend::Cpu => Ok(run::Backend::Cpu),
            #[cfg(feature = "gpu")]
            Backend::Gpu => Ok(run::Backend::Gpu(headwater_gpu::Gpu::new()?)),
            #[cfg(not(feature = "gpu"))]
            Backend::Gpu => Err(UserError(NO_GPU.into()).into()),
        }
    }
}
