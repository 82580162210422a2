//! Offscreen picture into which a frame is drawn, with its depth buffer, and its transfer to the
//! window.

use super::gpu::{self, Gpu, PipelineDesc, SAMPLER, UNIFORM};
use super::shaders;
use super::style::Quality;
use bytemuck::{Pod, Zeroable};

/// Texture format of the offscreen picture.
pub(super) const COLOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

pub(super) fn samples(quality: Quality) -> u32 {
    match quality {
        Quality::Low => 1,
        Quality::High => 4,
    }
}

/// Returns the number of picture pixels per window pixel along each axis.
fn picture_pixels_per_window_pixel(quality: Quality) -> f32 {
    match quality {
        Quality::Low => 0.7,
        Quality::High => 1.0,
    }
}

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct BlitResources {
    how: [f32; 4],
}

#[derive(Debug)]
pub(super) struct Target {
    quality: Quality,
    linear: bool,
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    uniforms: wgpu::Buffer,
    sampler: wgpu::Sampler,
    picture: Option<Picture>,
}

#[derive(Debug)]
struct Picture {
    size: [u32; 2],
    color: wgpu::TextureView,
    /// Multisampled colour buffer; `None` without multisampling.
    multisampled: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
    group: wgpu::BindGroup,
}

impl Target {
    pub(super) fn new(gpu: &Gpu, format: wgpu::TextureFormat, quality: Quality) -> Self {
        let layout = gpu.create_bind_group_layout(&[UNIFORM, gpu::texture_binding(true), SAMPLER]);
        let shader = shaders::create_module(&gpu.device, "land blit");
        let targets = [gpu::color_target(format, None)];
        let (size, uniform) = (size_of::<BlitResources>() as u64, wgpu::BufferUsages::UNIFORM);
        let kind = PipelineDesc::opaque_triangles(&shader, ["vs_blit", "fs_blit"], &[], &targets);
        Self {
            quality,
            linear: format.is_srgb(),
            pipeline: gpu.create_pipeline(&layout, &kind),
            layout,
            uniforms: gpu.create_buffer("land blit", size, uniform),
            sampler: gpu.create_sampler(wgpu::AddressMode::ClampToEdge),
            picture: None,
        }
    }

    /// Creates the offscreen picture for a view of `size` pixels if the view has a new size.
    /// Returns the size of the picture (pixels).
    pub(super) fn resize_to_view(&mut self, gpu: &Gpu, size: [u32; 2]) -> [u32; 2] {
        let max_side = gpu.device.limits().max_texture_dimension_2d;
        let scaled = |side: u32| {
            (side as f32 * picture_pixels_per_window_pixel(self.quality)).round() as u32
        };
        let size = size.map(|side| scaled(side).clamp(1, max_side));
        if self.picture.as_ref().is_none_or(|picture| picture.size != size) {
            let picture = self.create_picture(gpu, size);
            self.picture = Some(picture);
            // Multisampling already smooths the edges.
            let smooth = f32::from(samples(self.quality) == 1);
            let [wide, high] = size.map(|side| 1.0 / side as f32);
            let blit = BlitResources { how: [f32::from(self.linear), smooth, wide, high] };
            gpu.queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&blit));
        }
        size
    }

    fn create_picture(&self, gpu: &Gpu, size: [u32; 2]) -> Picture {
        let count = samples(self.quality);
        let picture = |label, format, usage, sample_count| {
            let kind = gpu::texture_descriptor(label, size, format, usage);
            gpu.create_texture(&wgpu::TextureDescriptor { sample_count, ..kind })
        };
        let attached = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let color = picture("land", COLOR_FORMAT, gpu::RENDERED, 1);
        let multisampled =
            (count > 1).then(|| picture("land samples", COLOR_FORMAT, attached, count));
        let depth = picture("land depth", gpu::DEPTH, attached, count);
        let resources = vec![
            self.uniforms.as_entire_binding(),
            wgpu::BindingResource::TextureView(&color),
            wgpu::BindingResource::Sampler(&self.sampler),
        ];
        let group = gpu.bind(&self.layout, resources);
        Picture { size, color, multisampled, depth, group }
    }

    /// Begins a render pass that draws to the offscreen picture; returns `None` before
    /// [`resize_to_view`](Self::resize_to_view) has created the picture.
    pub(super) fn begin_pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
    ) -> Option<wgpu::RenderPass<'a>> {
        let picture = self.picture.as_ref()?;
        let (view, resolve_target, store) = match &picture.multisampled {
            Some(multisampled) => (multisampled, Some(&picture.color), wgpu::StoreOp::Discard),
            None => (&picture.color, None, wgpu::StoreOp::Store),
        };
        Some(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("land"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &picture.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        }))
    }

    pub(super) fn paint(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(picture) = &self.picture else { return };
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &picture.group, &[]);
        pass.draw(0..3, 0..1);
    }
}
