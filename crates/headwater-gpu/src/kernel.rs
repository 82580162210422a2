//! Compute kernels: WGSL put together from parts, what a kernel reads and writes, and how it is run.

use crate::device::Gpu;
use crate::error::GpuError;
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

/// A compute shader, ready to run; a clone is the same.
#[derive(Clone, Debug)]
pub struct Kernel {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    bindings: Vec<(u32, Binding)>,
}

/// Kernels that were compiled for a device, those that were asked for last in front. A second world of the same kind
/// finds its own here: compiling takes longer than a small world's step by far, and drivers that are programs
/// compile for a second.
#[derive(Debug, Default)]
pub(crate) struct Compiled(Mutex<Vec<(Source, Kernel)>>);

/// What a kernel is compiled from, but for its bindings.
#[derive(Debug, PartialEq, Eq)]
struct Source {
    text: String,
    entry: String,
}

/// How many kernels are kept: all of several worlds. Some have numbers in their text that change when a world is
/// edited (how many tracers there may be, over how many cells springs are spread), so those of the past have to go.
const KEPT: usize = 64;

impl Compiled {
    /// The kernel of this text, if it is there.
    fn find(&self, text: &str, entry: &str, bindings: &[(u32, Binding)]) -> Option<Kernel> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|(source, kernel)| {
            source.entry == entry && kernel.bindings == bindings && source.text == text
        })?;
        all[..=at].rotate_right(1);
        Some(all[0].1.clone())
    }

    /// Keeps a kernel, in place of the one that was asked for longest ago if there are too many.
    fn keep(&self, source: Source, kernel: Kernel) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.truncate(KEPT - 1);
        all.insert(0, (source, kernel));
    }
}

/// A kernel's buffers.
#[derive(Debug)]
pub struct Bound(wgpu::BindGroup);

impl Kernel {
    /// The entry point `entry` of a shader. Workgroup memory is not cleared: a kernel writes what it reads. What was
    /// compiled for this device not long ago is not compiled again.
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
        if let Some(kernel) = gpu.compiled.find(text, entry, bindings) {
            return Ok(kernel);
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
        let source = Source { text: text.to_owned(), entry: entry.to_owned() };
        gpu.compiled.keep(source, kernel.clone());
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

#[cfg(all(test, feature = "test-on-device"))]
mod tests {
    use super::*;

    fn shader(factor: usize) -> String {
        format!(
            "@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
             @compute @workgroup_size(1) fn first() {{ numbers[0] *= {factor}u; }}
             @compute @workgroup_size(1) fn second() {{ numbers[1] *= {factor}u; }}"
        )
    }

    #[test]
    fn what_was_compiled_before_is_not_compiled_again() {
        let gpu = Gpu::new().unwrap();
        let kernel = |gpu: &Gpu, factor, entry, binding| {
            Kernel::new(gpu, &shader(factor), entry, &[binding]).unwrap().pipeline
        };
        let first = kernel(&gpu, 3, "first", Binding::Write);
        assert_eq!(kernel(&gpu.clone(), 3, "first", Binding::Write), first);
        assert_ne!(kernel(&gpu, 3, "second", Binding::Write), first, "an entry point of its own");
        assert_ne!(kernel(&gpu, 4, "first", Binding::Write), first, "another text");
        for factor in 5..5 + KEPT {
            // What is asked for now and then stays.
            assert_eq!(kernel(&gpu, 3, "first", Binding::Write), first);
            kernel(&gpu, factor, "first", Binding::Write);
        }
        assert_eq!(gpu.compiled.0.lock().unwrap().len(), KEPT);
        // Worlds have kernels with the right numbers in them.
        let buffer = crate::Buffer::of(&gpu, "numbers", &[1_u32, 1]).unwrap();
        for (factor, entry) in [(3, "first"), (3, "second"), (7, "first")] {
            let kernel = Kernel::new(&gpu, &shader(factor), entry, &[Binding::Write]).unwrap();
            let bound = kernel.bind(&gpu, &[&buffer.raw]);
            gpu.submit(|pass| kernel.run(pass, &bound, &[], [1, 1]));
        }
        let numbers = gpu.block_on(buffer.read(&gpu, 0, 2).unwrap()).unwrap();
        assert_eq!(numbers, [21, 3]);
    }

    #[test]
    fn a_wrong_shader_is_refused_each_time() {
        let gpu = Gpu::new().unwrap();
        for _ in 0..2 {
            let kernel = Kernel::new(&gpu, "fn first() { wrong }", "first", &[]);
            assert!(matches!(kernel, Err(GpuError::Refused(_))), "{kernel:?}");
        }
    }
}
