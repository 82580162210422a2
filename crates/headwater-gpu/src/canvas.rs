//! Drawing of a world into a GPU texture with one texel for each cell. A kernel writes the texture
//! on the device, without read-back or waiting, so it can run in every frame.

use crate::device::Gpu;
use crate::error::GpuError;
use wgpu::{TextureFormat, TextureUsages};

/// Format of the textures into which worlds are drawn. Each texel is a cell with four channels:
/// ground elevation (m), water depth (m), and eastward and southward water velocity (m/s).
pub const CANVAS_FORMAT: TextureFormat = TextureFormat::Rgba32Float;

/// Workgroup size of the drawing kernels (x, y), in invocations.
pub(crate) const DRAW_GROUP: [u32; 2] = [16, 8];

/// Returns the number of workgroups (x, y) of a drawing kernel for a grid of `nx × ny` cells.
pub(crate) fn drawing_workgroups(nx: usize, ny: usize) -> [u32; 2] {
    [(nx as u32).div_ceil(DRAW_GROUP[0]), (ny as u32).div_ceil(DRAW_GROUP[1])]
}

impl Gpu {
    /// Creates a texture into which a world of `nx × ny` cells can be drawn with `draw_into`. The
    /// texture has the format [`CANVAS_FORMAT`] and can be written by kernels, sampled and copied.
    ///
    /// # Errors
    /// Returns [`GpuError::Limit`] if the grid exceeds the largest texture of the device, and
    /// [`GpuError::OutOfMemory`] if allocation fails.
    pub fn create_canvas(&self, nx: usize, ny: usize) -> Result<wgpu::Texture, GpuError> {
        let limit = u64::from(self.limits().max_texture_dimension_2d);
        let name = "max_texture_dimension_2d";
        self.check_limit("a drawing of the grid", (nx.max(ny) as u64, limit), "texels", name)?;
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("the water, drawn"),
            size: wgpu::Extent3d { width: nx as u32, height: ny as u32, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: CANVAS_FORMAT,
            usage: TextureUsages::STORAGE_BINDING
                | TextureUsages::TEXTURE_BINDING
                | TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        self.check()?;
        Ok(texture)
    }

    /// Checks that a world with a grid of `nx × ny` cells can be drawn into the texture of `view`.
    ///
    /// # Errors
    /// Returns [`GpuError::Canvas`] if the texture has another format or usage, or is too small.
    pub(crate) fn check_canvas(
        &self,
        view: &wgpu::TextureView,
        nx: usize,
        ny: usize,
    ) -> Result<(), GpuError> {
        let texture = view.texture();
        let (width, height) = (texture.width() as usize, texture.height() as usize);
        let is_writable = texture.usage().contains(TextureUsages::STORAGE_BINDING);
        if texture.format() == CANVAS_FORMAT && width >= nx && height >= ny && is_writable {
            return Ok(());
        }
        let storage = if is_writable { "with" } else { "without" };
        Err(GpuError::Canvas {
            nx,
            ny,
            found: format!("{width} × {height} of {:?} {storage} it", texture.format()),
        })
    }
}
