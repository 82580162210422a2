//! Transfers across borders. Water is taken out of ghost cells at the end of each step, and waits to
//! enter the chunk when it is loaded.

use super::group::Group;
use super::heights::PER_HEIGHT;
use crate::open::{ChunkPos, InTransit, TransferKey};

/// Water that has passed a border and waits in an unloaded chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Transfer {
    /// Column and row of the cell through which it entered.
    pub cell: [i64; 2],
    /// Volume (m³ for a world 1 m thick).
    pub volume: f64,
}

/// The number of a cell in its chunk.
impl TransferKey for u16 {
    fn cell(self) -> u16 {
        self
    }

    fn substance(self) -> usize {
        0
    }
}

/// Moves the water in a group's ghost cells to `waiting`.
pub(super) fn collect(group: &mut Group, waiting: &mut InTransit<u16>) {
    let Group { world, ghosts, .. } = group;
    let mut taken: Vec<(usize, i32)> = Vec::new();
    for ghost in &*ghosts {
        let mut all = 0;
        for c in ghost.columns.clone() {
            let above = world.state.depth[c] - (ghost.floor - world.layout.floor[c]);
            let quanta = above.clamp(0, PER_HEIGHT);
            if quanta > 0 {
                taken.push((c, quanta));
                all += quanta as u64;
            }
        }
        if all > 0 {
            waiting.add(ghost.chunk, ghost.number, all);
        }
    }
    // Water above a ghost cell comes down in the next step.
    for (c, quanta) in taken {
        world.give_from_outside(&[c], -i64::from(quanta));
    }
}

/// The columns by which water enters at a cell of a chunk of the group; none if the cell is wall.
fn columns(group: &Group, chunk: ChunkPos, key: u16) -> Vec<usize> {
    let (x, y) = key.place();
    let is_air = group.chunks.get(&chunk).is_some_and(|walls| !walls.is_wall(x, y));
    if !is_air {
        return Vec::new();
    }
    let (left, top) = group.bounds.cell(chunk.origin());
    group.world.layout.columns_of_cell(left + x, top + y).collect()
}

/// Brings in what waits in a group's chunks, as far as there is room, at most the volume of a cell
/// through each cell.
pub(super) fn deliver(group: &mut Group, waiting: &mut InTransit<u16>) {
    let chunks: Vec<_> = group.chunks.keys().copied().filter(|&at| waiting.has(at)).collect();
    waiting.deliver(&chunks, |chunk, key, amount| {
        let columns = columns(group, chunk, key);
        let most = PER_HEIGHT as u64 * columns.len() as u64;
        group.world.give_from_outside(&columns, amount.min(most) as i64) as u64
    });
}

/// Whether any of the waiting water has room in a group.
pub(super) fn can_enter(group: &Group, waiting: &InTransit<u16>) -> bool {
    let layout = &group.world.layout;
    let has_room = |c| group.world.state.depth[c] < layout.ceiling[c] - layout.floor[c];
    group.chunks.keys().any(|&chunk| {
        waiting.of(chunk).flat_map(|(key, _)| columns(group, chunk, key)).any(has_room)
    })
}
