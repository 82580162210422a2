//! Headwater's models on the GPU, by wgpu compute shaders: the same steps as on the CPU, in files of the same
//! names, in WGSL instead of Rust.
//!
//! - [`Gpu`] is the device: the fastest there is, or one by name. Without a driver it says what is missing.
//! - [`Buffer`] holds numbers on it; [`Pending`] are numbers on their way back.
//! - [`Kernel`] is a shader put together from parts ([`compose`]), with the buffers that it names.
//! - [`flow::GpuFlow`] steps a [`headwater::flow::Flow`] there, and brings it back.
//! - [`waves::GpuWaves`] steps a [`headwater::waves::Waves`] there, and brings it back.
//! - [`Gpu::of`] and [`Gpu::guest`] share a device with a window; both worlds can be drawn there into a texture ([`CANVAS`]).
//! - [`DeviceCopy`] is a plain copy: the bandwidth that everything else is held against.
//!
//! Nothing here waits unless its name says so or its docs do: what is submitted runs by itself, and faults come
//! to light where something is brought back ([`Gpu::check`]). Functions that wait do not exist in browsers.
//!
//! How a model is brought here: keep its fields in buffers whose rows begin at multiples of a pitch; write its
//! formulas as small WGSL functions in a file named as the CPU's; a kernel loads what its tile needs into
//! workgroup memory. What must come out the same in two places (a face that two tiles share) has to come from
//! the same function with the same inputs, and sums that compilers might rearrange go through `opaque`.
//! `docs/gpu.md` has the rest.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod api;
mod buffer;
mod canvas;
mod compiled;
mod copy;
mod device;
mod error;
pub mod flow;
mod kernel;
mod layout;
mod record;
mod shader;
pub mod waves;

pub use buffer::{Buffer, Pending};
pub use canvas::CANVAS;
pub use copy::DeviceCopy;
pub use device::{Adapter, Gpu};
pub use error::GpuError;
pub use kernel::{Bound, Kernel, Named, WINDOW};
pub use shader::{COMMON, DOUBLE, compose};
/// The crate that devices and textures are of, for whoever hands them over: of the version that a feature chooses.
#[cfg(feature = "wgpu-30")]
pub use wgpu;
#[cfg(all(feature = "wgpu-29", not(feature = "wgpu-30")))]
pub extern crate wgpu29 as wgpu;
#[cfg(not(any(feature = "wgpu-29", feature = "wgpu-30")))]
compile_error!("one of the features `wgpu-30` and `wgpu-29` is needed");

/// The text of every shader there is, by name: each can be checked without a device.
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
    use super::shader::{Binding, Bound, bound};
    use naga::proc::Layouter;
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    use naga::{AddressSpace, Module, StorageAccess, TypeInner};

    /// What naga finds that an entry point binds.
    fn bound_by_naga(module: &Module, entry: &str) -> Vec<Bound> {
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(module);
        let info = info.unwrap();
        let index = module.entry_points.iter().position(|point| point.name == entry).unwrap();
        let used = info.get_entry_point(index);
        let mut all: Vec<Bound> = module
            .global_variables
            .iter()
            .filter(|(handle, _)| !used[*handle].is_empty())
            .filter_map(|(_, variable)| {
                let binding = match variable.space {
                    AddressSpace::Uniform => Binding::Uniform,
                    AddressSpace::Handle => Binding::Texture,
                    AddressSpace::Storage { access } => match access.contains(StorageAccess::STORE)
                    {
                        true => Binding::Write,
                        false => Binding::Read,
                    },
                    _ => return None,
                };
                let (number, name) = (variable.binding?.binding, variable.name.clone()?);
                Some(Bound { number, name, binding })
            })
            .collect();
        all.sort_by_key(|bound| bound.number);
        all
    }

    #[test]
    fn kernels_bind_what_their_text_reaches() {
        for (name, entry, text) in super::kernels() {
            let module = naga::front::wgsl::parse_str(&text)
                .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&text)));
            assert_eq!(bound(&text, entry), bound_by_naga(&module, entry), "{name}");
        }
    }

    #[test]
    fn records_lie_in_wgsl_as_in_rust() {
        let records = || super::flow::RECORDS.into_iter().chain(super::waves::RECORDS);
        let mut held = std::collections::HashSet::new();
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
                let places: Vec<_> = members.iter().map(|member| member.offset as usize).collect();
                let fields: Vec<_> = record.fields.iter().map(|(.., place)| *place).collect();
                assert_eq!(places, fields, "{} of {name}", record.name);
                assert_eq!(
                    layouter[handle].size as usize, record.size,
                    "{} of {name}",
                    record.name
                );
                held.insert(record.name);
            }
        }
        assert_eq!(held.len(), records().count());
    }
}

/// The package's README, whose example is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
