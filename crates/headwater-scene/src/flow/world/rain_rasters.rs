//! [`RainRasterSeries`]: a time series of rain rasters, such as radar images.

use crate::flow::FlowScene;
use crate::scene::SceneError;
use crate::terrain::RasterMap;
use headwater::flow::Flow;
use headwater::{Field, InputError, Lattice};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Allowed range of the rain factors in a raster (dimensionless). The rain rate is multiplied by
/// the rain factor of the cell.
pub(super) const RAIN_FACTORS: [f64; 2] = [0.0, 1e9];

/// Function that reads a raster file. Its arguments are a scene key and the path that the key
/// gives.
pub(super) type ReadMap<'a> = &'a dyn Fn(&str, &Path) -> Result<RasterMap, SceneError>;

/// Rain rasters of a scene, each with its start time (s). The rasters are stored at the resolution
/// of their files and resampled when used.
#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct RainRasterSeries {
    rasters: Arc<[(f64, Arc<RasterMap>)]>,
    /// Number of rasters whose start time had been reached when the model's rain map was last set.
    /// `None` if the rain map must be set again.
    started: Option<usize>,
}

impl RainRasterSeries {
    /// Reads the rain rasters of a scene with the function `read_map`, which receives a key and the
    /// path of a file.
    pub(super) fn read(scene: &FlowScene, read_map: ReadMap<'_>) -> Result<Self, SceneError> {
        let all: Vec<_> =
            scene.rain.iter().flat_map(|rain| &rain.extra.rasters).enumerate().collect();
        let mut rasters: Vec<(f64, Arc<RasterMap>)> = Vec::with_capacity(all.len());
        for (i, one) in &all {
            // A file that several entries name is read only once.
            let known = all[..*i].iter().position(|(_, other)| other.file == one.file);
            let map = match known {
                Some(known) => Arc::clone(&rasters[known].1),
                None => {
                    let key = format!("rain.raster[{i}].file");
                    let map = read_map(&key, &one.file)?;
                    Arc::new(map.check_range(scene, &key, RAIN_FACTORS, "")?)
                }
            };
            rasters.push((one.time, map));
        }
        Ok(Self { rasters: rasters.into(), started: None })
    }

    pub(in crate::flow) fn is_empty(&self) -> bool {
        self.rasters.is_empty()
    }

    /// Returns the number of rasters with a start time of at most `time` (s), and the start time of
    /// the next raster (s), or infinity if there is none.
    #[cfg(not(target_family = "wasm"))]
    pub(in crate::flow) fn count_started(scene: &FlowScene, time: f64) -> (usize, f64) {
        let rasters = scene.rain.as_ref().map_or(&[][..], |rain| &rain.extra.rasters);
        let started = rasters.partition_point(|one| one.time <= time);
        (started, rasters.get(started).map_or(f64::INFINITY, |one| one.time))
    }

    /// Returns the memory that the rasters use (bytes).
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn memory_bytes(&self) -> usize {
        self.rasters.iter().map(|(_, map)| map.memory_bytes()).sum()
    }

    /// Returns the rain factor of each cell in `rows` at a time when the first `started` rasters
    /// have reached their start times. If `started` is 0, all factors are 0.
    pub(in crate::flow) fn rain_factors(
        &self,
        started: usize,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> Field<f32> {
        match started.checked_sub(1).and_then(|last| self.rasters.get(last)) {
            Some((_, map)) => map.resample_area(lattice, rows).0,
            None => Field::new(lattice.nx(), rows.len(), 0.0),
        }
    }

    /// Sets the model's rain map to the raster for the current time. Returns the start time of the
    /// next raster (s), or infinity if there is none.
    pub(super) fn update_rain_map(&mut self, flow: &mut Flow) -> Result<f64, InputError> {
        let started = self.rasters.partition_point(|(from, _)| *from <= flow.time());
        // Without a table `[rain]`, the model has no rain to which a map applies.
        if self.started != Some(started) && !self.is_empty() && flow.rain().is_some() {
            let lattice = *flow.lattice();
            flow.set_rain_map(Some(self.rain_factors(started, &lattice, 0..lattice.ny())))?;
            self.started = Some(started);
        }
        Ok(self.rasters.get(started).map_or(f64::INFINITY, |(from, _)| *from))
    }
}
