//! What is at a place.

use crate::live::Value;
use crate::live::probe::{number, word};
use headwater::waves::Waves;
use headwater::{Lattice, Point};

/// What is at a place of a world.
pub(crate) fn probe(waves: &Waves, at: Point) -> Vec<Value> {
    let lattice = Lattice::from(*waves.lattice());
    let Some((x, y)) = lattice.cell_at(at) else { return Vec::new() };
    if waves.is_land(x, y) {
        return vec![word("land", 1.0, "land")];
    }
    let height = waves.state().height[(x, y)];
    let [east, south, up] = waves.normal(x, y).map(f64::from);
    vec![
        number("height", height.into(), "m"),
        number("rises by", waves.velocity(x, y).into(), "m/s"),
        number("slope", libm::hypot(east, south) / up, ""),
    ]
}
