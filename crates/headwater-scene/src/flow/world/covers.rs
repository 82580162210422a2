//! What the ground is like by classes: roughness and soils.

use crate::flow::{Cover, FlowScene};
use crate::scene::{SceneError, Tables};
use crate::terrain::{Map, Terrain};
use headwater::Field;
use headwater::error::number_of_f32;
use headwater::flow::{Soil, SoilMap};
use std::collections::BTreeMap;

/// What the maps of classes say of every cell.
pub(super) struct Covered {
    /// Roughness, NaN where no class says one; `None` where none does at all.
    pub(super) manning: Option<Field<f32>>,
    /// The soils, if a class has one.
    pub(super) soil: Option<SoilMap>,
}

/// Reads the maps of classes of a scene.
///
/// # Errors
/// [`SceneError`] if one cannot be read, or has a number that is of no class.
pub(super) fn read(scene: &FlowScene, terrain: &Terrain) -> Result<Covered, SceneError> {
    let (nx, ny) = (terrain.lattice.nx(), terrain.lattice.ny());
    let soils = soils(scene);
    let mut manning = Field::new(nx, ny, f32::NAN);
    let mut map = Field::new(nx, ny, 0_u16);
    // Soils are numbered through all covers, from 1.
    let mut before = 0;
    for (i, cover) in scene.covers.iter().enumerate() {
        let numbers = numbers(scene, &format!("cover[{i}].file"), cover, terrain)?;
        let mut said: BTreeMap<i64, (Option<f32>, Option<u16>)> = BTreeMap::new();
        for class in &cover.classes {
            before += u16::from(class.infiltration.is_some());
            let soil = class.infiltration.as_ref().map(|_| before);
            let manning = class.manning.map(|manning| manning as f32);
            said.extend(class.numbers.iter().map(|&number| (number, (manning, soil))));
        }
        for y in 0..ny {
            for x in 0..nx {
                let Some((n, soil)) = numbers[(x, y)].and_then(|number| said.get(&number)) else {
                    continue;
                };
                manning[(x, y)] = n.unwrap_or(manning[(x, y)]);
                map[(x, y)] = soil.unwrap_or(map[(x, y)]);
            }
        }
    }
    let rough = scene.covers.iter().flat_map(|cover| &cover.classes).any(|c| c.manning.is_some());
    let soil = (!soils.is_empty()).then_some(SoilMap { soils, map });
    Ok(Covered { manning: rough.then_some(manning), soil })
}

/// The soils of all classes that have one, in their order, on top of that of the scene.
pub(super) fn soils(scene: &FlowScene) -> Vec<Soil> {
    let classes = scene.covers.iter().flat_map(|cover| &cover.classes);
    let own = classes.filter_map(|class| class.infiltration.as_ref());
    own.map(|keys| {
        let mut soil = scene.infiltration.as_ref().map_or_else(Soil::default, |soil| **soil);
        keys.lay_over(&mut soil);
        soil
    })
    .collect()
}

/// The number of the class in each cell; `None` where there are no data.
fn numbers(
    scene: &FlowScene,
    key: &str,
    cover: &Cover,
    terrain: &Terrain,
) -> Result<Field<Option<i64>>, SceneError> {
    let raster = Map::read(scene, key, &cover.file, terrain)?;
    let lattice = &terrain.lattice;
    let mut missing: BTreeMap<i64, usize> = BTreeMap::new();
    let known: Vec<i64> = cover.classes.iter().flat_map(|class| class.numbers.clone()).collect();
    for number in raster.cells().flatten() {
        let refused = |why: &str| {
            let file = cover.file.display();
            scene.error(key, format!("{file}: found {}, {why}", number_of_f32(number)))
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
    let (numbers, no_data) = raster.commonest_on(lattice);
    Ok(Field::from_fn(lattice.nx(), lattice.ny(), |x, y| {
        (!no_data[(x, y)]).then_some(numbers[(x, y)] as i64)
    }))
}
