//! Tests of pictures of block worlds: integer scale, correct water levels, and charts.

use headwater::Region;
use headwater::blocks::{Blocks, Cell, Drain, Liquid, Params, Rule, Spring};
use headwater_scene::blocks::Caves;
use headwater_scene::picture::{BlocksContent, Picture, PixelPainter, PixelStyle, Walls};
use std::collections::HashSet;

/// Returns a picture style without annotations.
fn bare_style(view: BlocksContent) -> PixelStyle {
    let (marks, scale_bar, time_label) = (false, false, false);
    PixelStyle {
        width: 160,
        view,
        walls: Walls::Brick,
        marks,
        scale_bar,
        time_label,
        ..Default::default()
    }
}

fn world(map: &str) -> Blocks {
    Blocks::from_text(map, Params::default()).unwrap()
}

fn paint(style: &PixelStyle, world: &Blocks) -> Picture {
    PixelPainter::new(style.clone(), world).unwrap().paint(world)
}

/// Returns the set of colours in a cell, which is drawn with 16 × 16 pixels.
fn cell_colors(picture: &Picture, x: usize, y: usize) -> HashSet<[u8; 3]> {
    let places = (0..256).map(|i| (16 * x + i % 16, 16 * y + i / 16));
    places.map(|(px, py)| picture[(px, py)]).collect()
}

#[test]
fn cells_have_an_integer_number_of_pixels() {
    for (nx, ny, width, size) in [
        (10, 7, 160, (160, 112)),
        (10, 7, 200, (200, 140)),
        (11, 7, 200, (198, 126)),
        (100, 50, 160, (200, 100)),
        (160, 50, 160, (160, 50)),
        (700, 90, 160, (233, 30)),
    ] {
        let cells =
            headwater::Field::from_fn(nx, ny, |x, _| if x < 3 { Cell::Wall } else { Cell::WATER });
        let world = Blocks::new(&cells, Params::default()).unwrap();
        let picture = paint(&PixelStyle { width, ..bare_style(BlocksContent::World) }, &world);
        assert_eq!((picture.nx(), picture.ny()), size, "{nx} × {ny} in {width}");
    }
    let error = PixelPainter::new(
        PixelStyle { cell: Some(256), ..PixelStyle::default() },
        &Blocks::new(&headwater::Field::new(400, 3, Cell::Air), Params::default()).unwrap(),
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "cell: found 256 for a picture of 102400 × 768 pixels, allowed is a value that gives at most \
         16384 × 16384 pixels"
    );
}

#[test]
fn water_is_drawn_at_its_level() {
    for eighths in 1..=8_usize {
        let map = format!("....\n.#{}#\n####", char::from_digit(eighths as u32, 10).unwrap())
            .replace('8', "~");
        let style = PixelStyle { width: 64, ..bare_style(BlocksContent::World) };
        let (wet, dry) = (paint(&style, &world(&map)), paint(&style, &world("....\n.#.#\n####")));
        let changed = (0..48).filter(|&y| (33..47).any(|x| wet[(x, y)] != dry[(x, y)]));
        let rows: Vec<usize> = changed.collect();
        assert_eq!(rows, (32 - 2 * eighths..32).collect::<Vec<_>>(), "{eighths} eighths");
    }
}

#[test]
fn bodies_keep_one_colour_while_levelling() {
    let mut vessels = world("#~#.#.~.\n#~#.####\n#~~~#.~.\n########");
    let style = PixelStyle { width: 128, ..bare_style(BlocksContent::Bodies) };
    let mut painter = PixelPainter::new(style, &vessels).unwrap();
    let before = painter.paint(&vessels);
    let [left, below] = [cell_colors(&before, 1, 1), cell_colors(&before, 2, 2)];
    assert_eq!(left.len(), 1);
    assert!(below.is_superset(&left));
    assert!(cell_colors(&before, 6, 0).is_disjoint(&left));
    assert!(vessels.run_to_rest(60));
    let after = painter.paint(&vessels);
    assert!(cell_colors(&after, 3, 1).is_superset(&left), "the arm that it has filled");
}

#[test]
fn pressure_and_fill_have_their_own_colour_scales() {
    let tank = world("#~~#\n#~~#\n#~4#\n####".replace("~4", "~~").as_str());
    let style = PixelStyle { width: 64, head: Some(2.0), ..bare_style(BlocksContent::Pressure) };
    let picture = paint(&style, &tank);
    let deepest = cell_colors(&picture, 1, 2);
    assert_eq!(deepest, HashSet::from([[0xB8, 0x1D, 0x3E]]));
    assert!(cell_colors(&picture, 1, 1).is_disjoint(&deepest));
    let fills = world("#1#7#~#o\n########");
    let picture = paint(&PixelStyle { width: 128, ..bare_style(BlocksContent::Fill) }, &fills);
    let seen = [1, 3, 5, 7].map(|x| cell_colors(&picture, x, 0));
    for (i, a) in seen.iter().enumerate() {
        assert!(seen[..i].iter().all(|b| a.is_disjoint(b)), "{i}");
    }
}

#[test]
fn springs_drains_time_and_legend_are_drawn() {
    let mut pond = world("..........\n..........\n#~~~~~~~~#\n##########");
    let plain = paint(&bare_style(BlocksContent::Pressure), &pond);
    let rect = |x: f64, y: f64| Region::rect([x, y], [x + 1.0, y + 1.0]);
    pond.add_spring(Spring { region: rect(2.0, 0.0), liquid: Liquid::Water, rate: 9 }).unwrap();
    pond.add_drain(Drain { region: rect(7.0, 2.0), rate: 9 }).unwrap();
    let marked = paint(&PixelStyle { marks: true, ..bare_style(BlocksContent::Pressure) }, &pond);
    let differs = |other: &Picture, x, y| cell_colors(&plain, x, y) != cell_colors(other, x, y);
    assert!(differs(&marked, 2, 0) && differs(&marked, 7, 2));
    assert!(!differs(&marked, 5, 1) && !differs(&marked, 4, 2));
    let labelled = paint(
        &PixelStyle { time_label: true, scale_bar: true, ..bare_style(BlocksContent::Pressure) },
        &pond,
    );
    assert!(differs(&labelled, 9, 3) && differs(&labelled, 1, 3));
    let wide = PixelStyle { width: 320, ..bare_style(BlocksContent::Pressure) };
    let dark = [0x14, 0x19, 0x22];
    let sky = |picture: &Picture| (0..20).any(|y| (160..320).any(|x| picture[(x, y)] != dark));
    assert!(sky(&paint(&wide, &pond)), "a legend");
    assert!(!sky(&paint(&PixelStyle { view: BlocksContent::Bodies, ..wide }, &pond)));
}

#[test]
fn pictures_are_independent_of_the_number_of_threads() {
    let cells = Caves { lava: 0.8, oil: 0.2, ..Caves::default() }.generate(4, 60, 45).unwrap();
    let mut world = Blocks::new(&cells, Params::default()).unwrap();
    let start = world.clone();
    world.edit(&Region::rect([15.0, 0.0], [17.0, 40.0]), headwater::blocks::Edit::Dig).unwrap();
    (0..20).for_each(|_| world.step());
    for view in
        [BlocksContent::World, BlocksContent::Bodies, BlocksContent::Pressure, BlocksContent::Fill]
    {
        let style = PixelStyle { view, width: 480, ..PixelStyle::default() };
        let painted = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| PixelPainter::new(style.clone(), &start).unwrap().paint(&world))
        });
        assert!(painted[0] == painted[1] && painted[1] == painted[2], "{view:?}");
        assert!(painted[0] != paint(&style, &start), "{view:?} shows what has happened");
    }
}

#[test]
fn worlds_of_whole_blocks_are_drawn() {
    let params = Params { rule: Rule::WholeBlocks, ..Params::default() };
    let blocks = Blocks::from_text("#~#.#.....\n#~~~#.....\n##########", params).unwrap();
    let picture = paint(&bare_style(BlocksContent::Bodies), &blocks);
    assert_eq!(
        cell_colors(&picture, 1, 1),
        cell_colors(&picture, 2, 1).intersection(&cell_colors(&picture, 1, 1)).copied().collect()
    );
    assert_ne!(cell_colors(&picture, 1, 0), cell_colors(&picture, 6, 0));
}

#[test]
fn pictures_do_not_depend_on_earlier_pictures() {
    let mut caves =
        Blocks::new(&Caves::default().generate(3, 60, 40).unwrap(), Params::default()).unwrap();
    let style = PixelStyle { walls: Walls::Earth, width: 480, ..PixelStyle::default() };
    let mut painter = PixelPainter::new(style.clone(), &caves).unwrap();
    let fresh = painter.clone();
    let undug = painter.paint(&caves);
    caves.edit(&Region::rect([20.0, 0.0], [23.0, 30.0]), headwater::blocks::Edit::Dig).unwrap();
    (0..20).for_each(|_| caves.step());
    caves.edit(&Region::rect([3.0, 2.0], [50.0, 4.0]), headwater::blocks::Edit::Build).unwrap();
    let dug = painter.paint(&caves);
    assert!(dug != undug && dug == fresh.clone().paint(&caves));
}
