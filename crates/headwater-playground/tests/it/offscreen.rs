//! Offscreen target for the land renderer, with read-back of its pixels.

use headwater_playground::land::{FrameDescription, LandRenderer};

/// Offscreen texture to which a test draws, with its device and queue.
pub(crate) struct Offscreen {
    device: wgpu::Device,
    queue: wgpu::Queue,
    texture: wgpu::Texture,
}

impl Offscreen {
    /// Creates a texture of the given size (pixels) and format. The format must have four bytes per
    /// pixel.
    pub(crate) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
        [width, height]: [u32; 2],
    ) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        Self { device: device.clone(), queue: queue.clone(), texture }
    }

    /// Submits the drawing of a frame without waiting.
    pub(crate) fn submit(&self, land: &mut LandRenderer, description: &FrameDescription) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let size = [self.texture.width(), self.texture.height()];
        land.draw(&mut encoder, size, description);
        let view = self.texture.create_view(&Default::default());
        let ops = wgpu::Operations {
            load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
            store: wgpu::StoreOp::Store,
        };
        let attachment = wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops,
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(attachment)],
            ..wgpu::RenderPassDescriptor::default()
        });
        land.paint(&mut pass);
        drop(pass);
        self.queue.submit([encoder.finish()]);
    }

    /// Draws a frame and returns the pixels row by row.
    pub(crate) fn draw(
        &self,
        land: &mut LandRenderer,
        description: &FrameDescription,
    ) -> Vec<[u8; 4]> {
        self.submit(land, description);
        let row = 4 * self.texture.width();
        let pitch = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(pitch * self.texture.height()),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(pitch),
            rows_per_image: None,
        };
        let copy = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(self.texture.as_image_copy(), copy, self.texture.size());
        self.queue.submit([encoder.finish()]);
        buffer.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
        let bytes = buffer.slice(..).get_mapped_range().expect("the picture is there");
        let rows = bytes.chunks_exact(pitch as usize).map(|padded| &padded[..row as usize]);
        rows.flat_map(|row| bytemuck::cast_slice::<u8, [u8; 4]>(row).to_vec()).collect()
    }
}
