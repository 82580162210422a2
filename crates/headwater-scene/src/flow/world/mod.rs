//! From a checked [`Scene`] to a running world: terrain, water, everything that feeds and drains it,
//! and what its events do to it.

mod carved;
mod structures;
mod tune;

pub use carved::Carved;

use super::{Action, BodyKind, Event, FlowScene, PhysicsLevel};
use crate::raster::{self, ReadOptions};
use crate::scene::{MAX_CELLS, SceneError, Tables};
use crate::terrain::{self, Terrain};
use headwater::flow::{
    Amount, Boundary, BoundaryKind, Change, Edit, Evaporation, Flow, Keep, Params, Physics, Rain,
    Soil, Source, Structure, Tracers,
};
use headwater::{Brush, Falloff, Field, InputError, Lattice, Series};
use std::path::Path;

/// A world and the ground it was made on.
#[derive(Clone, Debug)]
pub struct FlowWorld {
    /// The model, with heights counted from the terrain's datum.
    pub flow: Flow,
    /// The ground as it was at the start.
    pub terrain: Terrain,
    /// The land as rivers carved it before the run, if the scene asks for it.
    pub carved: Option<Carved>,
    /// What its bodies are, in their order.
    pub body_kinds: Vec<BodyKind>,
    /// How many springs it has besides those of its scene.
    fed: usize,
}

/// What a brush does.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Where.
    pub brush: Brush,
    /// What.
    pub edit: Edit,
    /// What stays as it is when the bed changes under water.
    pub keep: Keep,
}

/// How far a smoothing reaches where the scene does not say, in cells.
const SMOOTH_CELLS: f64 = 2.0;

impl FlowWorld {
    /// Makes the world of a scene, as it is at the start.
    ///
    /// # Errors
    /// [`SceneError`] if a file cannot be used, or something does not fit the grid that came from it.
    pub fn build(scene: &FlowScene) -> Result<Self, SceneError> {
        let mut terrain = terrain::build(scene)?;
        let lattice = terrain.lattice;
        let params = params(scene, &lattice);
        let at = |key: &str| {
            let key = key.to_owned();
            move |error: InputError| scene.error(&key, error.to_string())
        };
        let (mut flow, carved) = match &scene.carve {
            Some(carve) => {
                let (flow, carved) = carved::carve(scene, carve, &mut terrain, params)?;
                (flow, Some(carved))
            }
            None => {
                let depth = terrain::initial_depth(scene, &terrain)?;
                let flow = Flow::new(lattice, params, terrain.bed.clone(), depth);
                (flow.map_err(at("terrain"))?, None)
            }
        };
        if let Some(path) = &scene.physics.manning_map {
            let map = roughness(scene, path, &lattice)?;
            flow.set_roughness(Some(map)).map_err(at("physics.manning_map"))?;
        }
        flow.close(&terrain.no_data).map_err(at("terrain"))?;
        flow.close(&terrain::obstacles(scene, &lattice)).map_err(at("obstacle"))?;
        for (i, boundary) in scene.boundaries.iter().enumerate() {
            let kind = boundary_kind(boundary, terrain.datum);
            let whole = boundary.kind == crate::flow::BoundaryKind::Periodic;
            let span = (!whole).then(|| boundary.stretch(&lattice));
            let boundary = Boundary { edge: boundary.edge, span, kind };
            flow.set_boundary(boundary).map_err(at(&format!("boundary[{i}]")))?;
        }
        let fed = flow.spring_count();
        for (i, spring) in scene.sources.iter().enumerate() {
            flow.add_spring(source(spring, &lattice)).map_err(at(&format!("source[{i}]")))?;
        }
        for (i, drain) in scene.drains.iter().enumerate() {
            flow.add_drain(source(drain, &lattice)).map_err(at(&format!("drain[{i}]")))?;
        }
        for (ends, kind) in scene.structures().iter().zip(structures::kinds(scene, &terrain)) {
            let structure =
                Structure { mouths: ends.mouths(&lattice), one_way: ends.one_way, kind };
            flow.add_structure(structure).map_err(at(&ends.key))?;
        }
        if let Some(rain) = &scene.rain {
            let map =
                rain.map.as_deref().map(|path| rain_map(scene, path, &lattice)).transpose()?;
            flow.set_rain(Some(Rain { rate: rain.rate.clone(), map })).map_err(at("rain"))?;
        }
        if let Some(evaporation) = &scene.evaporation {
            let rate = evaporation.rate.clone();
            flow.set_evaporation(Some(Evaporation { rate })).map_err(at("evaporation"))?;
        }
        if let Some(soil) = scene.infiltration {
            let soil = Soil { rate: soil.rate, capacity: soil.capacity, seepage: soil.seepage };
            flow.set_soil(Some(soil)).map_err(at("infiltration"))?;
        }
        if let Some(particles) = scene.particles.as_ref().filter(|particles| particles.count > 0) {
            let tracers = Tracers {
                count: particles.count,
                lifetime: particles.lifetime,
                emitters: particles.emitters.iter().map(|area| area.region(&lattice)).collect(),
                seed: scene.seed.into(),
            };
            flow.set_tracers(Some(tracers)).map_err(at("particles"))?;
        }
        for (i, body) in scene.bodies.iter().enumerate() {
            let key = format!("body[{i}]");
            let body = body.body(&lattice).ok_or_else(|| scene.error(&key, "is not whole"))?;
            flow.add_body(body).map_err(at(&key))?;
        }
        let body_kinds = scene.bodies.iter().map(crate::flow::Body::kind).collect();
        Ok(Self { flow, terrain, carved, body_kinds, fed })
    }

    /// Does to the world what an event of its scene says.
    ///
    /// # Errors
    /// [`InputError`] if a number makes no sense, which no checked scene has.
    pub fn act(&mut self, event: &Event) -> Result<(), InputError> {
        let lattice = *self.flow.lattice();
        if let Some(spring) = &event.source {
            self.flow.add_spring(source(spring, &lattice))?;
        }
        if let Some(drain) = &event.drain {
            self.flow.add_drain(source(drain, &lattice))?;
        }
        if let Some((scene, body)) = event.body.as_ref().and_then(|b| Some((b, b.body(&lattice)?)))
        {
            self.flow.add_body(body)?;
            self.body_kinds.push(scene.kind());
        }
        let Some(Stroke { brush, edit, keep }) = self.stroke(event) else { return Ok(()) };
        self.flow.edit_keeping(&brush, edit, keep)?;
        if edit == Edit::Open {
            // Nobody can open what is not part of the world.
            self.flow.close(&self.terrain.no_data)?;
        }
        Ok(())
    }

    /// What an event does with a brush and with nothing else, for whoever has the water; `None` for all other events.
    pub fn only_stroke(&self, event: &Event) -> Option<Stroke> {
        if event.source.is_some() || event.drain.is_some() || event.body.is_some() {
            return None;
        }
        // What is not part of the world has to be closed again.
        let closes_again = self.terrain.no_data.as_slice().contains(&true);
        self.stroke(event).filter(|stroke| stroke.edit != Edit::Open || !closes_again)
    }

    fn stroke(&self, event: &Event) -> Option<Stroke> {
        let lattice = self.flow.lattice();
        let action = event.action()?;
        let datum = self.terrain.datum;
        let falloff = event.falloff.unwrap_or(Falloff::Flat);
        let brush = Brush { region: event.area().region(lattice), falloff };
        let keep = match event.keep.unwrap_or_default() {
            crate::flow::Keep::Depth => Keep::Depth,
            crate::flow::Keep::Surface => Keep::Surface,
        };
        let change = |change| match change {
            crate::flow::Change::By(height) => Change::By(height),
            crate::flow::Change::To(level) => Change::To(level - datum),
        };
        let amount = |quantity| match quantity {
            crate::flow::Quantity::Depth(depth) => Amount::Depth(depth),
            crate::flow::Quantity::Volume(volume) => Amount::Volume(volume),
        };
        let edit = match action {
            Action::Raise(by) => Edit::Raise(change(by)),
            Action::Lower(by) => Edit::Lower(change(by)),
            Action::Flatten(level) => Edit::Flatten { level: Some(level - datum), strength: 1.0 },
            Action::Smooth(reach) => {
                let two_cells = SMOOTH_CELLS * lattice.dx().max(lattice.dy());
                Edit::Smooth { reach: reach.unwrap_or(two_cells), strength: 1.0 }
            }
            Action::Pour(quantity) => Edit::Pour(amount(quantity)),
            Action::Remove(quantity) => Edit::Remove(amount(quantity)),
            Action::Push(velocity) => Edit::Push { velocity },
            Action::Close => Edit::Close,
            Action::Open => Edit::Open,
        };
        Some(Stroke { brush, edit, keep })
    }
}

fn params(scene: &FlowScene, lattice: &Lattice) -> Params {
    let physics = &scene.physics;
    Params {
        level: match physics.level {
            PhysicsLevel::Pipes => Physics::Pipes,
            PhysicsLevel::Inertial => Physics::Inertial,
            PhysicsLevel::ShallowWater => Physics::ShallowWater,
        },
        gravity: physics.gravity,
        pipe_area: physics.pipe_area(lattice),
        friction: physics.friction,
        viscosity: physics.viscosity,
        manning: physics.manning,
        theta: physics.theta,
        max_dt: scene.time.dt,
        ..Params::default()
    }
}

fn boundary_kind(boundary: &crate::flow::Boundary, datum: f64) -> BoundaryKind {
    let discharge = || boundary.discharge.clone().unwrap_or(Series::from(0.0));
    match boundary.kind {
        crate::flow::BoundaryKind::Wall => BoundaryKind::Wall,
        crate::flow::BoundaryKind::Inflow => BoundaryKind::Inflow { discharge: discharge() },
        crate::flow::BoundaryKind::Outflow => BoundaryKind::Outflow { discharge: discharge() },
        crate::flow::BoundaryKind::Open => BoundaryKind::Open,
        crate::flow::BoundaryKind::Stage => {
            let level = boundary.level.clone().unwrap_or(Series::from(0.0));
            BoundaryKind::Stage { level: level.map_values(|level| level - datum) }
        }
        crate::flow::BoundaryKind::Wave => BoundaryKind::Wave {
            level: boundary.level.as_ref().map_or(0.0, |level| level.at(0.0)) - datum,
            amplitude: boundary.amplitude.unwrap_or(0.0),
            period: boundary.period.unwrap_or(1.0),
        },
        crate::flow::BoundaryKind::Periodic => BoundaryKind::Periodic,
    }
}

fn source(source: &crate::flow::Source, lattice: &Lattice) -> Source {
    let during = Some([source.from, source.until.unwrap_or(f64::MAX)]);
    Source { region: source.region(lattice), rate: source.rate.clone(), during }
}

/// Reads a raster and resamples it to the grid; which cells it has no data for, too.
fn map(
    scene: &FlowScene,
    key: &str,
    path: &Path,
    lattice: &Lattice,
) -> Result<(Field<f32>, Field<bool>), SceneError> {
    let options = ReadOptions { max_cells: MAX_CELLS, ..ReadOptions::default() };
    let raster = raster::read_from(scene.source_of_files(), path, &options)
        .map_err(|error| scene.error(key, error.to_string()))?;
    Ok(raster.on(lattice))
}

/// Reads the raster that multiplies the rain; no rain falls where it has no data.
fn rain_map(scene: &FlowScene, path: &Path, lattice: &Lattice) -> Result<Field<f32>, SceneError> {
    Ok(map(scene, "rain.map", path, lattice)?.0)
}

/// Reads the raster of roughness; where it has no data, the scene's one number counts.
fn roughness(scene: &FlowScene, path: &Path, lattice: &Lattice) -> Result<Field<f32>, SceneError> {
    let (mut heights, no_data) = map(scene, "physics.manning_map", path, lattice)?;
    for (n, &missing) in heights.as_mut_slice().iter_mut().zip(no_data.as_slice()) {
        if missing {
            *n = scene.physics.manning as f32;
        }
    }
    Ok(heights)
}
