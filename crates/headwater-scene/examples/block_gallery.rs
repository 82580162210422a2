//! Paints a gallery of block worlds, to look at what the pixel painter does:
//! `cargo run --release -p headwater-scene --example block_gallery -- FOLDER`.

use headwater::Region;
use headwater::blocks::{Blocks, Drain, Edit, Liquid, Params, Spring};
use headwater_scene::blocks::Caves;
use headwater_scene::picture::{PixelPainter, PixelStyle, Shown, Walls, write_png};
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

const VESSELS: &str = "
    ##....................##
    ##~~~#....#oooo#.....###
    ##~~~#....#oooo#.LLL.###
    ##~~~#....#oooo#.LLL.###
    ##~~~#....#~~~~#.###.###
    ##~~~#....#~~~~#.....###
    ##~~~#....#~~~~#.....###
    ##~~~##############..###
    ##~~~..............4####
    ##~~~#########.#########
    ##~~~#########.#########
    ##~~~~~~~~~~~#....56~~##
    ########################";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: block_gallery FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    for (name, walls) in [("brick", Walls::Brick), ("rock", Walls::Rock)] {
        let mut world = Blocks::from_text(VESSELS, Params::default())?;
        let rect = |x: f64, y: f64, nx: f64, ny: f64| Region::rect([x, y], [x + nx, y + ny]);
        let spring = Spring { region: rect(7.0, 0.0, 2.0, 1.0), liquid: Liquid::Water, rate: 90 };
        world.add_spring(spring)?;
        world.add_drain(Drain { region: rect(20.0, 11.0, 2.0, 1.0), rate: 20 })?;
        let style = PixelStyle { walls, ..PixelStyle::default() };
        paint(&folder, name, &style, &mut world, 14)?;
    }
    let caves = Caves { lava: 0.7, oil: 0.1, ..Caves::default() };
    for (name, nx, ny, seed) in
        [("caves-120", 120, 80, 3), ("caves-240", 240, 150, 5), ("caves-960", 960, 500, 6)]
    {
        let mut world = Blocks::new(&caves.make(seed, nx, ny)?, Params::default())?;
        let (left, bottom) = (nx as f64 * 0.4, ny as f64 * 0.8);
        world.edit(&Region::rect([left, 0.0], [left + 3.0, bottom]), Edit::Dig)?;
        paint(&folder, name, &PixelStyle::default(), &mut world, 30)?;
    }
    Ok(())
}

/// Paints the world after some ticks in every way.
fn paint(
    folder: &std::path::Path,
    name: &str,
    style: &PixelStyle,
    world: &mut Blocks,
    ticks: usize,
) -> Result<(), Box<dyn Error>> {
    let start = world.clone();
    (0..ticks).for_each(|_| world.step());
    for view in [Shown::World, Shown::Bodies, Shown::Pressure, Shown::Fill] {
        let mut painter = PixelPainter::new(PixelStyle { view, ..style.clone() }, &start)?;
        let begin = Instant::now();
        let picture = painter.paint(world);
        let seconds = begin.elapsed();
        let (width, height) = (picture.nx(), picture.ny());
        let what = format!("{view:?}").to_lowercase();
        println!("{name} {what}: {width} × {height} in {seconds:.0?}");
        write_png(folder.join(format!("{name}-{what}.png")), &picture)?;
    }
    Ok(())
}
