//! What differs between the versions of wgpu that this crate can be built with.

use crate::error::GpuError;
use wgpu::{Buffer, BufferView};

/// The bytes of a buffer that is mapped.
#[cfg(feature = "wgpu-30")]
pub(crate) fn mapped(buffer: &Buffer) -> Result<BufferView, GpuError> {
    buffer.get_mapped_range(..).map_err(|error| GpuError::Refused(error.to_string()))
}

/// The bytes of a buffer that is mapped.
#[cfg(not(feature = "wgpu-30"))]
#[expect(clippy::unnecessary_wraps, reason = "a newer wgpu may refuse it")]
pub(crate) fn mapped(buffer: &Buffer) -> Result<BufferView, GpuError> {
    Ok(buffer.get_mapped_range(..))
}
