//! Rain by rasters that follow one another, as a radar has seen it.

use crate::flow::FlowScene;
use crate::raster::Raster;
use crate::scene::{SceneError, Tables};
use crate::terrain;
use headwater::flow::Flow;
use headwater::{Field, InputError};
use std::sync::Arc;

/// The rasters of a scene, as they are in their files, each with the time (s) from which on it counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Radar {
    rasters: Arc<[(f64, Raster)]>,
    /// How many of them have had their time, where the world's rain is by the last of those.
    passed: Option<usize>,
}

impl Radar {
    /// Reads the rasters of a scene.
    ///
    /// # Errors
    /// [`SceneError`] if one cannot be read, or has what is no amount of rain.
    pub(super) fn read(scene: &FlowScene) -> Result<Self, SceneError> {
        let all = scene.rain.iter().flat_map(|rain| &rain.own.rasters).enumerate();
        let read = all.map(|(i, one)| {
            let key = format!("rain.raster[{i}].file");
            let raster = terrain::raster(scene, &key, &one.file)?;
            if let Some(found) = raster.heights.as_slice().iter().find(|v| **v < 0.0) {
                let file = one.file.display();
                let message = format!("{file}: found {found}, allowed is a factor of 0 or above");
                return Err(scene.error(&key, message));
            }
            Ok((one.time, raster))
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
