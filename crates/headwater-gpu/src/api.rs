//! Functions that hide API differences between the supported wgpu versions.

use crate::error::GpuError;
use wgpu::{Buffer, BufferView};

/// Returns a view of the contents of a mapped buffer.
///
/// # Errors
/// Returns [`GpuError::Refused`] if wgpu does not provide the view.
#[cfg(feature = "wgpu-30")]
pub(crate) fn mapped_bytes(buffer: &Buffer) -> Result<BufferView, GpuError> {
    buffer.get_mapped_range(..).map_err(|error| GpuError::Refused(error.to_string()))
}

/// Returns a view of the contents of a mapped buffer.
#[cfg(not(feature = "wgpu-30"))]
#[expect(clippy::unnecessary_wraps, reason = "a newer wgpu may refuse it")]
pub(crate) fn mapped_bytes(buffer: &Buffer) -> Result<BufferView, GpuError> {
    Ok(buffer.get_mapped_range(..))
}
