//! Worlds of columns that several tests use.

use headwater::columns::{Anchor, Body, Columns, Edit, Params, Shape, Source, Weather, Wind};
use headwater::{Field, Point, Region};

pub(crate) fn level_at(world: &Columns, point: Point) -> Option<f64> {
    world.surface_at(point).map(|y| world.size()[1] - y)
}

pub(crate) fn head_at(world: &Columns, point: Point) -> Option<f64> {
    world.head_at(point).map(|y| world.size()[1] - y)
}

pub(crate) fn advance_by(world: &mut Columns, seconds: f64) {
    world.step_many((seconds / world.params().step).round() as u64);
}

pub(crate) fn noise(x: usize, y: usize, seed: u64) -> f64 {
    let mut z = (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ seed.wrapping_mul(0x1656_67b1_9e37_79f9);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

pub(crate) fn caves(nx: usize, ny: usize, seed: u64) -> Field<bool> {
    let scale = 1 + (seed % 5) as usize;
    Field::from_fn(nx, ny, |x, y| noise(x / scale, y / scale, seed) < 0.35)
}

pub(crate) fn busy_world(nx: usize, ny: usize, seed: u64, params: Params) -> Columns {
    let walls = caves(nx, ny, seed);
    let cell = 0.5;
    let at =
        |k: usize| [noise(k, 1, seed) * nx as f64 * cell, noise(k, 2, seed) * ny as f64 * cell];
    let mut anchors: Vec<Anchor> = (0..6).map(|k| Anchor::new_level(at(k))).collect();
    anchors.extend((6..12).map(|k| Anchor::new_bubble(at(k))));
    let mut world = Columns::new(&walls, cell, &anchors, params).unwrap();
    for k in 20..24 {
        let region = Region::disc(at(k), 2.0);
        let rate = noise(k, 3, seed) - 0.4;
        let _ = if rate > 0.0 {
            world.add_spring(Source::new(region, rate))
        } else {
            world.add_drain(Source::new(region, -rate))
        };
    }
    for k in 30..30 + seed as usize % 3 {
        let shape = Shape::Box { center: at(k), half: [0.2 + noise(k, 4, seed), 0.3] };
        let _ = world.add_body(Body::new(shape, 2000.0 * noise(k, 5, seed) + 1.0));
    }
    let weather = Weather { rain: 7200.0.into(), evaporation: 3600.0.into(), air: None };
    world.set_weather(weather).unwrap();
    world.set_wind(Some(Wind { acceleration: 0.1.into(), seed, ..Wind::default() })).unwrap();
    world
}

pub(crate) fn disturb(world: &mut Columns, edit_index: usize, seed: u64) {
    let walls = world.walls();
    let size = [walls.nx() as f64 * world.cell_size(), walls.ny() as f64 * world.cell_size()];
    let at = [noise(edit_index, 7, seed) * size[0], noise(edit_index, 8, seed) * size[1]];
    let region = Region::disc(at, 0.3 + 2.0 * noise(edit_index, 9, seed));
    let amount = noise(edit_index, 10, seed);
    let edit = match edit_index % 4 {
        0 => Edit::Pour(amount),
        1 => Edit::Remove(amount),
        2 => Edit::Splash(amount - 0.3),
        _ => Edit::Push(4.0 * amount - 2.0),
    };
    let _ = world.edit(&region, edit);
}
