//! What is at a place.

use super::FlowWorld;
use crate::live::Value;
use crate::live::probe::{number, word};
use headwater::Point;

/// What is at a place of a world.
pub(crate) fn probe(world: &FlowWorld, at: Point) -> Vec<Value> {
    let (flow, datum) = (&world.flow, world.terrain.datum);
    let Some(cell) = flow.lattice().cell_at(at) else { return Vec::new() };
    if world.terrain.no_data[cell] {
        return vec![word("no data", 0.0, "no data")];
    }
    let depth = f64::from(flow.state().depth[cell]);
    let bed = f64::from(flow.state().bed[cell]) + datum;
    let mut values = vec![number("bed", bed, "m"), number("depth", depth, "m")];
    values.push(number("surface", bed + depth, "m"));
    let [east, south] = flow.velocity(cell.0, cell.1).map(f64::from);
    if depth > 0.0 {
        values.push(number("speed", libm::hypot(east, south), "m/s"));
        values.push(number("velocity to the east", east, "m/s"));
        values.push(number("velocity to the south", south, "m/s"));
        values.push(number("foam", flow.foam_at(cell.0, cell.1).into(), ""));
    }
    if flow.state().closed.contains(cell.0, cell.1) {
        values.push(word("closed", 1.0, "closed to water"));
    }
    if let Some(held) = flow.soil_at(cell.0, cell.1) {
        values.push(number("water in the soil", held, "m"));
    }
    values
}
