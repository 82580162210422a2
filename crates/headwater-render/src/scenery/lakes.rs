//! Selection of the lakes that are drawn in a picture. Puddles are left out.

use super::components::connected_components;
use headwater::Field;

/// Minimum size of a drawn lake (cells). Smaller areas of standing water are puddles.
const MIN_LAKE_CELLS: usize = 6;
/// Minimum depth at which a lake is drawn, as a multiple of the cell size. Shallower lakes are
/// drawn with this depth, so that they appear as water up to the shore.
const MIN_LAKE_DEPTH: f32 = 0.1;

/// Returns the depth (m) of the lakes to draw: 0 outside lakes and in puddles. `depth` is the water
/// depth (m) in each cell, and `cell_size` is the side length of the square cells (m).
pub(super) fn visible_lakes(depth: &Field<f32>, cell_size: f32) -> Field<f32> {
    let mut drawn = Field::new(depth.nx(), depth.ny(), 0.0);
    let (from, to) = (depth.as_slice(), drawn.as_mut_slice());
    let lakes = connected_components([depth.nx(), depth.ny()], true, |i| from[i] > 0.0);
    for i in lakes.into_iter().filter(|lake| lake.len() >= MIN_LAKE_CELLS).flatten() {
        to[i] = from[i].max(MIN_LAKE_DEPTH * cell_size);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lakes_are_drawn_and_puddles_are_not() {
        let depth = Field::from_fn(9, 5, |x, y| match (x, y) {
            (1..4, 1..4) => 1e-6,
            (7, 2) => 3.0,
            _ => 0.0,
        });
        let drawn = visible_lakes(&depth, 10.0);
        assert_eq!(drawn[(2, 2)], 1.0);
        assert_eq!(drawn[(7, 2)], 0.0);
        assert_eq!(drawn.as_slice().iter().filter(|&&depth| depth > 0.0).count(), 9);
    }
}
