//! Tests that layers equal the values of single cells, and that sampling many points at once gives
//! the same values as sampling each point.

use crate::support::flow::noise;
use headwater::changes::Tile;
use headwater::flow::{Flow, Params, Physics, Subgrid, View};
use headwater::{Field, Hex, Lattice, Model, Square};

fn world(lattice: Lattice, level: Physics) -> Flow {
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let bed = Field::from_fn(nx, ny, |x, y| 2.0 * noise(x / 9, y / 9, 5) + 0.1 * noise(x, y, 6));
    let depth =
        Field::from_fn(nx, ny, |x, y| (1.2 + 0.5 * noise(x / 8, y / 8, 7) - bed[(x, y)]).max(0.0));
    let mut flow = Flow::new(lattice, Params { level, ..Params::default() }, bed, depth).unwrap();
    flow.advance(1.0).unwrap();
    flow
}

fn worlds() -> Vec<Flow> {
    let square = |nx, ny| Lattice::from(Square::new(nx, ny, 1.5, 1.0).unwrap());
    let hex = |nx, ny| Lattice::from(Hex::new(nx, ny, 1.0).unwrap());
    let mut worlds = vec![
        world(square(150, 140), Physics::Pipes),
        world(hex(90, 70), Physics::Pipes),
        world(hex(90, 70), Physics::ShallowWater),
    ];
    for (nx, ny) in [(1, 1), (1, 9), (9, 1), (2, 2)] {
        worlds.push(world(Square::new(nx, ny, 1.0, 1.0).unwrap().into(), Physics::ShallowWater));
    }
    let lattice = Square::new(70, 80, 1.0, 1.0).unwrap();
    let fine = Field::from_fn(280, 320, |x, y| if (x + y) / 9 % 2 == 0 { 2.0 } else { 0.1 });
    let (bed, subgrid) = Subgrid::from_raster(lattice, &fine).unwrap();
    let depth = Field::from_fn(70, 80, |x, y| noise(x / 8, y / 8, 3));
    let params = Params { level: Physics::ShallowWater, manning: 0.03, ..Params::default() };
    let mut split = Flow::new(lattice, params, bed, depth).unwrap();
    split.set_subgrid(Some(subgrid)).unwrap();
    split.advance(1.0).unwrap();
    worlds.push(split);
    worlds
}

/// Returns tiles that touch, overlap, are narrow, or extend beyond the grid.
fn tiles([nx, ny]: [usize; 2]) -> Vec<Tile> {
    let corners = [(0, 0, 5, 5), (5, 0, 7, 5), (12, 0, 64, 5), (3, 9, 1, 1), (nx / 2, 2, 70, 90)];
    let edges = [(nx - 1, 0, 3, ny), (0, ny - 1, nx, 3), (nx, ny, 5, 5), (0, 0, nx, ny)];
    let tile = |(x, y, nx, ny)| Tile { x, y, nx, ny };
    corners.into_iter().chain(edges).map(tile).collect()
}

#[test]
fn layers_equal_the_values_of_cells() {
    for flow in worlds() {
        let [nx, ny] = flow.grid_size();
        let value = |view, x: usize, y: usize| {
            let [u, v] = flow.velocity(x, y);
            match view {
                View::Depth => flow.state().depth[(x, y)],
                View::Surface => flow.state().surface(x, y),
                View::VelocityX => u,
                View::VelocityY => v,
                View::Speed => (u * u + v * v).sqrt(),
                _ => flow.foam_cover_at(x, y),
            }
        };
        let views = [View::Depth, View::Surface, View::VelocityX, View::VelocityY, View::Speed];
        for view in views.into_iter().chain([View::Foam]) {
            let whole = flow.view(view);
            let all = tiles([nx, ny]);
            for tiles in all.chunks(1).chain([&all[..all.len() - 1], &all[..]]) {
                let mut into = Field::new(nx, ny, -1.0);
                flow.view_into(view, tiles, &mut into).unwrap();
                let covered = |x, y| {
                    let covers = |tile: &Tile| {
                        (tile.x..tile.x + tile.nx).contains(&x)
                            && (tile.y..tile.y + tile.ny).contains(&y)
                    };
                    tiles.iter().any(covers)
                };
                for (x, y) in Tile::all([nx, ny]).cells() {
                    let expected = if covered(x, y) { value(view, x, y) } else { -1.0 };
                    let found = into[(x, y)];
                    let place = format!("{view:?} at {x}, {y} of {nx} × {ny}");
                    assert_eq!(found.to_bits(), expected.to_bits(), "{place}");
                    assert_eq!(whole[(x, y)].to_bits(), value(view, x, y).to_bits(), "{place}");
                }
            }
        }
    }
}

#[test]
fn many_samples_equal_single_ones() {
    for flow in worlds() {
        let (width, height) = (flow.lattice().width(), flow.lattice().height());
        let part = |i, seed| f64::from(1.2 * noise(i, 0, seed) - 0.1);
        let points: Vec<_> = (0..3000).map(|i| [part(i, 1) * width, part(i, 2) * height]).collect();
        let mut into = vec![0.0; points.len()];
        let speed = |[u, v]: [f32; 2]| (u * u + v * v).sqrt();
        let single = |view, point| match view {
            View::Bed => flow.bed_at(point),
            View::Depth => flow.depth_at(point),
            View::Surface => flow.surface_at(point),
            View::VelocityX => flow.velocity_at(point).map(|v| v[0]),
            View::VelocityY => flow.velocity_at(point).map(|v| v[1]),
            View::Speed => flow.velocity_at(point).map(speed),
            _ => flow.lattice().cell_at(point).map(|(x, y)| flow.foam_cover_at(x, y)),
        };
        for view in [View::Bed, View::Depth, View::Surface, View::VelocityX, View::VelocityY]
            .into_iter()
            .chain([View::Speed, View::Foam])
        {
            Model::sample_many(&flow, view.layer().name, &points, &mut into).unwrap();
            for (&point, found) in points.iter().zip(&into) {
                let expected = single(view, point).unwrap_or(f32::NAN);
                assert_eq!(found.to_bits(), expected.to_bits(), "{view:?} at {point:?}");
            }
        }
        assert!(flow.sample_many(View::MaxDepth, &points, &mut into).is_err());
        assert!(flow.sample_many(View::Depth, &points, &mut into[1..]).is_err());
        assert!(Model::sample_many(&flow, "gold", &points, &mut into).is_err());
    }
}
