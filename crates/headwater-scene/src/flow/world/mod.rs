//! [`FlowWorld`]: the world of a flow scene, with its terrain, water, inflows and outflows. The
//! world also applies the actions of events.

mod carved;
pub(super) mod covers;
mod maps;
mod rain_rasters;
mod settings;
pub(super) mod structures;

pub use carved::CarvedLand;
pub(super) use maps::SceneRasters;
pub(super) use rain_rasters::RainRasterSeries;

use super::{Action, Added, BodyKind, FlowScene, SourcePlace, pipe_area};
use crate::picture::BodyKinds;
use crate::scene::{ExtendedKeys, SceneError, SceneModel};
use crate::scene::{NonAreaAction, resolve_position};
use crate::terrain::{self, Terrain};
use headwater::flow::{
    Change, Edit, Flow, Params, Physics, PreservedQuantity, Rain, RelaxationStatus, SoilMap,
    Source, Structure, Tracers,
};
use headwater::{Brush, InputError, Lattice};

/// World of a flow scene: the flow model, the terrain, and further data that the model itself does
/// not store.
#[derive(Clone, Debug)]
pub struct FlowWorld {
    /// Flow model. All its heights are relative to the terrain's datum.
    pub flow: Flow,
    /// Terrain at the start of the run.
    pub terrain: Terrain,
    /// Land that was eroded before the run; `None` if the scene has no table `[carve]`.
    pub carved: Option<CarvedLand>,
    /// Kinds of the floating bodies, for their appearance in pictures. Indexed by body ID.
    pub body_kinds: BodyKinds<BodyKind>,
    /// Numbers of boundary conditions (first element) and springs (second element) at the start of
    /// the model's lists that are not in the scene. They belong to land that was eroded before the
    /// run.
    pub(super) entries_before_scene: [usize; 2],
    /// Time series of rain rasters.
    rain_rasters: RainRasterSeries,
    /// Messages for the user about scene keys that have no effect.
    pub(super) unused_key_notices: Vec<String>,
    /// Result of the relaxation to a steady state. `None` if the relaxation was not requested or is
    /// not complete.
    pub(super) relaxation_status: Option<RelaxationStatus>,
}

/// Brush edit: an edit, and the brush that selects the cells to which it applies.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Brush that selects the cells, with a weight for each.
    pub brush: Brush,
    /// Edit that is applied to the cells.
    pub edit: Edit,
    /// Water quantity that stays unchanged when the edit changes the ground: the depth or the
    /// surface level.
    pub keep: PreservedQuantity,
}

/// Default radius over which the ground is averaged when it is smoothed (cells).
const DEFAULT_SMOOTHING_RADIUS_CELLS: f64 = 2.0;

impl FlowWorld {
    /// Builds the initial world of a scene.
    ///
    /// # Errors
    /// Returns [`SceneError`] if a file cannot be used, or if the scene does not fit the grid of
    /// the terrain file.
    pub fn build(scene: &FlowScene) -> Result<Self, SceneError> {
        let mut terrain = terrain::build_terrain(scene)?;
        let lattice = terrain.lattice;
        let params = params(scene, &lattice);
        let (mut flow, carved) = match &scene.carve {
            Some(carve) => {
                let (flow, carved) = carved::carve(scene, carve, &mut terrain, params)?;
                (flow, Some(carved))
            }
            None => {
                let depth = crate::flow::initial_depth(scene, &terrain)?;
                let flow = Flow::new(lattice, params, terrain.bed.clone(), depth);
                (flow.map_err(scene.error_at("terrain"))?, None)
            }
        };
        flow.set_subgrid(terrain.subgrid.clone()).map_err(scene.error_at("terrain.subgrid"))?;
        let (maps, rows) =
            (SceneRasters::read(scene, terrain.georeference.as_ref())?, 0..lattice.ny());
        let (roughness, soils) =
            maps.ground_properties(scene.physics.keys.manning, &lattice, rows.clone());
        flow.set_roughness(roughness).map_err(scene.error_at("physics.manning_map"))?;
        flow.close_cells(&terrain.no_data).map_err(scene.error_at("terrain"))?;
        flow.close_cells(&crate::flow::obstacle_mask(scene, &lattice))
            .map_err(scene.error_at("obstacle"))?;
        let entries_before_scene = [flow.boundaries().len(), flow.springs().len()];
        scene.add_each("boundary", &scene.boundaries, |boundary| {
            let bed = |i| terrain.bed[lattice.edge_cell(boundary.stretch.edge, i)];
            flow.set_boundary(boundary.to_model(&lattice, terrain.datum, bed))
        })?;
        scene
            .add_each("source", &scene.sources, |one| flow.add_spring(to_source(one, &lattice)))?;
        scene.add_each("drain", &scene.drains, |one| flow.add_drain(to_source(one, &lattice)))?;
        for (ends, kind) in scene.structures().iter().zip(structures::structure_kinds(
            scene,
            &lattice,
            terrain.datum,
        )) {
            let structure =
                Structure { mouths: ends.mouth_regions(&lattice), one_way: ends.one_way, kind };
            flow.add_structure(structure).map_err(scene.error_at(&ends.key))?;
        }
        if let Some(rain) = &scene.rain {
            let map = maps.rain_factors(&lattice, rows.clone());
            flow.set_rain(Some(Rain { map, ..(*rain.keys).clone() }))
                .map_err(scene.error_at("rain"))?;
        }
        if let Some(evaporation) = &scene.evaporation {
            flow.set_evaporation(Some((**evaporation).clone()))
                .map_err(scene.error_at("evaporation"))?;
        }
        if let Some(soil) = &scene.infiltration {
            flow.set_soil(Some(**soil)).map_err(scene.error_at("infiltration"))?;
        }
        if let Some(map) = soils {
            let soils = covers::soils(scene);
            flow.set_soil_map(Some(SoilMap { soils, map })).map_err(scene.error_at("cover"))?;
        }
        let [velocity, discharge] = maps.initial_motion(&lattice, &rows);
        let mut rain_rasters = maps.rain_rasters;
        rain_rasters.update_rain_map(&mut flow).map_err(scene.error_at("rain.raster"))?;
        if let Some([east, south]) = velocity {
            let set = flow.set_velocity(&east, &south);
            set.map_err(scene.error_at("water.velocity_map"))?;
        }
        if let Some([east, south]) = discharge {
            let set = flow.set_unit_discharge(&east, &south);
            set.map_err(scene.error_at("water.discharge_map"))?;
        }
        if let Some(particles) = scene.particles.as_ref().filter(|one| one.keys.count > 0) {
            let emitters = particles.emitters.iter().map(|area| area.region(&lattice)).collect();
            let seed = scene.seed.into();
            let tracers = Tracers { emitters, seed, ..(*particles.keys).clone() };
            flow.set_tracers(Some(tracers)).map_err(scene.error_at("particles"))?;
        }
        flow.set_flood(scene.flood.as_ref().map(|flood| **flood))
            .map_err(scene.error_at("flood"))?;
        for (i, body) in scene.bodies.iter().enumerate() {
            let key = format!("body[{i}]");
            let body = body.to_body(&lattice).ok_or_else(|| scene.error(&key, "is not whole"))?;
            flow.add_body(body).map_err(scene.error_at(&key))?;
        }
        let body_kinds = BodyKinds::from_scene(scene.bodies.iter().map(crate::flow::Body::kind));
        let mut unused_key_notices = unused_key_notices(scene, &lattice);
        unused_key_notices.extend(closed_place_notices(scene, &flow));
        Ok(Self {
            flow,
            terrain,
            carved,
            body_kinds,
            entries_before_scene,
            rain_rasters,
            unused_key_notices,
            relaxation_status: None,
        })
    }

    /// Takes at most `max_steps` steps toward the time `stop` (s). Returns earlier when the next
    /// rain raster starts.
    pub(super) fn take_steps_toward(
        &mut self,
        stop: f64,
        max_steps: u64,
    ) -> Result<(), InputError> {
        // Steps end exactly when the next rain raster starts.
        let next = self.rain_rasters.update_rain_map(&mut self.flow)?;
        self.flow.steps_toward(stop.min(next), max_steps as usize).map(drop)
    }

    /// Returns whether the rain is given as a time series of rasters.
    #[cfg(feature = "gpu")]
    pub(super) fn has_rain_rasters(&self) -> bool {
        !self.rain_rasters.is_empty()
    }

    /// Applies the action of an event to the world.
    ///
    /// # Errors
    /// Returns [`InputError`] if the model rejects the action, for example because a value is out
    /// of range.
    pub fn apply_action(&mut self, action: &Action) -> Result<(), InputError> {
        let lattice = *self.flow.lattice();
        if let Action::Add(NonAreaAction(added)) = action {
            match added {
                Added::Source(spring) => {
                    self.flow.add_spring(to_source(spring, &lattice)).map(drop)?;
                }
                Added::Drain(drain) => self.flow.add_drain(to_source(drain, &lattice)).map(drop)?,
                Added::Body(scene) => {
                    let Some(body) = scene.to_body(&lattice) else { return Ok(()) };
                    let id = self.flow.add_body(body)?;
                    self.body_kinds.set(id, scene.kind());
                }
            }
        }
        let Some(Stroke { brush, edit, keep }) = self.stroke(action) else { return Ok(()) };
        self.flow.edit_preserving(&brush, edit, keep)?;
        if edit == Edit::Open {
            // An edit that opens cells must not open cells without data, so these are closed again.
            self.flow.close_cells(&self.terrain.no_data)?;
        }
        Ok(())
    }

    /// Returns a brush edit with exactly the effect of `action`. Returns `None` if the action is
    /// not a brush edit or has further effects.
    pub fn equivalent_stroke(&self, action: &Action) -> Option<Stroke> {
        // After an edit that opens cells, the cells without data must be closed again.
        let closes_again = self.terrain.no_data.as_slice().contains(&true);
        self.stroke(action).filter(|stroke| stroke.edit != Edit::Open || !closes_again)
    }

    fn stroke(&self, action: &Action) -> Option<Stroke> {
        action_to_stroke(action, self.flow.lattice(), self.terrain.datum)
    }
}

/// Converts an action to a brush edit of a world whose heights are above `datum` (m). Returns
/// `None` for actions that add an object.
pub(super) fn action_to_stroke(action: &Action, lattice: &Lattice, datum: f64) -> Option<Stroke> {
    let (extent, falloff) = action.extent_and_falloff()?;
    let brush = Brush { region: extent.region(lattice), falloff };
    let change = |change| match change {
        Change::To(level) => Change::To(level - datum),
        by => by,
    };
    let (edit, keep) = match action {
        Action::Raise(on) => (Edit::Raise(change(on.value.change)), on.value.keep),
        Action::Lower(on) => (Edit::Lower(change(on.value.change)), on.value.keep),
        Action::Flatten(on) => {
            let level = Some(on.value.level - datum);
            (Edit::Flatten { level, strength: 1.0 }, on.value.keep)
        }
        Action::Smooth(on) => {
            let two_cells = DEFAULT_SMOOTHING_RADIUS_CELLS * lattice.dx().max(lattice.dy());
            let reach = on.value.reach.unwrap_or(two_cells);
            (Edit::Smooth { reach, strength: 1.0 }, on.value.keep)
        }
        Action::Pour(on) => (Edit::Pour(on.value.amount), PreservedQuantity::Depth),
        Action::Remove(on) => (Edit::Remove(on.value.amount), PreservedQuantity::Depth),
        Action::Push(on) => (Edit::Push { velocity: on.value.velocity }, PreservedQuantity::Depth),
        Action::Close(_) => (Edit::Close, PreservedQuantity::Depth),
        Action::Open(_) => (Edit::Open, PreservedQuantity::Depth),
        Action::Add(_) => return None,
    };
    Some(Stroke { brush, edit, keep })
}

pub(super) fn params(scene: &FlowScene, lattice: &Lattice) -> Params {
    let keys = &scene.physics.keys;
    Params { pipe_area: pipe_area(keys, lattice), max_dt: scene.time.dt, ..(**keys).clone() }
}

/// Returns messages for the user about parts of the scene that have no effect or less effect than
/// expected: obstacles that are too narrow for the grid, a late first rain raster, and boundary
/// keys that the selected equations do not use.
pub(super) fn unused_key_notices(scene: &FlowScene, lattice: &Lattice) -> Vec<String> {
    let obstacles = scene.obstacles.iter().enumerate();
    let mut notices: Vec<String> = obstacles
        .filter_map(|(i, area)| {
            terrain::narrow_area_notice(&format!("obstacle[{i}]"), area, lattice, 1)
        })
        .collect();
    let rasters = scene.rain.iter().filter_map(|rain| rain.rasters.first());
    notices.extend(rasters.filter(|raster| raster.time > 0.0).map(|raster| {
        let time = raster.time;
        format!("rain.raster: no rain falls before the first raster, which starts at {time} s")
    }));
    let level = scene.physics.keys.level;
    if level == Physics::ShallowWater {
        return notices;
    }
    let boundaries = scene.boundaries.iter().enumerate();
    let boundaries = boundaries.flat_map(|(i, boundary)| {
        let keys = boundary.shallow_water_keys();
        keys.into_iter().map(move |key| {
            format!(
                "boundary[{i}].{key} has no effect: \"inflow\" uses it only with physics.level = \"shallow-water\""
            )
        })
    });
    notices.extend(boundaries);
    notices
}

/// Returns messages for the user about sources, drains and gauges that lie only in cells that are
/// closed to water at the start.
fn closed_place_notices(scene: &FlowScene, flow: &Flow) -> Vec<String> {
    let lattice = flow.lattice();
    let closed = |(x, y): (usize, usize)| flow.state().closed.contains(x, y);
    let is_closed = |source: &ExtendedKeys<Source, SourcePlace>| {
        source.region(lattice).cells(lattice).iter().all(|&(x, y, _)| closed((x, y)))
    };
    let mut notices = Vec::new();
    for (list, sources) in [("source", &scene.sources), ("drain", &scene.drains)] {
        for (i, _) in sources.iter().enumerate().filter(|(_, source)| is_closed(source)) {
            notices.push(format!(
                "{list}[{i}] has no effect: it lies in cells that are closed to water or have no data"
            ));
        }
    }
    for (i, gauge) in scene.gauges.iter().enumerate() {
        let cell = gauge.at.and_then(|at| lattice.cell_at(resolve_position(at, lattice)));
        if cell.is_some_and(closed) {
            notices.push(format!(
                "gauge[{i}] is always dry: it lies in a cell that is closed to water or has no data"
            ));
        }
    }
    notices
}

pub(super) fn to_source(source: &ExtendedKeys<Source, SourcePlace>, lattice: &Lattice) -> Source {
    let during = Some([source.from, source.until.unwrap_or(f64::MAX)]);
    Source { region: source.region(lattice), rate: source.keys.rate.clone(), during }
}
