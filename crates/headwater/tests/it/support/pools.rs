//! Small flow worlds for the tests of all crates that step flow worlds.

use headwater::flow::{Boundary, BoundaryKind, Edit, Flow, Params, Physics};
use headwater::{Brush, Edge, Field, Hex, Lattice, Region, Square};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellShape {
    Square,
    Hex,
}

pub(crate) fn noise(x: usize, y: usize, seed: u64) -> f32 {
    let mut z = (x as u64) << 32 ^ (y as u64) << 8 ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for _ in 0..2 {
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z ^= z >> 27;
    }
    (z >> 40) as f32 / (1u64 << 24) as f32
}

/// Returns a world with pools on rough ground and walls at all edges.
pub(crate) fn world_with_pools(
    (cells, physics): (CellShape, Physics),
    nx: usize,
    ny: usize,
    seed: u64,
    viscosity: f64,
) -> Flow {
    let lattice: Lattice = match cells {
        CellShape::Square => Square::new(nx, ny, 2.0, 1.5).unwrap().into(),
        CellShape::Hex => Hex::new(nx, ny, 2.0).unwrap().into(),
    };
    let bed = Field::from_fn(nx, ny, |x, y| 3.0 * noise(x / 3, y / 3, seed) + noise(x, y, seed));
    let depth = Field::from_fn(nx, ny, |x, y| (2.0 * noise(x / 4, y / 4, seed ^ 7) - 0.8).max(0.0));
    let params =
        Params { level: physics, viscosity, friction: 0.1, pipe_area: 3.0, ..Params::default() };
    Flow::new(lattice, params, bed, depth).unwrap()
}

pub(crate) fn add_house(flow: &mut Flow) {
    let (width, height) = (flow.lattice().width(), flow.lattice().height());
    let house = Region::rect([0.3 * width, 0.2 * height], [0.4 * width, 0.5 * height]);
    flow.edit(&Brush::with_flat_falloff(house), Edit::Close).unwrap();
}

/// Makes the western and eastern edges of a world periodic if `west_east` is true, and the northern
/// and southern edges if `north_south` is true. A hexagonal lattice with an odd number of rows
/// keeps its northern and southern edges.
pub(crate) fn make_periodic(flow: &mut Flow, west_east: bool, north_south: bool) {
    let fits = !flow.lattice().is_hex() || flow.lattice().ny().is_multiple_of(2);
    for (edge, is_wanted) in [(Edge::East, west_east), (Edge::North, north_south && fits)] {
        if is_wanted {
            flow.set_boundary(Boundary::on_edge(edge, BoundaryKind::Periodic)).unwrap();
        }
    }
}
