//! What is at a place.

use crate::live::Value;
use crate::live::probe::{number, word};
use headwater::Point;
use headwater::hydrology::Hydrology;

/// What is at a place of a world.
pub(crate) fn probe(land: &Hydrology, at: Point) -> Vec<Value> {
    let Some(found) = land.cell_at(at) else { return Vec::new() };
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
