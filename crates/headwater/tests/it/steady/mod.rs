//! Frames of a game loop do not allocate after warm-up.

mod blocks;
mod columns;
mod flow;
mod hydrology;
mod waves;

use crate::support::allocations::allocations;
use crate::support::on_threads;
use headwater::changes::Changes;
use headwater::{Field, Model};

/// Frames until the scratch buffers of a world have their final size.
const SETTLING: usize = 120;

const COUNTED: usize = 60;

const DRAWN: usize = 10;

/// Runs frames of length `time` on one thread and checks that later frames do not allocate.
fn check(name: &str, world: &mut (impl Model + Send), time: f64) {
    check_after(SETTLING, name, world, time);
}

/// Checks frames after `settling` warm-up frames. A frame advances the world and updates what is
/// drawn.
fn check_after(settling: usize, name: &str, world: &mut (impl Model + Send), time: f64) {
    let [nx, ny] = world.grid();
    let mut changes = Changes::default();
    let mut drawn: Vec<_> =
        world.layers().iter().map(|l| (l.name, Field::new(nx, ny, 0.0))).collect();
    // Runs on the pool's thread, because work submitted from outside may allocate.
    on_threads(1, || {
        let (mut by_step, mut by_layer) = (0, vec![0; drawn.len()]);
        for frame in 0..settling + COUNTED {
            let found = allocations(|| {
                world.advance(time).unwrap();
                world.update_changes(&mut changes);
            });
            by_step += if frame < settling { 0 } else { found };
            // Some layers take longer than a step.
            let left = settling + COUNTED - frame;
            for ((layer, values), sum) in drawn.iter_mut().zip(&mut by_layer) {
                if left <= 2 * DRAWN {
                    let draw = || world.view_into(layer, &changes.tiles, values).unwrap();
                    let found = allocations(draw);
                    *sum += if left > DRAWN { 0 } else { found };
                }
            }
        }
        assert_eq!(by_step, 0, "{name}: allocations in {COUNTED} frames");
        for ((layer, _), sum) in drawn.iter().zip(by_layer) {
            assert_eq!(sum, 0, "{name}, {layer}: allocations when drawn {DRAWN} times");
        }
    });
}

/// A world, its purpose, and a check that it still serves it at the end.
type Shown<W> = (&'static str, W, fn(&W) -> bool);

fn most(world: &impl Model, layer: &str) -> f32 {
    world.layer(layer).unwrap().min_max().unwrap().1
}
