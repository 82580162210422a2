//! Flow routing over a landscape. Each cell drains to its steepest neighbour, and depressions are
//! filled by the priority-flood algorithm (R. Barnes, C. Lehman, D. Mulla, Computers & Geosciences
//! 62:117, 2014).

use crate::field::Field;
use crate::hydrology::state::grid::Grid;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const NONE: u32 = u32::MAX;

pub(in super::super) struct Routing {
    pub(in super::super) grid: Grid,
    /// All cells, ordered from the outlets upstream, so that each cell comes after its receiver.
    pub(in super::super) order: Vec<u32>,
    receiver: Vec<u32>,
    /// Height of each cell after depressions have been filled to their spill height (m).
    pub(in super::super) filled: Vec<f32>,
    pub(in super::super) area: Vec<u32>,
}

impl Routing {
    pub(in super::super) fn new(bed: &Field<f32>, outlet: &Field<bool>) -> Self {
        let grid = Grid { nx: bed.nx(), ny: bed.ny() };
        let z = bed.as_slice();
        // Integers that sort like the heights.
        let key = |height: f32| {
            let bits = height.to_bits() as i32;
            bits ^ (((bits >> 31) as u32) >> 1) as i32
        };
        let mut filled = z.to_vec();
        let mut receiver = vec![NONE; grid.cell_count()];
        let mut visited: Vec<bool> = outlet.as_slice().to_vec();
        let outlets = (0..grid.cell_count()).filter(|&i| visited[i]);
        let mut queue: BinaryHeap<_> = outlets.map(|i| Reverse((key(z[i]), i as u32))).collect();
        let mut order = Vec::with_capacity(grid.cell_count());
        while let Some(Reverse((_, cell))) = queue.pop() {
            order.push(cell);
            let i = cell as usize;
            for neighbour in grid
                .neighbours(i)
                .filter(|&neighbour| !std::mem::replace(&mut visited[neighbour], true))
            {
                filled[neighbour] = z[neighbour].max(filled[i]);
                receiver[neighbour] = cell;
                queue.push(Reverse((key(filled[neighbour]), neighbour as u32)));
            }
        }
        // Outside depressions, the receiver is the steepest neighbour instead of the cell from
        // which the flood came.
        for i in 0..grid.cell_count() {
            if receiver[i] == NONE || filled[i] > z[i] {
                continue;
            }
            let fall = |j: usize| (filled[i] - filled[j]) / grid.distance(i, j);
            let mut best = (0.0, receiver[i]);
            for j in grid.neighbours(i) {
                if fall(j) > best.0 {
                    best = (fall(j), j as u32);
                }
            }
            receiver[i] = best.1;
        }
        let mut area = vec![1; grid.cell_count()];
        for &cell in order.iter().rev() {
            let to = receiver[cell as usize];
            if to != NONE {
                area[to as usize] += area[cell as usize];
            }
        }
        Self { grid, order, receiver, filled, area }
    }

    pub(in super::super) fn receiver(&self, cell: usize) -> Option<usize> {
        let to = self.receiver[cell];
        (to != NONE).then_some(to as usize)
    }

    /// Returns the number of pit cells without water, and the number of cells in depressions
    /// without a lake. `bed` is the height of the ground (m), and `depth` is the depth of lakes
    /// (m).
    pub(in super::super) fn count_depressions(
        &self,
        bed: &Field<f32>,
        depth: &Field<f32>,
    ) -> (usize, usize) {
        let (z, depth) = (bed.as_slice(), depth.as_slice());
        let is_depression = |i: usize| self.filled[i] > z[i];
        let (mut pits, mut dry) = (0, 0);
        let mut visited = vec![false; z.len()];
        for start in 0..z.len() {
            if !is_depression(start) || visited[start] {
                continue;
            }
            let (mut list, mut wet) = (vec![start], false);
            visited[start] = true;
            let mut k = 0;
            while k < list.len() {
                let i = list[k];
                wet |= depth[i] > 0.0;
                let pit = self.grid.neighbours(i).all(|j| z[i] < z[j]);
                pits += usize::from(pit && depth[i] <= 0.0);
                for j in self.grid.neighbours(i) {
                    if is_depression(j) && !std::mem::replace(&mut visited[j], true) {
                        list.push(j);
                    }
                }
                k += 1;
            }
            dry += if wet { 0 } else { list.len() };
        }
        (pits, dry)
    }
}
