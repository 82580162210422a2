//! Which lakes a picture shows.

use headwater::Field;

/// Smaller lakes (cells) are puddles.
const FEWEST: usize = 6;
/// A lake is drawn at least so deep, in sizes of a cell: it is water to its shore, however shallow.
const SHALLOWEST: f32 = 0.1;

/// The depth (m) of lakes that are not puddles, on square cells of `size` m.
pub(super) fn to_draw(depth: &Field<f32>, size: f32) -> Field<f32> {
    let (nx, ny) = (depth.nx(), depth.ny());
    let mut drawn = Field::new(nx, ny, 0.0);
    let mut seen = Field::new(nx, ny, false);
    let mut lake: Vec<(usize, usize)> = Vec::new();
    for start in (0..nx * ny).map(|i| (i % nx, i / nx)) {
        if depth[start] <= 0.0 || std::mem::replace(&mut seen[start], true) {
            continue;
        }
        lake.clear();
        lake.push(start);
        let mut next = 0;
        while let Some(&(x, y)) = lake.get(next) {
            next += 1;
            for v in y.saturating_sub(1)..(y + 2).min(ny) {
                for u in x.saturating_sub(1)..(x + 2).min(nx) {
                    if depth[(u, v)] > 0.0 && !std::mem::replace(&mut seen[(u, v)], true) {
                        lake.push((u, v));
                    }
                }
            }
        }
        if lake.len() >= FEWEST {
            for &cell in &lake {
                drawn[cell] = depth[cell].max(SHALLOWEST * size);
            }
        }
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
        let drawn = to_draw(&depth, 10.0);
        assert_eq!(drawn[(2, 2)], 1.0);
        assert_eq!(drawn[(7, 2)], 0.0);
        assert_eq!(drawn.as_slice().iter().filter(|&&depth| depth > 0.0).count(), 9);
    }
}
