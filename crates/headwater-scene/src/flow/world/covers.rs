//! What the ground is like by classes: roughness and soils.

use crate::flow::{Cover, FlowScene};
use crate::raster::Georeference;
use crate::scene::{SceneError, Tables};
use crate::terrain::Map;
use headwater::error::format_f32;
use headwater::flow::Soil;
use headwater::{Field, Lattice};
use std::collections::BTreeMap;
use std::ops::Range;

/// Roughness (s/m^⅓) and number of the soil of a class.
type Class = (Option<f32>, Option<u16>);

/// The maps of classes of a scene.
#[derive(Debug)]
pub(super) struct Covers {
    /// Each map with what its numbers stand for.
    maps: Vec<(Map, BTreeMap<i64, Class>)>,
    /// Whether any class has a roughness, and a soil.
    has: [bool; 2],
}

impl Covers {
    /// Reads those of a scene on ground that lies there.
    pub(super) fn read(
        scene: &FlowScene,
        ground: Option<&Georeference>,
    ) -> Result<Self, SceneError> {
        let (mut maps, mut is_rough) = (Vec::new(), false);
        // Soils are numbered through all covers, from 1.
        let mut before = 0;
        for (i, cover) in scene.covers.iter().enumerate() {
            let map = read(scene, &format!("cover[{i}].file"), cover, ground)?;
            let mut said = BTreeMap::new();
            for class in &cover.classes {
                is_rough |= class.manning.is_some();
                before += u16::from(class.infiltration.is_some());
                let soil = class.infiltration.as_ref().map(|_| before);
                let manning = class.manning.map(|manning| manning as f32);
                said.extend(class.numbers.iter().map(|&number| (number, (manning, soil))));
            }
            maps.push((map, said));
        }
        Ok(Self { maps, has: [is_rough, before > 0] })
    }

    /// Roughness in some rows, NaN where no class has one, and the numbers of the soils; `None` where no class has one at all.
    pub(super) fn on_rows(
        &self,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> (Option<Field<f32>>, Option<Field<u16>>) {
        let (nx, ny) = (lattice.nx(), rows.len());
        let mut manning = Field::new(nx, ny, f32::NAN);
        let mut soils = Field::new(nx, ny, 0_u16);
        for (map, said) in &self.maps {
            let (numbers, no_data) = map.commonest_on_rows(lattice, rows.clone());
            for y in 0..ny {
                for x in 0..nx {
                    let number = (!no_data[(x, y)]).then_some(numbers[(x, y)] as i64);
                    let Some((n, soil)) = number.and_then(|number| said.get(&number)) else {
                        continue;
                    };
                    manning[(x, y)] = n.unwrap_or(manning[(x, y)]);
                    soils[(x, y)] = soil.unwrap_or(soils[(x, y)]);
                }
            }
        }
        (self.has[0].then_some(manning), self.has[1].then_some(soils))
    }

    /// Bytes of the maps in memory.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn bytes(&self) -> usize {
        self.maps.iter().map(|(map, _)| map.bytes()).sum()
    }
}

/// The soils of all classes that have one, in their order, on top of that of the scene.
pub(in crate::flow) fn soils(scene: &FlowScene) -> Vec<Soil> {
    let classes = scene.covers.iter().flat_map(|cover| &cover.classes);
    let own = classes.filter_map(|class| class.infiltration.as_ref());
    own.map(|keys| {
        let mut soil = scene.infiltration.as_ref().map_or_else(Soil::default, |soil| **soil);
        keys.lay_over(&mut soil);
        soil
    })
    .collect()
}

/// Reads the map of a cover, whose numbers are those of its classes.
fn read(
    scene: &FlowScene,
    key: &str,
    cover: &Cover,
    ground: Option<&Georeference>,
) -> Result<Map, SceneError> {
    let raster = Map::read(scene, key, &cover.file, ground)?;
    let mut missing: BTreeMap<i64, usize> = BTreeMap::new();
    let known: Vec<i64> = cover.classes.iter().flat_map(|class| class.numbers.clone()).collect();
    for number in raster.cells().flatten() {
        let refused = |why: &str| {
            let file = cover.file.display();
            scene.error(key, format!("{file}: found {}, {why}", format_f32(number)))
        };
        if number.fract() != 0.0 {
            return Err(refused("needs whole numbers, those of classes"));
        }
        *missing.entry(number as i64).or_default() += 1;
    }
    missing.retain(|number, _| !known.contains(number));
    if !missing.is_empty() {
        // As many as anyone would read.
        let listed: Vec<_> = missing
            .iter()
            .take(8)
            .map(|(number, count)| format!("{number} ({count} cells)"))
            .collect();
        let more = missing.len() - listed.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let file = cover.file.display();
        let message = format!("{file}: no class has the number {}{more}", listed.join(", "));
        return Err(scene.error(key, message));
    }
    Ok(raster)
}
