//! Two harbour basins in side view with a boat and a gate between the basins. The gate opens, the
//! boat sinks with the water level, and a heavy body falls into the water beside it. The program
//! reads water levels and the boat's position once per frame, as a game would.
//!
//! `cargo run --release -p headwater --example harbour_basin`

use headwater::columns::{Anchor, Body, Columns, Edit, Params, Shape};
use headwater::{Field, InputError, Region};

fn main() -> Result<(), InputError> {
    // 40 m × 10 m of cells of half a metre: two basins, a wall with a gate between them.
    let walls = Field::from_fn(80, 20, |x, y| x == 0 || x == 79 || y == 19 || x == 40);
    let high = Anchor::new_level([5.0, 2.5]);
    let low = Anchor::new_level([35.0, 7.0]);
    let mut basins = Columns::new(&walls, 0.5, &[high, low], Params::default())?;
    let hull = Shape::Box { center: [12.0, 2.4], half: [1.5, 0.5] };
    let boat = basins.add_body(Body::new(hull, 1400.0))?;

    let gate = Region::rect([20.0, 8.0], [20.5, 9.5]);
    for frame in 0..60 * 60 {
        basins.advance(1.0 / 60.0)?;
        if frame == 10 * 60 {
            basins.set_walls(&gate, false)?;
            println!("the gate opens");
        }
        if frame == 45 * 60 {
            basins.edit(&Region::disc([16.0, 5.0], 1.0), Edit::Splash(0.8))?;
            println!("something falls in");
        }
        if frame % (5 * 60) == 0 {
            // Positions count downward from the top.
            let level = |x: f64| basins.surface_at([x, 9.0]).map_or(0.0, |y| 10.0 - y);
            let Some(Shape::Box { center, .. }) = basins.bodies().get(boat).map(|b| b.shape) else {
                continue;
            };
            println!(
                "{:4.0} s: levels {:.2} m and {:.2} m, the boat at {:.2} m, {:.2} m above the bottom, {} pools awake",
                basins.time(),
                level(3.0),
                level(37.0),
                center[0],
                10.0 - center[1],
                basins.awake_pool_count(),
            );
        }
    }
    println!("{:.1e} of the water is unaccounted for", basins.balance().residual_relative);
    Ok(())
}
