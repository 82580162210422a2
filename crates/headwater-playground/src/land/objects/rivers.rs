//! Rivers drawn as bands: smoothed drainage lines whose width follows the discharge.

use bytemuck::{Pod, Zeroable};
use headwater_scene::picture::{River, RiverPoint};

/// Segment of a river in the instance layout that `marks.wgsl` declares.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(in crate::land) struct Segment {
    /// Start and end of the segment (m).
    ends: [f32; 4],
    /// Widths at the start and the end (m).
    widths: [f32; 2],
    /// Fraction of white water at the start and at the end (0 to 1).
    whites: [f32; 2],
}

pub(in crate::land) fn all_river_segments(rivers: &[River], size: f32) -> Vec<Segment> {
    rivers.iter().flat_map(|river| river_segments(river, size)).collect()
}

fn river_segments(river: &River, size: f32) -> Vec<Segment> {
    let width = |area_fraction: f32| 2.0 * River::half_width(area_fraction) * size / 960.0;
    let piece = |pair: &[RiverPoint]| {
        let (from, to) = (pair[0], pair[1]);
        Segment {
            ends: [from.0[0], from.0[1], to.0[0], to.0[1]],
            widths: [width(from.1), width(to.1)],
            whites: [from.2, to.2],
        }
    };
    river.smoothed_points().windows(2).map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivers_widen_downstream_and_keep_their_ends() {
        let points = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]];
        let river =
            River { points, area_fraction: vec![0.001, 0.01, 0.1], whiteness: vec![0.0, 1.0, 0.0] };
        let segments = river_segments(&river, 960.0);
        let (first, last) = (segments[0], segments[segments.len() - 1]);
        assert_eq!([first.ends[0], first.ends[1]], [0.0, 0.0]);
        assert_eq!([last.ends[2], last.ends[3]], [10.0, 10.0]);
        assert!(segments.iter().all(|piece| piece.widths[1] >= piece.widths[0]));
        assert!(segments.len() > 5);
        assert!(segments.iter().any(|piece| piece.whites[1] > 0.4) && last.whites[1] == 0.0);
    }
}
