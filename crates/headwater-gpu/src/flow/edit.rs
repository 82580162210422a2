//! Edits of a flow on the device: the ground changes on the CPU, which has it too, and what an edit does to the water is
//! sent to the device cell by cell or face by face. Nothing comes back, but how long the next step may be, where that
//! depends on the water.

use super::GpuFlow;
use super::fields::Layout;
use super::guard::NOTE;
use super::on_device::OnDevice;
use super::records::{Step, entries, push_record, words};
use super::shaders::Variant;
use crate::buffer::{Buffer, Pending};
use crate::error::GpuError;
use crate::kernel::{Binding, Kernel, compose};
use crate::{DOUBLE, Gpu};
use bytemuck::{Pod, Zeroable};
use headwater::Brush;
use headwater::flow::{Edit, FacePush, Keep, WaterWork};
use std::collections::HashMap;

/// Invocations of a workgroup.
const THREADS: u32 = 64;

/// Cells or faces that are sent together: 32 MiB at most.
const TOGETHER: usize = 1 << 20;

/// `Cell` of edit_cells.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct CellWork {
    place: u32,
    keeps_surface: u32,
    old_bed: f32,
    to: f32,
}

/// `Push` of push_cells.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct CellPush {
    place: u32,
    spare: u32,
    change: [[u32; 2]; 2],
}

/// `Push` of push_faces.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct FaceWork {
    family: u32,
    place: u32,
    cells: [u32; 2],
    gains: [[u32; 2]; 2],
}

impl Layout {
    /// The place of a cell, or of a face.
    fn place(self, (x, y): (usize, usize)) -> u32 {
        (y * self.pitch + x) as u32
    }
}

/// The faces that are pushed, each with what its two cells have in it, in their order.
fn by_face(layout: Layout, pushes: &[FacePush]) -> Vec<FaceWork> {
    let mut faces: Vec<FaceWork> = Vec::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    for push in pushes {
        let gain = words(push.gain);
        match known.get(&(push.family, push.face)) {
            Some(&i) => faces[i].gains[1] = gain,
            None => {
                known.insert((push.family, push.face), faces.len());
                faces.push(FaceWork {
                    family: push.family as u32,
                    place: layout.place(push.face),
                    cells: push.cells.map(|cell| layout.place(cell)),
                    gains: [gain, [0; 2]],
                });
            }
        }
    }
    faces
}

/// A kernel that goes through what it is sent.
pub(crate) struct Editor {
    pub(crate) text: String,
    entry: &'static str,
    /// The bindings of the world that it looks at.
    numbers: &'static [u32],
}

impl OnDevice {
    /// Has a kernel go through all that it is sent.
    fn send<T: Pod>(&self, gpu: &Gpu, editor: Editor, all: &[T]) -> Result<(), GpuError> {
        let (mut bindings, buffers) = self.some(editor.numbers);
        bindings.push((13, Binding::Read));
        let kernel = Kernel::numbered(gpu, &editor.text, editor.entry, &bindings)?;
        for some in all.chunks(TOGETHER) {
            let sent = Buffer::of(gpu, "an edit", some)?;
            let mut buffers = buffers.clone();
            buffers.push(&sent.raw);
            let bound = kernel.bind(gpu, &buffers);
            // In a square, for no side of it may have too many.
            let groups = (some.len() as u32).div_ceil(THREADS);
            let wide = groups.isqrt().max(1);
            gpu.submit(|pass| kernel.run(pass, &bound, &[0], [wide, groups.div_ceil(wide)]));
        }
        gpu.check()
    }

    /// Does to the water what an edit comes to.
    fn do_to_water(&self, gpu: &Gpu, water: &WaterWork) -> Result<(), GpuError> {
        let layout = self.fields.layout;
        let cells = |work: Vec<CellWork>| self.send(gpu, self.variant.edit_cells(), &work);
        match water {
            WaterWork::Stay => Ok(()),
            WaterWork::Gain(all) => {
                let work = all.iter().map(|&(cell, to)| {
                    let place = layout.place(cell);
                    CellWork { place, to, ..CellWork::default() }
                });
                cells(work.collect())
            }
            WaterWork::KeepSurface(all) => {
                let work = all.iter().map(|&(cell, [old_bed, to])| {
                    let place = layout.place(cell);
                    CellWork { place, keeps_surface: 1, old_bed, to }
                });
                cells(work.collect())
            }
            WaterWork::PushCells(all) => {
                let push = all.iter().map(|&(cell, change)| {
                    let place = layout.place(cell);
                    CellPush { place, spare: 0, change: change.map(words) }
                });
                self.send(gpu, self.variant.push(), &push.collect::<Vec<_>>())
            }
            WaterWork::PushFaces(all) => self.send(gpu, self.variant.push(), &by_face(layout, all)),
        }
    }
}

impl GpuFlow {
    /// Works on the world with a brush, as [`Flow::edit_keeping`](headwater::flow::Flow::edit_keeping), on the device.
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
        keep: Keep,
    ) -> Result<(), GpuError> {
        self.settle().await?;
        self.gpu.check()?;
        let work = self.flow.edit_ground(brush, edit, keep)?;
        let Self { gpu, flow, on_device, now, .. } = self;
        on_device.fields.upload_bed(gpu, flow.state(), work.ground.clone());
        if let Some(drawing) = &on_device.drawing {
            drawing.set_ground(gpu, flow, on_device, work.ground);
        }
        // No step, but what a kernel needs to know to find the world's sides.
        let mut told = Vec::new();
        let elsewhere = flow.device_view();
        let entries = entries(elsewhere, now.time, 0.0);
        let outside = match &on_device.guards {
            None => 0.0,
            Some(_) => elsewhere.surge(now.time).outside as f32,
        };
        for slot in 0..SURVEYS {
            let step = Step::none(now.side_h, now.side_q, slot, outside);
            push_record(&mut told, step, &entries, on_device.window);
        }
        on_device.schedule.write(gpu, 0, &told);
        on_device.do_to_water(gpu, &work.water)?;
        self.edited = true;
        self.survey()
    }

    /// As [`edit_async`](Self::edit_async), and waits for it.
    ///
    /// # Errors
    /// As [`edit_async`](Self::edit_async).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn edit(&mut self, brush: &Brush, edit: Edit, keep: Keep) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        gpu.block_on(self.edit_async(brush, edit, keep))
    }

    /// Asks what the water allows, where the step depends on it.
    fn survey(&mut self) -> Result<(), GpuError> {
        let Self { gpu, on_device, .. } = self;
        let Some(guards) = &on_device.guards else { return Ok(()) };
        guards.write(gpu, 0, &[0; NOTE * (SURVEYS as usize + 1)]);
        let Editor { text, entry, numbers } = on_device.variant.survey();
        let (bindings, buffers) = on_device.some(numbers);
        let kernel = Kernel::numbered(gpu, &text, entry, &bindings)?;
        let bound = kernel.bind(gpu, &buffers);
        let Layout { nx, ny, .. } = on_device.fields.layout;
        let groups = [(nx as u32).div_ceil(THREADS), ny as u32];
        gpu.submit(|pass| {
            for slot in 0..SURVEYS {
                kernel.run(pass, &bound, &[slot * on_device.window as u32], groups);
            }
        });
        self.surveyed = Some(guards.read(gpu, NOTE * SURVEYS as usize, NOTE)?);
        Ok(())
    }
}

/// How often the water is gone through to learn what it allows; see survey.wgsl.
pub(super) const SURVEYS: u32 = 2;

/// A note that is on its way.
pub(super) type Surveyed = Pending<u32>;

impl Variant {
    /// The kernel `edit_cells`.
    pub(crate) fn edit_cells(self) -> Editor {
        let mut parts = self.world();
        parts.extend([include_str!("books.wgsl"), include_str!("group_books.wgsl")]);
        if self.shallow() {
            parts.extend([include_str!("momentum.wgsl"), include_str!("edit_taken.wgsl")]);
        } else {
            parts.push(include_str!("edit_left.wgsl"));
        }
        parts.push(include_str!("edit_cells.wgsl"));
        // What is given by hand, and what is taken.
        let text = compose(&[("THREADS", THREADS), ("FIRST_BOOK", 8), ("BOOKS", 2)], &parts);
        Editor { text, entry: "edit_cells", numbers: &[0, 1, 3, 5, 11, 12] }
    }

    /// The kernel that pushes water.
    pub(crate) fn push(self) -> Editor {
        let mut parts = self.world();
        parts.push(DOUBLE);
        let (entry, numbers): (_, &[u32]) = if self.shallow() {
            parts.extend([include_str!("momentum.wgsl"), include_str!("push_cells.wgsl")]);
            ("push_cells", &[0, 1, 5, 11, 12])
        } else {
            parts.push(include_str!("push_faces.wgsl"));
            parts.push(if self.hex {
                include_str!("push_faces_hex.wgsl")
            } else {
                include_str!("push_faces_square.wgsl")
            });
            ("push_faces", &[0, 1, 4, 5, 6, 7, 8])
        };
        Editor { text: compose(&[("THREADS", THREADS)], &parts), entry, numbers }
    }

    /// The kernel `survey`, where the length of a step depends on the water.
    pub(crate) fn survey(self) -> Editor {
        let mut parts = self.world();
        parts.push(include_str!("transport.wgsl"));
        let numbers: &[u32] = if self.shallow() {
            parts.extend([
                include_str!("momentum.wgsl"),
                include_str!("edges.wgsl"),
                include_str!("shallow.wgsl"),
                include_str!("shallow_edge.wgsl"),
                self.guard(),
                include_str!("note_waves.wgsl"),
                include_str!("survey_shallow.wgsl"),
            ]);
            &[0, 1, 2, 4, 5, 10, 11, 12]
        } else {
            parts.extend([self.guard(), include_str!("survey_faces.wgsl")]);
            parts.push(if self.hex {
                include_str!("survey_hex.wgsl")
            } else {
                include_str!("survey_square.wgsl")
            });
            &[0, 1, 5, 6, 7, 8, 10]
        };
        parts.push(include_str!("survey.wgsl"));
        Editor { text: compose(&[("THREADS", THREADS)], &parts), entry: "survey", numbers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_is_pushed_from_both_its_cells_in_their_order() {
        let push = |face, gain| FacePush { family: 1, face, cells: [(4, 4), (4, 5)], gain };
        let pushes = [push((4, 5), 1.0), push((4, 6), 2.0), push((4, 5), 3.0)];
        let faces = by_face(Layout::new(10, 10), &pushes);
        assert_eq!(faces.len(), 2);
        assert_eq!(faces[0].place, 5 * 32 + 4);
        assert_eq!(faces[0].gains, [words(1.0), words(3.0)]);
        assert_eq!(faces[1].gains, [words(2.0), [0; 2]]);
    }
}
