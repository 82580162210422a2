//! Test for memory leaks. It runs alone in its process, because it measures the memory of the whole
//! process.
#![allow(clippy::unwrap_used, reason = "what fails in a test is to be seen")]

#[path = "it/apps.rs"]
#[expect(dead_code, reason = "made for the other tests too")]
mod apps;

use apps::{create_app, create_lake_world, pond};
use bevy::prelude::*;
use bevy_headwater::headwater::{flow, waves};
use bevy_headwater::prelude::*;

/// Returns the resident memory of this process (kB).
#[cfg(target_os = "linux")]
fn resident_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn spawning_and_despawning_a_thousand_times_leaks_nothing() {
    let mut app = create_app();
    let round = |app: &mut App| {
        let world = app.world_mut();
        let water = world.spawn(Water(create_lake_world())).id();
        let other = world.spawn(Pond(pond())).id();
        let raft = flow::Body::rect([10.0, 12.0], [4.0, 2.0], 0.0, 4000.0, 1.0);
        let duck = waves::Body::new(waves::Shape::Disc { radius: 0.5 }, [5.0, 5.0], 0.05);
        let all = [
            world.spawn(Floats::new(water, raft)).id(),
            world.spawn(Floats::new(other, duck)).id(),
            world.spawn(FloodSensor::for_water(water)).id(),
            water,
            other,
        ];
        app.update();
        let entities = app.world().entities().count_spawned();
        for entity in all {
            app.world_mut().despawn(entity);
        }
        app.update();
        entities
    };
    let first = round(&mut app);
    for _ in 0..100 {
        round(&mut app);
    }
    let before = resident_memory();
    for _ in 0..1000 {
        assert_eq!(round(&mut app), first);
    }
    let grown = resident_memory().saturating_sub(before);
    // A world of this size takes 50 kB: a thousand leaked ones would be 50 MB.
    assert!(grown < 4_000, "{grown} kB more after a thousand rounds");
}
