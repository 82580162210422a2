//! A flood in a tower-defence game: a lake behind a dam, and a valley with towers. The player digs
//! through the dam, then builds a bank. The program prints a map of the valley, and the time at
//! which each tower is flooded.
//!
//! `cargo run --release -p headwater --example flood_defence`

use headwater::flow::{Change, Edit, Flow, Params, Source};
use headwater::{Brush, Field, InputError, Point, Region, Square};

const TOWERS: [(char, Point); 3] =
    [('A', [150.0, 60.0]), ('B', [205.0, 40.0]), ('C', [260.0, 75.0])];

fn main() -> Result<(), InputError> {
    let lattice = Square::new(160, 60, 2.0, 2.0)?;
    // A valley that falls to the east between two ridges, and a dam across it.
    let bed = Field::from_fn(160, 60, |x, y| {
        let offset = (y as f32 - 30.0 - 8.0 * (0.05 * x as f32).sin()).abs();
        let valley = 12.0 - 0.05 * x as f32 + 0.02 * offset * offset;
        if (38..42).contains(&x) { valley.max(18.0) } else { valley }
    });
    let depth =
        Field::from_fn(160, 60, |x, y| if x < 38 { (17.0 - bed[(x, y)]).max(0.0) } else { 0.0 });
    let mut flow = Flow::new(lattice, Params::default(), bed, depth)?;
    flow.add_spring(Source::new(Region::disc([10.0, 60.0], 5.0), 8.0))?;

    flow.edit(&Brush::smooth_disc([80.0, 60.0], 8.0), Edit::Lower(Change::By(8.0)))?;
    println!("the dam is dug through, {:.0} m³ of water behind it", flow.volume());
    let mut standing = TOWERS.to_vec();
    for second in 1..=90 {
        flow.advance(1.0)?;
        if second == 25 {
            // A bank in front of the last tower.
            let bank = Region::line([[246.0, 50.0], [246.0, 100.0]], 6.0);
            flow.edit(&Brush::with_flat_falloff(bank), Edit::Raise(Change::By(4.0)))?;
        }
        standing.retain(|(name, at)| {
            let flooded = flow.depth_at(*at).is_some_and(|depth| depth > 0.3);
            if flooded {
                println!("{second:3} s: tower {name} stands in water");
            }
            !flooded
        });
        if second % 30 == 0 {
            print_map(&flow);
        }
    }
    let saved: Vec<char> = standing.iter().map(|(name, _)| *name).collect();
    println!(
        "dry: {saved:?}; {:.1e} of the water is unaccounted for",
        flow.balance().residual_relative
    );
    Ok(())
}

/// Prints a map of the valley. Each letter represents a width of four metres.
fn print_map(flow: &Flow) {
    println!("after {:.0} s", flow.time());
    for y in (0..120).step_by(8) {
        let letter = |x: usize| {
            let at = [x as f64 + 1.0, f64::from(y) + 1.0];
            let tower = TOWERS.iter().find(|(_, place)| {
                (place[0] - at[0]).abs() < 2.0 && (place[1] - at[1]).abs() < 4.0
            });
            match (tower, flow.depth_at(at).unwrap_or(0.0)) {
                (Some((name, _)), _) => *name,
                (_, depth) if depth > 1.0 => '#',
                (_, depth) if depth > 0.05 => '~',
                _ => '.',
            }
        };
        println!("{}", (0..320).step_by(4).map(letter).collect::<String>());
    }
}
