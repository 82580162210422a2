//! Test of the allocations in a steady frame. All allocations of the process are counted, so this
//! test runs alone in its process.
#![allow(clippy::unwrap_used, reason = "what fails in a test is to be seen")]
#![allow(unsafe_code, reason = "a global allocator that counts can only be written with unsafe")]

#[path = "it/apps.rs"]
#[expect(dead_code, reason = "made for the other tests too")]
mod apps;

use apps::{create_app, create_lake_world, pond};
use bevy::prelude::*;
use bevy_headwater::headwater::{Brush, waves};
use bevy_headwater::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

static COUNT: AtomicU64 = AtomicU64::new(0);

/// System allocator that counts allocations.
struct CountingAllocator;

#[global_allocator]
static MEMORY: CountingAllocator = CountingAllocator;

// SAFETY: all calls are forwarded to the system allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above, and the pointer came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Returns the number of allocations during `updates` updates of an app.
fn allocations_in_updates(app: &mut App, updates: u64) -> u64 {
    let before = COUNT.load(Ordering::Relaxed);
    (0..updates).for_each(|_| app.update());
    COUNT.load(Ordering::Relaxed) - before
}

#[test]
fn steady_updates_allocate_no_memory() {
    const UPDATES: u64 = 200;
    let mut empty = create_app();
    // Bevy itself allocates for moving entities.
    empty.world_mut().spawn(Transform::IDENTITY);
    empty.add_systems(FixedUpdate, |mut moved: Single<&mut Transform>| moved.translation.x += 0.01);
    let mut wet = create_app();
    let world = wet.world_mut();
    let awake = world.spawn(Pond(pond())).id();
    let body = waves::Body {
        velocity: [0.01, 0.0],
        ..waves::Body::new(waves::Shape::Disc { radius: 1.0 }, [4.0, 5.0], 0.1)
    };
    world.spawn(Floats::new(awake, body));
    let resting = world.spawn(Water(create_lake_world())).id();
    world.spawn((FloodSensor::for_water(resting), Transform::from_xyz(5.0, 0.0, 5.0)));
    let drop = Brush::smooth_disc([6.0, 5.0], 1.0);
    world.write_message(WaterEdit::new(awake, drop, waves::Edit::Disturb { height: -0.2 }));
    for app in [&mut empty, &mut wet] {
        allocations_in_updates(app, 300);
    }
    assert!(!wet.world().get::<WaterState>(awake).unwrap().is_resting());
    assert!(wet.world().get::<WaterState>(resting).unwrap().is_resting());
    let without = allocations_in_updates(&mut empty, UPDATES);
    let with = allocations_in_updates(&mut wet, UPDATES);
    // Bevy's allocations vary slightly between runs.
    let more = with.saturating_sub(without);
    assert!(
        more < UPDATES / 10,
        "{with} allocations with waters, {without} without, in {UPDATES} updates"
    );
}
