//! Execution of hydrology scenes. The unit of time is drops per cell: after time 1, each cell has
//! received one raindrop on average. A scene may define several variants of its parameters, each
//! with its own land surface. If raindrops erode the land, the time step depends only on the grid
//! and the inflows, so all variants have the same time. With the stream-power law, each variant has
//! its own time step.

use super::gauges;
use super::view::PanelPainter;
use super::{HydrologyAction, HydrologyGauge, HydrologyScene, HydrologyVariant, HydrologyWorld};
use crate::mesh::MeshPart;
use crate::parallel::*;
use crate::picture::{Picture, Scenery};
use crate::run::Placement;
use crate::run::{GaugeValues, ModelError, ModelWorld, ProbeValue, category_value, numeric_value};
use crate::scene::SceneError;
use headwater::hydrology::{Hydrology, Snapshot};
use headwater::{InputError, Lattice, Mesh, Model, Point};
use serde::Serialize;
use serde_json::{Value, json};

/// Relative difference below which two times count as equal.
const TIME_TOLERANCE: f64 = 1e-9;

impl ModelWorld for HydrologyWorld {
    type Scene = HydrologyScene;
    type Action = HydrologyAction;
    type Gauge = HydrologyGauge;
    type Painter = PanelPainter;
    /// Checkpointed state of a world: one snapshot of the land per parameter variant, and the time
    /// (drops per cell) of the next update of the rain distribution.
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

    fn placement(&self) -> Placement<'_> {
        Placement { georeference: self.georeference.as_ref(), ..Placement::default() }
    }

    fn step_length(&self) -> f64 {
        self.land().next_rain()
    }

    fn step(&mut self, scene: &HydrologyScene, _: f64, _: u64) -> Result<(), InputError> {
        let winds = &scene.rain.winds;
        if !winds.is_empty() && self.land().time() >= self.next_rain_update {
            self.variants.iter_mut().try_for_each(|variant| variant.land.set_winds(winds))?;
            self.next_rain_update = self.land().time() + scene.rain.rain_update_interval();
        }
        // A land surface with longer steps is ahead of the others by at most one step.
        let reached = (self.land().time() + self.land().next_rain()) * (1.0 - TIME_TOLERANCE);
        self.variants.par_iter_mut().for_each(|variant| {
            while variant.land.time() < reached {
                variant.land.step();
            }
        });
        Ok(())
    }

    fn apply_action(&mut self, action: &HydrologyAction) -> Result<(), InputError> {
        self.apply_action(action)
    }

    /// Applies the parameters that differ between an old and a new version of the scene. Events may
    /// have changed the sea level and the erosion method since the start. The current values of
    /// these two are kept unless the new scene changes them.
    fn apply_settings(
        &mut self,
        old: &HydrologyScene,
        new: &HydrologyScene,
    ) -> Result<(), ModelError> {
        let (old, new) = (old.variants(), new.variants());
        for (variant, ((_, old), (_, mut params))) in
            self.variants.iter_mut().zip(old.iter().zip(new))
        {
            if params.sea == old.sea {
                params.sea = variant.land.params().sea;
            }
            if params.method == old.method {
                params.method = variant.land.params().method;
            }
            variant.land.set_params(params)?;
        }
        Ok(())
    }

    fn set_scene(&mut self, old: &HydrologyScene, new: &HydrologyScene) -> Result<(), InputError> {
        if old.rain != new.rain {
            self.next_rain_update = self.land().time();
        }
        Ok(())
    }

    fn measure_gauge(&self, _: &HydrologyScene, gauge: &HydrologyGauge) -> GaugeValues {
        gauges::measure_gauge(gauge, self)
    }

    fn probe(&self, at: Point) -> Vec<ProbeValue> {
        let land = self.land();
        let Some(found) = land.cell_at(at) else { return Vec::new() };
        let mut values = vec![
            numeric_value("bed", found.bed, "m"),
            numeric_value("soil", found.soil, "m"),
            numeric_value("depth", found.depth, "m"),
            numeric_value("drainage area", found.discharge, "m²"),
            numeric_value("plant cover", found.cover, ""),
        ];
        let kind = usize::from(found.plant.kind);
        if let Some(niche) = kind.checked_sub(1).and_then(|kind| land.params().plants.get(kind)) {
            let size = f64::from(found.plant.size) / f64::from(u16::MAX);
            values.push(category_value("plant", size, &niche.name));
        }
        if let Some(lake) = land.lake_at(at) {
            values.push(numeric_value("level of the lake", lake.level, "m"));
            values.push(numeric_value("area of the lake", lake.area, "m²"));
            values.push(numeric_value("water in the lake", lake.volume, "m³"));
        }
        values
    }

    fn create_painter(&self, scene: &HydrologyScene) -> Result<PanelPainter, InputError> {
        PanelPainter::new(scene, self)
    }

    fn draw_picture(&self, _: &HydrologyScene, painter: &mut PanelPainter) -> Picture {
        painter.paint(self)
    }

    /// Returns the mesh of the ground, with its colours, and the mesh of the lakes.
    fn mesh_parts(&self) -> Vec<MeshPart> {
        let land = self.land();
        let (lattice, depth) = (*land.lattice(), Scenery::visible_lake_depth(land));
        let Some(bed) = land.layer("bed") else { return Vec::new() };
        let ground = MeshPart {
            name: "ground",
            color: [1.0; 4],
            roughness: 1.0,
            mesh: Mesh::from_heights(lattice, &bed),
            colors: Scenery::from_hydrology(land).linear_ground_colors(),
        };
        vec![ground, MeshPart::new_water(Mesh::from_water(lattice, &bed, &depth, 0.0), 0.1)]
    }

    fn state(&self, _: Option<&PanelPainter>) -> impl Serialize {
        (
            self.variants.iter().map(|variant| variant.land.as_serializable()).collect::<Vec<_>>(),
            self.next_rain_update,
        )
    }

    fn restore(
        &mut self,
        _: &HydrologyScene,
        (lands, next_rain_update): Self::State,
        _: Option<&mut PanelPainter>,
    ) -> Result<(), ModelError> {
        let lands: Vec<_> = lands.into_iter().map(Hydrology::restore).collect::<Result<_, _>>()?;
        // Parameters other than these two may have been changed since the start.
        let same = |(variant, land): (&HydrologyVariant, &Hydrology)| {
            let (now, params) = (variant.land.params(), land.params());
            variant.land.lattice() == land.lattice()
                && (now.seed, now.edges) == (params.seed, params.edges)
                && now.plants.len() == params.plants.len()
        };
        if self.variants.len() != lands.len() || !self.variants.iter().zip(&lands).all(same) {
            return Err("does not belong to this scene".into());
        }
        for (variant, land) in self.variants.iter_mut().zip(lands) {
            variant.land = land;
        }
        self.next_rain_update = next_rain_update;
        Ok(())
    }

    /// Returns a combined hash of the states of all variants.
    fn state_hash(&self) -> u64 {
        // FNV-1a hash over the hashes of all variants. A single variant's own hash is returned
        // unchanged.
        let mut hashes = self.variants.iter().map(|variant| variant.land.state_hash());
        let first = hashes.next().unwrap_or(0);
        hashes.fold(first, |all, hash| (all ^ hash).wrapping_mul(0x0100_0000_01b3))
    }

    fn notices(&self) -> Vec<String> {
        self.notices.clone()
    }

    fn statistics(&self, scene: &HydrologyScene) -> Vec<(&'static str, Value)> {
        let land = self.land();
        let bed = land.layer("bed").and_then(|bed| bed.min_max()).unwrap_or_default();
        let report = land.report();
        vec![
            ("cell_metres", json!(land.lattice().dx())),
            ("lowest_ground_metres", json!(bed.0)),
            ("highest_ground_metres", json!(bed.1)),
            ("ways", json!(self.variants.len())),
            ("kinds_of_plants", json!(land.params().plants.len())),
            ("inflows", json!(scene.inflows.len())),
            ("suspended_cubic_metres", json!(land.suspended_sediment() as f64 * land.quantum())),
            ("concavity", json!(report.concavity)),
            ("dry_depressions", json!(report.dry_depressions)),
        ]
    }
}
