//! Buffers that a step needs in addition to the state. The buffers are kept between steps, so that
//! their allocations are reused.

use super::{Discharges, State};
use crate::field::Field;
use crate::flow::schemes::inertial::subgrid_faces::SubgridFaces;
use crate::flow::schemes::shallow::subgrid_cells::SubgridCells;
use crate::flow::solver::sweep::SweepWorkspace;

#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    /// Outflow scale of each cell, computed by the outflow limiter: the fraction of the outflow
    /// that the water in the cell can supply.
    pub(in crate::flow) scale: Vec<f32>,
    /// New depths (m) during a step. At the end of the step this field is swapped with the depths
    /// of the state, so it then contains the old depths.
    pub(in crate::flow) depth: Option<Field<f32>>,
    /// New discharges, for physics models in which the discharge through a face depends on the old
    /// discharges through neighbouring faces. The new discharges are swapped with the old ones at
    /// the end of a stage.
    discharges: Option<Discharges>,
    /// Change in the momentum of each cell in a step, as a unit discharge (m²/s): the eastward and
    /// the southward component.
    pub(in crate::flow) momentum_changes: [Vec<f32>; 2],
    pub(in crate::flow) subgrid_cells: SubgridCells,
    pub(in crate::flow) subgrid_faces: SubgridFaces,
    /// Buffers and tile states of the optimised implementation.
    pub(crate) sweep: SweepWorkspace,
}

impl Workspace {
    pub(in crate::flow) fn scale_and_depth_buffers(
        &mut self,
        like: &Field<f32>,
    ) -> (&mut [f32], &mut Field<f32>) {
        self.scale.resize(like.as_slice().len(), 1.0);
        let depth = self.depth.get_or_insert_with(|| Field::new(like.nx(), like.ny(), 0.0));
        (&mut self.scale, depth)
    }

    pub(in crate::flow) fn discharge_buffers(&mut self, like: &State) -> &mut Discharges {
        self.discharges.get_or_insert_with(|| {
            let like_it = |q: &Field<f32>| Field::new(q.nx(), q.ny(), 0.0);
            Discharges {
                x: like_it(&like.discharge_x),
                y: like_it(&like.discharge_y),
                z: like.discharge_z.as_ref().map(like_it),
            }
        })
    }

    pub(in crate::flow) fn momentum_change_buffers(&mut self, cells: usize) -> &mut [Vec<f32>; 2] {
        self.momentum_changes.iter_mut().for_each(|push| push.resize(cells, 0.0));
        &mut self.momentum_changes
    }
}
