//! Rain by rasters that follow one another, as a radar has seen it.

use crate::flow::FlowScene;
use crate::raster::Georeference;
use crate::scene::SceneError;
use crate::terrain::Map;
use headwater::flow::Flow;
use headwater::{Field, InputError, Lattice};
use std::ops::Range;
use std::sync::Arc;

/// What a raster of rain may have: factors of its rate.
pub(super) const RAIN_FACTORS: [f64; 2] = [0.0, 1e9];

/// The rasters of a scene, as they are in their files, each with the time (s) from which on it counts.
#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct Radar {
    rasters: Arc<[(f64, Map)]>,
    /// How many of them have had their time, where the world's rain is by the last of those.
    passed: Option<usize>,
}

impl Radar {
    /// Reads the rasters of a scene.
    pub(super) fn read(
        scene: &FlowScene,
        ground: Option<&Georeference>,
    ) -> Result<Self, SceneError> {
        let all = scene.rain.iter().flat_map(|rain| &rain.own.rasters).enumerate();
        let read = all.map(|(i, one)| {
            let key = format!("rain.raster[{i}].file");
            let map = Map::read(scene, &key, &one.file, ground)?;
            Ok((one.time, map.check_range(scene, &key, RAIN_FACTORS, "")?))
        });
        Ok(Self { rasters: read.collect::<Result<_, _>>()?, passed: None })
    }

    pub(in crate::flow) fn is_empty(&self) -> bool {
        self.rasters.is_empty()
    }

    /// How many rasters of a scene have had their time at a time (s), and when that of the next comes (s).
    #[cfg(not(target_family = "wasm"))]
    pub(in crate::flow) fn passed(scene: &FlowScene, time: f64) -> (usize, f64) {
        let rasters = scene.rain.as_ref().map_or(&[][..], |rain| &rain.own.rasters);
        let passed = rasters.partition_point(|one| one.time <= time);
        (passed, rasters.get(passed).map_or(f64::INFINITY, |one| one.time))
    }

    /// Bytes of the rasters in memory.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn bytes(&self) -> usize {
        self.rasters.iter().map(|(_, map)| map.bytes()).sum()
    }

    /// Factors of the rain in some rows when so many of the rasters have had their time.
    pub(in crate::flow) fn map(
        &self,
        passed: usize,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> Field<f32> {
        match passed.checked_sub(1).and_then(|last| self.rasters.get(last)) {
            Some((_, map)) => map.resample(lattice, rows).0,
            None => Field::new(lattice.nx(), rows.len(), 0.0),
        }
    }

    /// Lets the rain fall by the raster whose time it is, and says when that ends (s).
    pub(super) fn follow(&mut self, flow: &mut Flow) -> Result<f64, InputError> {
        let passed = self.rasters.partition_point(|(from, _)| *from <= flow.time());
        // Who took the rain away took its maps too.
        if self.passed != Some(passed) && !self.is_empty() && flow.rain().is_some() {
            let lattice = *flow.lattice();
            flow.set_rain_map(Some(self.map(passed, &lattice, 0..lattice.ny())))?;
            self.passed = Some(passed);
        }
        Ok(self.rasters.get(passed).map_or(f64::INFINITY, |(from, _)| *from))
    }
}
