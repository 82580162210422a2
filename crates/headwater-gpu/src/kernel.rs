//! Compute kernels: compilation of WGSL source code, binding of buffers by name, and dispatch.

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel_cache::{KernelSource, Pipeline};
use crate::shader::{self, Binding};
use std::num::NonZeroU64;

/// Alignment of dynamic buffer offsets (bytes). No device requires a larger alignment.
pub const WINDOW_ALIGNMENT: u64 = 256;

/// Compiled compute shader. Clones share the pipeline.
#[derive(Clone, Debug)]
pub struct Kernel(Pipeline);

/// Buffers and textures that are bound to a kernel, created by [`Kernel::bind`].
#[derive(Debug)]
pub struct BindGroup(wgpu::BindGroup);

/// Buffer or texture, with the name of the shader variable to which it is bound.
pub type NamedBinding<'a> = (&'static str, wgpu::BindingResource<'a>);

impl Kernel {
    /// Compiles the entry point `entry` of the WGSL source `text`. The bind group layout consists
    /// of all variables in bind group 0 that the entry point and the functions it calls use.
    /// `dynamic_buffer` is given if one buffer is bound with a dynamic offset. It contains the name
    /// of that buffer and the number of bytes in it that one dispatch can access. Each dispatch has
    /// its own offset, a multiple of [`WINDOW_ALIGNMENT`].
    ///
    /// Workgroup memory is not zeroed, so a kernel must write it before reading it. Recently
    /// compiled kernels of this device are cached.
    ///
    /// # Errors
    /// Returns [`GpuError::Limit`] if the kernel uses more buffers than the device allows, and
    /// [`GpuError::Refused`] if the source code is invalid.
    pub fn new(
        gpu: &Gpu,
        text: &str,
        entry: &str,
        dynamic_buffer: Option<(&'static str, u64)>,
    ) -> Result<Self, GpuError> {
        let source =
            KernelSource { text: text.to_owned(), entry: entry.to_owned(), dynamic_buffer };
        if let Some(pipeline) = gpu.kernel_cache.find(&source) {
            return Ok(Self(pipeline));
        }
        let bindings = shader::bindings(text, entry);
        let is_storage = |kind| matches!(kind, Binding::ReadOnlyStorage | Binding::Storage);
        let storage = bindings.iter().filter(|decl| is_storage(decl.binding)).count();
        let limit = u64::from(gpu.limits().max_storage_buffers_per_shader_stage);
        let name = "max_storage_buffers_per_shader_stage";
        gpu.check_limit(&format!("the kernel {entry}"), (storage as u64, limit), "buffers", name)?;
        let dynamic_buffer =
            dynamic_buffer.filter(|(name, _)| bindings.iter().any(|decl| decl.name == *name));
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(entry),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let entries: Vec<_> = bindings
            .iter()
            .map(|decl| {
                let is_window = dynamic_buffer.is_some_and(|(name, _)| name == decl.name);
                layout_entry(decl.number, decl.binding, is_window)
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
        let pipeline = Pipeline { pipeline, layout, bindings, dynamic_buffer };
        gpu.kernel_cache.insert(source, pipeline.clone());
        Ok(Self(pipeline))
    }

    /// Binds the buffers and textures in `bindings` to the shader variables of the same names.
    /// Names that the kernel does not use are ignored. If a variable has no binding in `bindings`,
    /// the device reports an error, which [`Gpu::check`] returns.
    pub fn bind(&self, gpu: &Gpu, bindings: &[NamedBinding<'_>]) -> BindGroup {
        let Pipeline { layout, bindings: declared, dynamic_buffer, .. } = &self.0;
        let entries: Vec<_> = declared
            .iter()
            .filter_map(|decl| {
                let (name, resource) = bindings.iter().find(|(name, _)| *name == decl.name)?;
                let resource = match (dynamic_buffer, resource) {
                    (Some((windowed, bytes)), wgpu::BindingResource::Buffer(buffer))
                        if windowed == name =>
                    {
                        let size = NonZeroU64::new(*bytes);
                        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                            size,
                            ..buffer.clone()
                        })
                    }
                    _ => resource.clone(),
                };
                Some(wgpu::BindGroupEntry { binding: decl.number, resource })
            })
            .collect();
        BindGroup(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout,
            entries: &entries,
        }))
    }

    /// Records a dispatch of `groups` workgroups (x, y) into a compute pass. `offset` is the offset
    /// (bytes) into the buffer that [`new`](Self::new) binds with a dynamic offset; it is ignored
    /// if there is no such buffer. Later dispatches in the same pass see the buffer writes of
    /// earlier ones.
    pub fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bind_group: &BindGroup,
        offset: u32,
        groups: [u32; 2],
    ) {
        pass.set_pipeline(&self.0.pipeline);
        let offsets = [offset];
        pass.set_bind_group(
            0,
            &bind_group.0,
            &offsets[..usize::from(self.0.dynamic_buffer.is_some())],
        );
        pass.dispatch_workgroups(groups[0], groups[1], 1);
    }
}

impl Gpu {
    /// Calls `record` to record one compute pass, and submits the pass to the queue.
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
            Binding::ReadOnlyStorage => buffer(storage(true)),
            Binding::Storage => buffer(storage(false)),
            Binding::StorageTexture => wgpu::BindingType::StorageTexture {
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
    use crate::kernel_cache::CAPACITY;

    fn scaling_shader(factor: usize) -> String {
        format!(
            "@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
             @compute @workgroup_size(1) fn first() {{ numbers[0] *= {factor}u; }}
             @compute @workgroup_size(1) fn second() {{ numbers[1] *= {factor}u; }}"
        )
    }

    #[test]
    fn compiled_kernels_are_cached_by_text_and_entry_point() {
        let gpu = Gpu::new().unwrap();
        let kernel = |gpu: &Gpu, factor, entry| {
            Kernel::new(gpu, &scaling_shader(factor), entry, None).unwrap().0.pipeline
        };
        let first = kernel(&gpu, 3, "first");
        assert_eq!(kernel(&gpu.clone(), 3, "first"), first);
        assert_ne!(kernel(&gpu, 3, "second"), first, "different entry point");
        assert_ne!(kernel(&gpu, 4, "first"), first, "different text");
        for factor in 5..5 + CAPACITY {
            // A kernel that is used regularly is not evicted.
            assert_eq!(kernel(&gpu, 3, "first"), first);
            kernel(&gpu, factor, "first");
        }
        assert_eq!(gpu.kernel_cache.len(), CAPACITY);
        // Cached kernels have the right constants.
        let buffer = crate::Buffer::from_slice(&gpu, "numbers", &[1_u32, 1]).unwrap();
        for (factor, entry) in [(3, "first"), (3, "second"), (7, "first")] {
            let kernel = Kernel::new(&gpu, &scaling_shader(factor), entry, None).unwrap();
            let bind_group = kernel.bind(&gpu, &[("numbers", buffer.binding())]);
            gpu.submit(|pass| kernel.dispatch(pass, &bind_group, 0, [1, 1]));
        }
        let numbers = gpu.block_on(buffer.read(&gpu, 0, 2).unwrap()).unwrap();
        assert_eq!(numbers, [21, 3]);
    }

    #[test]
    fn an_invalid_shader_is_rejected_every_time() {
        let gpu = Gpu::new().unwrap();
        for _ in 0..2 {
            let kernel = Kernel::new(&gpu, "fn first() { wrong }", "first", None);
            assert!(matches!(kernel, Err(GpuError::Refused(_))), "{kernel:?}");
        }
    }
}
