//! Compute kernels: WGSL put together from parts, what a kernel reads and writes, and how it is run.

use crate::device::Gpu;
use crate::error::GpuError;
use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::{Mutex, PoisonError};

/// Puts a shader's text together: constants first, then parts of WGSL in the order given. Parts are files of
/// one subject each, included with `include_str!`.
///
/// ```
/// let text = headwater_gpu::compose(&[("WIDTH", 4)], &["fn f() -> u32 { return WIDTH; }"]);
/// assert!(text.starts_with("const WIDTH: u32 = 4u;"));
/// ```
pub fn compose(constants: &[(&str, u32)], parts: &[&str]) -> String {
    let mut text = String::new();
    for (name, value) in constants {
        text.push_str(&format!("const {name}: u32 = {value}u;\n"));
    }
    for part in parts {
        text.push_str(part);
        text.push('\n');
    }
    text
}

/// What a kernel does with one of its buffers, in the order of its bindings in group 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binding {
    /// `var<uniform>`.
    Uniform,
    /// `var<storage, read>`.
    Read,
    /// `var<storage, read>`, a window of so many bytes into a larger buffer. Where it begins is said at each
    /// run, in multiples of [`WINDOW`].
    Window(u64),
    /// `var<storage, read_write>`.
    Write,
    /// `texture_storage_2d<rgba32float, write>`.
    Texture,
}

impl Binding {
    /// How WGSL declares such a variable, up to its name.
    pub(crate) fn declared(self) -> &'static str {
        match self {
            Self::Uniform => "var<uniform>",
            Self::Read | Self::Window(_) => "var<storage, read>",
            Self::Write => "var<storage, read_write>",
            Self::Texture => "var",
        }
    }
}

/// What the starts of windows are multiples of (bytes): no device asks for more.
pub const WINDOW: u64 = 256;

/// What a kernel is made from: its text, its entry point, and its bindings.
type Recipe = (String, String, Vec<(u32, Binding)>);

/// The kernels that were made for a device. A world that is handed over anew, after an edit for one, finds its own there:
/// to compile them takes longer than all else.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<HashMap<Recipe, Kernel>>);

/// A compute shader, ready to run. It is compiled once for each device; a clone is the same.
#[derive(Clone, Debug)]
pub struct Kernel {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    bindings: Vec<(u32, Binding)>,
}

/// A kernel's buffers.
#[derive(Debug)]
pub struct Bound(wgpu::BindGroup);

impl Kernel {
    /// The entry point `entry` of a shader. Workgroup memory is not cleared: a kernel writes what it reads.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if it has more buffers than a device takes, [`GpuError::Refused`] if the text is
    /// wrong.
    pub fn new(gpu: &Gpu, text: &str, entry: &str, bindings: &[Binding]) -> Result<Self, GpuError> {
        let numbered: Vec<_> = (0..).zip(bindings.iter().copied()).collect();
        Self::numbered(gpu, text, entry, &numbered)
    }

    /// As [`new`](Self::new), with the number of each binding, for shaders that share declarations of which each
    /// uses some.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn numbered(
        gpu: &Gpu,
        text: &str,
        entry: &str,
        bindings: &[(u32, Binding)],
    ) -> Result<Self, GpuError> {
        let is_storage = |kind| !matches!(kind, Binding::Uniform | Binding::Texture);
        let storage = bindings.iter().filter(|binding| is_storage(binding.1)).count();
        let limit = u64::from(gpu.limits().max_storage_buffers_per_shader_stage);
        let name = "max_storage_buffers_per_shader_stage";
        gpu.within(&format!("the kernel {entry}"), (storage as u64, limit), "buffers", name)?;
        let recipe = (text.to_owned(), entry.to_owned(), bindings.to_vec());
        let kept = || gpu.kernels.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = kept().get(&recipe) {
            return Ok(kernel.clone());
        }
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(entry),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let entries: Vec<_> = bindings.iter().map(|&(i, b)| layout_entry(i, b)).collect();
        let layout = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(entry),
            entries: &entries,
        });
        let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(entry),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        gpu.check()?;
        let kernel = Self { pipeline, layout, bindings: bindings.to_vec() };
        kept().insert(recipe, kernel.clone());
        Ok(kernel)
    }

    /// Its buffers, one for each binding.
    pub fn bind(&self, gpu: &Gpu, buffers: &[&wgpu::Buffer]) -> Bound {
        let all: Vec<_> = buffers.iter().map(|buffer| buffer.as_entire_binding()).collect();
        self.bind_all(gpu, &all)
    }

    /// Its buffers and textures, one for each binding.
    pub fn bind_all(&self, gpu: &Gpu, all: &[wgpu::BindingResource<'_>]) -> Bound {
        let entries: Vec<_> = all
            .iter()
            .zip(&self.bindings)
            .map(|(resource, (binding, kind))| wgpu::BindGroupEntry {
                binding: *binding,
                resource: match (kind, resource) {
                    (Binding::Window(bytes), wgpu::BindingResource::Buffer(whole)) => {
                        let window =
                            wgpu::BufferBinding { size: NonZeroU64::new(*bytes), ..whole.clone() };
                        wgpu::BindingResource::Buffer(window)
                    }
                    _ => resource.clone(),
                },
            })
            .collect();
        Bound(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &entries,
        }))
    }

    /// Runs it: so many workgroups along x and y, with the starts of its windows in bytes. What one run
    /// writes, the next one in the same pass sees.
    pub fn run(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bound: &Bound,
        windows: &[u32],
        groups: [u32; 2],
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &bound.0, windows);
        pass.dispatch_workgroups(groups[0], groups[1], 1);
    }
}

impl Gpu {
    /// Records what `record` runs in one pass, and submits it.
    pub fn submit(&self, record: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        record(&mut encoder.begin_compute_pass(&Default::default()));
        self.queue.submit([encoder.finish()]);
    }
}

fn layout_entry(binding: u32, kind: Binding) -> wgpu::BindGroupLayoutEntry {
    let storage = |read_only| wgpu::BufferBindingType::Storage { read_only };
    let buffer = |ty| wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset: matches!(kind, Binding::Window(_)),
        min_binding_size: None,
    };
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: match kind {
            Binding::Uniform => buffer(wgpu::BufferBindingType::Uniform),
            Binding::Read | Binding::Window(_) => buffer(storage(true)),
            Binding::Write => buffer(storage(false)),
            Binding::Texture => wgpu::BindingType::StorageTexture {
                access: wgpu::StorageTextureAccess::WriteOnly,
                format: crate::CANVAS,
                view_dimension: wgpu::TextureViewDimension::D2,
            },
        },
        count: None,
    }
}
