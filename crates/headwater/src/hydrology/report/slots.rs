//! Metrics of slots. A slot is a cell far below two opposite neighbours, as in a canyon with walls
//! steeper than rock can support. Slots indicate unrealistic terrain.

use crate::field::Field;

/// Returns two metrics of slots in a bed (heights in m) with square cells of side `size` (m). The
/// depth of a cell is the height of the lower of two opposite neighbours above the cell, in cell
/// sizes, divided by √2 for corner neighbours. The largest depth over all four pairs of neighbours
/// counts. The first metric is the fraction of cells that are deeper than two cell sizes. The
/// second is the depth of the deepest cell (in cell sizes).
pub(super) fn slot_metrics(bed: &Field<f32>, size: f64) -> [f64; 2] {
    let (nx, ny) = (bed.nx(), bed.ny());
    let (mut count, mut deepest) = (0_usize, 0.0_f64);
    for y in 1..ny.saturating_sub(1) {
        for x in 1..nx.saturating_sub(1) {
            let rise = |x: usize, y: usize, z: f32| f64::from(bed[(x, y)] - z) / size;
            let z = bed[(x, y)];
            let both = |a: (usize, usize), b: (usize, usize), away: f64| {
                rise(a.0, a.1, z).min(rise(b.0, b.1, z)) / away
            };
            let aslant = std::f64::consts::SQRT_2;
            let depth = both((x - 1, y), (x + 1, y), 1.0)
                .max(both((x, y - 1), (x, y + 1), 1.0))
                .max(both((x - 1, y - 1), (x + 1, y + 1), aslant))
                .max(both((x + 1, y - 1), (x - 1, y + 1), aslant));
            deepest = deepest.max(depth);
            count += usize::from(depth > 2.0);
        }
    }
    [count as f64 / (nx * ny) as f64, deepest]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slot_depth_is_the_height_of_the_lower_bank() {
        let cut = |is_channel: fn(usize, usize) -> bool, depth: f32| {
            let bed = Field::from_fn(12, 12, |x, y| {
                // A slope of ½ does not count as a slot.
                0.5 * 10.0 * x as f32 - if is_channel(x, y) { depth } else { 0.0 }
            });
            slot_metrics(&bed, 10.0)
        };
        let [part, deepest] = cut(|x, _| x == 5, 45.0);
        assert!((deepest - 4.0).abs() < 1e-6, "{deepest}");
        assert!((part - 10.0 / 144.0).abs() < 1e-6, "{part}");
        let [part, deepest] = cut(|x, y| x == y, 45.0);
        assert!(part > 0.0 && deepest > 2.0, "{part} {deepest}");
        let [part, deepest] = cut(|x, _| x > 5, 45.0);
        assert_eq!(part, 0.0);
        assert!(deepest < 0.6, "{deepest}");
    }
}
