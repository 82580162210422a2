//! Implementation of [`ModelWorld`] for flow worlds.

#[cfg(feature = "gpu")]
use super::device;
use super::gauges;
use super::layers;
use super::ledger_parts::ledger_parts;
use super::view::{paint_flood, with_view};
use super::{Action, BodyKind, FlowScene, FlowWorld, Gauge};
use crate::hydrology::paint_relief;
use crate::mesh::MeshPart;
use crate::picture::{BodyKinds, Painter, Picture, write_png};
#[cfg(not(target_family = "wasm"))]
use crate::run::CheckpointParts;
#[cfg(feature = "gpu")]
use crate::run::DeviceSupport;
use crate::run::{
    self, GaugeValues, LedgerSummary, ModelError, ModelWorld, Placement, ProbeValue, WrittenFiles,
    category_value, numeric_value,
};
use crate::scene::SceneError;
use crate::terrain::Terrain;
use headwater::changes::Tile;
use headwater::flow::{Flow, RelaxationStatus, Snapshot, View};
use headwater::{Field, InputError, Lattice, Model, Point};
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::path::Path;

/// State of a flow world in a checkpoint: the model's state, the result of the relaxation to a
/// steady state (if any), and the kinds of the floating bodies.
pub(super) type FlowState = (Snapshot, Option<RelaxationStatus>, BodyKinds<BodyKind>);

impl FlowWorld {
    /// Returns the values that a probe shows for a cell, given its water depth (m), its eastward
    /// and southward velocity (m/s), and its foam if known.
    pub(super) fn probe_values(
        &self,
        (x, y): (usize, usize),
        depth: f32,
        velocity: [f32; 2],
        foam: Option<f32>,
    ) -> Vec<ProbeValue> {
        let (flow, datum) = (&self.flow, self.terrain.datum);
        if self.terrain.no_data[(x, y)] {
            return vec![category_value("no data", 0.0, "no data")];
        }
        let depth = f64::from(depth);
        let bed = f64::from(flow.state().bed[(x, y)]) + datum;
        let mut values = vec![numeric_value("bed", bed, "m"), numeric_value("depth", depth, "m")];
        values.push(numeric_value("surface", bed + depth, "m"));
        let [east, south] = velocity.map(f64::from);
        if depth > 0.0 {
            values.push(numeric_value("speed", libm::hypot(east, south), "m/s"));
            values.push(numeric_value("velocity to the east", east, "m/s"));
            values.push(numeric_value("velocity to the south", south, "m/s"));
            values.extend(foam.map(|foam| numeric_value("foam", foam.into(), "")));
        }
        if flow.state().closed.contains(x, y) {
            values.push(category_value("closed", 1.0, "closed to water"));
        }
        if let Some(held) = flow.soil_water_at(x, y) {
            values.push(numeric_value("water in the soil", held, "m"));
        }
        values
    }
}

impl ModelWorld for FlowWorld {
    type Scene = FlowScene;
    type Action = Action;
    type Gauge = Gauge;
    type Painter = Painter;
    type State = FlowState;

    #[cfg(feature = "gpu")]
    const DEVICE: Option<DeviceSupport<Self>> = Some(device::SUPPORT);
    const BOOLEAN_LAYERS: &'static [&'static str] = &["closed"];

    fn build(scene: &FlowScene) -> Result<Self, SceneError> {
        Self::build(scene)
    }

    fn model(&self) -> &dyn Model {
        &self.flow
    }

    fn model_mut(&mut self) -> &mut dyn Model {
        &mut self.flow
    }

    fn lattice(&self) -> Lattice {
        *self.flow.lattice()
    }

    fn step_length(&self) -> f64 {
        self.flow.stable_dt()
    }

    fn step(&mut self, _: &FlowScene, stop: f64, max_steps: u64) -> Result<(), InputError> {
        self.take_steps_toward(stop, max_steps)
    }

    fn relaxation_step(&mut self, scene: &FlowScene) -> Result<bool, InputError> {
        let Some(settings) = scene.settle.as_ref().filter(|_| self.relaxation_status.is_none())
        else {
            return Ok(false);
        };
        if self.flow.relaxation_status().is_none() {
            self.flow.start_relaxation(**settings)?;
        }
        self.relaxation_status = self.flow.step_relaxation();
        Ok(true)
    }

    fn apply_action(&mut self, action: &Action) -> Result<(), InputError> {
        self.apply_action(action)
    }

    fn apply_settings(&mut self, old: &FlowScene, new: &FlowScene) -> Result<(), ModelError> {
        if (old.sources.len(), old.drains.len()) != (new.sources.len(), new.drains.len()) {
            return Err("the number of sources and drains cannot be changed this way; add them with an event".into());
        }
        Ok(self.apply_settings(old, new)?)
    }

    fn has_finite_state(&self) -> bool {
        self.flow.volume().is_finite()
    }

    fn measure_gauge(&self, scene: &FlowScene, gauge: &Gauge) -> GaugeValues {
        gauges::measure_gauge(self, scene, gauge)
    }

    fn probe(&self, at: Point) -> Vec<ProbeValue> {
        let flow = &self.flow;
        let Some((x, y)) = flow.lattice().cell_at(at) else { return Vec::new() };
        let (depth, foam) = (flow.state().depth[(x, y)], flow.foam_cover_at(x, y));
        self.probe_values((x, y), depth, flow.velocity(x, y), Some(foam))
    }

    fn create_painter(&self, scene: &FlowScene) -> Result<Painter, InputError> {
        with_view(self, scene, |view| Painter::new(scene.picture.clone(), view))
    }

    fn draw_picture(&self, scene: &FlowScene, painter: &mut Painter) -> Picture {
        with_view(self, scene, |view| painter.paint(view))
    }

    /// Returns a layer with heights in the scene's vertical datum, and with NaN for the maximum
    /// levels and arrival times of cells that were never wet. Returns `None` if there is no layer
    /// with the given name.
    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        let (field, datum) = (self.flow.layer(name)?, self.terrain.datum);
        let dry = self.flow.params().dry_depth;
        Some(layers::to_output_values(name, field, [datum, dry], || self.flow.view(View::MaxDepth)))
    }

    fn read_layer(&self, name: &str, tiles: &[Tile], into: &mut [f32]) -> Result<(), InputError> {
        let flow: &dyn Model = &self.flow;
        if !layers::needs_output_conversion(name) {
            return flow.read_layer(name, tiles, into);
        }
        flow.read_layer(name, &[], into)?;
        let ([nx, ny], levels) =
            (flow.grid_size(), [self.terrain.datum, self.flow.params().dry_depth]);
        let deepest = (name == "max_level").then(|| self.flow.view(View::MaxDepth));
        // One tile at a time, so that no value is converted twice where tiles overlap.
        for tile in tiles.iter().map(|tile| tile.expanded(0, [nx, ny])) {
            flow.read_layer(name, &[tile], into)?;
            for y in tile.y..tile.y + tile.ny {
                let cells = y * nx + tile.x..y * nx + tile.x + tile.nx;
                let deepest = deepest.as_ref().map(|deepest| &deepest.as_slice()[cells.clone()]);
                layers::convert_values(name, &mut into[cells], levels, deepest);
            }
        }
        Ok(())
    }

    fn sample_many(
        &self,
        name: &str,
        points: &[Point],
        into: &mut [f32],
    ) -> Result<(), InputError> {
        Model::sample_many(&self.flow, name, points, into)?;
        layers::convert_values(name, into, [self.terrain.datum, 0.0], None);
        Ok(())
    }

    fn placement(&self) -> Placement<'_> {
        let Terrain { no_data, georeference, datum, .. } = &self.terrain;
        Placement { no_data: Some(no_data), georeference: georeference.as_ref(), datum: *datum }
    }

    fn mesh_parts(&self) -> Vec<MeshPart> {
        let ground = MeshPart {
            name: "ground",
            color: [0.27, 0.30, 0.16, 1.0],
            roughness: 1.0,
            mesh: self.flow.ground_mesh(),
            colors: Vec::new(),
        };
        let mut parts = vec![ground, MeshPart::new_water(self.flow.water_mesh(), 0.1)];
        if self.terrain.no_data.as_slice().contains(&true) {
            let lattice = self.flow.lattice();
            for part in &mut parts {
                part.keep_cells(lattice, |cell| !self.terrain.no_data[cell]);
            }
        }
        parts
    }

    /// Writes the flood picture and the picture of the eroded ground, if the scene requests them.
    fn write_extra_files(
        &self,
        scene: &FlowScene,
        folder: &Path,
        written: &mut WrittenFiles,
    ) -> Result<(), String> {
        if scene.flood.is_some() {
            let path = folder.join(run::FLOOD_PICTURE_FILE);
            let picture = paint_flood(self, scene).map_err(|error| error.to_string())?;
            write_png(&path, &picture).map_err(|error| error.to_string())?;
            written.pictures.push(path);
        }
        if let Some(carved) = &self.carved {
            let path = folder.join(run::CARVED_PICTURE_FILE);
            let picture = paint_relief(&carved.land, self.terrain.datum, &scene.picture)
                .map_err(|error| error.to_string())?;
            write_png(&path, &picture).map_err(|error| error.to_string())?;
            written.pictures.push(path);
        }
        Ok(())
    }

    fn state(&self, _: Option<&Painter>) -> impl Serialize {
        (self.flow.as_serializable(), self.relaxation_status, &self.body_kinds)
    }

    fn restore(
        &mut self,
        _: &FlowScene,
        (snapshot, relaxation_status, body_kinds): Self::State,
        _: Option<&mut Painter>,
    ) -> Result<(), ModelError> {
        let flow = Flow::restore(snapshot)?;
        if flow.lattice() != self.flow.lattice() {
            return Err("does not belong to this scene".into());
        }
        (self.flow, self.relaxation_status, self.body_kinds) =
            (flow, relaxation_status, body_kinds);
        Ok(())
    }

    #[cfg(not(target_family = "wasm"))]
    fn restore_parts(
        &mut self,
        folder: &Path,
        contents: &CheckpointParts,
    ) -> Result<(), ModelError> {
        let (flow, mut files) = (self.flow.clone(), run::PartReader::new(folder, &contents.parts));
        self.flow = flow.restore_blocks(&contents.row_blocks(), &contents.metadata, &mut files)?;
        Ok(())
    }

    fn ledger(&self, scene: &FlowScene) -> LedgerSummary {
        let parts = ledger_parts(scene, self.entries_before_scene, &self.flow.part_volumes());
        LedgerSummary { parts, ..LedgerSummary::from_balance(&self.flow.balance()) }
    }

    fn relaxation(&self) -> Option<RelaxationStatus> {
        self.flow.relaxation_status().or(self.relaxation_status)
    }

    fn notices(&self) -> Vec<String> {
        let mut notices = [self.terrain.notices.clone(), self.unused_key_notices.clone()].concat();
        if let Some(RelaxationStatus { residual, seconds, .. }) =
            self.relaxation_status.filter(|s| !s.reached)
        {
            notices.push(format!(
                "the world did not reach a steady state within {seconds:.0} s: its surface still changes by \
                 {residual:.1e} m/s"
            ));
        }
        notices
    }

    fn statistics(&self, scene: &FlowScene) -> Vec<(&'static str, Value)> {
        let FlowScene { sources, drains, boundaries, obstacles, .. } = scene;
        let lattice = self.flow.lattice();
        let (low, high) = self.flow.state().bed.min_max().unwrap_or_default();
        let height = |bed: f32| json!(f64::from(bed) + self.terrain.datum);
        vec![
            ("cell_metres", json!([lattice.dx(), lattice.dy()])),
            ("lowest_ground_metres", height(low)),
            ("highest_ground_metres", height(high)),
            ("water_cubic_metres", json!(self.flow.volume())),
            ("sources", json!(sources.len())),
            ("drains", json!(drains.len())),
            ("boundaries", json!(boundaries.len())),
            ("obstacles", json!(obstacles.len())),
        ]
    }
}
