//! Rivers as bands: lines of a land's drainage, rounded and as wide as what they carry.

use super::things::write;
use bytemuck::{Pod, Zeroable};
use headwater_scene::picture::River;

/// A piece of a river, as `marks.wgsl` has it.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Piece {
    /// Its ends (m).
    ends: [f32; 4],
    /// Its widths at them (m).
    widths: [f32; 2],
}

/// The pieces on the GPU.
#[derive(Debug, Default)]
pub(super) struct Rivers {
    buffer: Option<wgpu::Buffer>,
    count: u32,
}

impl Rivers {
    /// `size` is the world's longer side (m).
    pub(super) fn set(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        rivers: &[River],
        size: f32,
    ) {
        let pieces: Vec<Piece> = rivers.iter().flat_map(|river| pieces(river, size)).collect();
        self.count = pieces.len() as u32;
        write(device, queue, &mut self.buffer, &pieces);
    }

    pub(super) fn instances(&self) -> Option<(&wgpu::Buffer, u32)> {
        self.buffer.as_ref().map(|buffer| (buffer, self.count))
    }
}

/// Width (m) of a river that drains a share of a world of such a size: as in pictures, where rivers are wider than
/// they are, or nobody would see them.
fn width(share: f32, size: f32) -> f32 {
    2.0 * (0.25 + 4.6 * share.max(0.0).sqrt()).min(3.6) * size / 960.0
}

/// The pieces of one river; its corners are cut twice (Chaikin 1974).
fn pieces(river: &River, size: f32) -> Vec<Piece> {
    let mut line: Vec<([f32; 2], f32)> =
        river.points.iter().copied().zip(river.share.iter().copied()).collect();
    for _ in 0..2 {
        if line.len() < 3 {
            break;
        }
        let mut cut = vec![line[0]];
        for pair in line.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let at = |t: f32| {
                let place = [0, 1].map(|k| a.0[k] + (b.0[k] - a.0[k]) * t);
                (place, a.1 + (b.1 - a.1) * t)
            };
            cut.extend([at(0.25), at(0.75)]);
        }
        cut.push(line[line.len() - 1]);
        line = cut;
    }
    let piece = |pair: &[([f32; 2], f32)]| {
        let (from, to) = (pair[0], pair[1]);
        Piece {
            ends: [from.0[0], from.0[1], to.0[0], to.0[1]],
            widths: [width(from.1, size), width(to.1, size)],
        }
    };
    line.windows(2).map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivers_widen_downstream_and_keep_their_ends() {
        let points = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]];
        let river = River { points, share: vec![0.001, 0.01, 0.1] };
        let pieces = pieces(&river, 960.0);
        let (first, last) = (pieces[0], pieces[pieces.len() - 1]);
        assert_eq!([first.ends[0], first.ends[1]], [0.0, 0.0]);
        assert_eq!([last.ends[2], last.ends[3]], [10.0, 10.0]);
        assert!(pieces.iter().all(|piece| piece.widths[1] >= piece.widths[0]));
        assert!(pieces.len() > 5);
    }
}
