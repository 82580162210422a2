//! [`Stroke`]: what a hand draws with a tool, and where its dabs lie.

use super::hand::Grip;
use headwater_scene::live::Tool;

/// Along a stroke dabs lie no farther apart than this share of the brush's radius, unless there were more than [`TOGETHER`] to do.
pub(super) const SPACING: f64 = 0.6;

/// The most dabs that are done at once.
const TOGETHER: usize = 24;

/// A stroke with a tool, from when the mouse goes down.
#[derive(Clone, Debug)]
pub(super) struct Stroke {
    /// Where the last dab was.
    pub(super) last: [f64; 2],
    /// Where the pointer was since then.
    pub(super) way: Vec<[f64; 2]>,
    /// The height that was under the first (m).
    pub(super) level: Option<f64>,
    /// Time held since the last dab (s).
    pub(super) held: f64,
}

/// What a hand does with a tool, until the world is ready for it.
pub(super) struct Held {
    pub(super) tool: &'static Tool,
    pub(super) grip: Grip,
    /// Where it was.
    pub(super) path: Vec<[f64; 2]>,
    pub(super) seconds: f64,
    /// Whether it has let go.
    pub(super) ends: bool,
}

/// Dabs are not closer in time than this (s), so that scenes stay short.
pub(super) const DABS: f64 = 0.05;

/// Places along a way from `from`, not farther apart than `gap` if that does not take too many; its end is the last.
pub(super) fn spread(from: [f64; 2], way: &[[f64; 2]], gap: f64) -> Vec<[f64; 2]> {
    let apart = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
    let points: Vec<_> = std::iter::once(from).chain(way.iter().copied()).collect();
    let length: f64 = points.windows(2).map(|pair| apart(pair[0], pair[1])).sum();
    let count = ((length / gap.max(1e-9)).ceil()).clamp(1.0, TOGETHER as f64);
    let (mut places, mut gone) = (Vec::new(), 0.0);
    for pair in points.windows(2) {
        let piece = apart(pair[0], pair[1]);
        while places.len() + 1 < count as usize {
            let next = (places.len() + 1) as f64 / count * length;
            if next > gone + piece {
                break;
            }
            let part = (next - gone) / piece.max(1e-12);
            places.push([0, 1].map(|i| pair[0][i] + part * (pair[1][i] - pair[0][i])));
        }
        gone += piece;
    }
    places.push(points[points.len() - 1]);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_strokes_leave_no_gaps() {
        let way = [[10.0, 0.0], [10.0, 6.0]];
        let places = spread([0.0, 0.0], &way, 1.0);
        assert_eq!(places.len(), 16);
        assert_eq!(places.last(), Some(&[10.0, 6.0]));
        let mut last = [0.0, 0.0];
        for place in &places {
            assert!((place[0] - last[0]).hypot(place[1] - last[1]) < 1.0 + 1e-9, "{places:?}");
            last = *place;
        }
        // The corner is on the way.
        assert!(places.contains(&[10.0, 0.0]), "{places:?}");
        assert_eq!(spread([3.0, 4.0], &[[3.0, 4.0]], 1.0), [[3.0, 4.0]]);
        assert!(spread([0.0, 0.0], &[[1e6, 0.0]], 1.0).len() <= TOGETHER);
    }
}
