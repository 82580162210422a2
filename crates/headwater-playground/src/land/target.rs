//! The picture a frame is drawn into, with its depths, and how it comes to the window.

use super::look::Quality;
use super::shaders;
use bytemuck::{Pod, Zeroable};

/// Colours as a screen takes them.
pub(super) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Samples of a pixel.
pub(super) fn samples(quality: Quality) -> u32 {
    match quality {
        Quality::Low => 1,
        Quality::High => 4,
    }
}

/// Pixels of the picture for a pixel of the window, along each side.
fn fineness(quality: Quality) -> f32 {
    match quality {
        Quality::Low => 0.7,
        Quality::High => 1.0,
    }
}

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Blit {
    how: [f32; 4],
}

/// The picture and what shows it.
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
    /// Several samples a pixel, if there are several.
    fine: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
    group: wgpu::BindGroup,
}

impl Target {
    pub(super) fn new(
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        quality: Quality,
    ) -> Self {
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("land blit"),
            entries: &[
                entry(
                    0,
                    wgpu::BindingType::Buffer {
                        ty: wgpu::BufferBindingType::Uniform,
                        has_dynamic_offset: false,
                        min_binding_size: None,
                    },
                ),
                entry(
                    1,
                    wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: true },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                ),
                entry(2, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)),
            ],
        });
        let module = shaders::module(device, "land blit");
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("land blit"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("land blit"),
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_blit"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_blit"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self {
            quality,
            linear: format.is_srgb(),
            pipeline,
            layout,
            uniforms: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("land blit"),
                size: size_of::<Blit>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("land blit"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            }),
            picture: None,
        }
    }

    /// Makes the picture of the size that suits a view of `size` pixels, and says which that is.
    pub(super) fn fit(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        size: [u32; 2],
    ) -> [u32; 2] {
        let most = device.limits().max_texture_dimension_2d;
        let scaled = |side: u32| (side as f32 * fineness(self.quality)).round() as u32;
        let size = size.map(|side| scaled(side).clamp(1, most));
        if self.picture.as_ref().is_none_or(|picture| picture.size != size) {
            let picture = self.picture(device, size);
            self.picture = Some(picture);
            // With several samples edges are smooth already.
            let smooth = f32::from(samples(self.quality) == 1);
            let [wide, high] = size.map(|side| 1.0 / side as f32);
            let blit = Blit { how: [f32::from(self.linear), smooth, wide, high] };
            queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&blit));
        }
        size
    }

    fn picture(&self, device: &wgpu::Device, size: [u32; 2]) -> Picture {
        let texture = |label, format, sample_count, usage| {
            device
                .create_texture(&wgpu::TextureDescriptor {
                    label: Some(label),
                    size: wgpu::Extent3d {
                        width: size[0],
                        height: size[1],
                        depth_or_array_layers: 1,
                    },
                    mip_level_count: 1,
                    sample_count,
                    dimension: wgpu::TextureDimension::D2,
                    format,
                    usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                    view_formats: &[],
                })
                .create_view(&wgpu::TextureViewDescriptor::default())
        };
        let none = wgpu::TextureUsages::empty();
        let count = samples(self.quality);
        let color = texture("land", COLOR, 1, wgpu::TextureUsages::TEXTURE_BINDING);
        let fine = (count > 1).then(|| texture("land samples", COLOR, count, none));
        let depth = texture("land depth", DEPTH, count, none);
        let resources = [
            self.uniforms.as_entire_binding(),
            wgpu::BindingResource::TextureView(&color),
            wgpu::BindingResource::Sampler(&self.sampler),
        ];
        let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("land blit"),
            layout: &self.layout,
            entries: &entries,
        });
        Picture { size, color, fine, depth, group }
    }

    /// Begins to draw the picture; `None` before there is one.
    pub(super) fn pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
    ) -> Option<wgpu::RenderPass<'a>> {
        let picture = self.picture.as_ref()?;
        let (view, resolve_target, store) = match &picture.fine {
            Some(fine) => (fine, Some(&picture.color), wgpu::StoreOp::Discard),
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

    /// Shows the picture.
    pub(super) fn paint(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(picture) = &self.picture else { return };
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &picture.group, &[]);
        pass.draw(0..3, 0..1);
    }
}
