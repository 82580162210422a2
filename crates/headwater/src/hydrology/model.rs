//! Implementation of the trait [`Model`] for hydrology worlds.

use super::climate::rain::Inflow;
use super::edit::Edit;
use super::ground::forest::Niche;
use super::observe::layers::{LAYERS, View};
use super::params::{MAX_KINDS, Params, Strata};
use super::state::fixed;
use super::state::ledger::Substance;
use super::world::Hydrology;
use crate::brush::{Brush, Change};
use crate::error::InputError;
use crate::field::Field;
use crate::ids::Id;
use crate::model::{EditKind, Model, Sample, SubstanceBalance, common_methods, outlet_methods};
use crate::parameter::{Parameters, Range, Setting, Value};
use crate::region::{Point, Region};
use std::borrow::Cow;

const TABLE: &str = "hydrology";

const EDITS: [EditKind; 8] = [
    EditKind::new("raise", "height to raise the rock by", "m", Edit::HEIGHT),
    EditKind::new("lower", "height to lower the ground by", "m", Edit::HEIGHT),
    EditKind::new("heap", "height of the added soil", "m", Edit::ADDED_SOIL),
    EditKind::new("flatten", "level to bring the ground to", "m", Edit::LEVEL).as_level(),
    EditKind::new("smooth", "radius of the mean", "m", Edit::REACH),
    EditKind::new(
        "plant",
        "index of the kind to plant, from 1",
        "",
        Range::new(1.0, MAX_KINDS as f64),
    ),
    EditKind::new("clear", "unused", "", Range::new(0.0, 0.0)),
    EditKind::new("pour", "depth of water to pour on each cell", "m", Range::new(0.0, 1e5)),
];

/// Returns a copy of the parameters with one value replaced. `key` identifies the parameter, such
/// as `rock`, `edges.west` or `plants[0].growth`.
///
/// # Errors
/// Returns [`InputError`] if no parameter has this key, or if the value is invalid.
fn with_value(params: &Params, key: &str, value: &Value) -> Result<Params, InputError> {
    let Some((part, name)) = key.rsplit_once('.') else { return params.with_value(key, value) };
    let mut params = params.clone();
    let under = |error: InputError| error.with_table_prefix(part);
    let kind = part.strip_prefix("plants[").and_then(|number| number.strip_suffix(']'));
    let niche = kind.and_then(|number| params.plants.get_mut(number.parse::<usize>().ok()?));
    match (part, &mut params.strata, niche) {
        ("edges", ..) => params.edges = params.edges.with_value(name, value).map_err(under)?,
        ("stream_power", ..) => {
            params.stream_power = params.stream_power.with_value(name, value).map_err(under)?;
        }
        ("strata", Some(strata), _) => *strata = strata.with_value(name, value).map_err(under)?,
        (_, _, Some(niche)) => *niche = niche.with_value(name, value).map_err(under)?,
        _ => {
            let allowed =
                "a key of the table, or of its `edges`, `stream_power`, `strata` or `plants`";
            return Err(InputError::new("a parameter's key", key, allowed));
        }
    }
    Ok(params)
}

impl Hydrology {
    /// Returns a river that enters the map at the centre of `region`. `rate` is its discharge: the
    /// volume (m³) that enters while each cell receives one raindrop on average.
    ///
    /// # Errors
    /// Returns [`InputError`] if the resulting river is invalid.
    fn inflow_at_region(&self, region: Region, rate: f64) -> Result<Inflow, InputError> {
        let lattice = self.land.lattice;
        region.validate()?;
        let cells = region.cells(lattice);
        if cells.is_empty() {
            return Err(InputError::new(
                "a region",
                "one off the map",
                "a region that contains a cell",
            ));
        }
        let mean = |at: &dyn Fn(&(usize, usize, f64)) -> usize| {
            cells.iter().map(|cell| at(cell) as f64 + 0.5).sum::<f64>() / cells.len() as f64
        };
        let position = [mean(&|cell| cell.0), mean(&|cell| cell.1)].map(|at| at * lattice.dx());
        let depth = fixed::to_metres(self.land.drop_volume());
        Ok(Inflow { position, catchment: rate / depth })
    }
}

impl Model for Hydrology {
    common_methods!("hydrology");

    fn grid_size(&self) -> [usize; 2] {
        let grid = self.land.grid();
        [grid.nx, grid.ny]
    }

    fn settings(&self) -> Vec<Setting> {
        let params = self.params();
        let mut settings = params.settings(TABLE);
        settings.extend(params.edges.settings(&format!("{TABLE}.edges")));
        settings.extend(params.stream_power.settings(&format!("{TABLE}.stream_power")));
        let strata = params.strata.iter().flat_map(|s: &Strata| s.settings("hydrology.strata"));
        settings.extend(strata);
        let plants = params.plants.iter().enumerate();
        settings.extend(plants.flat_map(|(i, niche): (usize, &Niche)| {
            niche.settings(&format!("{TABLE}.plants[{i}]"))
        }));
        settings
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), InputError> {
        let Some(key) = key.strip_prefix("hydrology.") else {
            return Err(InputError::new(
                "a parameter's key",
                key,
                "a key of the table `hydrology`",
            ));
        };
        let params = with_value(self.params(), key, value);
        params
            .and_then(|params| self.set_params(params))
            .map_err(|error| error.with_table_prefix(TABLE))
    }

    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.layer(name)
    }

    fn sample_at(&self, point: Point) -> Vec<Sample> {
        let Some(found) = self.cell_at(point) else { return Vec::new() };
        let sample = |name, unit, value| Sample { name, unit, value };
        let mut samples = vec![
            sample("bed", "m", found.bed),
            sample("soil", "m", found.soil),
            sample("depth", "m", found.depth),
            sample("discharge", "m³ per m of rain", found.discharge),
            sample("vegetation", "1", found.cover),
        ];
        if found.plant.kind > 0 {
            samples.push(sample("plant", "1", found.plant.kind.into()));
            samples.push(sample("size", "1", f64::from(found.plant.size) / f64::from(u16::MAX)));
        }
        if let Some(lake) = self.lake_at(point) {
            samples.push(sample("level of the lake", "m", lake.level));
            samples.push(sample("area of the lake", "m²", lake.area));
            samples.push(sample("water in the lake", "m³", lake.volume));
        }
        samples
    }

    fn edit(&mut self, edit: &str, brush: &Brush, amount: f64) -> Result<(), InputError> {
        let edit = match EditKind::find_checked(&EDITS, edit, amount)?.name {
            "raise" => Edit::Raise(Change::By(amount)),
            "lower" => Edit::Lower(Change::By(amount)),
            "heap" => Edit::AddSoil(amount),
            "flatten" => Edit::Flatten { level: Some(amount), strength: 1.0 },
            "smooth" => Edit::Smooth { reach: amount, strength: 1.0 },
            "plant" => Edit::Plant { kind: amount as u8 },
            "clear" => Edit::Clear,
            _ => {
                let (touched, grid) = (brush.cells(self.land.lattice)?, self.land.grid());
                self.changes.next_tick();
                for t in touched {
                    let volume = fixed::to_quanta(amount * f64::from(t.weight));
                    self.pour_into_cell(t.y * grid.nx + t.x, volume);
                }
                return Ok(());
            }
        };
        self.edit(brush, edit)
    }

    outlet_methods!(
        add_spring,
        set_spring,
        remove_spring,
        springs,
        land.rain.inflows,
        Self::inflow_at_region
    );

    fn substance_balances(&self) -> Vec<SubstanceBalance> {
        let account = |name, substance| SubstanceBalance {
            substance: name,
            unit: "m³",
            balance: self.balance(substance).scaled(self.quantum()),
        };
        vec![account("water", Substance::Water), account("sediment", Substance::Sediment)]
    }
}
