//! What a world is drawn into: a texture with a texel for each cell, which a kernel writes on the device. Nothing comes
//! back and nothing waits, so it can be done for every frame, in browsers too.

use crate::device::Gpu;
use crate::error::GpuError;
use wgpu::{TextureFormat, TextureUsages};

/// The format of a canvas. A texel is a cell: height of the ground (m), depth of the water (m), and its velocity to the
/// east and to the south (m/s).
pub const CANVAS: TextureFormat = TextureFormat::Rgba32Float;

/// Cells of a workgroup that draws, along x and y.
pub(crate) const DRAW_GROUP: [u32; 2] = [16, 8];

/// Workgroups that draw a grid.
pub(crate) fn draw_groups(nx: usize, ny: usize) -> [u32; 2] {
    [(nx as u32).div_ceil(DRAW_GROUP[0]), (ny as u32).div_ceil(DRAW_GROUP[1])]
}

impl Gpu {
    /// A texture that a world of `nx × ny` cells can be drawn into by its `draw_into`: of the format [`CANVAS`], for kernels
    /// to write, and for shaders and copies to read.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if textures cannot be as large, [`GpuError::OutOfMemory`] if there is no room left.
    pub fn canvas(&self, nx: usize, ny: usize) -> Result<wgpu::Texture, GpuError> {
        let limit = u64::from(self.limits().max_texture_dimension_2d);
        let name = "max_texture_dimension_2d";
        self.within("a drawing of the grid", (nx.max(ny) as u64, limit), "texels", name)?;
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("the water, drawn"),
            size: wgpu::Extent3d { width: nx as u32, height: ny as u32, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: CANVAS,
            usage: TextureUsages::STORAGE_BINDING
                | TextureUsages::TEXTURE_BINDING
                | TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        self.check()?;
        Ok(texture)
    }

    /// Fails unless a view is of a texture that a grid can be drawn into.
    pub(crate) fn check_canvas(
        &self,
        view: &wgpu::TextureView,
        nx: usize,
        ny: usize,
    ) -> Result<(), GpuError> {
        let texture = view.texture();
        let (width, height) = (texture.width() as usize, texture.height() as usize);
        let is_writable = texture.usage().contains(TextureUsages::STORAGE_BINDING);
        if texture.format() == CANVAS && width >= nx && height >= ny && is_writable {
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
