//! Error type of the GPU backend, for missing adapters, exceeded limits, lost devices and invalid
//! input.

use headwater::InputError;

/// Error of a GPU operation. The simulation can continue from the CPU copy of the world, which
/// still has the state of the last read-back.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No GPU is available, or no adapter name contains the requested name.
    #[error("{}", no_adapter_message(.requested_name.as_deref(), .found))]
    NoAdapter {
        /// Requested part of the adapter's name. `None` if any adapter was allowed.
        requested_name: Option<String>,
        /// Names of the available adapters.
        found: Vec<String>,
    },
    /// The adapter exists, but its driver did not provide a device.
    #[error("the GPU {adapter} cannot be opened: {reason}")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// Reason that the driver gave.
        reason: String,
    },
    /// A resource needs more than a limit of the device allows.
    #[error("{label} needs {needed} {unit}, but {adapter} allows {limit} ({name})")]
    Limit {
        /// Name of the resource that exceeds the limit, as shown in the message.
        label: String,
        /// Amount that the resource needs, in `unit`.
        needed: u64,
        /// Largest amount that the device allows, in `unit`.
        limit: u64,
        /// Unit of `needed` and `limit`.
        unit: &'static str,
        /// Name of the limit in WebGPU, such as `max_buffer_size`.
        name: &'static str,
        /// Name of the adapter.
        adapter: String,
    },
    /// The memory of the device is exhausted.
    #[error("the GPU's memory is full: {label} needs {bytes} bytes more")]
    OutOfMemory {
        /// Name of the resource that could not be allocated.
        label: String,
        /// Size of the resource (bytes).
        bytes: u64,
    },
    /// The device is lost: it was unplugged, reset by its driver, or destroyed. The field is the
    /// reason.
    #[error(
        "the GPU was lost ({0}); the simulation can continue from the last state that was read back, on \
         the CPU or on another device"
    )]
    Lost(String),
    /// The device rejected a call. This is a bug in the calling program. The field is the device's
    /// message.
    #[error("the GPU refused a call: {0}")]
    Refused(String),
    /// The texture cannot be drawn into because of its size, format or usage.
    #[error(
        "a world of {nx} × {ny} cells needs a texture of at least {nx} × {ny} texels of the format Rgba32Float \
         with the usage STORAGE_BINDING, found {found}"
    )]
    Canvas {
        /// Number of columns of the world.
        nx: usize,
        /// Number of rows of the world.
        ny: usize,
        /// Size, format and usage of the given texture, as shown in the message.
        found: String,
    },
    /// The world uses a feature that the GPU backend does not support. The field is the name of the
    /// feature.
    #[error("{0} not supported on the GPU; run this world on the CPU, or without them")]
    Unsupported(&'static str),
    /// An input of the model is invalid.
    #[error(transparent)]
    Input(#[from] InputError),
}

fn no_adapter_message(requested_name: Option<&str>, found: &[String]) -> String {
    match (requested_name, found) {
        (_, []) => "no GPU was found: a driver for Vulkan, Metal, Direct3D 12 or WebGPU is needed (on Linux \
                    install libvulkan1 and the driver of the GPU, or mesa-vulkan-drivers for a software \
                    rasterizer)"
            .to_owned(),
        (Some(requested_name), found) => {
            format!("no GPU has {requested_name:?} in its name; available: {}", found.join(", "))
        }
        (None, found) => format!("none of the GPUs supports compute shaders: {}", found.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_adapter_error_lists_requirements_or_available_adapters() {
        let none = GpuError::NoAdapter { requested_name: None, found: vec![] }.to_string();
        assert!(none.contains("Vulkan") && none.contains("driver"), "{none}");
        let other = GpuError::NoAdapter {
            requested_name: Some("voodoo".into()),
            found: vec!["llvmpipe".into(), "H200".into()],
        };
        let other = other.to_string();
        assert!(other.contains("\"voodoo\"") && other.contains("llvmpipe, H200"), "{other}");
    }
}
