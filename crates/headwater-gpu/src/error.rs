//! What can go wrong on a GPU.

use headwater::InputError;

/// Why something cannot be done on the GPU. The world on the CPU is as it was when it was last brought
/// back, and can go on from there.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no GPU that can be used, or none of the name asked for.
    #[error("{}", no_adapter(.wanted.as_deref(), .found))]
    NoAdapter {
        /// The part of a name that was asked for.
        wanted: Option<String>,
        /// The adapters that there are.
        found: Vec<String>,
    },
    /// There is an adapter, but it gives no device.
    #[error("the GPU {adapter} cannot be opened: {why}")]
    NoDevice {
        /// The adapter's name.
        adapter: String,
        /// What its driver says.
        why: String,
    },
    /// More than the device allows.
    #[error("{what} needs {needed} {unit}, but {adapter} allows {limit} ({name})")]
    Limit {
        /// What needs it.
        what: String,
        /// How much it needs.
        needed: u64,
        /// How much there can be.
        limit: u64,
        /// In which unit.
        unit: &'static str,
        /// The limit's name in WebGPU.
        name: &'static str,
        /// The adapter's name.
        adapter: String,
    },
    /// The device's memory is full.
    #[error("the GPU's memory is full: {what} needs {bytes} bytes more")]
    OutOfMemory {
        /// What needs it.
        what: String,
        /// How much it needs (bytes).
        bytes: u64,
    },
    /// The device is gone: unplugged, reset by its driver, or taken away.
    #[error(
        "the GPU was lost ({0}); the world can go on from the state that was brought back last, on \
         the CPU or on another device"
    )]
    Lost(String),
    /// A call that the device refused: a fault of this program.
    #[error("the GPU refused a call: {0}")]
    Refused(String),
    /// A texture that a world cannot be drawn into.
    #[error(
        "a world of {nx} × {ny} cells is drawn into a texture of as many texels of Rgba32Float with the usage \
         STORAGE_BINDING, found {found}"
    )]
    Canvas {
        /// Columns of the world.
        nx: usize,
        /// Its rows.
        ny: usize,
        /// What was found.
        found: String,
    },
    /// A world with something in it that is not done on the GPU.
    #[error("{0} not done on the GPU; run this world on the CPU, or without them")]
    NotDone(&'static str),
    /// An input that the world itself cannot work with.
    #[error(transparent)]
    Input(#[from] InputError),
}

fn no_adapter(wanted: Option<&str>, found: &[String]) -> String {
    match (wanted, found) {
        (_, []) => "no GPU was found: Vulkan, Metal, Direct3D 12 or WebGPU is needed, with a driver (on \
                    Linux the packages libvulkan1 and the driver's, or mesa-vulkan-drivers, which can do \
                    without a GPU)"
            .to_owned(),
        (Some(wanted), found) => {
            format!("no GPU has {wanted:?} in its name; there are: {}", found.join(", "))
        }
        (None, found) => format!("none of the GPUs can compute: {}", found.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_adapter_says_what_is_missing() {
        let none = GpuError::NoAdapter { wanted: None, found: vec![] }.to_string();
        assert!(none.contains("Vulkan") && none.contains("driver"), "{none}");
        let other = GpuError::NoAdapter {
            wanted: Some("voodoo".into()),
            found: vec!["llvmpipe".into(), "H200".into()],
        };
        let other = other.to_string();
        assert!(other.contains("\"voodoo\"") && other.contains("llvmpipe, H200"), "{other}");
    }
}
