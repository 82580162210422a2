//! Rain by rasters that follow one another, as a radar has seen it.

use crate::flow::FlowScene;
use crate::scene::SceneError;
use crate::terrain::{Map, Terrain};
use headwater::flow::Flow;
use headwater::{Field, InputError};
use std::sync::Arc;

/// What a raster of rain may have: factors of its rate.
pub(super) const RAIN_FACTORS: [f64; 2] = [0.0, 1e9];

/// The rasters of a scene, as they are in their files, each with the time (s) from which on it counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Radar {
    rasters: Arc<[(f64, Map)]>,
    /// How many of them have had their time, where the world's rain is by the last of those.
    passed: Option<usize>,
}

impl Radar {
    /// Reads the rasters of a scene.
    ///
    /// # Errors
    /// [`SceneError`] if one cannot be read, or has what is no amount of rain.
    pub(super) fn read(scene: &FlowScene, terrain: &Terrain) -> Result<Self, SceneError> {
        let all = scene.rain.iter().flat_map(|rain| &rain.own.rasters).enumerate();
        let read = all.map(|(i, one)| {
            let key = format!("rain.raster[{i}].file");
            let map = Map::read(scene, &key, &one.file, terrain)?;
            Ok((one.time, map.within(scene, &key, RAIN_FACTORS, "")?))
        });
        Ok(Self { rasters: read.collect::<Result<_, _>>()?, passed: None })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rasters.is_empty()
    }

    /// Lets the rain fall by the raster whose time it is, and says when that ends (s).
    ///
    /// # Errors
    /// [`InputError`] if the model refuses it.
    pub(super) fn follow(&mut self, flow: &mut Flow) -> Result<f64, InputError> {
        let passed = self.rasters.partition_point(|(from, _)| *from <= flow.time());
        // Who took the rain away took its maps too.
        if self.passed != Some(passed) && !self.is_empty() && flow.rain().is_some() {
            let lattice = *flow.lattice();
            let map = match passed.checked_sub(1) {
                Some(last) => self.rasters[last].1.on(&lattice).0,
                None => Field::new(lattice.nx(), lattice.ny(), 0.0),
            };
            flow.set_rain_map(Some(map))?;
            self.passed = Some(passed);
        }
        Ok(self.rasters.get(passed).map_or(f64::INFINITY, |(from, _)| *from))
    }
}
