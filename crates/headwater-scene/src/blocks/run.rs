//! Execution of scenes of the model `blocks`.

use super::{BlocksAction, BlocksGauge, BlocksScene, BlocksTarget, cell_lattice};
use crate::picture::{Picture, PixelPainter};
use crate::run::{
    GaugeValues, LedgerSummary, ModelError, ModelWorld, ProbeValue, category_value, numeric_value,
};
use crate::scene::SceneError;
use headwater::blocks::{Blocks, Cell, FULL, Liquid, Snapshot};
use headwater::ledger::{Balance, Cause, Ledger};
use headwater::{InputError, Lattice, Model, Point};
use serde::Serialize;
use serde_json::{Value, json};

/// Converts an amount of liquid from 256ths of a cell to cells.
fn units_to_cells(units: i128) -> f64 {
    units as f64 / f64::from(FULL)
}

impl ModelWorld for Blocks {
    type Scene = BlocksScene;
    type Action = BlocksAction;
    type Gauge = BlocksGauge;
    type Painter = PixelPainter;
    /// State of a world in a checkpoint: the model's state, and the colour index of each cell in
    /// the previous picture of the bodies of liquid.
    type State = (Snapshot, Vec<u8>);

    fn build(scene: &BlocksScene) -> Result<Self, SceneError> {
        super::build_world(scene)
    }

    fn model(&self) -> &dyn Model {
        self
    }

    fn model_mut(&mut self) -> &mut dyn Model {
        self
    }

    fn lattice(&self) -> Lattice {
        match cell_lattice(self.nx(), self.ny()) {
            Some(lattice) => lattice,
            None => unreachable!("a world of blocks has cells"),
        }
    }

    fn step_length(&self) -> f64 {
        self.params().tick
    }

    fn has_reached(&self, stop: f64, _: f64, steps: u64) -> bool {
        // The tolerance for rounding ensures that a stop time at a whole number of steps is
        // reached.
        steps as f64 >= (stop / self.params().tick * (1.0 + 1e-12) + 1e-9).floor()
    }

    fn step(&mut self, _: &BlocksScene, _: f64, _: u64) -> Result<(), InputError> {
        self.step();
        Ok(())
    }

    fn apply_action(&mut self, action: &BlocksAction) -> Result<(), InputError> {
        super::apply_action(self, action)
    }

    fn apply_settings(&mut self, _: &BlocksScene, new: &BlocksScene) -> Result<(), ModelError> {
        Ok(self.set_params((*new.physics).clone())?)
    }

    fn measure_gauge(&self, _: &BlocksScene, gauge: &BlocksGauge) -> GaugeValues {
        match gauge.target(&ModelWorld::lattice(self)) {
            Some(BlocksTarget::Cell(x, y)) => {
                let fill = self.fill_at(x, y).unwrap_or_default();
                let level = self.surface_level(x, y).unwrap_or(f64::NAN);
                vec![("level_cells", level), ("fill", units_to_cells(fill.into()))]
            }
            Some(BlocksTarget::Cells(places)) => {
                let mut sums = [0_i128; Liquid::ALL.len()];
                for cell in places.iter().filter_map(|&(x, y)| self.cell(x, y)) {
                    if let Some(liquid) = cell.liquid() {
                        sums[liquid as usize] += i128::from(cell.fill());
                    }
                }
                let volume = |liquid: Liquid| units_to_cells(sums[liquid as usize]);
                vec![
                    ("water_cells", volume(Liquid::Water)),
                    ("oil_cells", volume(Liquid::Oil)),
                    ("lava_cells", volume(Liquid::Lava)),
                ]
            }
            None => Vec::new(),
        }
    }

    fn probe(&self, at: Point) -> Vec<ProbeValue> {
        let inside = |at: f64, n: usize| (at >= 0.0 && at < n as f64).then_some(at as usize);
        let place = inside(at[0], self.nx()).zip(inside(at[1], self.ny()));
        let Some((x, y)) = place else { return Vec::new() };
        let Some(cell) = self.cell(x, y) else { return Vec::new() };
        match cell {
            Cell::Wall => vec![category_value("cell", 0.0, "wall")],
            Cell::Air => vec![category_value("cell", 0.0, "air")],
            Cell::Liquid(liquid, fill) => {
                let part = f64::from(fill) / f64::from(FULL);
                let mut values = vec![
                    category_value("cell", part, liquid.name()),
                    numeric_value("fill", part, ""),
                ];
                if let (Some(body), Some(level)) = (self.body_at(x, y), self.surface_level(x, y)) {
                    // Bodies are numbered from 1, as in the layer `body`.
                    values.push(numeric_value("body", f64::from(body) + 1.0, ""));
                    values.push(numeric_value("level of the body", level, "cells"));
                    let below = level - part - (self.ny() - 1 - y) as f64;
                    values.push(numeric_value("pressure", below.max(0.0), "cells"));
                }
                values
            }
        }
    }

    fn create_painter(&self, scene: &BlocksScene) -> Result<PixelPainter, InputError> {
        PixelPainter::new(scene.picture.clone(), self)
    }

    fn draw_picture(&self, _: &BlocksScene, painter: &mut PixelPainter) -> Picture {
        painter.paint(self)
    }

    fn state(&self, painter: Option<&PixelPainter>) -> impl Serialize {
        (self.as_serializable(), painter.map_or(&[][..], PixelPainter::body_colors))
    }

    fn restore(
        &mut self,
        _: &BlocksScene,
        (snapshot, memory): Self::State,
        painter: Option<&mut PixelPainter>,
    ) -> Result<(), ModelError> {
        let world = Blocks::restore(snapshot)?;
        let is =
            |world: &Blocks| (world.nx(), world.ny(), world.params().rule, world.params().tick);
        if is(&world) != is(self) {
            return Err("does not belong to this scene".into());
        }
        *self = world;
        if let Some(painter) = painter {
            painter.set_body_colors(memory);
        }
        Ok(())
    }

    /// Returns the balance of the total volume of all liquids, in cells.
    fn ledger(&self, _: &BlocksScene) -> LedgerSummary {
        let balances = Liquid::ALL.map(|liquid| self.balance(liquid));
        let sum =
            |volume: &dyn Fn(&Balance<i128>) -> i128| -> i128 { balances.iter().map(volume).sum() };
        let mut ledger = Ledger::new(sum(&|balance| balance.ledger.initial_amount()));
        for cause in Cause::ALL {
            ledger.record(cause, sum(&|balance| balance.ledger.inflow(cause)));
            ledger.record(cause, sum(&|balance| -balance.ledger.outflow(cause)));
        }
        let balance = ledger.balance(sum(&|balance| balance.now));
        LedgerSummary {
            unit: "cells",
            ..LedgerSummary::from_balance(&balance.scaled(units_to_cells(1)))
        }
    }

    fn statistics(&self, scene: &BlocksScene) -> Vec<(&'static str, Value)> {
        let volume = |liquid| json!(units_to_cells(self.volume(liquid).into()));
        let walls = self.cells().as_slice().iter().filter(|cell| **cell == Cell::Wall).count();
        vec![
            ("walls", json!(walls)),
            ("water_cells", volume(Liquid::Water)),
            ("oil_cells", volume(Liquid::Oil)),
            ("lava_cells", volume(Liquid::Lava)),
            ("sources", json!(scene.sources.len())),
            ("drains", json!(scene.drains.len())),
        ]
    }
}
