//! A world of blocks for a digging game: a pond above caves, lava at depth, and a shaft that
//! connects them. Only changed chunks are redrawn. When the liquids are at rest, steps cost almost
//! nothing.
//!
//! `cargo run --release -p headwater --example caves`

use headwater::blocks::{Blocks, Cell, Liquid, Params};
use headwater::{Field, InputError, changes::Changes};

const WIDTH: usize = 78;
const HEIGHT: usize = 36;

fn main() -> Result<(), InputError> {
    // Rock with two caves, a pond on top, lava at the bottom.
    let cells = Field::from_fn(WIDTH, HEIGHT, |x, y| {
        let cave = |cx: f64, cy: f64, rx: f64, ry: f64| {
            let (dx, dy) = ((x as f64 - cx) / rx, (y as f64 - cy) / ry);
            dx * dx + dy * dy < 1.0
        };
        match () {
            () if y < 5 => Cell::Air,
            () if cave(30.0, 4.0, 22.0, 7.0) => Cell::WATER,
            () if cave(52.0, 20.0, 16.0, 5.0) => Cell::Air,
            () if cave(34.0, 30.0, 20.0, 4.0) && y > 29 => Cell::Liquid(Liquid::Lava, 256),
            () if cave(34.0, 30.0, 20.0, 4.0) => Cell::Air,
            () => Cell::Wall,
        }
    });
    let mut world = Blocks::new(&cells, Params::default())?;
    let mut screen = Screen { rows: vec![vec![' '; WIDTH]; HEIGHT], changes: Changes::default() };
    screen.update(&world);
    // One shaft from the pond to the upper cave, and one from there to the lava.
    for y in 5..27 {
        let x = if y < 19 { 44 } else { 46 };
        world.set_cells(&[(x, y), (x + 1, y)], Cell::Air)?;
    }
    world.advance(5.0)?;
    println!(
        "after 5 s {} chunks were drawn again\n{}",
        screen.update(&world),
        screen.render_text()
    );
    let resting = world.run_to_rest(20_000);
    println!("at rest after {} steps: {resting}", world.steps());
    for liquid in [Liquid::Water, Liquid::Lava] {
        let balance = world.balance(liquid);
        println!(
            "{}: {} cells, off by {}",
            liquid.name(),
            world.volume(liquid) / 256,
            balance.residual
        );
    }
    Ok(())
}

struct Screen {
    rows: Vec<Vec<char>>,
    changes: Changes,
}

impl Screen {
    /// Redraws the chunks that have changed since the last call, and returns the number of these
    /// chunks.
    fn update(&mut self, world: &Blocks) -> usize {
        world.update_changes(&mut self.changes);
        for tile in &self.changes.tiles {
            for i in 0..tile.nx * tile.ny {
                let (x, y) = (tile.x + i % tile.nx, tile.y + i / tile.nx);
                self.rows[y][x] = match world.cell(x, y) {
                    Some(Cell::Wall) => '#',
                    Some(Cell::Liquid(Liquid::Lava, _)) => '%',
                    Some(Cell::Liquid(..)) => '~',
                    _ => ' ',
                };
            }
        }
        self.changes.tiles.len()
    }

    fn render_text(&self) -> String {
        self.rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }
}
