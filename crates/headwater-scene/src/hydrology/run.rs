//! Runs of scenes of the model `hydrology`. Time is the rain that has fallen (drops per cell): all lands have as much, but for steps
//! of stream power, as what a batch of drops is depends on the grid and the rivers alone.

use super::gauges;
use super::view::Sheet;
use super::{HydrologyAction, HydrologyGauge, HydrologyScene, HydrologyWay, HydrologyWorld};
use crate::mesh::Part;
use crate::parallel::*;
use crate::picture::{Picture, Scenery};
use crate::raster::Georeference;
use crate::run::{GaugeValues, ModelError, ModelWorld, ProbeValue, number, word};
use crate::scene::SceneError;
use headwater::hydrology::{Hydrology, Snapshot};
use headwater::{InputError, Lattice, Mesh, Model, Point};
use serde::Serialize;
use serde_json::{Value, json};

/// A time that ends this part before another counts as being the same.
const NEARLY: f64 = 1e-9;

impl ModelWorld for HydrologyWorld {
    type Scene = HydrologyScene;
    type Painter = Sheet;
    /// The lands, and when winds are asked anew.
    type State = (Vec<Snapshot>, f64);

    fn build(scene: &HydrologyScene) -> Result<Self, SceneError> {
        Self::build(scene)
    }

    fn model(&self) -> &dyn Model {
        self.land()
    }

    fn model_mut(&mut self) -> &mut dyn Model {
        self.land_mut()
    }

    fn lattice(&self) -> Lattice {
        (*self.land().lattice()).into()
    }

    fn georeference(&self) -> Option<&Georeference> {
        self.georeference.as_ref()
    }

    fn step_length(&self) -> f64 {
        self.land().next_rain()
    }

    fn step(&mut self, scene: &HydrologyScene, _: f64, _: u64) -> Result<(), InputError> {
        let winds = &scene.rain.winds;
        if !winds.is_empty() && self.land().time() >= self.renewed {
            self.ways.iter_mut().try_for_each(|way| way.land.set_winds(winds))?;
            self.renewed = self.land().time() + scene.rain.every();
        }
        // A way whose steps are longer is ahead by one at most.
        let reached = (self.land().time() + self.land().next_rain()) * (1.0 - NEARLY);
        self.ways.par_iter_mut().for_each(|way| {
            while way.land.time() < reached {
                way.land.step();
            }
        });
        Ok(())
    }

    fn apply_action(&mut self, action: &HydrologyAction) -> Result<(), InputError> {
        self.act(action)
    }

    /// The sea goes where the scene says, and the method is the scene's, only if it says something else than before: events have
    /// changed them.
    fn apply_settings(
        &mut self,
        old: &HydrologyScene,
        new: &HydrologyScene,
    ) -> Result<(), ModelError> {
        let (old, new) = (old.ways(), new.ways());
        for (way, ((_, old), (_, mut params))) in self.ways.iter_mut().zip(old.iter().zip(new)) {
            if params.sea == old.sea {
                params.sea = way.land.params().sea;
            }
            if params.method == old.method {
                params.method = way.land.params().method;
            }
            way.land.set_params(params)?;
        }
        Ok(())
    }

    fn set_scene(&mut self, old: &HydrologyScene, new: &HydrologyScene) -> Result<(), InputError> {
        if old.rain != new.rain {
            self.renewed = self.land().time();
        }
        Ok(())
    }

    fn measure_gauge(&self, _: &HydrologyScene, gauge: &HydrologyGauge) -> GaugeValues {
        gauges::measure(gauge, self)
    }

    fn probe(&self, at: Point) -> Vec<ProbeValue> {
        let land = self.land();
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

    fn painter(&self, scene: &HydrologyScene) -> Result<Sheet, InputError> {
        Sheet::new(scene, self)
    }

    fn paint(&self, _: &HydrologyScene, sheet: &mut Sheet) -> Picture {
        sheet.paint(self)
    }

    /// Ground in its colours, and lakes.
    fn mesh_parts(&self) -> Vec<Part> {
        let land = self.land();
        let (lattice, depth) = (*land.lattice(), Scenery::lakes(land));
        let Some(bed) = land.layer("bed") else { return Vec::new() };
        let ground = Part {
            name: "ground",
            color: [1.0; 4],
            roughness: 1.0,
            mesh: Mesh::of_heights(lattice, &bed),
            colors: Scenery::of(land).colors(),
        };
        vec![ground, Part::water(Mesh::of_water(lattice, &bed, &depth, 0.0), 0.1)]
    }

    fn state(&self, _: Option<&Sheet>) -> impl Serialize {
        (self.ways.iter().map(|way| way.land.saving()).collect::<Vec<_>>(), self.renewed)
    }

    fn restore(
        &mut self,
        _: &HydrologyScene,
        (lands, renewed): Self::State,
        _: Option<&mut Sheet>,
    ) -> Result<(), ModelError> {
        let lands: Vec<_> = lands.into_iter().map(Hydrology::restore).collect::<Result<_, _>>()?;
        // Other parameters may have changed since the start.
        let same = |(way, land): (&HydrologyWay, &Hydrology)| {
            let (now, params) = (way.land.params(), land.params());
            way.land.lattice() == land.lattice()
                && (now.seed, now.edges) == (params.seed, params.edges)
                && now.plants.len() == params.plants.len()
        };
        if self.ways.len() != lands.len() || !self.ways.iter().zip(&lands).all(same) {
            return Err("does not belong to this scene".into());
        }
        for (way, land) in self.ways.iter_mut().zip(lands) {
            way.land = land;
        }
        self.renewed = renewed;
        Ok(())
    }

    /// Of all lands together.
    fn state_hash(&self) -> u64 {
        // FNV-1a over the lands' hashes; of one land, its own.
        let mut hashes = self.ways.iter().map(|way| way.land.state_hash());
        let first = hashes.next().unwrap_or(0);
        hashes.fold(first, |all, hash| (all ^ hash).wrapping_mul(0x0100_0000_01b3))
    }

    fn notices(&self) -> Vec<String> {
        self.notices.clone()
    }

    fn figures(&self, scene: &HydrologyScene) -> Vec<(&'static str, Value)> {
        let land = self.land();
        let bed = land.layer("bed").and_then(|bed| bed.min_max()).unwrap_or_default();
        let report = land.report();
        vec![
            ("cell_metres", json!(land.lattice().dx())),
            ("lowest_ground_metres", json!(bed.0)),
            ("highest_ground_metres", json!(bed.1)),
            ("ways", json!(self.ways.len())),
            ("kinds_of_plants", json!(land.params().plants.len())),
            ("inflows", json!(scene.inflows.len())),
            ("suspended_cubic_metres", json!(land.suspended() as f64 * land.quantum())),
            ("concavity", json!(report.concavity)),
            ("dry_depressions", json!(report.dry_depressions)),
        ]
    }
}
