//! Runs Headwater's `flow` and `waves` models on the GPU, as wgpu compute shaders. Each WGSL file
//! has the name of its counterpart in the CPU crate.
//!
//! - [`Gpu`] is a device: the fastest available, or one selected by name.
//! - [`Buffer`] is a typed buffer on the device; [`Pending`] is an asynchronous read-back.
//! - [`Kernel`] is a compiled shader, assembled from parts ([`compose`]), whose buffers are bound
//!   by name.
//! - [`flow::GpuFlow`] steps a [`headwater::flow::Flow`] on the device.
//! - [`waves::GpuWaves`] steps a [`headwater::waves::Waves`] on the device.
//! - [`Gpu::from_device`] and [`Gpu::from_shared_device`] use the device of a window or game
//!   engine. On such a device, both models can draw their worlds into a texture
//!   ([`CANVAS_FORMAT`]).
//! - [`DeviceCopy`] is a plain memory copy, the bandwidth reference for benchmarks.
//!
//! Calls do not block unless their documentation says so. Submitted work runs asynchronously, and
//! device errors are returned by the next read-back ([`Gpu::check`]). Blocking functions do not
//! exist in browsers.
//!
//! To port a model: keep its fields in buffers with a common row pitch. Write each formula as a
//! small WGSL function, in a file with the name of the corresponding CPU file. A kernel loads its
//! tile into workgroup memory. A value that is computed in two places (such as a face shared by two
//! tiles) must come from the same function with the same inputs. Use `opaque` where a compiler
//! might fuse or reorder operations. See `docs/gpu.md`.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod api;
mod buffer;
mod canvas;
mod copy;
mod device;
mod error;
pub mod flow;
mod kernel;
mod kernel_cache;
mod layout;
mod record;
mod shader;
pub mod waves;

pub use buffer::{Buffer, Pending};
pub use canvas::CANVAS_FORMAT;
pub use copy::DeviceCopy;
pub use device::{Adapter, Gpu};
pub use error::GpuError;
pub use kernel::{BindGroup, Kernel, NamedBinding, WINDOW_ALIGNMENT};
pub use shader::{COMMON_SOURCE, DOUBLE_SOURCE, compose};
/// The wgpu crate, in the version that this crate uses. A Cargo feature selects the version.
/// Callers need wgpu to pass their own devices and textures.
#[cfg(feature = "wgpu-30")]
pub use wgpu;
#[cfg(all(feature = "wgpu-29", not(feature = "wgpu-30")))]
pub extern crate wgpu29 as wgpu;
#[cfg(not(any(feature = "wgpu-29", feature = "wgpu-30")))]
compile_error!("one of the features `wgpu-30` and `wgpu-29` is needed");

/// Returns the name and the WGSL source code of every shader in this crate. The shaders can be
/// validated without a device.
pub fn shaders() -> Vec<(String, String)> {
    kernels().into_iter().map(|(name, _, text)| (name, text)).collect()
}

fn kernels() -> Vec<(String, &'static str, String)> {
    let mut all = vec![("copy".to_owned(), "copy", copy::shader())];
    all.extend(flow::shaders());
    all.extend(waves::shaders());
    all
}

#[cfg(test)]
mod tests {
    use super::shader::{Binding, BindingDecl, bindings};
    use naga::proc::Layouter;
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    use naga::{AddressSpace, Module, StorageAccess, TypeInner};

    /// Returns the bindings of the entry point `entry`, as determined by naga.
    fn bindings_by_naga(module: &Module, entry: &str) -> Vec<BindingDecl> {
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(module);
        let info = info.unwrap();
        let index = module.entry_points.iter().position(|point| point.name == entry).unwrap();
        let used = info.get_entry_point(index);
        let mut all: Vec<BindingDecl> = module
            .global_variables
            .iter()
            .filter(|(handle, _)| !used[*handle].is_empty())
            .filter_map(|(_, variable)| {
                let binding = match variable.space {
                    AddressSpace::Uniform => Binding::Uniform,
                    AddressSpace::Handle => Binding::StorageTexture,
                    AddressSpace::Storage { access } => match access.contains(StorageAccess::STORE)
                    {
                        true => Binding::Storage,
                        false => Binding::ReadOnlyStorage,
                    },
                    _ => return None,
                };
                let (number, name) = (variable.binding?.binding, variable.name.clone()?);
                Some(BindingDecl { number, name, binding })
            })
            .collect();
        all.sort_by_key(|decl| decl.number);
        all
    }

    #[test]
    fn bindings_of_all_kernels_match_naga() {
        for (name, entry, text) in super::kernels() {
            let module = naga::front::wgsl::parse_str(&text)
                .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&text)));
            assert_eq!(bindings(&text, entry), bindings_by_naga(&module, entry), "{name}");
        }
    }

    #[test]
    fn records_have_the_same_layout_in_wgsl_and_rust() {
        let records = || super::flow::RECORDS.into_iter().chain(super::waves::RECORDS);
        let mut found = std::collections::HashSet::new();
        for (name, _, text) in super::kernels() {
            let module = naga::front::wgsl::parse_str(&text).unwrap();
            let mut layouter = Layouter::default();
            layouter.update(module.to_ctx()).unwrap();
            for (handle, kind) in module.types.iter() {
                let record = records().find(|record| Some(record.name) == kind.name.as_deref());
                let (Some(record), TypeInner::Struct { members, .. }) = (record, &kind.inner)
                else {
                    continue;
                };
                let offsets: Vec<_> = members.iter().map(|member| member.offset as usize).collect();
                let fields: Vec<_> = record.fields.iter().map(|(.., place)| *place).collect();
                assert_eq!(offsets, fields, "{} of {name}", record.name);
                assert_eq!(
                    layouter[handle].size as usize, record.size,
                    "{} of {name}",
                    record.name
                );
                found.insert(record.name);
            }
        }
        assert_eq!(found.len(), records().count());
    }
}

/// Compiles and runs the code examples in the crate's README as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
