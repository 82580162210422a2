//! What is made once for a device: layouts, samplers, pipelines.

use super::look::Quality;
use super::{shaders, target};
use wgpu::{BindingType, ShaderStages, TextureFormat, TextureSampleType};

/// The format of maps: smooth between texels, and drawn to wherever wgpu works.
pub(super) const MAP: TextureFormat = TextureFormat::Rgba16Float;
/// The format of marks.
pub(super) const MARKS: TextureFormat = TextureFormat::Rgba8Unorm;

/// Layouts, samplers, pipelines.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) maps_layout: wgpu::BindGroupLayout,
    pub(super) view_layout: wgpu::BindGroupLayout,
    pub(super) even: wgpu::Sampler,
    pub(super) again: wgpu::Sampler,
    pub(super) ground_map: wgpu::RenderPipeline,
    pub(super) water_map: wgpu::RenderPipeline,
    pub(super) shade: wgpu::RenderPipeline,
    pub(super) river: wgpu::RenderPipeline,
    pub(super) backdrop: wgpu::RenderPipeline,
    pub(super) map: wgpu::RenderPipeline,
    pub(super) patch: wgpu::RenderPipeline,
    pub(super) side: wgpu::RenderPipeline,
    pub(super) thing: wgpu::RenderPipeline,
    pub(super) tracer: wgpu::RenderPipeline,
    pub(super) arrow: wgpu::RenderPipeline,
}

/// What tells one pipeline from another.
struct Kind<'a> {
    shader: &'a wgpu::ShaderModule,
    entries: [&'a str; 2],
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    targets: &'a [(TextureFormat, Option<wgpu::BlendState>)],
    topology: wgpu::PrimitiveTopology,
    /// Whether depth is written and tested; `None` without a depth buffer.
    depth: Option<[bool; 2]>,
    samples: u32,
    constants: &'a [(&'a str, f64)],
}

/// A vertex buffer that a pipeline reads.
type Buffer<'a> = Option<wgpu::VertexBufferLayout<'a>>;
/// The formats that a pipeline draws to, and how.
type Targets<'a> = &'a [(TextureFormat, Option<wgpu::BlendState>)];

fn buffer(
    array_stride: u64,
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> Buffer<'_> {
    Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
}

/// What is drawn from nothing but textures, opaque, to one target.
fn plain<'a>(
    shader: &'a wgpu::ShaderModule,
    entries: [&'a str; 2],
    buffers: &'a [Buffer<'a>],
    targets: Targets<'a>,
) -> Kind<'a> {
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

const STRIP: wgpu::PrimitiveTopology = wgpu::PrimitiveTopology::TriangleStrip;
const OPAQUE: Targets<'static> = &[(target::COLOR, None)];
const BLENDED: Targets<'static> =
    &[(target::COLOR, Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING))];
/// The stronger of two marks counts.
const MOST: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::One,
    dst_factor: wgpu::BlendFactor::One,
    operation: wgpu::BlendOperation::Max,
};
const MARKED: Targets<'static> = &[(MARKS, Some(wgpu::BlendState { color: MOST, alpha: MOST }))];
const EACH: wgpu::VertexStepMode = wgpu::VertexStepMode::Instance;
const ONCE: wgpu::VertexStepMode = wgpu::VertexStepMode::Vertex;

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device, quality: Quality) -> Self {
        let maps_layout = layout(device, 3);
        let view_layout = layout(device, 12);
        let [maps, surface, objects, streaks, marks] =
            &["land maps", "land surface", "land objects", "land streaks", "land marks"]
                .map(|name| shaders::module(device, name));
        let fine = quality == Quality::High;
        let steps = if fine { [48.0, 4.0] } else { [28.0, 3.0] };
        let map_constants = [("REACH", steps[0]), ("RINGS", steps[1])];
        let constants = [("FINE", f64::from(u8::from(fine)))];
        let samples = target::samples(quality);
        let mapped =
            |kind| pipeline(device, &maps_layout, &Kind { constants: &map_constants, ..kind });
        let marked = |kind| pipeline(device, &maps_layout, &Kind { topology: STRIP, ..kind });
        let seen = |kind, topology| {
            let depth = Some([true, true]);
            let kind = Kind { depth, samples, constants: &constants, topology, ..kind };
            pipeline(device, &view_layout, &kind)
        };
        let over = |kind, topology, test| {
            let depth = Some([false, test]);
            let kind = Kind { depth, samples, constants: &constants, topology, ..kind };
            pipeline(device, &view_layout, &kind)
        };
        let list = wgpu::PrimitiveTopology::TriangleList;
        let attributes = super::meshes::attributes();
        let shade = wgpu::vertex_attr_array![0 => Float32x4];
        let river = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x2];
        let tracer = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32];
        let arrow = wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32];
        let grid = wgpu::vertex_attr_array![0 => Float32x2];
        let place = wgpu::vertex_attr_array![1 => Float32x4];
        let buffers = [buffer(8, ONCE, &grid), buffer(16, EACH, &place)];
        let patch = plain(surface, ["vs_patch", "fs_patch"], &buffers, OPAQUE);
        let buffers = [buffer(28, ONCE, &attributes.0), buffer(48, EACH, &attributes.1)];
        let thing = plain(objects, ["vs_thing", "fs_thing"], &buffers, OPAQUE);
        let buffers = [buffer(20, EACH, &tracer)];
        let tracer = plain(streaks, ["vs_tracer", "fs_tracer"], &buffers, BLENDED);
        let buffers = [buffer(12, EACH, &arrow)];
        let arrow = plain(streaks, ["vs_arrow", "fs_arrow"], &buffers, BLENDED);
        let buffers = [buffer(16, EACH, &shade)];
        let shade = plain(marks, ["vs_shade", "fs_shade"], &buffers, MARKED);
        let buffers = [buffer(24, EACH, &river)];
        let river = plain(marks, ["vs_river", "fs_river"], &buffers, MARKED);
        let two = [(MAP, None), (MAP, None)];
        let from_cells = |entry, targets| plain(maps, ["vs_cover", entry], &[], targets);
        let from_maps = |entries| plain(surface, entries, &[], OPAQUE);
        Self {
            ground_map: mapped(from_cells("fs_ground", &two[..1])),
            water_map: mapped(from_cells("fs_water", &two)),
            shade: marked(shade),
            river: marked(river),
            backdrop: over(from_maps(["vs_backdrop", "fs_backdrop"]), list, false),
            map: seen(from_maps(["vs_map", "fs_map"]), list),
            patch: seen(patch, list),
            side: seen(from_maps(["vs_side", "fs_side"]), STRIP),
            thing: seen(thing, list),
            tracer: over(tracer, STRIP, true),
            arrow: over(arrow, list, true),
            even: sampler(device, wgpu::AddressMode::ClampToEdge),
            again: sampler(device, wgpu::AddressMode::Repeat),
            maps_layout,
            view_layout,
        }
    }
}

/// The first `count` of all bindings: uniforms, cells, flags, seven textures, two samplers.
fn layout(device: &wgpu::Device, count: u32) -> wgpu::BindGroupLayout {
    let ty = |binding: u32| match binding {
        0 => BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        10 | 11 => BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        _ => BindingType::Texture {
            sample_type: TextureSampleType::Float { filterable: binding > 1 },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
    };
    let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..count)
        .map(|binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::VERTEX_FRAGMENT,
            ty: ty(binding),
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("land"),
        entries: &entries,
    })
}

fn sampler(device: &wgpu::Device, address: wgpu::AddressMode) -> wgpu::Sampler {
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

fn pipeline(
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
            format: target::DEPTH,
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
