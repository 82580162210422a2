//! Tests that frames of a game with a [`Blocks`] world allocate no memory.

use super::check_frames_after_warm_up;
use crate::support::blocks::{caves, rect, world};
use headwater::blocks::{Blocks, Cell, Drain, FULL, Liquid, Params, Rule, Spring};

/// Adds a spring of each of the given liquids at the top of a cave world, and a drain at the
/// bottom. Returns the world.
fn with_springs(mut caves: Blocks, liquids: &[Liquid]) -> Blocks {
    let [nx, ny] = [caves.nx(), caves.ny()];
    for (i, &liquid) in liquids.iter().enumerate() {
        let x = (2 * i + 1) * nx / 7;
        for y in 0..4 {
            caves.set(x, y, Cell::Air).unwrap();
        }
        caves.add_spring(Spring { region: rect(x, 0, 1, 2), liquid, rate: 40 }).unwrap();
    }
    caves.add_drain(Drain { region: rect(0, ny - 20, nx, 20), rate: 90 }).unwrap();
    caves
}

#[test]
fn frames_of_blocks_do_not_allocate() {
    use Liquid::{Lava, Oil, Water};
    let still = "#~~~..#\n#~~~..#\n#~~~#.#\n#.....#\n#######";
    let mut still = Blocks::from_text(still, Params::default()).unwrap();
    check_frames_after_warm_up(150, "blocks: a tank", &mut still, 1.0 / 8.0);
    let dry = Params { evaporation: 40, evaporation_period: 3, ..Params::default() };
    let air = Params { trapped_air: true, ..dry.clone() };
    for (name, kinds, liquids, params) in [
        ("water", 1, &[Water][..], dry.clone()),
        ("water under air that is trapped", 1, &[Water], air.clone()),
        ("water and oil", 2, &[Water, Oil], dry),
        ("water, oil and lava, and trapped air", 3, &[Water, Oil, Lava], air),
    ] {
        let mut caves = with_springs(world(&caves(100, 90, 5, kinds), &params), liquids);
        check_frames_after_warm_up(400, &format!("blocks: {name}"), &mut caves, 1.0 / 8.0);
        assert!(!caves.is_asleep(), "{name}");
    }
    let cells = caves(60, 50, 5, 1).map(|cell| match cell {
        Cell::Liquid(liquid, _) => Cell::Liquid(*liquid, FULL),
        other => *other,
    });
    let mut whole = world(&cells, &Params { rule: Rule::WholeBlocks, ..Params::default() });
    check_frames_after_warm_up(150, "blocks: whole blocks", &mut whole, 1.0 / 8.0);
}
