//! Tests of input validation and queries in block worlds, and of the rule that moves liquid in
//! whole cells.

use headwater::blocks::{Blocks, Cell, Drain, Edit, FULL, LAYERS, Liquid, Params, Rule, Spring};
use headwater::{Cause, Field, Region};

fn whole_block_params() -> Params {
    Params { rule: Rule::WholeBlocks, ..Params::default() }
}

#[test]
fn invalid_input_is_rejected_with_position_and_reason() {
    let message =
        |map: &str, params: Params| Blocks::from_text(map, params).unwrap_err().to_string();
    assert_eq!(
        message("###\n##\n", Params::default()),
        "the length of row 2 of the map: found 2, allowed is 3, as in row 1"
    );
    assert!(
        message("#~#\n#?#", Params::default())
            .starts_with("the map in row 2, column 2: found `?`, allowed is `#` wall")
    );
    assert_eq!(
        message("", Params::default()),
        "the size of a world: found 0 × 0, allowed is 1 to 32768 columns and rows"
    );
    assert_eq!(
        message("#~#", Params { film: 0, ..Params::default() }),
        "film: found 0, allowed is 1 to 128 256ths"
    );
    assert_eq!(
        message("#o#", whole_block_params()),
        "the liquid in a cell: found 256/256 of oil, allowed is 256/256 of water, the only liquid of whole blocks"
    );
    let overfull = Field::new(2, 2, Cell::Liquid(Liquid::Water, FULL + 1));
    assert_eq!(
        Blocks::new(&overfull, Params::default()).unwrap_err().to_string(),
        "the fill of a cell: found 257, allowed is 1 to 256 256ths"
    );
}

#[test]
fn rejected_calls_change_nothing() {
    let mut world = Blocks::from_text("~.\n##", Params::default()).unwrap();
    let hash = world.state_hash();
    let somewhere_else = Region::rect([7.0, 7.0], [8.0, 8.0]);
    let spring = Spring { region: somewhere_else.clone(), liquid: Liquid::Oil, rate: 5 };
    assert_eq!(world.add_spring(spring).unwrap_err().what, "a spring's region");
    let drain = Drain { region: Region::Everywhere, rate: 0 };
    assert_eq!(world.add_drain(drain).unwrap_err().what, "a drain's rate");
    let off = world.set(2, 0, Cell::Wall).unwrap_err().to_string();
    assert_eq!(off, "a cell: found (2, 0), allowed is a cell of the grid of 2 × 2 cells");
    assert!(world.edit(&Region::Everywhere, Edit::Pour(Liquid::Lava, 300)).is_err());
    assert!(world.advance(f64::NAN).is_err());
    assert_eq!(world.state_hash(), hash);
    world.edit(&somewhere_else, Edit::Dig).unwrap();
    assert_eq!(world.state_hash(), hash, "off the grid there is nothing to dig");
}

#[test]
fn edits_are_recorded_exactly() {
    let mut world = Blocks::from_text("~..\n###", Params::default()).unwrap();
    world.edit(&Region::rect([1.0, 0.0], [3.0, 1.0]), Edit::Pour(Liquid::Oil, 100)).unwrap();
    world.edit(&Region::rect([0.0, 0.0], [2.0, 1.0]), Edit::Pour(Liquid::Oil, 200)).unwrap();
    let oil = world.balance(Liquid::Oil);
    assert_eq!((oil.now, oil.ledger.inflow(Cause::Edit)), (356, 356));
    assert_eq!(oil.ledger.total_outflow(), 0);
    world.set(0, 0, Cell::Wall).unwrap();
    let water = world.balance(Liquid::Water);
    assert_eq!((water.now, water.ledger.outflow(Cause::Edit), water.residual), (0, 256, 0));
    assert_eq!(world.volume_in(Liquid::Oil, 1, 0, 1, 9), 256);
}

#[test]
fn queries_reflect_the_current_state() {
    let mut world = Blocks::from_text("...\n4.~\n###", Params::default()).unwrap();
    assert_eq!((world.fill_at(0, 1), world.fill_at(9, 9)), (Some(128), None));
    assert_eq!(
        (world.surface_level(0, 1), world.surface_level(2, 1), world.surface_level(1, 1)),
        (Some(1.5), Some(2.0), None)
    );
    assert_ne!(world.body_at(0, 1), world.body_at(2, 1));
    assert!(!world.is_body_at_rest(2, 1) && !world.is_asleep() && world.is_awake(0, 0));
    world.set(1, 1, Cell::WATER).unwrap();
    assert_eq!(world.body_at(0, 1), world.body_at(2, 1), "an edit is seen at once");
    assert!(world.run_to_rest(50) && world.is_body_at_rest(0, 1) && !world.is_awake(0, 0));
    for layer in LAYERS {
        let (name, layer) = (layer.name, world.layer(layer.name).unwrap());
        assert_eq!((layer.nx(), layer.ny()), (3, 3), "{name}");
    }
    assert_eq!(world.layer("body").unwrap().row(1), [1.0; 3]);
    assert_eq!(world.layer("cells").unwrap().row(2), [1.0; 3]);
    assert!(world.layer("depth").is_none());
}

#[test]
fn edits_wake_a_sleeping_world() {
    let ocean = Field::from_fn(640, 320, |x, y| match y {
        _ if x == 320 => Cell::Wall,
        0..64 => Cell::Air,
        _ => Cell::WATER,
    });
    let mut world = Blocks::new(&ocean, Params::default()).unwrap();
    assert!(world.run_to_rest(3));
    world.set(30, 200, Cell::Air).unwrap();
    let awake = world.layer("active").unwrap().sum() / (64.0 * 64.0);
    // The hole and the surface of the ocean, with the chunks to which their columns may sink.
    assert!((1.0..=23.0).contains(&awake), "{awake} chunks for the hole and the surface");
    assert!(world.is_awake(30, 200) && world.is_awake(400, 64));
    assert!(!world.is_awake(100, 200) && !world.is_awake(400, 250));
    assert!(world.run_to_rest(2000));
}

#[test]
fn whole_blocks_reach_every_corner_and_move_in_parallel() {
    let mut world = Blocks::from_text(".~~~~\n.####\n.....\n#####", whole_block_params()).unwrap();
    assert!(world.run_to_rest(20));
    assert_eq!(world.volume_in(Liquid::Water, 0, 2, 5, 1), 4 * 256, "{}", world.to_text());
    let tower = Field::from_fn(41, 12, |x, y| match y {
        11 => Cell::Wall,
        1.. if (16..25).contains(&x) => Cell::WATER,
        _ => Cell::Air,
    });
    let mut world = Blocks::new(&tower, whole_block_params()).unwrap();
    let before = world.cells();
    world.step();
    let after = world.cells();
    let moved = before.as_slice().iter().zip(after.as_slice()).filter(|(a, b)| a != b).count();
    assert_eq!(moved, 4, "a block to either side");
    assert!(world.run_to_rest(200));
    assert_eq!(world.balance(Liquid::Water).residual, 0);
}
