//! What is at a place.

use crate::run::World;
use crate::world::FlowWorld;
use headwater::blocks::{Blocks, FULL};
use headwater::columns::Columns;
use headwater::hydrology::Hydrology;
use headwater::waves::Waves;
use headwater::{Lattice, Point};

/// Something at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// What it is, as `bed`.
    pub name: &'static str,
    /// How much.
    pub value: f64,
    /// Its unit; empty for none.
    pub unit: &'static str,
    /// What it is in a word, where a number says little: the kind of a plant, a liquid.
    pub word: Option<String>,
}

fn number(name: &'static str, value: f64, unit: &'static str) -> Value {
    Value { name, value, unit, word: None }
}

fn word(name: &'static str, value: f64, word: &str) -> Value {
    Value { name, value, unit: "", word: Some(word.to_owned()) }
}

pub(super) fn probe(world: World<'_>, at: Point) -> Vec<Value> {
    match world {
        World::Flow(world) => flow(world, at),
        World::Waves(world) => waves(&world.waves, at),
        World::Blocks(world) => blocks(world, at),
        World::Columns(world) => columns(&world.columns, &world.lattice, at),
        World::Hydrology(world) => hydrology(world.land(), at),
    }
}

fn flow(world: &FlowWorld, at: Point) -> Vec<Value> {
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

fn waves(waves: &Waves, at: Point) -> Vec<Value> {
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

fn blocks(world: &Blocks, at: Point) -> Vec<Value> {
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

fn columns(columns: &Columns, lattice: &Lattice, at: Point) -> Vec<Value> {
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

fn hydrology(land: &Hydrology, at: Point) -> Vec<Value> {
    let Some(found) = land.probe(at) else { return Vec::new() };
    let mut values = vec![
        number("bed", found.bed, "m"),
        number("soil", found.soil, "m"),
        number("depth", found.depth, "m"),
        number("drainage area", found.discharge, "m²"),
        number("plant cover", found.cover, ""),
    ];
    let kind = usize::from(found.plant.kind);
    if let Some(niche) = kind.checked_sub(1).and_then(|kind| land.params().plants.get(kind)) {
        let size = f64::from(found.plant.size) / f64::from(u16::MAX);
        values.push(word("plant", size, &niche.name));
    }
    if let Some(lake) = land.lake_at(at) {
        values.push(number("level of the lake", lake.level, "m"));
        values.push(number("area of the lake", lake.area, "m²"));
        values.push(number("water in the lake", lake.volume, "m³"));
    }
    values
}
