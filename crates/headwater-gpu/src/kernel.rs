//! Compute kernels: compiled from a shader's text, with the buffers that it names, and run.

use crate::compiled::{Pipeline, Source};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::shader::{self, Binding};
use std::num::NonZeroU64;

/// What the starts of windows are multiples of (bytes): no device asks for more.
pub const WINDOW: u64 = 256;

/// A compute shader, ready to run; a clone is the same.
#[derive(Clone, Debug)]
pub struct Kernel(Pipeline);

/// A kernel's buffers.
#[derive(Debug)]
pub struct Bound(wgpu::BindGroup);

/// A buffer or texture, by the name that shaders have for it.
pub type Named<'a> = (&'static str, wgpu::BindingResource<'a>);

impl Kernel {
    /// The entry point `entry` of a shader. What it binds follows from the text: the variables of group 0 that the entry
    /// point and the functions under it mention. Of the one that `window` names it sees so many bytes at a time; where
    /// these begin is said at each run, in multiples of [`WINDOW`].
    ///
    /// Workgroup memory is not cleared: a kernel writes what it reads. What was compiled for this device not long ago is
    /// not compiled again.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if it has more buffers than a device takes, [`GpuError::Refused`] if the text is
    /// wrong.
    pub fn new(
        gpu: &Gpu,
        text: &str,
        entry: &str,
        window: Option<(&'static str, u64)>,
    ) -> Result<Self, GpuError> {
        let source = Source { text: text.to_owned(), entry: entry.to_owned(), window };
        if let Some(pipeline) = gpu.compiled.find(&source) {
            return Ok(Self(pipeline));
        }
        let bound = shader::bound(text, entry);
        let is_storage = |kind| matches!(kind, Binding::Read | Binding::Write);
        let storage = bound.iter().filter(|bound| is_storage(bound.binding)).count();
        let limit = u64::from(gpu.limits().max_storage_buffers_per_shader_stage);
        let name = "max_storage_buffers_per_shader_stage";
        gpu.within(&format!("the kernel {entry}"), (storage as u64, limit), "buffers", name)?;
        let window = window.filter(|(name, _)| bound.iter().any(|bound| bound.name == *name));
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(entry),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let entries: Vec<_> = bound
            .iter()
            .map(|bound| {
                let is_window = window.is_some_and(|(name, _)| name == bound.name);
                layout_entry(bound.number, bound.binding, is_window)
            })
            .collect();
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
        let pipeline = Pipeline { pipeline, layout, bound, window };
        gpu.compiled.keep(source, pipeline.clone());
        Ok(Self(pipeline))
    }

    /// Its buffers and textures, by the names that its shader has for them. What it does not mention is left out; where
    /// one is missing, the device refuses the call ([`Gpu::check`]).
    pub fn bind(&self, gpu: &Gpu, all: &[Named<'_>]) -> Bound {
        let Pipeline { layout, bound, window, .. } = &self.0;
        let entries: Vec<_> = bound
            .iter()
            .filter_map(|bound| {
                let (name, resource) = all.iter().find(|(name, _)| *name == bound.name)?;
                let resource = match (window, resource) {
                    (Some((windowed, bytes)), wgpu::BindingResource::Buffer(whole))
                        if windowed == name =>
                    {
                        let size = NonZeroU64::new(*bytes);
                        wgpu::BindingResource::Buffer(wgpu::BufferBinding { size, ..whole.clone() })
                    }
                    _ => resource.clone(),
                };
                Some(wgpu::BindGroupEntry { binding: bound.number, resource })
            })
            .collect();
        Bound(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout,
            entries: &entries,
        }))
    }

    /// Runs it: so many workgroups along x and y, with the start of its window in bytes (any, if it has none). What one
    /// run writes, the next one in the same pass sees.
    pub fn run(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bound: &Bound,
        window: u32,
        groups: [u32; 2],
    ) {
        pass.set_pipeline(&self.0.pipeline);
        let windows = [window];
        pass.set_bind_group(0, &bound.0, &windows[..usize::from(self.0.window.is_some())]);
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

fn layout_entry(number: u32, binding: Binding, is_window: bool) -> wgpu::BindGroupLayoutEntry {
    let storage = |read_only| wgpu::BufferBindingType::Storage { read_only };
    let buffer = |ty| wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset: is_window,
        min_binding_size: None,
    };
    wgpu::BindGroupLayoutEntry {
        binding: number,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: match binding {
            Binding::Uniform => buffer(wgpu::BufferBindingType::Uniform),
            Binding::Read => buffer(storage(true)),
            Binding::Write => buffer(storage(false)),
            Binding::Texture => wgpu::BindingType::StorageTexture {
                access: wgpu::StorageTextureAccess::WriteOnly,
                format: wgpu::TextureFormat::Rgba32Float,
                view_dimension: wgpu::TextureViewDimension::D2,
            },
        },
        count: None,
    }
}

#[cfg(all(test, feature = "test-on-device"))]
mod tests {
    use super::*;
    use crate::compiled::KEPT;

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
        let kernel = |gpu: &Gpu, factor, entry| {
            Kernel::new(gpu, &shader(factor), entry, None).unwrap().0.pipeline
        };
        let first = kernel(&gpu, 3, "first");
        assert_eq!(kernel(&gpu.clone(), 3, "first"), first);
        assert_ne!(kernel(&gpu, 3, "second"), first, "an entry point of its own");
        assert_ne!(kernel(&gpu, 4, "first"), first, "another text");
        for factor in 5..5 + KEPT {
            // What is asked for now and then stays.
            assert_eq!(kernel(&gpu, 3, "first"), first);
            kernel(&gpu, factor, "first");
        }
        assert_eq!(gpu.compiled.len(), KEPT);
        // Worlds have kernels with the right numbers in them.
        let buffer = crate::Buffer::of(&gpu, "numbers", &[1_u32, 1]).unwrap();
        for (factor, entry) in [(3, "first"), (3, "second"), (7, "first")] {
            let kernel = Kernel::new(&gpu, &shader(factor), entry, None).unwrap();
            let bound = kernel.bind(&gpu, &[("numbers", buffer.binding())]);
            gpu.submit(|pass| kernel.run(pass, &bound, 0, [1, 1]));
        }
        let numbers = gpu.block_on(buffer.read(&gpu, 0, 2).unwrap()).unwrap();
        assert_eq!(numbers, [21, 3]);
    }

    #[test]
    fn a_wrong_shader_is_refused_each_time() {
        let gpu = Gpu::new().unwrap();
        for _ in 0..2 {
            let kernel = Kernel::new(&gpu, "fn first() { wrong }", "first", None);
            assert!(matches!(kernel, Err(GpuError::Refused(_))), "{kernel:?}");
        }
    }
}
