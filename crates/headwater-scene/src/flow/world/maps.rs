//! [`Maps`]: the rasters of a scene that give cells a value of their own.

use super::covers::Covers;
use super::radar::{RAIN_FACTORS, Radar};
use crate::flow::FlowScene;
use crate::raster::Georeference;
use crate::scene::SceneError;
use crate::terrain::Map;
use headwater::{Field, Lattice};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Maps of the roughness, the soil, the rain and the motion of the water at the start.
#[derive(Debug)]
pub(in crate::flow) struct Maps {
    manning: Option<Map>,
    covers: Covers,
    rain: Option<Map>,
    /// Velocities to the east and to the south, and unit discharges.
    motion: [Option<[Map; 2]>; 2],
    /// The rasters of rain that follow one another.
    pub(in crate::flow) radar: Radar,
}

impl Maps {
    /// Reads the maps of a scene on ground that lies there.
    pub(in crate::flow) fn read(
        scene: &FlowScene,
        ground: Option<&Georeference>,
    ) -> Result<Self, SceneError> {
        let read = |key: &str, path: &Path, allowed, unit| {
            Map::read(scene, key, path, ground)?.check_range(scene, key, allowed, unit)
        };
        let covers = Covers::read(scene, ground)?;
        let manning = scene.physics.manning_map.as_ref();
        let manning = manning.map(|path| read("physics.manning_map", path, [0.0, 10.0], " s/m^⅓"));
        let rain = scene.rain.as_ref().and_then(|rain| rain.own.map.as_ref());
        let rain = rain.map(|path| read("rain.map", path, RAIN_FACTORS, ""));
        let (manning, rain) = (manning.transpose()?, rain.transpose()?);
        let radar = Radar::read(scene, ground)?;
        let both = |key: &str, paths: &Option<[PathBuf; 2]>, allowed, unit| {
            let Some([east, south]) = paths else { return Ok(None) };
            let east = read(&format!("{key}[0]"), east, allowed, unit)?;
            Ok(Some([east, read(&format!("{key}[1]"), south, allowed, unit)?]))
        };
        let water = &scene.water;
        let motion = [
            both("water.velocity_map", &water.velocity_map, [-1e3, 1e3], " m/s")?,
            both("water.discharge_map", &water.discharge_map, [-1e9, 1e9], " m²/s")?,
        ];
        Ok(Self { manning, covers, rain, motion, radar })
    }

    /// Bytes of the maps in memory.
    #[cfg(not(target_family = "wasm"))]
    pub(in crate::flow) fn bytes(&self) -> usize {
        let maps =
            self.manning.iter().chain(&self.rain).chain(self.motion.iter().flatten().flatten());
        maps.map(Map::bytes).sum::<usize>() + self.covers.bytes() + self.radar.bytes()
    }

    /// Whether the water moves at the start.
    #[cfg(not(target_family = "wasm"))]
    pub(in crate::flow) fn has_motion(&self) -> bool {
        self.motion.iter().any(Option::is_some)
    }

    /// Roughness (s/m^⅓) and number of the soil of each cell in some rows; `None` where all cells have those of the scene. Where a map
    /// has no data, the scene's `manning` counts.
    pub(in crate::flow) fn ground(
        &self,
        manning: f64,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> (Option<Field<f32>>, Option<Field<u16>>) {
        let mut roughness = self.manning.as_ref().map(|map| {
            let (mut values, no_data) = map.resample(lattice, rows.clone());
            let values_of = values.as_mut_slice().iter_mut().zip(no_data.as_slice());
            values_of.filter(|(_, missing)| **missing).for_each(|(n, _)| *n = manning as f32);
            values
        });
        let (of_classes, soil) = self.covers.on_rows(lattice, rows);
        if let Some(mut map) = of_classes {
            for (i, n) in map.as_mut_slice().iter_mut().enumerate().filter(|(_, n)| n.is_nan()) {
                *n = roughness.as_ref().map_or(manning as f32, |map| map.as_slice()[i]);
            }
            roughness = Some(map);
        }
        (roughness, soil)
    }

    /// Factors of the rain in some rows; none falls where the map has no data.
    pub(in crate::flow) fn rain(
        &self,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> Option<Field<f32>> {
        self.rain.as_ref().map(|map| map.resample(lattice, rows).0)
    }

    /// Velocities (m/s) and unit discharges (m²/s) of the water in some rows, each to the east and to the south.
    pub(in crate::flow) fn motion(
        &self,
        lattice: &Lattice,
        rows: &Range<usize>,
    ) -> [Option<[Field<f32>; 2]>; 2] {
        self.motion.each_ref().map(|maps| {
            let maps = maps.as_ref()?.each_ref();
            Some(maps.map(|map| map.resample(lattice, rows.clone()).0))
        })
    }
}
