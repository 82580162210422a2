//! What is at a place.

use crate::live::Value;
use crate::live::probe::{number, word};
use headwater::columns::Columns;
use headwater::{Lattice, Point};

/// What is at a place of a world.
pub(crate) fn probe(columns: &Columns, lattice: &Lattice, at: Point) -> Vec<Value> {
    if lattice.cell_at(at).is_none() {
        return Vec::new();
    }
    let Some(pool) = columns.pool_at(at) else { return vec![word("wall", 1.0, "wall")] };
    let mut values = vec![number("pool", pool as f64 + 1.0, "")];
    values.push(number("water in the pool", columns.pool_volume(pool), "m³"));
    let under = columns.is_under_water(at);
    values.push(word("at", 0.0, if under { "water" } else { "air" }));
    let all = [
        ("surface", columns.surface_at(at), "m"),
        ("head", columns.head_at(at), "m"),
        ("velocity to the east", columns.velocity_at(at), "m/s"),
        ("temperature", columns.temperature_at(at), "°C"),
        ("ice", columns.ice_at(at), "m"),
    ];
    let found = all.into_iter().filter_map(|(name, value, unit)| Some(number(name, value?, unit)));
    values.extend(found);
    if let (true, Some(head)) = (under, columns.head_at(at)) {
        let above = head - (lattice.height() - at[1]);
        let pascals = 1000.0 * columns.params().gravity * above;
        values.push(number("pressure", 1e-3 * pascals, "kPa"));
    }
    values
}
