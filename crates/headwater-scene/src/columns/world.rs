//! Creation of worlds of the model `columns` from checked scenes, and application of events.

use super::scene::{to_heater, to_source};
use super::{Added, ColumnsAction, ColumnsScene, ColumnsWorldTable, PALETTE};
use crate::blocks::BlocksWorldTable;
use crate::picture::{BodyKinds, PoolBodyKind};
use crate::pixmap::read_pixels;
use crate::scene::NonAreaAction;
use crate::scene::check_fits_lattice;
use crate::scene::{SceneError, SceneModel, resolve_position};
use headwater::columns::{Anchor, Columns, Edit, MAX_SIDE, Wind, read_map};
use headwater::coupling::columns_from_blocks;
use headwater::error::format_number;
use headwater::{Field, InputError, Lattice, blocks};

/// World of a columns scene: the columns model, and the data from the scene that are needed for
/// stepping and drawing.
#[derive(Clone, Debug)]
pub struct ColumnsWorld {
    /// Columns model, which simulates the water.
    pub columns: Columns,
    /// Lattice of wall and air cells.
    pub lattice: Lattice,
    /// Points with a prescribed water level or with trapped air in the initial state.
    pub anchors: Vec<Anchor>,
    /// Kinds of the bodies, which determine their appearance in pictures.
    pub body_kinds: BodyKinds<PoolBodyKind>,
    seed: u32,
}

/// Maximum number of steps in which the water of a blocks world must come to rest.
const MAX_TICKS: u64 = 100_000;

impl ColumnsWorld {
    /// Creates the world of a scene in its initial state.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the image file of the walls cannot be used, or if the position or
    /// area of a scene table does not fit the grid.
    pub fn build(scene: &ColumnsScene) -> Result<Self, SceneError> {
        if let Some(table) = &scene.world.blocks {
            return Self::from_blocks(scene, table);
        }
        let (mut walls, mut anchors) = read_walls_and_anchors(scene)?;
        let Some(lattice) = scene.lattice_with_size(walls.nx(), walls.ny()) else {
            return Err(scene.error("world", "there is no such grid"));
        };
        check_fits_lattice(scene, &lattice)?;
        for wall in &scene.walls {
            for (x, y, _) in wall.extent.region(&lattice).cells(lattice) {
                walls[(x, y)] = !wall.value.air;
            }
        }
        anchors.extend(scene.anchors.iter().map(|anchor| anchor.to_anchor(&lattice)));
        let (cell, params) = (scene.world.cell, scene.params());
        let columns =
            Columns::new(&walls, cell, &anchors, params).map_err(scene.error_at("physics"))?;
        Self::add_objects(scene, columns, lattice, anchors)
    }

    /// Creates a world whose initial water is that of a blocks world at rest. `table` describes the
    /// blocks world, which is stepped until its water is at rest.
    fn from_blocks(scene: &ColumnsScene, table: &BlocksWorldTable) -> Result<Self, SceneError> {
        let error =
            |key: &str, message: String| scene.error(&format!("world.blocks{key}"), message);
        let (files, params) = (scene.file_source(), blocks::Params::default());
        let mut world =
            crate::blocks::world::world_from_table(files, table, params, scene.seed, error)?;
        let Some(lattice) = scene.lattice_with_size(world.nx(), world.ny()) else {
            return Err(error("", "there is no such grid".into()));
        };
        check_fits_lattice(scene, &lattice)?;
        if !world.run_to_rest(MAX_TICKS) {
            let message = format!("its water does not come to rest in {MAX_TICKS} ticks");
            return Err(error("", message));
        }
        let columns = columns_from_blocks(&world, scene.world.cell, scene.params());
        let columns = columns.map_err(|e| error("", e.to_string()))?;
        Self::add_objects(scene, columns, lattice, Vec::new())
    }

    /// Adds the scene's sources, drains, heaters, bodies, weather and wind to the model, and
    /// creates the world.
    fn add_objects(
        scene: &ColumnsScene,
        mut columns: Columns,
        lattice: Lattice,
        anchors: Vec<Anchor>,
    ) -> Result<Self, SceneError> {
        scene.add_each("source", &scene.sources, |one| {
            columns.add_spring(to_source(one, &lattice))
        })?;
        scene
            .add_each("drain", &scene.drains, |one| columns.add_drain(to_source(one, &lattice)))?;
        scene.add_each("heater", &scene.heaters, |one| {
            columns.add_heater(to_heater(one, &lattice))
        })?;
        let walls = columns.walls();
        for (i, body) in scene.bodies.iter().enumerate() {
            let at = resolve_position(body.at, &lattice);
            let is_wall = |cell: (usize, usize)| walls[cell];
            if lattice.cell_at(at).is_some_and(is_wall) {
                let [x, y] = at.map(format_number);
                let message = format!(
                    "found [{x}, {y}] m, which is in a wall; needs a place in water or air"
                );
                return Err(scene.error(&format!("body[{i}].at"), message));
            }
        }
        scene.add_each("body", &scene.bodies, |one| columns.add_body(one.to_body(&lattice)))?;
        columns.set_weather((*scene.weather).clone()).map_err(scene.error_at("weather"))?;
        columns.set_wind(scene.wind()).map_err(scene.error_at("wind"))?;
        let body_kinds = BodyKinds::from_scene(scene.bodies.iter().map(|body| body.kind));
        Ok(Self { columns, lattice, anchors, body_kinds, seed: scene.seed })
    }

    /// Applies the action of an event to the world.
    ///
    /// # Errors
    /// Returns [`InputError`] if no column of cells is in the area of the action, or if the model
    /// rejects the action.
    pub fn apply_action(&mut self, action: &ColumnsAction) -> Result<(), InputError> {
        let (lattice, columns) = (&self.lattice, &mut self.columns);
        match action {
            ColumnsAction::Pour(on) => {
                columns.edit(&on.extent.region(lattice), Edit::Pour(on.value.volume))
            }
            ColumnsAction::Remove(on) => {
                columns.edit(&on.extent.region(lattice), Edit::Remove(on.value.volume))
            }
            ColumnsAction::Splash(on) => {
                columns.edit(&on.extent.region(lattice), Edit::Splash(on.value.height))
            }
            ColumnsAction::Push(on) => {
                columns.edit(&on.extent.region(lattice), Edit::Push(on.value.velocity))
            }
            ColumnsAction::Stand(NonAreaAction(stand)) => {
                columns.set_level(resolve_position(stand.at, lattice)).map(|_| ())
            }
            ColumnsAction::Wind(NonAreaAction(blow)) => {
                let seed = self.seed.into();
                let wind = columns.wind().cloned();
                let wind = wind.unwrap_or_else(|| Wind { seed, ..Wind::default() });
                columns.set_wind(Some(Wind { acceleration: blow.acceleration.into(), ..wind }))
            }
            ColumnsAction::Dig(on) => {
                columns.set_walls(&on.extent.region(lattice), false).map(|_| ())
            }
            ColumnsAction::Build(on) => {
                columns.set_walls(&on.extent.region(lattice), true).map(|_| ())
            }
            ColumnsAction::Add(NonAreaAction(added)) => self.add_object(added),
        }
    }

    /// Returns the kind of each body, in the order in which the model lists its bodies.
    pub(super) fn body_kinds_in_order(&self) -> Vec<PoolBodyKind> {
        self.columns.bodies().ids().iter().map(|&id| self.body_kinds.get(id)).collect()
    }

    /// Adds the spring, drain, heater or body of an event to the model.
    fn add_object(&mut self, added: &Added) -> Result<(), InputError> {
        let (lattice, columns) = (&self.lattice, &mut self.columns);
        match added {
            Added::Source(entry) => columns.add_spring(to_source(entry, lattice)).map(|_| ()),
            Added::Drain(entry) => columns.add_drain(to_source(entry, lattice)).map(|_| ()),
            Added::Heater(entry) => columns.add_heater(to_heater(entry, lattice)).map(|_| ()),
            Added::Body(body) => {
                let id = columns.add_body(body.to_body(lattice))?;
                self.body_kinds.set(id, body.kind);
                Ok(())
            }
        }
    }
}

/// Reads the walls and the anchors from the scene's `map` string or image file.
fn read_walls_and_anchors(scene: &ColumnsScene) -> Result<(Field<bool>, Vec<Anchor>), SceneError> {
    let ColumnsWorldTable { cell, map, file, nx, ny, .. } = &scene.world;
    if let Some(map) = map {
        return read_map(map, *cell).map_err(scene.error_at("world.map"));
    }
    let Some(file) = file else {
        let (nx, ny) = (nx.unwrap_or_default(), ny.unwrap_or_default());
        return Ok((Field::new(nx, ny, false), Vec::new()));
    };
    let cells = read_pixels(scene.file_source(), file, &PALETTE, MAX_SIDE)
        .map_err(scene.error_at("world.file"))?;
    let anchors = cells.rows().enumerate().flat_map(|(y, row)| {
        let in_cell = move |kind, x| Anchor::from_cell(kind, x, y, *cell);
        row.iter().enumerate().filter_map(move |(x, found)| Some(in_cell(found.anchor()?, x)))
    });
    Ok((cells.map(|cell| cell.is_wall()), anchors.collect()))
}
