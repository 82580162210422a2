//! Roughness and soil of each cell, from the land cover maps (`[[cover]]`) of a scene.

use super::rain_rasters::ReadMap;
use crate::flow::{Cover, FlowScene};
use crate::scene::{SceneError, SceneModel};
use crate::terrain::RasterMap;
use headwater::error::format_f32;
use headwater::flow::Soil;
use headwater::{Field, Lattice};
use std::collections::BTreeMap;
use std::ops::Range;

/// Manning's roughness (s/m^⅓) and soil number of a land cover class. Each is `None` if the class
/// does not give it.
type ClassProperties = (Option<f32>, Option<u16>);

/// Land cover maps of a scene, resampled when used.
#[derive(Debug)]
pub(super) struct LandCoverMaps {
    /// Land cover maps, in the order of the scene. Each has a table from class numbers to
    /// properties.
    maps: Vec<(RasterMap, BTreeMap<i64, ClassProperties>)>,
    /// Whether any class gives a roughness (first element) and whether any class gives soil
    /// parameters (second element).
    gives_property: [bool; 2],
}

impl LandCoverMaps {
    /// Reads the land cover maps of a scene with the function `read_map`, which receives a key and
    /// the path of a file.
    pub(super) fn read(scene: &FlowScene, read_map: ReadMap<'_>) -> Result<Self, SceneError> {
        let (mut maps, mut is_rough) = (Vec::new(), false);
        // Soils are numbered consecutively from 1 over all maps.
        let mut soil_count = 0;
        for (i, cover) in scene.covers.iter().enumerate() {
            let key = format!("cover[{i}].file");
            let map = read_map(&key, &cover.file)?;
            check_classes(scene, &key, cover, &map)?;
            let mut class_of = BTreeMap::new();
            for class in &cover.classes {
                is_rough |= class.manning.is_some();
                soil_count += u16::from(class.infiltration.is_some());
                let soil = class.infiltration.as_ref().map(|_| soil_count);
                let manning = class.manning.map(|manning| manning as f32);
                class_of.extend(class.numbers.iter().map(|&number| (number, (manning, soil))));
            }
            maps.push((map, class_of));
        }
        Ok(Self { maps, gives_property: [is_rough, soil_count > 0] })
    }

    /// Returns Manning's roughness (s/m^⅓) and the soil number of each cell in `rows`. Where no
    /// class gives a value, the roughness is NaN and the soil number is 0. Either field is `None`
    /// if no class of any map gives the property.
    pub(super) fn resample_rows(
        &self,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> (Option<Field<f32>>, Option<Field<u16>>) {
        let (nx, ny) = (lattice.nx(), rows.len());
        let mut manning = Field::new(nx, ny, f32::NAN);
        let mut soils = Field::new(nx, ny, 0_u16);
        for (map, class_of) in &self.maps {
            let (numbers, no_data) = map.resample_majority(lattice, rows.clone());
            for y in 0..ny {
                for x in 0..nx {
                    let number = (!no_data[(x, y)]).then_some(numbers[(x, y)] as i64);
                    let Some((n, soil)) = number.and_then(|number| class_of.get(&number)) else {
                        continue;
                    };
                    manning[(x, y)] = n.unwrap_or(manning[(x, y)]);
                    soils[(x, y)] = soil.unwrap_or(soils[(x, y)]);
                }
            }
        }
        (self.gives_property[0].then_some(manning), self.gives_property[1].then_some(soils))
    }

    /// Returns the memory that the maps use (bytes).
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn memory_bytes(&self) -> usize {
        self.maps.iter().map(|(map, _)| map.memory_bytes()).sum()
    }
}

/// Returns the soils of all classes with soil parameters, ordered by soil number. Keys that a class
/// does not give have their values from the scene's `[infiltration]`.
pub(in crate::flow) fn soils(scene: &FlowScene) -> Vec<Soil> {
    let classes = scene.covers.iter().flat_map(|cover| &cover.classes);
    let own = classes.filter_map(|class| class.infiltration.as_ref());
    own.map(|keys| {
        let mut soil = scene.infiltration.as_ref().map_or_else(Soil::default, |soil| **soil);
        keys.apply_to(&mut soil);
        soil
    })
    .collect()
}

/// Checks that every value in a land cover map is the number of one of its classes.
fn check_classes(
    scene: &FlowScene,
    key: &str,
    cover: &Cover,
    raster: &RasterMap,
) -> Result<(), SceneError> {
    let mut missing: BTreeMap<i64, usize> = BTreeMap::new();
    let known: Vec<i64> = cover.classes.iter().flat_map(|class| class.numbers.clone()).collect();
    for number in raster.cells().flatten() {
        let refused = |why: &str| {
            let file = cover.file.display();
            scene.error(key, format!("{file}: found {}, {why}", format_f32(number)))
        };
        if number.fract() != 0.0 {
            return Err(refused("needs integers, the numbers of classes"));
        }
        *missing.entry(number as i64).or_default() += 1;
    }
    missing.retain(|number, _| !known.contains(number));
    if !missing.is_empty() {
        // Only the first few numbers are listed, so that the message stays readable.
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
    Ok(())
}
