//! From a checked [`Scene`] to a running world: terrain, water, everything that feeds and drains it,
//! and what its events do to it.

mod carved;
pub(super) mod covers;
mod maps;
mod radar;
pub(super) mod structures;
mod tune;

pub use carved::Carved;
pub(super) use maps::Maps;
pub(super) use radar::Radar;

use super::{Action, Added, BodyKind, FlowScene, Inflow, Solitary, SourcePlace, Wave, pipe_area};
use crate::picture::BodyKinds;
use crate::scene::Alone;
use crate::scene::{Beside, SceneError, Tables};
use crate::terrain::{self, Terrain};
use headwater::flow::{
    Boundary, BoundaryKind, Change, Edit, Flow, Params, Physics, Preserve, Rain, RelaxationStatus,
    SoilMap, Source, Structure, Tracers,
};
use headwater::{Brush, InputError, Lattice};

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
    pub body_kinds: BodyKinds<BodyKind>,
    /// How many springs it has besides those of its scene.
    fed: usize,
    /// The rain's rasters.
    radar: Radar,
    /// What its scene says that nothing comes of.
    pub(super) idle: Vec<String>,
    /// What came of settling, once that is over.
    pub(super) settled: Option<RelaxationStatus>,
}

/// What a brush does.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Where.
    pub brush: Brush,
    /// What.
    pub edit: Edit,
    /// What stays as it is when the bed changes under water.
    pub keep: Preserve,
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
        let (mut flow, carved) = match &scene.carve {
            Some(carve) => {
                let (flow, carved) = carved::carve(scene, carve, &mut terrain, params)?;
                (flow, Some(carved))
            }
            None => {
                let depth = terrain::initial_depth(scene, &terrain)?;
                let flow = Flow::new(lattice, params, terrain.bed.clone(), depth);
                (flow.map_err(scene.refused("terrain"))?, None)
            }
        };
        flow.set_subgrid(terrain.subgrid.clone()).map_err(scene.refused("terrain.subgrid"))?;
        let (maps, rows) = (Maps::read(scene, terrain.georeference.as_ref())?, 0..lattice.ny());
        let (roughness, soils) = maps.ground(scene.physics.keys.manning, &lattice, rows.clone());
        flow.set_roughness(roughness).map_err(scene.refused("physics.manning_map"))?;
        flow.close(&terrain.no_data).map_err(scene.refused("terrain"))?;
        flow.close(&terrain::obstacles(scene, &lattice)).map_err(scene.refused("obstacle"))?;
        scene.add_each("boundary", &scene.boundaries, |boundary| {
            let kind = boundary_kind(boundary, terrain.datum, |level| {
                let bed = |i| terrain.bed[lattice.edge_cell(boundary.stretch.edge, i)];
                still_depth(boundary, &lattice, level, bed)
            });
            let whole = kind == BoundaryKind::Periodic;
            let span = (!whole).then(|| boundary.stretch.ends(&lattice));
            let boundary = Boundary { edge: boundary.stretch.edge, span, kind };
            flow.set_boundary(boundary)
        })?;
        let fed = flow.springs().len();
        scene.add_each("source", &scene.sources, |one| flow.add_spring(source(one, &lattice)))?;
        scene.add_each("drain", &scene.drains, |one| flow.add_drain(source(one, &lattice)))?;
        for (ends, kind) in
            scene.structures().iter().zip(structures::kinds(scene, &lattice, terrain.datum))
        {
            let structure =
                Structure { mouths: ends.mouths(&lattice), one_way: ends.one_way, kind };
            flow.add_structure(structure).map_err(scene.refused(&ends.key))?;
        }
        if let Some(rain) = &scene.rain {
            let map = maps.rain(&lattice, rows.clone());
            flow.set_rain(Some(Rain { map, ..(*rain.keys).clone() }))
                .map_err(scene.refused("rain"))?;
        }
        if let Some(evaporation) = &scene.evaporation {
            flow.set_evaporation(Some((**evaporation).clone()))
                .map_err(scene.refused("evaporation"))?;
        }
        if let Some(soil) = &scene.infiltration {
            flow.set_soil(Some(**soil)).map_err(scene.refused("infiltration"))?;
        }
        if let Some(map) = soils {
            let soils = covers::soils(scene);
            flow.set_soil_map(Some(SoilMap { soils, map })).map_err(scene.refused("cover"))?;
        }
        let [velocity, discharge] = maps.motion(&lattice, &rows);
        let mut radar = maps.radar;
        radar.follow(&mut flow).map_err(scene.refused("rain.raster"))?;
        if let Some([east, south]) = velocity {
            let set = flow.set_velocity(&east, &south);
            set.map_err(scene.refused("water.velocity_map"))?;
        }
        if let Some([east, south]) = discharge {
            let set = flow.set_unit_discharge(&east, &south);
            set.map_err(scene.refused("water.discharge_map"))?;
        }
        if let Some(particles) = scene.particles.as_ref().filter(|one| one.keys.count > 0) {
            let emitters = particles.emitters.iter().map(|area| area.region(&lattice)).collect();
            let seed = scene.seed.into();
            let tracers = Tracers { emitters, seed, ..(*particles.keys).clone() };
            flow.set_tracers(Some(tracers)).map_err(scene.refused("particles"))?;
        }
        flow.set_flood(scene.flood.as_ref().map(|flood| **flood))
            .map_err(scene.refused("flood"))?;
        for (i, body) in scene.bodies.iter().enumerate() {
            let key = format!("body[{i}]");
            let body = body.body(&lattice).ok_or_else(|| scene.error(&key, "is not whole"))?;
            flow.add_body(body).map_err(scene.refused(&key))?;
        }
        let body_kinds = BodyKinds::from_scene(scene.bodies.iter().map(crate::flow::Body::kind));
        let idle = idle(scene);
        Ok(Self { flow, terrain, carved, body_kinds, fed, radar, idle, settled: None })
    }

    /// Does a few steps toward the time `stop` (s), at most `most`.
    pub(super) fn steps_toward(&mut self, stop: f64, most: u64) -> Result<(), InputError> {
        // A raster's time is met exactly.
        let next = self.radar.follow(&mut self.flow)?;
        self.flow.steps_toward(stop.min(next), most as usize).map(drop)
    }

    /// Whether it rains by rasters that follow one another.
    pub(super) fn has_radar(&self) -> bool {
        !self.radar.is_empty()
    }

    /// Does to the world what an event of its scene says.
    ///
    /// # Errors
    /// [`InputError`] if a number makes no sense.
    pub fn act(&mut self, action: &Action) -> Result<(), InputError> {
        let lattice = *self.flow.lattice();
        if let Action::Add(Alone(added)) = action {
            match added {
                Added::Source(spring) => {
                    self.flow.add_spring(source(spring, &lattice)).map(drop)?;
                }
                Added::Drain(drain) => self.flow.add_drain(source(drain, &lattice)).map(drop)?,
                Added::Body(scene) => {
                    let Some(body) = scene.body(&lattice) else { return Ok(()) };
                    let id = self.flow.add_body(body)?;
                    self.body_kinds.set(id, scene.kind());
                }
            }
        }
        let Some(Stroke { brush, edit, keep }) = self.stroke(action) else { return Ok(()) };
        self.flow.edit_preserving(&brush, edit, keep)?;
        if edit == Edit::Open {
            // Nobody can open what is not part of the world.
            self.flow.close(&self.terrain.no_data)?;
        }
        Ok(())
    }

    /// What an event does with a brush and with nothing else, for whoever has the water; `None` for all other events.
    pub fn only_stroke(&self, action: &Action) -> Option<Stroke> {
        // What is not part of the world has to be closed again.
        let closes_again = self.terrain.no_data.as_slice().contains(&true);
        self.stroke(action).filter(|stroke| stroke.edit != Edit::Open || !closes_again)
    }

    fn stroke(&self, action: &Action) -> Option<Stroke> {
        stroke(action, self.flow.lattice(), self.terrain.datum)
    }
}

/// What an event does with a brush, on a world whose bed is 0 at a height `datum` (m) of the scene.
pub(super) fn stroke(action: &Action, lattice: &Lattice, datum: f64) -> Option<Stroke> {
    let (extent, falloff) = action.place()?;
    let brush = Brush { region: extent.region(lattice), falloff };
    let change = |change| match change {
        Change::To(level) => Change::To(level - datum),
        by => by,
    };
    let (edit, keep) = match action {
        Action::Raise(on) => (Edit::Raise(change(on.what.change)), on.what.keep),
        Action::Lower(on) => (Edit::Lower(change(on.what.change)), on.what.keep),
        Action::Flatten(on) => {
            let level = Some(on.what.level - datum);
            (Edit::Flatten { level, strength: 1.0 }, on.what.keep)
        }
        Action::Smooth(on) => {
            let two_cells = SMOOTH_CELLS * lattice.dx().max(lattice.dy());
            let reach = on.what.reach.unwrap_or(two_cells);
            (Edit::Smooth { reach, strength: 1.0 }, on.what.keep)
        }
        Action::Pour(on) => (Edit::Pour(on.what.amount), Preserve::Depth),
        Action::Remove(on) => (Edit::Remove(on.what.amount), Preserve::Depth),
        Action::Push(on) => (Edit::Push { velocity: on.what.velocity }, Preserve::Depth),
        Action::Close(_) => (Edit::Close, Preserve::Depth),
        Action::Open(_) => (Edit::Open, Preserve::Depth),
        Action::Add(_) => return None,
    };
    Some(Stroke { brush, edit, keep })
}

pub(super) fn params(scene: &FlowScene, lattice: &Lattice) -> Params {
    let keys = &scene.physics.keys;
    Params { pipe_area: pipe_area(keys, lattice), max_dt: scene.time.dt, ..(**keys).clone() }
}

/// What the scene says that nothing comes of on its level of physics.
pub(super) fn idle(scene: &FlowScene) -> Vec<String> {
    let level = scene.physics.keys.level;
    if level == Physics::ShallowWater {
        return Vec::new();
    }
    let mut told = Vec::new();
    for (i, boundary) in scene.boundaries.iter().enumerate() {
        let crate::flow::BoundaryKind::Inflow(Alone(inflow)) = &boundary.kind else { continue };
        for (key, given) in [("level", inflow.level.is_some()), ("along", inflow.along.is_some())] {
            if given {
                told.push(format!(
                    "boundary[{i}].{key} does nothing: \"inflow\" heeds it with physics.level = \"shallow-water\" alone"
                ));
            }
        }
    }
    told
}

/// What a boundary of a scene is, with heights counted from `datum` (m); `still` is the mean depth (m) of still water at a level along it.
pub(super) fn boundary_kind(
    boundary: &crate::flow::Boundary,
    datum: f64,
    still: impl FnOnce(f64) -> f64,
) -> BoundaryKind {
    use crate::flow::BoundaryKind as Kind;
    match &boundary.kind {
        Kind::Wall(_) => BoundaryKind::Wall,
        Kind::Inflow(Alone(Inflow { discharge, level: None, along: None })) => {
            BoundaryKind::Inflow { discharge: discharge.clone() }
        }
        Kind::Inflow(Alone(Inflow { discharge, level, along })) => BoundaryKind::Stream {
            discharge: discharge.clone(),
            along: along.clone().unwrap_or_else(|| 0.0.into()),
            level: level.as_ref().map(|level| level.map_values(|level| level - datum)),
        },
        Kind::Outflow(outflow) => BoundaryKind::Outflow { discharge: outflow.0.discharge.clone() },
        Kind::Open(_) => BoundaryKind::Open,
        Kind::Stage(Alone(stage)) => {
            BoundaryKind::Stage { level: stage.level.map_values(|level| level - datum) }
        }
        Kind::Wave(Alone(Wave { level, amplitude, period, rise })) => {
            let level = level - datum;
            match (rise, amplitude, period) {
                (Some(rise), ..) => BoundaryKind::Recorded { level, rise: rise.clone() },
                // No checked scene leaves out the one without the other.
                (None, amplitude, period) => BoundaryKind::Wave {
                    level,
                    amplitude: amplitude.unwrap_or(0.0),
                    period: period.unwrap_or(1.0),
                },
            }
        }
        &Kind::Solitary(Alone(Solitary { level, height, time, depth })) => {
            let level = level - datum;
            let depth = depth.unwrap_or_else(|| still(level));
            BoundaryKind::Solitary { level, height, depth, time }
        }
        Kind::Periodic(_) => BoundaryKind::Periodic,
    }
}

/// The mean depth of still water at a level (m) along a stretch, where there is any; `bed` is the height of the bed (m) at
/// a face of its edge.
pub(super) fn still_depth(
    boundary: &crate::flow::Boundary,
    lattice: &Lattice,
    level: f64,
    bed: impl Fn(usize) -> f32,
) -> f64 {
    let edge = boundary.stretch.edge;
    let [from, to] = boundary.stretch.ends(lattice);
    let faces = (0..lattice.edge_len(edge))
        .filter(|&i| (from..to).contains(&lattice.edge_position(edge, i)))
        .map(|i| level - f64::from(bed(i)))
        .filter(|depth| *depth > 0.0);
    let (sum, count) = faces.fold((0.0, 0_u32), |(sum, count), depth| (sum + depth, count + 1));
    // On dry ground there is no wave, whatever its length.
    if count > 0 { sum / f64::from(count) } else { 1.0 }
}

pub(super) fn source(source: &Beside<Source, SourcePlace>, lattice: &Lattice) -> Source {
    let during = Some([source.from, source.until.unwrap_or(f64::MAX)]);
    Source { region: source.region(lattice), rate: source.keys.rate.clone(), during }
}
