//! Helper functions that create textures, buffers, bind groups and pipelines.

use bytemuck::Pod;
use headwater::changes::Tile;
use wgpu::util::DeviceExt as _;
use wgpu::{BindingType, BufferUsages, ShaderStages, TextureFormat, TextureUsages};

/// Device and queue of the renderer.
#[derive(Clone, Debug)]
pub(super) struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
}

/// Usage flags of textures that the CPU writes and shaders read.
pub(super) const UPLOADED: TextureUsages =
    TextureUsages::TEXTURE_BINDING.union(TextureUsages::COPY_DST);
/// Usage flags of textures that are drawn to and then read by shaders.
pub(super) const RENDERED: TextureUsages =
    TextureUsages::TEXTURE_BINDING.union(TextureUsages::RENDER_ATTACHMENT);
/// Usage flags of textures that are drawn to and then copied.
pub(super) const RENDERED_AND_COPIED: TextureUsages =
    TextureUsages::COPY_SRC.union(TextureUsages::RENDER_ATTACHMENT);

/// Returns the descriptor of a 2-D texture without mipmaps and multisampling.
pub(super) fn texture_descriptor(
    label: &str,
    [width, height]: [u32; 2],
    format: TextureFormat,
    usage: TextureUsages,
) -> wgpu::TextureDescriptor<'_> {
    wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    }
}

impl Gpu {
    /// Creates a texture and returns a view of the texture.
    pub(super) fn create_texture(&self, desc: &wgpu::TextureDescriptor<'_>) -> wgpu::TextureView {
        self.device.create_texture(desc).create_view(&wgpu::TextureViewDescriptor::default())
    }

    /// Writes all texels of a texture.
    pub(super) fn fill<T: Pod>(&self, view: &wgpu::TextureView, texels: &[T]) {
        let (nx, ny) = (view.texture().width() as usize, view.texture().height() as usize);
        self.fill_tile(view, &Tile { x: 0, y: 0, nx, ny }, nx, texels);
    }

    /// Writes a tile of a texture. `texels` contains the texels of the whole texture in rows of
    /// `texels_per_row` texels; only those of the tile are written.
    pub(super) fn fill_tile<T: Pod>(
        &self,
        view: &wgpu::TextureView,
        tile: &Tile,
        texels_per_row: usize,
        texels: &[T],
    ) {
        let first = tile.y * texels_per_row + tile.x;
        let row = size_of::<T>() * texels_per_row;
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row as u32),
            rows_per_image: None,
        };
        let origin = wgpu::Origin3d { x: tile.x as u32, y: tile.y as u32, z: 0 };
        let target = wgpu::TexelCopyTextureInfo { origin, ..view.texture().as_image_copy() };
        let (width, height) = (tile.nx as u32, tile.ny as u32);
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let last = first + (tile.ny - 1) * texels_per_row + tile.nx;
        let bytes = bytemuck::cast_slice(&texels[first..last]);
        self.queue.write_texture(target, bytes, layout, size);
    }

    /// Creates a buffer of `size` bytes that the CPU can write.
    pub(super) fn create_buffer(
        &self,
        label: &str,
        size: u64,
        usage: BufferUsages,
    ) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage: usage | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    /// Creates a buffer with the constant contents `values`.
    pub(super) fn create_constant_buffer<T: Pod>(
        &self,
        values: &[T],
        usage: BufferUsages,
    ) -> wgpu::Buffer {
        let contents = bytemuck::cast_slice(values);
        let desc = wgpu::util::BufferInitDescriptor { label: Some("land mesh"), contents, usage };
        self.device.create_buffer_init(&desc)
    }
}

/// Vertex buffer of instances, which grows when needed.
#[derive(Debug, Default)]
pub(super) struct Instances {
    buffer: Option<wgpu::Buffer>,
    count: u32,
}

impl Instances {
    /// Writes the instances to the buffer. If the buffer is too small, replaces it by a larger one.
    pub(super) fn set<T: Pod>(&mut self, gpu: &Gpu, values: &[T]) {
        self.count = values.len() as u32;
        let bytes: &[u8] = bytemuck::cast_slice(values);
        if bytes.is_empty() {
            return;
        }
        if let Some(buffer) = self.reserve(gpu, bytes.len(), values.len()) {
            gpu.queue.write_buffer(buffer, 0, bytes);
        }
    }

    /// Returns a buffer for `count` instances of `bytes` bytes each; `None` if `count` is 0. If the
    /// buffer is too small, replaces it by a larger one.
    pub(super) fn reserve(
        &mut self,
        gpu: &Gpu,
        bytes: usize,
        count: usize,
    ) -> Option<&wgpu::Buffer> {
        self.count = count as u32;
        if bytes == 0 {
            return None;
        }
        let fitting = self.buffer.take().filter(|buffer| buffer.size() >= bytes as u64);
        // On devices with compute shaders, models write some instances directly.
        let computes = gpu.device.limits().max_storage_buffers_per_shader_stage > 0;
        let storage = if computes { BufferUsages::STORAGE } else { BufferUsages::empty() };
        Some(self.buffer.insert(fitting.unwrap_or_else(|| {
            let size = (bytes as u64 * 5 / 4).next_multiple_of(256);
            gpu.create_buffer("land instances", size, BufferUsages::VERTEX | storage)
        })))
    }

    pub(super) fn get(&self) -> Option<(&wgpu::Buffer, u32)> {
        self.buffer.as_ref().filter(|_| self.count > 0).map(|buffer| (buffer, self.count))
    }

    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        vertices: u32,
    ) {
        let Some((buffer, count)) = self.get() else { return };
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..vertices, 0..count);
    }
}

pub(super) const UNIFORM: BindingType = BindingType::Buffer {
    ty: wgpu::BufferBindingType::Uniform,
    has_dynamic_offset: false,
    min_binding_size: None,
};
pub(super) const SAMPLER: BindingType = BindingType::Sampler(wgpu::SamplerBindingType::Filtering);

/// Returns the type of a texture binding. If `filterable` is true, the texture supports linear
/// filtering.
pub(super) fn texture_binding(filterable: bool) -> BindingType {
    BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    }
}

impl Gpu {
    /// Creates a bind group layout whose bindings are numbered from 0.
    pub(super) fn create_bind_group_layout(
        &self,
        bindings: &[BindingType],
    ) -> wgpu::BindGroupLayout {
        let visibility = ShaderStages::VERTEX_FRAGMENT;
        let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..)
            .zip(bindings)
            .map(|(binding, &ty)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility,
                ty,
                count: None,
            })
            .collect();
        self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("land"),
            entries: &entries,
        })
    }

    /// Creates a bind group whose resources are numbered from 0.
    pub(super) fn bind(
        &self,
        layout: &wgpu::BindGroupLayout,
        resources: Vec<wgpu::BindingResource<'_>>,
    ) -> wgpu::BindGroup {
        let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("land"),
            layout,
            entries: &entries,
        })
    }

    /// Creates a sampler with linear filtering between texels and mip levels.
    pub(super) fn create_sampler(&self, address: wgpu::AddressMode) -> wgpu::Sampler {
        self.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("land"),
            address_mode_u: address,
            address_mode_v: address,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        })
    }
}

pub(super) const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// Layout of a vertex buffer; `None` if a pipeline has no vertex buffer.
pub(super) type VertexLayout<'a> = Option<wgpu::VertexBufferLayout<'a>>;
/// Format and blending of a colour target, in the form that wgpu expects.
pub(super) type ColorTarget = Option<wgpu::ColorTargetState>;

/// Returns a colour target of the given format, with or without alpha blending.
pub(super) const fn color_target(
    format: TextureFormat,
    blend: Option<wgpu::BlendState>,
) -> ColorTarget {
    Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })
}

/// Description of a render pipeline.
pub(super) struct PipelineDesc<'a> {
    pub(super) shader: &'a wgpu::ShaderModule,
    pub(super) entries: [&'a str; 2],
    pub(super) buffers: &'a [VertexLayout<'a>],
    pub(super) targets: &'a [ColorTarget],
    pub(super) topology: wgpu::PrimitiveTopology,
    /// Whether the pipeline writes depth, and whether it tests depth; `None` without a depth
    /// buffer.
    pub(super) depth: Option<[bool; 2]>,
    pub(super) samples: u32,
    pub(super) constants: &'a [(&'a str, f64)],
}

impl<'a> PipelineDesc<'a> {
    /// Returns the description of a pipeline that draws opaque triangles without a depth buffer.
    pub(super) fn opaque_triangles(
        shader: &'a wgpu::ShaderModule,
        entries: [&'a str; 2],
        buffers: &'a [VertexLayout<'a>],
        targets: &'a [ColorTarget],
    ) -> Self {
        PipelineDesc {
            shader,
            entries,
            buffers,
            targets,
            topology: wgpu::PrimitiveTopology::TriangleList,
            depth: None,
            samples: 1,
            constants: &[],
        }
    }
}

impl Gpu {
    /// Creates a render pipeline with one bind group.
    pub(super) fn create_pipeline(
        &self,
        bind_group_layout: &wgpu::BindGroupLayout,
        desc: &PipelineDesc<'_>,
    ) -> wgpu::RenderPipeline {
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("land"),
            bind_group_layouts: &[Some(bind_group_layout)],
            immediate_size: 0,
        });
        let options = wgpu::PipelineCompilationOptions {
            constants: desc.constants,
            ..wgpu::PipelineCompilationOptions::default()
        };
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(desc.entries[1]),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: desc.shader,
                entry_point: Some(desc.entries[0]),
                compilation_options: options.clone(),
                buffers: desc.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: desc.topology,
                ..wgpu::PrimitiveState::default()
            },
            depth_stencil: desc.depth.map(|[write, test]| wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(write),
                depth_compare: Some(if test {
                    wgpu::CompareFunction::LessEqual
                } else {
                    wgpu::CompareFunction::Always
                }),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: desc.samples,
                ..wgpu::MultisampleState::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: desc.shader,
                entry_point: Some(desc.entries[1]),
                compilation_options: options,
                targets: desc.targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
