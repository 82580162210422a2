//! Errors of the GPU backend.

use headwater::InputError;

/// Error of a GPU operation. The world on the CPU keeps the state of the last read-back and can
/// continue from there.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No GPU is available, or none whose name matches.
    #[error("{}", no_adapter(.wanted.as_deref(), .found))]
    NoAdapter {
        /// Requested part of the adapter's name.
        wanted: Option<String>,
        /// Names of the available adapters.
        found: Vec<String>,
    },
    /// The adapter does not provide a device.
    #[error("the GPU {adapter} cannot be opened: {reason}")]
    NoDevice {
        /// The adapter's name.
        adapter: String,
        /// Reason given by the driver.
        reason: String,
    },
    /// A device limit is exceeded.
    #[error("{label} needs {needed} {unit}, but {adapter} allows {limit} ({name})")]
    Limit {
        /// Resource that exceeds the limit.
        label: String,
        /// Needed amount.
        needed: u64,
        /// Allowed amount.
        limit: u64,
        /// Unit of both amounts.
        unit: &'static str,
        /// WebGPU name of the limit.
        name: &'static str,
        /// The adapter's name.
        adapter: String,
    },
    /// Device memory is exhausted.
    #[error("the GPU's memory is full: {label} needs {bytes} bytes more")]
    OutOfMemory {
        /// Resource that could not be allocated.
        label: String,
        /// Size of the resource (bytes).
        bytes: u64,
    },
    /// The device is lost: unplugged, reset by its driver, or destroyed.
    #[error(
        "the GPU was lost ({0}); the simulation can continue from the last state that was read back, on \
         the CPU or on another device"
    )]
    Lost(String),
    /// The device rejected a call. This is a bug in the program.
    #[error("the GPU refused a call: {0}")]
    Refused(String),
    /// The texture cannot be used as a canvas.
    #[error(
        "a world of {nx} × {ny} cells needs a texture of at least {nx} × {ny} texels of the format Rgba32Float \
         with the usage STORAGE_BINDING, found {found}"
    )]
    Canvas {
        /// Columns of the world.
        nx: usize,
        /// Rows of the world.
        ny: usize,
        /// Description of the given texture.
        found: String,
    },
    /// The world uses a feature that is not implemented on the GPU.
    #[error("{0} not supported on the GPU; run this world on the CPU, or without them")]
    Unsupported(&'static str),
    /// Invalid input.
    #[error(transparent)]
    Input(#[from] InputError),
}

fn no_adapter(wanted: Option<&str>, found: &[String]) -> String {
    match (wanted, found) {
        (_, []) => "no GPU was found: a driver for Vulkan, Metal, Direct3D 12 or WebGPU is needed (on Linux \
                    install libvulkan1 and the driver of the GPU, or mesa-vulkan-drivers for a software \
                    rasterizer)"
            .to_owned(),
        (Some(wanted), found) => {
            format!("no GPU has {wanted:?} in its name; available: {}", found.join(", "))
        }
        (None, found) => format!("none of the GPUs supports compute shaders: {}", found.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_adapter_error_lists_requirements_or_available_adapters() {
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
