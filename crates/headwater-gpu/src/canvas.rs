//! Drawing a world into a texture with one texel per cell. A kernel writes it on the device without
//! read-back or waiting, so it can run every frame, in browsers too.

use crate::device::Gpu;
use crate::error::GpuError;
use wgpu::{TextureFormat, TextureUsages};

/// Texture format of a canvas. Each texel is a cell: ground height (m), water depth (m), and
/// velocity to the east and to the south (m/s).
pub const CANVAS: TextureFormat = TextureFormat::Rgba32Float;

/// Workgroup size of the drawing kernels (x, y).
pub(crate) const DRAW_GROUP: [u32; 2] = [16, 8];

/// Returns the number of workgroups needed to draw an `nx × ny` grid.
pub(crate) fn draw_groups(nx: usize, ny: usize) -> [u32; 2] {
    [(nx as u32).div_ceil(DRAW_GROUP[0]), (ny as u32).div_ceil(DRAW_GROUP[1])]
}

impl Gpu {
    /// Creates a texture for the `draw_into` of a world of `nx × ny` cells. It has the format
    /// [`CANVAS`] and can be written by kernels, sampled and copied.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if the grid exceeds the largest texture, [`GpuError::OutOfMemory`] if
    /// allocation fails.
    pub fn create_canvas(&self, nx: usize, ny: usize) -> Result<wgpu::Texture, GpuError> {
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

    /// Returns an error unless the texture of `view` fits an `nx × ny` grid.
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
