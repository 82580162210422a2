//! [`Stroke`]: a continuous use of a tool, and the positions of its dabs. A dab is one application
//! of the brush.

use super::tool_selection::BrushSettings;
use headwater_scene::live::Tool;

/// Largest distance between successive dabs (brush applications) of a stroke, as a fraction of the
/// brush radius. The distance is larger if the stroke would need more than [`MAX_DABS`] dabs.
pub(in crate::app) const SPACING: f64 = 0.6;

/// Largest number of dabs (brush applications) per update of a stroke.
const MAX_DABS: usize = 24;

/// A stroke with a tool, from pressing to releasing the pointer.
#[derive(Clone, Debug)]
pub(in crate::app) struct Stroke {
    /// World position of the last dab (brush application): in m, or in cells in a block world.
    pub(in crate::app) last: [f64; 2],
    /// World positions of the pointer since the last dab (brush application): in m, or in cells in
    /// a block world.
    pub(in crate::app) path: Vec<[f64; 2]>,
    /// Ground height (m) at the beginning of the stroke. Levelling tools bring the ground to this
    /// height.
    pub(in crate::app) level: Option<f64>,
    /// Time since the last dab (brush application), in seconds.
    pub(in crate::app) seconds: f64,
}

/// Tool input that waits until the state of the world is available.
pub(in crate::app) struct PendingInput {
    pub(in crate::app) tool: &'static Tool,
    pub(in crate::app) brush: BrushSettings,
    /// World positions of the pointer, in order: in m, or in cells in a block world.
    pub(in crate::app) path: Vec<[f64; 2]>,
    pub(in crate::app) seconds: f64,
    /// Whether the pointer was released at the end of the path.
    pub(in crate::app) ends: bool,
}

/// Smallest interval (s) between dabs (brush applications). It limits the number of dabs, so that
/// saved scenes stay short.
pub(in crate::app) const DAB_INTERVAL: f64 = 0.05;

/// Returns the positions of dabs (brush applications) along a path that starts at `from`. They are
/// at most `gap` apart, unless that takes too many dabs. The last dab is at the end of the path.
pub(in crate::app) fn dab_positions(from: [f64; 2], path: &[[f64; 2]], gap: f64) -> Vec<[f64; 2]> {
    let distance = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
    let points: Vec<_> = std::iter::once(from).chain(path.iter().copied()).collect();
    let length: f64 = points.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
    let count = ((length / gap.max(1e-9)).ceil()).clamp(1.0, MAX_DABS as f64);
    let (mut places, mut gone) = (Vec::new(), 0.0);
    for pair in points.windows(2) {
        let piece = distance(pair[0], pair[1]);
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
        let path = [[10.0, 0.0], [10.0, 6.0]];
        let places = dab_positions([0.0, 0.0], &path, 1.0);
        assert_eq!(places.len(), 16);
        assert_eq!(places.last(), Some(&[10.0, 6.0]));
        let mut last = [0.0, 0.0];
        for place in &places {
            assert!((place[0] - last[0]).hypot(place[1] - last[1]) < 1.0 + 1e-9, "{places:?}");
            last = *place;
        }
        // The path passes through the corner.
        assert!(places.contains(&[10.0, 0.0]), "{places:?}");
        assert_eq!(dab_positions([3.0, 4.0], &[[3.0, 4.0]], 1.0), [[3.0, 4.0]]);
        assert!(dab_positions([0.0, 0.0], &[[1e6, 0.0]], 1.0).len() <= MAX_DABS);
    }
}
