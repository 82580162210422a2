//! What is at a place.

use crate::live::Value;
use crate::live::probe::{number, word};
use headwater::Point;
use headwater::blocks::{Blocks, FULL};

/// What is at a place of a world.
pub(crate) fn probe(world: &Blocks, at: Point) -> Vec<Value> {
    use headwater::blocks::Cell;
    let inside = |at: f64, n: usize| (at >= 0.0 && at < n as f64).then_some(at as usize);
    let place = inside(at[0], world.nx()).zip(inside(at[1], world.ny()));
    let Some((x, y)) = place else { return Vec::new() };
    let Some(cell) = world.cell(x, y) else { return Vec::new() };
    match cell {
        Cell::Wall => vec![word("cell", 0.0, "wall")],
        Cell::Air => vec![word("cell", 0.0, "air")],
        Cell::Liquid(liquid, fill) => {
            let part = f64::from(fill) / f64::from(FULL);
            let mut values = vec![word("cell", part, liquid.name()), number("fill", part, "")];
            if let (Some(body), Some(level)) = (world.body_at(x, y), world.level(x, y)) {
                values.push(number("body", body.into(), ""));
                values.push(number("level of the body", level, "cells"));
                let below = level - (world.ny() - y) as f64 + part;
                values.push(number("pressure", below.max(0.0), "cells"));
            }
            values
        }
    }
}
