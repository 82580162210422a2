//! A checked scene of the model `columns` becomes a world.

use super::{
    ColumnsEvent, ColumnsHeater, ColumnsOp, ColumnsScene, ColumnsSource, ColumnsWeather,
    ColumnsWind, ColumnsWorldTable, PALETTE,
};
use crate::blocks::BlocksWorldTable;
use crate::picture::FloaterLook;
use crate::pixmap::read_pixels;
use crate::scene::{SceneError, Tables, resolve};
use headwater::columns::{
    Anchor, Columns, ColumnsError, Edit, Heater, MAX_SIDE, Motion, Source, Wind, read_map,
};
use headwater::coupling::columns_of_blocks;
use headwater::{Field, Lattice, Series, blocks};
use serde::{Deserialize, Serialize};

/// A world of pools, and what its scene says that changes with time.
#[derive(Clone, Debug)]
pub struct ColumnsWorld {
    /// The model.
    pub columns: Columns,
    /// The board.
    pub lattice: Lattice,
    /// What it was made with.
    pub anchors: Vec<Anchor>,
    /// The rates of its sources and drains, by their numbers; drains below 0.
    rates: Vec<(Series, f64)>,
    /// The power of its heaters, by their numbers.
    powers: Vec<Series>,
    /// What its bodies look like, by their numbers.
    pub looks: Vec<FloaterLook>,
    weather: ColumnsWeather,
    wind: Option<ColumnsWind>,
    /// How an event made the wind blow (m/s², to the east), if one did.
    blows: Option<f64>,
    seed: u32,
}

/// What a world of pools has besides its model, that events can add to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Furniture {
    rates: Vec<(Series, f64)>,
    powers: Vec<Series>,
    looks: Vec<FloaterLook>,
    /// How the wind was made to blow (m/s²), if it was.
    wind: Option<f64>,
}

/// How long blocks may take to come to rest (ticks).
const MOST_TICKS: u64 = 100_000;

/// mm/h as m/s.
const MM_PER_HOUR: f64 = 1e-3 / 3600.0;

impl ColumnsWorld {
    /// The world of `scene` as it is at its start.
    ///
    /// # Errors
    /// [`SceneError`] if the board's file cannot be used, or something of the scene does not fit the board.
    pub fn build(scene: &ColumnsScene) -> Result<Self, SceneError> {
        let refuse = |key: &str| {
            let key = key.to_owned();
            move |error: ColumnsError| scene.error(&key, error.to_string())
        };
        if let Some(table) = &scene.world.blocks {
            return Self::of_blocks(scene, table);
        }
        let (mut walls, mut anchors) = board(scene)?;
        let Some(lattice) = scene.lattice_of(walls.nx(), walls.ny()) else {
            return Err(scene.error("world", "there is no such board"));
        };
        scene.check_on(&lattice)?;
        for wall in &scene.walls {
            for (x, y, _) in wall.area().region(&lattice).cells(lattice) {
                walls[(x, y)] = !wall.air;
            }
        }
        anchors.extend(scene.anchors.iter().map(|anchor| anchor.anchor(&lattice)));
        let (cell, params) = (scene.world.cell, scene.params());
        let columns = Columns::new(&walls, cell, &anchors, params).map_err(refuse("physics"))?;
        Self::furnish(scene, columns, lattice, anchors)
    }

    /// A world whose water blocks have found.
    fn of_blocks(scene: &ColumnsScene, table: &BlocksWorldTable) -> Result<Self, SceneError> {
        let error =
            |key: &str, message: String| scene.error(&format!("world.blocks{key}"), message);
        let (files, params) = (scene.source_of_files(), blocks::Params::default());
        let mut world = crate::blocks::world::from_table(files, table, params, scene.seed, error)?;
        let Some(lattice) = scene.lattice_of(world.nx(), world.ny()) else {
            return Err(error("", "there is no such board".into()));
        };
        scene.check_on(&lattice)?;
        if !world.run_to_rest(MOST_TICKS) {
            let message = format!("its water does not come to rest in {MOST_TICKS} ticks");
            return Err(error("", message));
        }
        let columns = columns_of_blocks(&world, scene.world.cell, scene.params());
        let columns = columns.map_err(|e| error("", e.to_string()))?;
        Self::furnish(scene, columns, lattice, Vec::new())
    }

    /// Puts into a world what its scene has besides walls and water.
    fn furnish(
        scene: &ColumnsScene,
        columns: Columns,
        lattice: Lattice,
        anchors: Vec<Anchor>,
    ) -> Result<Self, SceneError> {
        let refuse = |key: &str| {
            let key = key.to_owned();
            move |error: ColumnsError| scene.error(&key, error.to_string())
        };
        let mut world = Self {
            columns,
            lattice,
            anchors,
            rates: Vec::new(),
            powers: Vec::new(),
            looks: scene.bodies.iter().map(|body| body.kind).collect(),
            weather: scene.weather.clone(),
            wind: scene.wind.clone(),
            blows: None,
            seed: scene.seed,
        };
        for (list, sign, entries) in
            [("source", 1.0, &scene.sources), ("drain", -1.0, &scene.drains)]
        {
            for (i, entry) in entries.iter().enumerate() {
                world.add_source(entry, sign).map_err(refuse(&format!("{list}[{i}]")))?;
            }
        }
        for (i, entry) in scene.heaters.iter().enumerate() {
            world.add_heater(entry).map_err(refuse(&format!("heater[{i}]")))?;
        }
        for (i, body) in scene.bodies.iter().enumerate() {
            let floater = body.floater(&lattice);
            world.columns.add_floater(floater).map_err(refuse(&format!("body[{i}]")))?;
        }
        world.set_to(0.0).map_err(refuse("weather"))?;
        Ok(world)
    }

    fn add_source(&mut self, entry: &ColumnsSource, sign: f64) -> Result<(), ColumnsError> {
        let source = Source { region: entry.area().region(&self.lattice), rate: 0.0 };
        self.columns.add_source(source)?;
        self.rates.push((entry.rate.clone(), sign));
        Ok(())
    }

    fn add_heater(&mut self, entry: &ColumnsHeater) -> Result<(), ColumnsError> {
        let heater = Heater { region: entry.area().region(&self.lattice), power: 0.0 };
        self.columns.add_heater(heater)?;
        self.powers.push(entry.power.clone());
        Ok(())
    }

    /// What was added to it besides its model, as it is now.
    pub(crate) fn furniture(&self) -> Furniture {
        let Self { rates, powers, looks, blows, .. } = self;
        let (rates, powers, looks) = (rates.clone(), powers.clone(), looks.clone());
        Furniture { rates, powers, looks, wind: *blows }
    }

    /// Takes over a model and what belongs to it; false if they do not fit.
    pub(crate) fn take_over(&mut self, columns: Columns, furniture: Furniture) -> bool {
        let Furniture { rates, powers, looks, wind } = furniture;
        let fit = columns.sources().len() == rates.len()
            && columns.heaters() == powers.len()
            && columns.floaters().len() == looks.len();
        if fit {
            (self.columns, self.rates, self.powers, self.looks) = (columns, rates, powers, looks);
            self.blows = wind;
        }
        fit
    }

    /// Takes over what another version of its scene says of rates, weather and wind. What was added beside the scene
    /// stays.
    pub(crate) fn follow(&mut self, scene: &ColumnsScene) {
        let sources = scene.sources.iter().map(|source| (source.rate.clone(), 1.0));
        let drains = scene.drains.iter().map(|drain| (drain.rate.clone(), -1.0));
        for (rate, new) in self.rates.iter_mut().zip(sources.chain(drains)) {
            *rate = new;
        }
        for (power, heater) in self.powers.iter_mut().zip(&scene.heaters) {
            *power = heater.power.clone();
        }
        if self.wind != scene.wind {
            // What the scene says now comes after what an event said.
            self.blows = None;
        }
        (self.weather, self.wind) = (scene.weather.clone(), scene.wind.clone());
    }

    /// Does a step.
    ///
    /// # Errors
    /// [`ColumnsError`] if a rate cannot be, which no checked scene has.
    pub fn step(&mut self) -> Result<(), ColumnsError> {
        self.set_to(self.columns.time())?;
        self.columns.step();
        Ok(())
    }

    /// Sets everything that changes with time to what it is at a time (s).
    fn set_to(&mut self, time: f64) -> Result<(), ColumnsError> {
        for (i, (rate, sign)) in self.rates.iter().enumerate() {
            self.columns.set_rate(i, sign * rate.at(time))?;
        }
        if self.columns.params().motion == Motion::Discharge {
            let rate = |series: &Option<Series>| {
                series.as_ref().map_or(0.0, |series| series.at(time) * MM_PER_HOUR)
            };
            self.columns.set_weather(rate(&self.weather.rain), rate(&self.weather.evaporation))?;
        }
        if let Some(air) = &self.weather.air {
            self.columns.set_air(air.at(time))?;
        }
        for (i, power) in self.powers.iter().enumerate() {
            self.columns.set_power(i, power.at(time))?;
        }
        let wind = self.wind.as_ref().map(|wind| wind.at(time, self.seed));
        let wind = match self.blows {
            Some(acceleration) => {
                let wind = wind.unwrap_or_else(|| ColumnsWind::default().at(time, self.seed));
                Some(Wind { acceleration, ..wind })
            }
            None => wind,
        };
        if wind.is_some() {
            self.columns.set_wind(wind)?;
        }
        Ok(())
    }

    /// Does what an event says.
    ///
    /// # Errors
    /// [`ColumnsError`] if it meets no column of the world as it is by then.
    pub fn act(&mut self, event: &ColumnsEvent) -> Result<(), ColumnsError> {
        let region = event.area().region(&self.lattice);
        let edit = match event.op {
            ColumnsOp::Pour => Edit::Pour(event.volume.unwrap_or_default()),
            ColumnsOp::Remove => Edit::Remove(event.volume.unwrap_or_default()),
            ColumnsOp::Splash => Edit::Splash(event.height.unwrap_or_default()),
            ColumnsOp::Push => Edit::Push(event.velocity.unwrap_or_default()),
            ColumnsOp::Add => return self.add(event),
            ColumnsOp::Stand => {
                let Some(at) = event.at else { return Ok(()) };
                return self.columns.stand(resolve(at, &self.lattice)).map(|_| ());
            }
            ColumnsOp::Wind => {
                self.blows = event.acceleration;
                return Ok(());
            }
            ColumnsOp::Dig | ColumnsOp::Build => {
                let is_wall = event.op == ColumnsOp::Build;
                return self.columns.set_walls(&region, is_wall).map(|_| ());
            }
        };
        self.columns.edit(&region, edit)
    }

    /// Adds what an event adds.
    fn add(&mut self, event: &ColumnsEvent) -> Result<(), ColumnsError> {
        for (entry, sign) in [(&event.source, 1.0), (&event.drain, -1.0)] {
            if let Some(entry) = entry {
                self.add_source(entry, sign)?;
            }
        }
        if let Some(heater) = &event.heater {
            self.add_heater(heater)?;
        }
        if let Some(body) = &event.body {
            self.columns.add_floater(body.floater(&self.lattice))?;
            self.looks.push(body.kind);
        }
        Ok(())
    }
}

/// The walls and the anchors of the scene's board, without those that stand in lists.
fn board(scene: &ColumnsScene) -> Result<(Field<bool>, Vec<Anchor>), SceneError> {
    let ColumnsWorldTable { cell, map, file, nx, ny, .. } = &scene.world;
    if let Some(map) = map {
        return read_map(map, *cell).map_err(|error| scene.error("world.map", error.to_string()));
    }
    let Some(file) = file else {
        let (nx, ny) = (nx.unwrap_or_default(), ny.unwrap_or_default());
        return Ok((Field::new(nx, ny, false), Vec::new()));
    };
    let cells = read_pixels(scene.source_of_files(), file, &PALETTE, MAX_SIDE)
        .map_err(|error| scene.error("world.file", error.to_string()))?;
    let anchors = cells.rows().enumerate().flat_map(|(y, row)| {
        let in_cell = move |kind, x| Anchor::in_cell(kind, x, y, *cell);
        row.iter().enumerate().filter_map(move |(x, found)| Some(in_cell(found.anchor()?, x)))
    });
    Ok((cells.map(|cell| cell.is_wall()), anchors.collect()))
}
