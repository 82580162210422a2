//! Trees for worlds whose model knows of none: scenery that says where land is dry and not too steep.

use headwater_playground::land::Cells;
use headwater_scene::picture::{Tree, random};

/// Ground steeper than this (m/m, exaggerated) bears no tree.
const STEEPEST: f32 = 0.9;

/// Scatters trees over the dry land of a world in groves, the same for the same seed: willows near water, pines
/// on heights, beeches between. `share` (0 to 1) of the land is wooded.
pub(crate) fn scatter(cells: &Cells<'_>, exaggeration: f32, share: f32, seed: u32) -> Vec<Tree> {
    let (nx, ny) = (cells.nx, cells.ny);
    let heights = (0..nx * ny).filter(|&i| !cells.is_void(i)).map(|i| cells.bed[i]);
    let low = heights.clone().fold(f32::INFINITY, f32::min);
    let high = heights.fold(f32::NEG_INFINITY, f32::max).max(low + 1e-6);
    let dry = |x: usize, y: usize| {
        let i = y * nx + x;
        cells.depth[i] <= 0.0 && !cells.is_void(i) && !cells.closed.is_some_and(|closed| closed[i])
    };
    let every = (nx * ny).div_ceil(160_000).max(1);
    let mut trees = Vec::new();
    for y in 1..ny.saturating_sub(1) {
        for x in 1..nx.saturating_sub(1) {
            let i = y * nx + x;
            let key = i as u32 ^ seed << 20;
            if i % every != 0 || !(dry(x, y) && dry(x - 1, y) && dry(x + 1, y)) {
                continue;
            }
            let east = (cells.bed[i + 1] - cells.bed[i - 1]) / (2.0 * cells.cell[0]);
            let south = (cells.bed[i + nx] - cells.bed[i - nx]) / (2.0 * cells.cell[1]);
            let steep = exaggeration * east.hypot(south);
            let up = (cells.bed[i] - low) / (high - low);
            let size = nx.max(ny) as f32;
            let grove = grove(x as f32 / size * 13.0, y as f32 / size * 13.0, seed)
                + 0.5 * grove(x as f32 / size * 41.0, y as f32 / size * 41.0, seed ^ 9);
            let likely = share * 1.6 + 1.1 * (grove - 0.75)
                - 0.8 * (steep / STEEPEST).powi(2)
                - 1.6 * (up - 0.72).max(0.0);
            if steep > STEEPEST || random(key) > likely {
                continue;
            }
            let shift = if cells.hex && y % 2 == 1 { 0.5 } else { 0.0 };
            let aside = |k: u32| 0.1 + 0.8 * random(key ^ k);
            let position = [
                (x as f32 + shift + aside(0x51)) * cells.cell[0],
                (y as f32 + aside(0xA7)) * cells.cell[1],
            ];
            let mixed = up + 0.25 * (random(key ^ 0x33) - 0.5);
            let kind = if mixed > 0.5 {
                3
            } else if mixed > 0.14 {
                2
            } else {
                1
            };
            trees.push(Tree { position, kind, size: 0.45 + 0.55 * random(key ^ 0x77) });
        }
    }
    trees
}

/// Smooth patches between 0 and 1.
fn grove(x: f32, y: f32, seed: u32) -> f32 {
    let (x0, y0) = (x.floor(), y.floor());
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (u, v) = (ease(x - x0), ease(y - y0));
    let at = |i: u32, j: u32| random((x0 as u32 + i) ^ (y0 as u32 + j) << 10 ^ seed << 21);
    let north = at(0, 0) + (at(1, 0) - at(0, 0)) * u;
    let south = at(0, 1) + (at(1, 1) - at(0, 1)) * u;
    north + (south - north) * v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_stand_on_dry_level_ground_and_are_the_same_for_a_seed() {
        let (nx, ny) = (60, 40);
        let bed: Vec<f32> = (0..nx * ny)
            .map(|i| if i % nx < 20 { 9.0 * (20 - i % nx) as f32 } else { 0.0 })
            .collect();
        let depth: Vec<f32> = (0..nx * ny).map(|i| f32::from(i % nx >= 40)).collect();
        let cells = Cells {
            nx,
            ny,
            cell: [2.0, 2.0],
            hex: false,
            bed: &bed,
            depth: &depth,
            velocity: None,
            foam: None,
            closed: None,
            no_data: None,
        };
        let trees = scatter(&cells, 1.0, 0.8, 3);
        assert!(trees.len() > 100, "{}", trees.len());
        assert!(trees.iter().all(|tree| (38.0..80.0).contains(&tree.position[0])));
        assert_eq!(trees, scatter(&cells, 1.0, 0.8, 3));
        assert_ne!(trees, scatter(&cells, 1.0, 0.8, 4));
    }
}
