//! Tests that the frames of a game allocate no memory after a warm-up.

mod blocks;
mod columns;
mod flow;
mod hydrology;
mod waves;

use crate::support::allocations::count_allocations;
use crate::support::on_threads;
use headwater::changes::Changes;
use headwater::{Field, Model};

/// Default number of frames after which all buffers have their final size.
const WARM_UP_FRAMES: usize = 40;

const COUNTED_FRAMES: usize = 24;

const DRAWN_FRAMES: usize = 4;

/// Runs frames of `time` seconds on one thread, and checks that frames after the default warm-up
/// allocate no memory.
fn check_frames(name: &str, world: &mut (impl Model + Send), time: f64) {
    check_frames_after_warm_up(WARM_UP_FRAMES, name, world, time);
}

/// Runs frames of `time` seconds on one thread, and checks that frames after the first `warm_up`
/// frames allocate no memory. In each frame the world advances, and the drawn layers and meshes are
/// updated.
fn check_frames_after_warm_up(
    warm_up: usize,
    name: &str,
    world: &mut (impl Model + Send),
    time: f64,
) {
    let [nx, ny] = world.grid_size();
    let mut changes = Changes::default();
    let mut drawn: Vec<_> =
        world.layers().iter().map(|l| (l.name, Field::new(nx, ny, 0.0))).collect();
    // Run in a thread of the pool, because handing work to the pool from outside allocates
    // occasionally.
    on_threads(1, || {
        let (mut by_step, mut by_layer) = (0, vec![0; drawn.len()]);
        for frame in 0..warm_up + COUNTED_FRAMES {
            let found = count_allocations(|| {
                world.advance(time).unwrap();
                world.update_changes(&mut changes);
            });
            by_step += if frame < warm_up { 0 } else { found };
            // Computing some layers takes longer than a step, so layers are updated only in the
            // last frames.
            let left = warm_up + COUNTED_FRAMES - frame;
            for ((layer, values), sum) in drawn.iter_mut().zip(&mut by_layer) {
                if left <= 2 * DRAWN_FRAMES {
                    let draw = || world.view_into(layer, &changes.tiles, values).unwrap();
                    let found = count_allocations(draw);
                    *sum += if left > DRAWN_FRAMES { 0 } else { found };
                }
            }
        }
        assert_eq!(by_step, 0, "{name}: allocations in {COUNTED_FRAMES} frames");
        for ((layer, _), sum) in drawn.iter().zip(by_layer) {
            assert_eq!(sum, 0, "{name}, {layer}: allocations when drawn {DRAWN_FRAMES} times");
        }
    });
}

/// Test world: its name, the world itself, and a predicate that checks at the end whether the world
/// still exercises the intended case.
type TestWorld<W> = (&'static str, W, fn(&W) -> bool);

fn layer_maximum(world: &impl Model, layer: &str) -> f32 {
    world.layer(layer).unwrap().min_max().unwrap().1
}
