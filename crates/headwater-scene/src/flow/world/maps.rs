//! [`SceneRasters`]: rasters of a flow scene that give values for each cell.

use super::covers::LandCoverMaps;
use super::rain_rasters::{RAIN_FACTORS, RainRasterSeries};
use crate::flow::FlowScene;
use crate::raster::Georeference;
use crate::scene::{SceneError, SceneModel as _};
use crate::terrain::RasterMap;
use headwater::{Field, Lattice};
use std::cell::Cell;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Rasters of roughness, land cover, rain, velocity and unit discharge in a flow scene.
#[derive(Debug)]
pub(in crate::flow) struct SceneRasters {
    manning: Option<RasterMap>,
    covers: LandCoverMaps,
    rain: Option<RasterMap>,
    /// Rasters of the initial velocity (first element) and of the initial unit discharge (second
    /// element). Each element contains the raster of the eastward and the raster of the southward
    /// component.
    initial_motion: [Option<[RasterMap; 2]>; 2],
    /// Time series of rain rasters.
    pub(in crate::flow) rain_rasters: RainRasterSeries,
}

impl SceneRasters {
    /// Reads the rasters of a scene. `ground` is the georeference of the terrain, if known.
    pub(in crate::flow) fn read(
        scene: &FlowScene,
        ground: Option<&Georeference>,
    ) -> Result<Self, SceneError> {
        let memory = Cell::new(0);
        let read_map = |key: &str, path: &Path| {
            let map = RasterMap::read(scene, key, path, ground)?;
            memory.set(memory.get() + map.memory_bytes() as u64);
            let limits = &scene.origin.limits;
            limits.check_memory(memory.get()).map_err(|message| scene.error(key, message))?;
            Ok(map)
        };
        let read = |key: &str, path: &Path, allowed, unit| {
            read_map(key, path)?.check_range(scene, key, allowed, unit)
        };
        let covers = LandCoverMaps::read(scene, &read_map)?;
        let manning = scene.physics.manning_map.as_ref();
        let manning = manning.map(|path| read("physics.manning_map", path, [0.0, 10.0], " s/m^⅓"));
        let rain = scene.rain.as_ref().and_then(|rain| rain.extra.map.as_ref());
        let rain = rain.map(|path| read("rain.map", path, RAIN_FACTORS, ""));
        let (manning, rain) = (manning.transpose()?, rain.transpose()?);
        let rain_rasters = RainRasterSeries::read(scene, &read_map)?;
        let both = |key: &str, paths: &Option<[PathBuf; 2]>, allowed, unit| {
            let Some([east, south]) = paths else { return Ok(None) };
            let east = read(&format!("{key}[0]"), east, allowed, unit)?;
            Ok(Some([east, read(&format!("{key}[1]"), south, allowed, unit)?]))
        };
        let water = &scene.water;
        let initial_motion = [
            both("water.velocity_map", &water.velocity_map, [-1e3, 1e3], " m/s")?,
            both("water.discharge_map", &water.discharge_map, [-1e9, 1e9], " m²/s")?,
        ];
        Ok(Self { manning, covers, rain, initial_motion, rain_rasters })
    }

    /// Returns the memory that the rasters use (bytes).
    #[cfg(not(target_family = "wasm"))]
    pub(in crate::flow) fn memory_bytes(&self) -> usize {
        let maps = self
            .manning
            .iter()
            .chain(&self.rain)
            .chain(self.initial_motion.iter().flatten().flatten());
        maps.map(RasterMap::memory_bytes).sum::<usize>()
            + self.covers.memory_bytes()
            + self.rain_rasters.memory_bytes()
    }

    /// Returns whether the scene gives an initial velocity or unit discharge.
    #[cfg(not(target_family = "wasm"))]
    pub(in crate::flow) fn has_motion(&self) -> bool {
        self.initial_motion.iter().any(Option::is_some)
    }

    /// Returns Manning's roughness (s/m^⅓) and the soil number of each cell in `rows`. Either field
    /// is `None` if the property is uniform because no raster gives it. Cells without data in the
    /// roughness raster have the roughness `manning`.
    pub(in crate::flow) fn ground_properties(
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
        let (of_classes, soil) = self.covers.resample_rows(lattice, rows);
        if let Some(mut map) = of_classes {
            for (i, n) in map.as_mut_slice().iter_mut().enumerate().filter(|(_, n)| n.is_nan()) {
                *n = roughness.as_ref().map_or(manning as f32, |map| map.as_slice()[i]);
            }
            roughness = Some(map);
        }
        (roughness, soil)
    }

    /// Returns the rain factor of each cell in `rows`; 0 in cells without data. Returns `None` if
    /// the scene has no rain map.
    pub(in crate::flow) fn rain_factors(
        &self,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> Option<Field<f32>> {
        self.rain.as_ref().map(|map| map.resample_area(lattice, rows).0)
    }

    /// Returns the initial velocity (m/s) and the initial unit discharge (m²/s) of the cells in
    /// `rows`. Each consists of the field of eastward and the field of southward components, or is
    /// `None` if the scene does not give this quantity.
    pub(in crate::flow) fn initial_motion(
        &self,
        lattice: &Lattice,
        rows: &Range<usize>,
    ) -> [Option<[Field<f32>; 2]>; 2] {
        self.initial_motion.each_ref().map(|maps| {
            let maps = maps.as_ref()?.each_ref();
            Some(maps.map(|map| map.resample(lattice, rows.clone()).0))
        })
    }
}
