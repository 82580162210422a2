//! Edits of a flow world on the device. Edits of the ground are applied to the CPU copy, and the
//! new ground is then uploaded. Edits of the water are sent to the device as lists of cells or
//! faces. Nothing is read back, except the summary for the stability limit if this limit depends on
//! the water.

use super::buffers::Buffers;
use super::buffers::records::{CellPush, DepthEdit, FacePush, Step};
use super::buffers::schedule::{push_record, step_entries};
use super::gpu_flow::GpuFlow;
use super::limit::{SUMMARY_PASSES, SUMMARY_WORDS};
use super::shaders::{EDIT_CELLS, PUSH, SUMMARIZE, Shader, THREADS};
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::layout::Layout;
use bytemuck::Pod;
use headwater::Brush;
use headwater::flow::{self, BedChange, Edit, PreservedQuantity, WaterDelta};
use std::collections::HashMap;

/// Maximum number of cells or faces in one upload. It limits the size of an upload to 32 MiB.
const ENTRIES_PER_UPLOAD: usize = 1 << 20;

/// Converts velocity changes of cells to one record per face. The record contains two discharge
/// gains, one for each of the two cells at the face.
fn merge_by_face(layout: Layout, pushes: &[flow::FacePush]) -> Vec<FacePush> {
    let index = |at| layout.index(at) as u32;
    let mut faces: Vec<FacePush> = Vec::new();
    let mut index_of_face: HashMap<_, usize> = HashMap::new();
    for push in pushes {
        match index_of_face.get(&(push.axis, push.face)) {
            Some(&i) => faces[i].after_gain = push.gain,
            None => {
                index_of_face.insert((push.axis, push.face), faces.len());
                faces.push(FacePush {
                    family: push.axis as u32,
                    index: index(push.face),
                    before: index(push.cells[0]),
                    after: index(push.cells[1]),
                    before_gain: push.gain,
                    after_gain: 0.0,
                });
            }
        }
    }
    faces
}

/// Runs the kernel `shader` on all records in `all`, in chunks that fit into one upload. Each chunk
/// is bound to the shader variable `name`.
fn dispatch_over_entries<T: Pod>(
    gpu: &Gpu,
    buffers: &Buffers,
    shader: &Shader,
    name: &'static str,
    all: &[T],
) -> Result<(), GpuError> {
    let kernel = buffers.compile_kernel(gpu, shader, &[])?;
    for chunk in all.chunks(ENTRIES_PER_UPLOAD) {
        let uploaded = Buffer::from_slice(gpu, "an edit", chunk)?;
        let bound =
            kernel.bind(gpu, &[buffers.bindings(), vec![(name, uploaded.binding())]].concat());
        // The workgroups are arranged in a square because their number along each axis is limited.
        let groups = (chunk.len() as u32).div_ceil(THREADS);
        let wide = groups.isqrt().max(1);
        gpu.submit(|pass| kernel.dispatch(pass, &bound, 0, [wide, groups.div_ceil(wide)]));
    }
    gpu.check()
}

fn apply_water_delta(gpu: &Gpu, buffers: &Buffers, water: &WaterDelta) -> Result<(), GpuError> {
    let layout = buffers.fields.layout;
    let index = |cell| layout.index(cell) as u32;
    let edit =
        |work: Vec<DepthEdit>| dispatch_over_entries(gpu, buffers, &EDIT_CELLS, "cells", &work);
    match water {
        WaterDelta::Unchanged => Ok(()),
        WaterDelta::AddDepth(all) => {
            let gain = |&(cell, value): &(_, f32)| DepthEdit {
                index: index(cell),
                value,
                ..DepthEdit::default()
            };
            edit(all.iter().map(gain).collect())
        }
        WaterDelta::KeepSurface(all) => {
            let keep = |&BedChange { cell, bed: [old_bed, value], .. }: &BedChange| DepthEdit {
                index: index(cell),
                keeps_surface: 1,
                old_bed,
                value,
            };
            edit(all.iter().map(keep).collect())
        }
        WaterDelta::PushCells(all) => {
            let push = |&(cell, [east, south]): &(_, [f64; 2])| CellPush {
                index: index(cell),
                padding: 0,
                east,
                south,
            };
            dispatch_over_entries(
                gpu,
                buffers,
                &PUSH,
                "pushes",
                &all.iter().map(push).collect::<Vec<_>>(),
            )
        }
        WaterDelta::PushFaces(all) => {
            dispatch_over_entries(gpu, buffers, &PUSH, "pushes", &merge_by_face(layout, all))
        }
    }
}

impl GpuFlow {
    /// Applies an edit on the device, as
    /// [`Flow::edit_preserving`](headwater::flow::Flow::edit_preserving) does on the CPU. Nothing
    /// is read back. With [`Physics::Pipes`](headwater::flow::Physics::Pipes), the function only
    /// submits work; with other schemes, it first waits until the last batch of steps is complete.
    ///
    /// The CPU copy, [`flow`](Self::flow), has the new ground at once, and the new water after the
    /// next read-back.
    ///
    /// # Errors
    /// Returns [`GpuError::Input`], without applying the edit, if the brush or a value of `edit` is
    /// invalid, or if an earlier step was unstable, see [`steps`](Self::steps). Otherwise returns
    /// the first error of the device.
    pub async fn edit_async(
        &mut self,
        brush: &Brush,
        edit: Edit,
        keep: PreservedQuantity,
    ) -> Result<(), GpuError> {
        self.finish_batch().await?;
        self.gpu.check()?;
        let delta = self.flow.edit_ground(brush, edit, keep)?;
        let Self { gpu, flow, on_device, clock, .. } = self;
        let buffers = &on_device.buffers;
        buffers.fields.upload_bed(gpu, flow.state(), delta.ground.clone());
        if let Some(drawing) = &on_device.drawing {
            drawing.set_ground(gpu, flow, buffers, delta.ground);
        }
        // These records belong to no steps: they only select the buffers with the current state.
        let mut records = Vec::new();
        let view = flow.device_view();
        let entries = step_entries(view, clock.time, 0.0);
        let outside = match &buffers.summaries {
            None => 0.0,
            Some(_) => view.exterior_extremes(clock.time).depth as f32,
        };
        for slot in 0..SUMMARY_PASSES {
            let step = Step::for_inspection(clock.buffer_h, clock.buffer_q, slot, outside);
            push_record(&mut records, step, &entries, buffers.record_bytes);
        }
        buffers.schedule.write(gpu, 0, &records);
        apply_water_delta(gpu, buffers, &delta.water)?;
        self.is_edited = true;
        self.submit_summary()
    }

    /// Applies an edit on the device, as [`edit_async`](Self::edit_async) does, and blocks until it
    /// has been submitted.
    ///
    /// # Errors
    /// Returns the same errors as [`edit_async`](Self::edit_async).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn edit(
        &mut self,
        brush: &Brush,
        edit: Edit,
        keep: PreservedQuantity,
    ) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.edit_async(brush, edit, keep))
    }

    /// Submits the computation of the state's summary, the numbers that determine the stable time
    /// step. Does nothing if the stable time step does not depend on the water.
    fn submit_summary(&mut self) -> Result<(), GpuError> {
        let Self { gpu, on_device, .. } = self;
        let buffers = &on_device.buffers;
        let Some(summaries) = &buffers.summaries else { return Ok(()) };
        summaries.write(gpu, 0, &[0; SUMMARY_WORDS * (SUMMARY_PASSES as usize + 1)]);
        let submit_summary = buffers.create_dispatch(
            gpu,
            &SUMMARIZE,
            &[],
            Vec::new(),
            buffers.workgroups_over_cells(),
        )?;
        gpu.submit(|pass| {
            (0..SUMMARY_PASSES)
                .for_each(|slot| submit_summary.record(pass, slot * buffers.record_bytes as u32));
        });
        self.pending_summary =
            Some(summaries.read(gpu, SUMMARY_WORDS * SUMMARY_PASSES as usize, SUMMARY_WORDS)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes_of_a_face_are_merged_in_the_order_of_its_cells() {
        let push = |face, gain| flow::FacePush { axis: 1, face, cells: [(4, 4), (4, 5)], gain };
        let pushes = [push((4, 5), 1.0), push((4, 6), 2.0), push((4, 5), 3.0)];
        let faces = merge_by_face(Layout::new(10, 10), &pushes);
        assert_eq!(faces.len(), 2);
        assert_eq!(faces[0].index, 5 * 32 + 4);
        assert_eq!([faces[0].before_gain, faces[0].after_gain], [1.0, 3.0]);
        assert_eq!([faces[1].before_gain, faces[1].after_gain], [2.0, 0.0]);
    }
}
