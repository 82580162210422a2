//! Apps and worlds that several tests use.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_headwater::headwater::blocks::{self, Blocks};
use bevy_headwater::headwater::columns::{self, Columns};
use bevy_headwater::headwater::flow::{self, Flow};
use bevy_headwater::headwater::hydrology::{self, Hydrology};
use bevy_headwater::headwater::waves::{self, Waves};
use bevy_headwater::headwater::{Field, Square};
use bevy_headwater::prelude::*;
use std::time::Duration;

/// Number of fixed steps per second.
pub(crate) const RATE: f64 = 32.0;

/// Creates an app without a window that performs one fixed step per update, except in the first
/// update.
pub(crate) fn create_app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins(HeadwaterPlugin::in_schedule(FixedUpdate))
        .insert_resource(Time::<Fixed>::from_hz(RATE))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / RATE)));
    app.update();
    app
}

/// Creates a lake behind a dam across a valley that falls to the east.
pub(crate) fn create_dam_world() -> Flow {
    let (nx, ny) = (64, 40);
    let bed = Field::from_fn(nx, ny, |x, y| {
        let banks = 0.05 * (y as f32 - 19.5).powi(2) * 0.2;
        let dam = if (20..23).contains(&x) { 6.0 } else { 0.0 };
        banks + dam + 0.05 * (nx - x) as f32
    });
    let depth =
        Field::from_fn(nx, ny, |x, y| if x < 20 { (7.0 - bed[(x, y)]).max(0.0) } else { 0.0 });
    let lattice = Square::new(nx, ny, 2.0, 2.0).unwrap();
    Flow::new(lattice, flow::Params::default(), bed, depth).unwrap()
}

/// Creates still water with a depth of two metres.
pub(crate) fn create_lake_world() -> Flow {
    let lattice = Square::new(32, 24, 1.0, 1.0).unwrap();
    let (bed, depth) = (Field::new(32, 24, -2.0), Field::new(32, 24, 2.0));
    Flow::new(lattice, flow::Params::default(), bed, depth).unwrap()
}

pub(crate) fn pond() -> Waves {
    Waves::new(Square::new(48, 40, 0.25, 0.25).unwrap(), waves::Params::default()).unwrap()
}

/// Creates a shaft that leads to an empty room.
pub(crate) fn create_cave_world() -> Blocks {
    let map = "
        ###########
        #~~~#.....#
        #~~~#.....#
        #~~~#.....#
        #~~~......#
        ###########";
    Blocks::from_text(map, blocks::Params::default()).unwrap()
}

pub(crate) fn pools() -> Columns {
    let walls = Field::from_fn(20, 12, |x, y| x == 0 || x == 19 || y == 11);
    let params = columns::Params::default();
    let mut pools = Columns::new(&walls, 0.5, &[], params).unwrap();
    let left = bevy_headwater::headwater::Region::rect([0.5, 0.0], [3.0, 5.5]);
    pools.edit(&left, columns::Edit::Pour(8.0)).unwrap();
    pools
}

pub(crate) fn land() -> Hydrology {
    let bed =
        Field::from_fn(48, 40, |x, y| 40.0 - 0.5 * x as f32 + ((x * 7 + y * 13) % 11) as f32 * 0.2);
    let lattice = Square::new(48, 40, 10.0, 10.0).unwrap();
    Hydrology::new(lattice, hydrology::Params::default(), &bed).unwrap()
}
