//! Tests of anchors, which are points with a prescribed water level, on hand-made maps. The tests
//! cover pools, levels, trapped air, and the reasons why anchors are ignored.

use crate::support::columns::{head_at, level_at};
use headwater::columns::{Anchor, Columns, IgnoreReason, Params};

fn world(map: &str) -> Columns {
    Columns::from_text(map, 1.0, Params::default()).unwrap()
}

/// Returns a picture of a world, as one string per row: `#` for walls, `~` for full cells, `-` for
/// partly filled cells, and `.` for empty cells.
fn draw_map(world: &Columns) -> Vec<String> {
    let (walls, fill) = (world.walls(), world.layer("fill").unwrap());
    let cell = |x, y| match (walls[(x, y)], fill[(x, y)]) {
        (true, _) => '#',
        (_, fill) if fill >= 1.0 => '~',
        (_, fill) if fill > 0.0 => '-',
        _ => '.',
    };
    (0..walls.ny()).map(|y| (0..walls.nx()).map(|x| cell(x, y)).collect()).collect()
}

fn ignore_reasons(world: &Columns) -> Vec<(usize, IgnoreReason)> {
    world.ignored_anchors().iter().map(|ignored| (ignored.index, ignored.reason)).collect()
}

#[test]
fn anchors_fill_connected_space_to_their_level() {
    let world = world(
        "#........#
         #~.......#
         #..##....#
         #..##.####
         #.....#..#
         #####.#..#
         ####..#..#
         ##########",
    );
    let filled = [
        "#........#",
        "#~~~~~~~~#",
        "#~~##~~~~#",
        "#~~##~####",
        "#~~~~~#..#",
        "#####~#..#",
        "####~~#..#",
        "##########",
    ];
    assert_eq!(draw_map(&world), filled);
    assert_eq!(level_at(&world, [4.5, 6.5]), Some(2.0), "under the ledge water is up to it");
    assert_eq!(head_at(&world, [4.5, 6.5]), Some(7.0), "and feels the surface beyond");
    // The block in the middle separates the air above from the space below.
    assert_ne!(world.pool_at([3.5, 1.5]), world.pool_at([3.5, 4.5]));
    assert_ne!(world.pool_at([7.5, 5.0]), world.pool_at([4.5, 6.5]), "a shut chamber");
    assert_eq!(world.pool_at([7.5, 5.0]), world.pool_at([8.5, 5.0]));
    assert_eq!(level_at(&world, [7.5, 5.0]), None, "which no anchor reaches");
}

#[test]
fn a_ridge_above_the_surface_separates_ponds() {
    let world = world(
        "#.......#
         #~......#
         #..#...~#
         #..#....#
         #########",
    );
    assert_eq!(draw_map(&world)[1], "#~~~~~~~#", "it runs over the ridge");
    assert_eq!(
        ignore_reasons(&world),
        [(1, IgnoreReason::Covered)],
        "so the lower anchor is covered"
    );
    let world = self::world(
        "#.......#
         #..#....#
         #~.#....#
         #..#...~#
         #########",
    );
    assert_eq!(draw_map(&world)[2..4], ["#~~#....#".to_string(), "#~~#~~~~#".to_string()]);
    assert_eq!(world.pool_count(), 1, "all columns are one string");
}

#[test]
fn the_highest_anchor_wins_in_any_order() {
    let map = "#~.~#\n#...#\n#####";
    let flat = world(map);
    assert_eq!(flat.ignored_anchors().len(), 1);
    let walls = flat.walls();
    let (high, low) = (Anchor::new_level([1.5, 0.4]), Anchor::new_level([3.5, 1.4]));
    for (anchors, ignored) in [([high, low], 1), ([low, high], 0)] {
        let world = Columns::new(&walls, 1.0, &anchors, Params::default()).unwrap();
        assert_eq!(level_at(&world, [2.5, 1.5]).map(|z| (z * 1e6).round()), Some(2.6e6));
        assert_eq!(ignore_reasons(&world), [(ignored, IgnoreReason::Covered)]);
    }
}

#[test]
fn a_bubble_holds_air_under_its_ceiling() {
    let mut bell = world(
        "..........
         ~.........
         ..######..
         ..#....#..
         ..#.o..#..
         ..#....#..
         ..........
         ##########",
    );
    let filled = [
        "..........",
        "~~~~~~~~~~",
        "~~######~~",
        "~~#....#~~",
        "~~#....#~~",
        "~~#~~~~#~~",
        "~~~~~~~~~~",
        "##########",
    ];
    assert_eq!(draw_map(&bell), filled);
    assert_eq!((bell.bubble_count(), bell.ignored_anchors().len()), (1, 0));
    assert_eq!(head_at(&bell, [4.5, 6.0]), Some(7.0), "from the start");
    bell.step_many(1200);
    assert_eq!(draw_map(&bell), filled, "the air holds");
    assert_eq!(level_at(&bell, [4.5, 6.0]), Some(3.0));
    assert_eq!(head_at(&bell, [4.5, 6.0]), Some(7.0), "it presses as the water outside does");
}

#[test]
fn invalid_anchors_are_reported_with_a_reason() {
    let walls = world("#...#\n#...#\n#####").walls();
    let anchors = [
        Anchor::new_level([0.5, 0.5]),
        Anchor::new_level([9.0, 0.5]),
        Anchor::new_level([1.5, 2.0]),
        Anchor::new_bubble([1.5, 0.5]),
        Anchor::new_level([f64::NAN, 0.5]),
        Anchor::new_level([2.5, 1.0]),
        Anchor::new_bubble([1.5, 1.5]),
    ];
    let world = Columns::new(&walls, 1.0, &anchors, Params::default()).unwrap();
    let expected = [
        (0, IgnoreReason::InWall),
        (1, IgnoreReason::OffBoard),
        (2, IgnoreReason::Covered),
        (3, IgnoreReason::NoWater),
        (4, IgnoreReason::OffBoard),
        (6, IgnoreReason::Open),
    ];
    assert_eq!(ignore_reasons(&world), expected);
    assert_eq!(world.volume(), 3.0);
    let floor =
        Columns::new(&walls, 1.0, &[Anchor::new_level([1.5, 2.0])], Params::default()).unwrap();
    assert_eq!(ignore_reasons(&floor), [(0, IgnoreReason::NoWater)]);
    assert_eq!(world.ignored_anchors()[0].reason.to_string(), "it lies in a wall");
}

#[test]
fn water_added_at_run_time_equals_an_anchor() {
    let map = "#........#\n#~.......#\n#..##....#\n#..##.####\n#.....#..#\n#####.#..#\n##########";
    let from_start = world(map);
    let mut dry = world(&map.replace('~', "."));
    assert_eq!(dry.volume(), 0.0);
    // The cell of an anchor is filled to its top.
    let came = dry.set_level([1.5, 1.0]).unwrap();
    assert_eq!(draw_map(&dry), draw_map(&from_start));
    assert_eq!((came, dry.volume()), (from_start.volume(), from_start.volume()));
    assert_eq!(
        level_at(&dry, [4.5, 5.0]),
        level_at(&from_start, [4.5, 5.0]),
        "under the ledge too"
    );
    // A lower level removes only the excess water.
    let went = dry.set_level([1.5, 2.5]).unwrap();
    assert!(went < 0.0 && (dry.volume() - came - went).abs() < 1e-9, "{went}");
    assert_eq!(level_at(&dry, [1.5, 3.5]), Some(4.5));
    assert_eq!(draw_map(&dry)[1], "#..~~....#", "water on the ledge is not removed");
    assert_eq!(dry.balance().residual, 0.0);
    let error = |world: &mut Columns, at| world.set_level(at).unwrap_err().to_string();
    assert_eq!(
        error(&mut dry, [0.5, 1.5]),
        "a level at [0.5, 1.5] m: found it lies in a wall, allowed is where water can stand"
    );
    assert!(error(&mut dry, [f64::NAN, 1.5]).contains("it lies off the grid"));
}

#[test]
fn water_added_at_run_time_preserves_trapped_air() {
    let mut bell = world("......\n~.....\n.####.\n.#..#.\n.#o.#.\n......\n######");
    let under = level_at(&bell, [2.5, 5.5]);
    assert_eq!(bell.bubble_count(), 1);
    assert!(bell.set_level([0.5, 0.5]).unwrap() > 0.0);
    assert_eq!((level_at(&bell, [0.5, 3.0]), level_at(&bell, [2.5, 5.5])), (Some(6.5), under));
}

#[test]
fn invalid_maps_and_grids_are_rejected_with_the_allowed_values() {
    let text =
        |map, cell| Columns::from_text(map, cell, Params::default()).unwrap_err().to_string();
    assert!(
        text("#~#\n#x#", 1.0)
            .starts_with("a map in row 2, column 2: found `x`, allowed is `#` wall")
    );
    assert!(text("#~#\n##", 1.0).starts_with("a map in row 2, column 2: found 2 characters"));
    assert_eq!(
        text("", 1.0),
        "a map: found no cells, allowed is `#` wall, `.` air, `~` a level anchor at the top of the cell, `o` a \
         bubble anchor at its bottom"
    );
    assert_eq!(text("~", 0.0), "the size of a cell: found 0, allowed is 1e-6 to 1000000 m");
    let hasty = Columns::from_text("~", 0.01, Params::default()).unwrap_err().to_string();
    assert!(hasty.contains("allowed is up to 0.9: a `wave_depth` up to 0.029"), "{hasty}");
    let params = Params { spread: 0.5, ..Params::default() };
    let error = Columns::from_text("~", 1.0, params).unwrap_err().to_string();
    assert_eq!(error, "spread: found 0.5, allowed is 0 to 0.2");
}
