//! Implementation of the common [`Model`] interface for worlds of blocks.

use super::edit::Edit;
use super::observe::layers::{LAYERS, View};
use super::sources::exchange::{Drain, Spring};
use super::state::cell::{FULL, Liquid};
use super::world::{AMOUNT, Blocks};
use crate::brush::Brush;
use crate::error::InputError;
use crate::field::Field;
use crate::ids::Id;
use crate::model::{EditKind, Model, Sample, SubstanceBalance, common_methods, outlet_methods};
use crate::parameter::{Parameters, Range, Setting, Value};
use crate::region::{Point, Region};
use std::borrow::Cow;

const TABLE: &str = "physics";

const DIG: EditKind = EditKind::new("dig", "turn walls into air", "", Range::ANY);

const POUR: EditKind =
    EditKind::new("pour", "water added to each cell, up to its free space", "256ths", AMOUNT);

const EDITS: [EditKind; 6] = [
    DIG,
    EditKind { name: "build", meaning: "turn air into wall", ..DIG },
    POUR,
    EditKind { name: "pour-oil", meaning: "oil added to each cell, up to its free space", ..POUR },
    EditKind {
        name: "pour-lava",
        meaning: "lava added to each cell, up to its free space",
        ..POUR
    },
    EditKind { name: "remove", meaning: "liquid removed from each cell", ..POUR },
];

/// Returns a spring of water, given its total rate (cells/s). The rate is divided evenly among the
/// cells of `region` and rounded to whole 256ths of a cell per step.
///
/// # Errors
/// Returns [`InputError`] if the region is malformed or the rate is out of range.
fn create_spring(world: &Blocks, region: Region, rate: f64) -> Result<Spring, InputError> {
    let rate = world.rate_per_cell(&region, rate)?;
    Ok(Spring { region, liquid: Liquid::Water, rate })
}

/// Returns a drain for any liquid, given its total rate (cells/s). The rate is divided evenly among
/// the cells of `region` and rounded to whole 256ths of a cell per step.
///
/// # Errors
/// Returns [`InputError`] if the region is malformed or the rate is out of range.
fn create_drain(world: &Blocks, region: Region, rate: f64) -> Result<Drain, InputError> {
    let rate = world.rate_per_cell(&region, rate)?;
    Ok(Drain { region, rate })
}

impl Model for Blocks {
    common_methods!("blocks");

    fn grid_size(&self) -> [usize; 2] {
        [self.nx(), self.ny()]
    }

    fn settings(&self) -> Vec<Setting> {
        self.params().settings(TABLE)
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), InputError> {
        let in_table = key.strip_prefix(TABLE).and_then(|key| key.strip_prefix('.'));
        let Some(key) = in_table else {
            return Err(InputError::new("a parameter's key", key, "a key of the table `physics`"));
        };
        let params = self.params().with_value(key, value);
        params
            .and_then(|params| self.set_params(params))
            .map_err(|error| error.with_table_prefix(TABLE))
    }

    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.layer(name).map(Cow::Owned)
    }

    fn sample_at(&self, [x, y]: Point) -> Vec<Sample> {
        let inside = |at: f64, n: usize| (0.0..n as f64).contains(&at).then_some(at as usize);
        let place = inside(x, self.nx()).zip(inside(y, self.ny()));
        let Some((x, y)) = place else { return Vec::new() };
        let cell = self.grid.cell_at(x, y);
        let fill = f64::from(cell.fill()) / f64::from(FULL);
        let part = |name, value| Sample { name, unit: "1", value };
        let mut found =
            vec![part("cells", f64::from(u8::from(cell.is_wall()))), part("fill", fill)];
        if cell.is_liquid() {
            found.push(part("liquid", cell.kind().into()));
        }
        if let (Some(body), Some(level)) = (self.body_at(x, y), self.surface_level(x, y)) {
            let below = level - fill - (self.ny() - 1 - y) as f64;
            let cells = |name, value| Sample { name, unit: "cells", value };
            found.push(part("body", f64::from(body) + 1.0));
            found.extend([cells("pressure", below), cells("level", level)]);
        }
        found
    }

    /// Applies an edit to the cells under a brush. Edits that add or remove liquid multiply the
    /// amount in each cell by the weight of the brush there. Digging and building change only the
    /// cells in which this weight is at least one half.
    fn edit(&mut self, edit: &str, brush: &Brush, amount: f64) -> Result<(), InputError> {
        let kind = EditKind::find_checked(&EDITS, edit, amount)?;
        let of = |weight: f64| {
            let part = (amount * weight).round() as u16;
            match kind.name {
                "dig" => (weight >= 0.5).then_some(Edit::Dig),
                "build" => (weight >= 0.5).then_some(Edit::Build),
                "remove" => (part > 0).then_some(Edit::Remove(part)),
                "pour-oil" => (part > 0).then_some(Edit::Pour(Liquid::Oil, part)),
                "pour-lava" => (part > 0).then_some(Edit::Pour(Liquid::Lava, part)),
                _ => (part > 0).then_some(Edit::Pour(Liquid::Water, part)),
            }
        };
        let touched = brush.cells(self.lattice()?)?;
        let edits = touched.into_iter().filter_map(|t| Some(((t.x, t.y), of(t.weight.into())?)));
        let edits: Vec<_> = edits.collect();
        edits.iter().try_for_each(|&(_, edit)| self.check_edit(edit))?;
        self.edit_cells(edits);
        Ok(())
    }

    outlet_methods!(
        add_spring,
        set_spring,
        remove_spring,
        springs,
        exchange.springs,
        create_spring
    );
    outlet_methods!(add_drain, set_drain, remove_drain, drains, exchange.drains, create_drain);

    fn substance_balances(&self) -> Vec<SubstanceBalance> {
        let account = |liquid: Liquid| {
            let balance = self.balance(liquid).scaled(1.0 / f64::from(FULL));
            SubstanceBalance { substance: liquid.name(), unit: "cells", balance }
        };
        [Liquid::Water, Liquid::Oil, Liquid::Lava].map(account).to_vec()
    }
}

impl Blocks {
    /// Converts a total rate (cells/s) to a rate per cell of a region (256ths of a cell per step).
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is malformed or the rate is out of range.
    fn rate_per_cell(&self, region: &Region, rate: f64) -> Result<u16, InputError> {
        let count = self.require_cells_in_region(region, "a region")?.len() as f64;
        // Total rate (cells/s) of one 256th per cell and step.
        let one = count / (self.params.tick * f64::from(FULL));
        let (min, max) = (AMOUNT.low * one, AMOUNT.high * one);
        Range::new(0.5 * min, max).check("a rate", rate, "cells/s")?;
        Ok((rate / one).round().max(1.0) as u16)
    }
}
