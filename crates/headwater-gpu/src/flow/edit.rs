//! Edits of a flow on the device: the ground changes on the CPU, which has it too, and what an edit does to the water is
//! sent to the device cell by cell or face by face. Nothing comes back, but how long the next step may be, where that
//! depends on the water.

use super::buffers::Buffers;
use super::gpu_flow::GpuFlow;
use super::limit::{NOTE, SURVEYS};
use super::records::{CellPush, CellWork, FacePush, Step};
use super::schedule::{entries, push_record};
use super::shaders::{EDIT_CELLS, PUSH, SURVEY, Shader, THREADS};
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::layout::Layout;
use bytemuck::Pod;
use headwater::Brush;
use headwater::flow::{self, BedChange, Edit, Preserve, WaterDelta};
use std::collections::HashMap;

/// Cells or faces that are sent together: 32 MiB at most.
const TOGETHER: usize = 1 << 20;

/// The faces that are pushed, each with what its two cells have in it, in their order.
fn by_face(layout: Layout, pushes: &[flow::FacePush]) -> Vec<FacePush> {
    let place = |at| layout.place(at) as u32;
    let mut faces: Vec<FacePush> = Vec::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    for push in pushes {
        match known.get(&(push.family, push.face)) {
            Some(&i) => faces[i].second = push.gain,
            None => {
                known.insert((push.family, push.face), faces.len());
                faces.push(FacePush {
                    family: push.family as u32,
                    place: place(push.face),
                    before: place(push.cells[0]),
                    after: place(push.cells[1]),
                    first: push.gain,
                    second: 0.0,
                });
            }
        }
    }
    faces
}

/// Has a kernel go through all that it is sent, as the variable `name`.
fn send<T: Pod>(
    gpu: &Gpu,
    buffers: &Buffers,
    shader: &Shader,
    name: &'static str,
    all: &[T],
) -> Result<(), GpuError> {
    let kernel = buffers.kernel(gpu, shader, &[])?;
    for some in all.chunks(TOGETHER) {
        let sent = Buffer::of(gpu, "an edit", some)?;
        let bound = kernel.bind(gpu, &[buffers.named(), vec![(name, sent.binding())]].concat());
        // In a square, for no side of it may have too many.
        let groups = (some.len() as u32).div_ceil(THREADS);
        let wide = groups.isqrt().max(1);
        gpu.submit(|pass| kernel.run(pass, &bound, 0, [wide, groups.div_ceil(wide)]));
    }
    gpu.check()
}

fn do_to_water(gpu: &Gpu, buffers: &Buffers, water: &WaterDelta) -> Result<(), GpuError> {
    let layout = buffers.fields.layout;
    let place = |cell| layout.place(cell) as u32;
    let edit = |work: Vec<CellWork>| send(gpu, buffers, &EDIT_CELLS, "cells", &work);
    match water {
        WaterDelta::Unchanged => Ok(()),
        WaterDelta::AddDepth(all) => {
            let gain =
                |&(cell, to): &(_, f32)| CellWork { place: place(cell), to, ..CellWork::default() };
            edit(all.iter().map(gain).collect())
        }
        WaterDelta::KeepSurface(all) => {
            let keep = |&BedChange { cell, bed: [old_bed, to], .. }: &BedChange| CellWork {
                place: place(cell),
                keeps_surface: 1,
                old_bed,
                to,
            };
            edit(all.iter().map(keep).collect())
        }
        WaterDelta::PushCells(all) => {
            let push = |&(cell, [east, south]): &(_, [f64; 2])| CellPush {
                place: place(cell),
                spare: 0,
                east,
                south,
            };
            send(gpu, buffers, &PUSH, "pushes", &all.iter().map(push).collect::<Vec<_>>())
        }
        WaterDelta::PushFaces(all) => send(gpu, buffers, &PUSH, "pushes", &by_face(layout, all)),
    }
}

impl GpuFlow {
    /// Works on the world with a brush, as [`Flow::edit_preserving`](headwater::flow::Flow::edit_preserving), on the device.
    /// Nothing is brought back, and with pipes nothing waits: it submits. With other physics it learns first how far
    /// the last batch of steps came.
    ///
    /// [`flow`](Self::flow) has the new ground at once, the water when it is brought back.
    ///
    /// # Errors
    /// [`GpuError::Input`] if the brush or a number of `edit` makes no sense, or if an earlier step was too long, see
    /// [`steps`](Self::steps); then nothing is done. Else the device's first fault.
    pub async fn edit_async(
        &mut self,
        brush: &Brush,
        edit: Edit,
        keep: Preserve,
    ) -> Result<(), GpuError> {
        self.finish_batch().await?;
        self.gpu.check()?;
        let delta = self.flow.edit_ground(brush, edit, keep)?;
        let Self { gpu, flow, on_device, now, .. } = self;
        let buffers = &on_device.buffers;
        buffers.fields.upload_bed(gpu, flow.state(), delta.ground.clone());
        if let Some(drawing) = &on_device.drawing {
            drawing.set_ground(gpu, flow, buffers, delta.ground);
        }
        // No step, but what a kernel needs to know to find the world's sides.
        let mut records = Vec::new();
        let elsewhere = flow.device_view();
        let entries = entries(elsewhere, now.time, 0.0);
        let outside = match &buffers.notes {
            None => 0.0,
            Some(_) => elsewhere.exterior_extremes(now.time).depth as f32,
        };
        for slot in 0..SURVEYS {
            let step = Step::none(now.side_h, now.side_q, slot, outside);
            push_record(&mut records, step, &entries, buffers.window);
        }
        buffers.schedule.write(gpu, 0, &records);
        do_to_water(gpu, buffers, &delta.water)?;
        self.edited = true;
        self.survey()
    }

    /// As [`edit_async`](Self::edit_async), and waits for it; the same errors.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn edit(&mut self, brush: &Brush, edit: Edit, keep: Preserve) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.edit_async(brush, edit, keep))
    }

    /// Asks what the water allows, where the step depends on it.
    fn survey(&mut self) -> Result<(), GpuError> {
        let Self { gpu, on_device, .. } = self;
        let buffers = &on_device.buffers;
        let Some(notes) = &buffers.notes else { return Ok(()) };
        notes.write(gpu, 0, &[0; NOTE * (SURVEYS as usize + 1)]);
        let survey = buffers.dispatch(gpu, &SURVEY, &[], Vec::new(), buffers.over_cells())?;
        gpu.submit(|pass| {
            (0..SURVEYS).for_each(|slot| survey.run(pass, slot * buffers.window as u32));
        });
        self.surveyed = Some(notes.read(gpu, NOTE * SURVEYS as usize, NOTE)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_is_pushed_from_both_its_cells_in_their_order() {
        let push = |face, gain| flow::FacePush { family: 1, face, cells: [(4, 4), (4, 5)], gain };
        let pushes = [push((4, 5), 1.0), push((4, 6), 2.0), push((4, 5), 3.0)];
        let faces = by_face(Layout::new(10, 10), &pushes);
        assert_eq!(faces.len(), 2);
        assert_eq!(faces[0].place, 5 * 32 + 4);
        assert_eq!([faces[0].first, faces[0].second], [1.0, 3.0]);
        assert_eq!([faces[1].first, faces[1].second], [2.0, 0.0]);
    }
}
