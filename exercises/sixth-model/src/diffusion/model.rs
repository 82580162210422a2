//! Implementation of the common interface `Model` for the diffusion model.

use super::ink::{Ink, LAYERS, STEP};
use headwater::model::{EditKind, Sample, SubstanceBalance};
use headwater::parameter::{Parameters, Range, Setting, Value};
use headwater::{AdvanceSummary, Brush, Cause, Field, InputError, Layer, Model, Point};
use std::borrow::Cow;

const POUR: EditKind = EditKind::new("pour", "ink that is added", "1", Range::ANY);

impl Model for Ink {
    fn name(&self) -> &'static str {
        "diffusion"
    }

    fn grid_size(&self) -> [usize; 2] {
        [self.ink.nx(), self.ink.ny()]
    }

    fn time(&self) -> f64 {
        self.steps as f64 * STEP
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn advance(&mut self, time: f64) -> Result<AdvanceSummary, InputError> {
        let steps = (time / STEP).round() as u64;
        (0..steps).for_each(|_| self.step());
        Ok(AdvanceSummary { steps, alpha: 0.0, dropped: 0.0 })
    }

    fn settings(&self) -> Vec<Setting> {
        self.spread.settings("physics")
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), InputError> {
        self.spread = self.spread.with_value(key.trim_start_matches("physics."), value)?;
        Ok(())
    }

    fn layers(&self) -> &'static [Layer] {
        LAYERS
    }

    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        (name == "ink").then_some(Cow::Borrowed(&self.ink))
    }

    fn sample_at(&self, point: Point) -> Vec<Sample> {
        let cell = self.lattice.cell_at(point).into_iter();
        cell.map(|at| Sample { name: "ink", unit: "1", value: self.ink[at].into() }).collect()
    }

    fn edits(&self) -> &'static [EditKind] {
        &[POUR]
    }

    fn edit(&mut self, edit: &str, brush: &Brush, amount: f64) -> Result<(), InputError> {
        EditKind::find_checked(self.edits(), edit, amount)?;
        let before = self.ink.sum();
        for touched in brush.cells(self.lattice)? {
            self.ink[(touched.x, touched.y)] += touched.weight * amount as f32;
        }
        self.ledger.record(Cause::Edit, self.ink.sum() - before);
        Ok(())
    }

    fn substance_balances(&self) -> Vec<SubstanceBalance> {
        let balance = self.ledger.balance(self.ink.sum());
        vec![SubstanceBalance { substance: "ink", unit: "m³", balance }]
    }

    fn save(&self) -> Result<Vec<u8>, InputError> {
        postcard::to_stdvec(self).map_err(|error| InputError::new("a state", error, "one in bytes"))
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), InputError> {
        let loaded = postcard::from_bytes(bytes);
        *self = loaded.map_err(|error| InputError::new("a state", error, "one that is whole"))?;
        Ok(())
    }

    fn state_hash(&self) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&self.save().unwrap_or_default())
    }
}
