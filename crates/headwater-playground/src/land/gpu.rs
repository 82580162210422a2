//! What is made on a device, in few words: textures, buffers, groups of bindings, pipelines.

use bytemuck::Pod;
use headwater::changes::Tile;
use wgpu::{BindingType, BufferUsages, ShaderStages, TextureFormat, TextureUsages};

/// A texture, seen whole.
pub(super) fn texture(
    device: &wgpu::Device,
    label: &str,
    [width, height]: [u32; 2],
    format: TextureFormat,
    usage: TextureUsages,
    [mip_level_count, sample_count]: [u32; 2],
) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// What shaders read and the host writes.
pub(super) const WRITTEN: TextureUsages =
    TextureUsages::TEXTURE_BINDING.union(TextureUsages::COPY_DST);
/// What is drawn to, and what shaders read then.
pub(super) const DRAWN: TextureUsages =
    TextureUsages::TEXTURE_BINDING.union(TextureUsages::RENDER_ATTACHMENT);
/// One size, one sample a texel.
pub(super) const PLAIN: [u32; 2] = [1, 1];

/// Writes a level of a texture; level 0 is the whole, each further one half as wide and high.
pub(super) fn fill<T: Pod>(
    queue: &wgpu::Queue,
    view: &wgpu::TextureView,
    level: u32,
    texels: &[T],
) {
    let texture = view.texture();
    let bytes: &[u8] = bytemuck::cast_slice(texels);
    let size = wgpu::Extent3d {
        width: texture.width() >> level,
        height: texture.height() >> level,
        depth_or_array_layers: 1,
    };
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(bytes.len() as u32 / size.height),
        rows_per_image: None,
    };
    let target = wgpu::TexelCopyTextureInfo { mip_level: level, ..texture.as_image_copy() };
    queue.write_texture(target, bytes, layout, size);
}

/// Writes a tile of a texture whose texels stand in rows of `across`.
pub(super) fn fill_tile<T: Pod>(
    queue: &wgpu::Queue,
    view: &wgpu::TextureView,
    tile: &Tile,
    across: usize,
    texels: &[T],
) {
    let first = tile.y * across + tile.x;
    let row = size_of::<T>() * across;
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(row as u32),
        rows_per_image: None,
    };
    let origin = wgpu::Origin3d { x: tile.x as u32, y: tile.y as u32, z: 0 };
    let target = wgpu::TexelCopyTextureInfo { origin, ..view.texture().as_image_copy() };
    let size =
        wgpu::Extent3d { width: tile.nx as u32, height: tile.ny as u32, depth_or_array_layers: 1 };
    let last = first + (tile.ny - 1) * across + tile.nx;
    queue.write_texture(target, bytemuck::cast_slice(&texels[first..last]), layout, size);
}

/// A buffer of `size` bytes that the host writes.
pub(super) fn buffer(
    device: &wgpu::Device,
    label: &str,
    size: u64,
    usage: BufferUsages,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: usage | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Writes values to a buffer of vertices, which grows if it must.
pub(super) fn write<T: Pod>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    vertices: &mut Option<wgpu::Buffer>,
    values: &[T],
) {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    if bytes.is_empty() {
        return;
    }
    if vertices.as_ref().is_none_or(|vertices| vertices.size() < bytes.len() as u64) {
        let size = (bytes.len() as u64 * 5 / 4).next_multiple_of(256);
        *vertices = Some(buffer(device, "land instances", size, BufferUsages::VERTEX));
    }
    if let Some(vertices) = vertices {
        queue.write_buffer(vertices, 0, bytes);
    }
}

/// Instances of one kind on the device.
#[derive(Debug, Default)]
pub(super) struct Instances {
    buffer: Option<wgpu::Buffer>,
    count: u32,
}

impl Instances {
    pub(super) fn set<T: Pod>(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, values: &[T]) {
        self.count = values.len() as u32;
        write(device, queue, &mut self.buffer, values);
    }

    /// Draws as many vertices for each of them, if there are any.
    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        vertices: u32,
    ) {
        let Some(buffer) = self.buffer.as_ref().filter(|_| self.count > 0) else { return };
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..vertices, 0..self.count);
    }
}

/// Uniforms.
pub(super) const UNIFORM: BindingType = BindingType::Buffer {
    ty: wgpu::BufferBindingType::Uniform,
    has_dynamic_offset: false,
    min_binding_size: None,
};
/// A sampler.
pub(super) const SAMPLER: BindingType = BindingType::Sampler(wgpu::SamplerBindingType::Filtering);

/// A texture; with `filterable` one that is read between its texels too.
pub(super) fn sampled(filterable: bool) -> BindingType {
    BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    }
}

/// The layout of bindings from 0 on.
pub(super) fn layout(device: &wgpu::Device, bindings: &[BindingType]) -> wgpu::BindGroupLayout {
    let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..)
        .zip(bindings)
        .map(|(binding, &ty)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::VERTEX_FRAGMENT,
            ty,
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("land"),
        entries: &entries,
    })
}

/// What is bound from 0 on.
pub(super) fn bind(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    resources: Vec<wgpu::BindingResource<'_>>,
) -> wgpu::BindGroup {
    let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("land"),
        layout,
        entries: &entries,
    })
}

/// A sampler that is smooth between texels and sizes.
pub(super) fn sampler(device: &wgpu::Device, address: wgpu::AddressMode) -> wgpu::Sampler {
    device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("land"),
        address_mode_u: address,
        address_mode_v: address,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..wgpu::SamplerDescriptor::default()
    })
}

/// The depths of a picture.
pub(super) const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// A vertex buffer that a pipeline reads.
pub(super) type Vertices<'a> = Option<wgpu::VertexBufferLayout<'a>>;
/// The formats that a pipeline draws to, and how.
pub(super) type Targets<'a> = &'a [(TextureFormat, Option<wgpu::BlendState>)];

/// What tells one pipeline from another.
pub(super) struct Kind<'a> {
    pub(super) shader: &'a wgpu::ShaderModule,
    pub(super) entries: [&'a str; 2],
    pub(super) buffers: &'a [Vertices<'a>],
    pub(super) targets: Targets<'a>,
    pub(super) topology: wgpu::PrimitiveTopology,
    /// Whether depth is written and tested; `None` without a depth buffer.
    pub(super) depth: Option<[bool; 2]>,
    pub(super) samples: u32,
    pub(super) constants: &'a [(&'a str, f64)],
}

impl<'a> Kind<'a> {
    /// What is drawn as triangles, opaque and without depths.
    pub(super) fn plain(
        shader: &'a wgpu::ShaderModule,
        entries: [&'a str; 2],
        buffers: &'a [Vertices<'a>],
        targets: Targets<'a>,
    ) -> Self {
        Kind {
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

/// A pipeline whose first group has a layout.
pub(super) fn pipeline(
    device: &wgpu::Device,
    group: &wgpu::BindGroupLayout,
    kind: &Kind<'_>,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("land"),
        bind_group_layouts: &[Some(group)],
        immediate_size: 0,
    });
    let targets: Vec<Option<wgpu::ColorTargetState>> = kind
        .targets
        .iter()
        .map(|&(format, blend)| {
            Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })
        })
        .collect();
    let options = wgpu::PipelineCompilationOptions {
        constants: kind.constants,
        ..wgpu::PipelineCompilationOptions::default()
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(kind.entries[1]),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: kind.shader,
            entry_point: Some(kind.entries[0]),
            compilation_options: options.clone(),
            buffers: kind.buffers,
        },
        primitive: wgpu::PrimitiveState {
            topology: kind.topology,
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: kind.depth.map(|[write, test]| wgpu::DepthStencilState {
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
            count: kind.samples,
            ..wgpu::MultisampleState::default()
        },
        fragment: Some(wgpu::FragmentState {
            module: kind.shader,
            entry_point: Some(kind.entries[1]),
            compilation_options: options,
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
