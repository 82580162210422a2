//! Runs of scenes of the model `blocks`.

use super::{BlocksScene, BlocksTarget, lattice_of_cells};
use crate::live;
use crate::picture::PixelPainter;
use crate::raster;
use crate::run::Simulation;
use crate::run::outcome::{Grid, ModelError, Written, of_model};
use crate::run::summary::LedgerSummary;
use crate::run::{World, WorldMut};
use crate::scene::{LayerFormat, SceneError, Tables};
use headwater::blocks::{Blocks, FULL, Liquid, Snapshot};
use headwater::ledger::{Balance, Cause, Ledger};
use image::RgbImage;
use serde_json::{Value, json};
use std::any::Any;
use std::collections::BTreeMap;
use std::path::Path;

/// A world of blocks being run.
pub(crate) struct BlocksRun {
    scene: BlocksScene,
    world: Blocks,
    targets: Vec<Option<BlocksTarget>>,
    painter: Option<PixelPainter>,
}

/// 256ths of a cell as cells.
fn cells(units: i128) -> f64 {
    units as f64 / f64::from(FULL)
}

impl BlocksRun {
    pub(crate) fn new(scene: &BlocksScene) -> Result<Self, SceneError> {
        let world = super::blocks(scene)?;
        let lattice = lattice_of_cells(world.nx(), world.ny());
        let target = |gauge: &super::BlocksGauge| gauge.target(&lattice?);
        let targets = scene.gauges.iter().map(target).collect();
        Ok(Self { scene: scene.clone(), world, targets, painter: None })
    }

    fn new_painter(&self) -> Result<PixelPainter, SceneError> {
        PixelPainter::new(self.scene.picture.clone(), &self.world).map_err(|error| {
            self.scene.error(&format!("picture.{}", error.what), error.to_string())
        })
    }
}

impl Simulation for BlocksRun {
    fn grid(&self) -> Grid {
        Grid { lattice: "square".into(), nx: self.world.nx(), ny: self.world.ny() }
    }

    fn time(&self) -> f64 {
        self.world.time()
    }

    fn steps(&self) -> u64 {
        self.world.steps()
    }

    fn step_length(&self) -> f64 {
        self.world.params().tick
    }

    fn is_at(&self, stop: f64) -> bool {
        // A stop that is a whole number of steps may miss it by a rounding.
        let last = (stop / self.world.params().tick * (1.0 + 1e-12) + 1e-9).floor();
        self.world.steps() as f64 >= last
    }

    fn steps_toward(&mut self, stop: f64, _: u64) -> Result<bool, ModelError> {
        if self.is_at(stop) {
            return Ok(false);
        }
        self.world.step();
        Ok(true)
    }

    fn act(&mut self, event: usize) -> Result<(), ModelError> {
        Ok(super::act(&mut self.world, &self.scene.events[event].action)?)
    }

    fn measure(&self, gauge: usize) -> Vec<f64> {
        match self.targets.get(gauge).and_then(Option::as_ref) {
            Some(&BlocksTarget::Cell(x, y)) => {
                let fill = self.world.fill_at(x, y).unwrap_or_default();
                vec![self.world.level(x, y).unwrap_or(f64::NAN), cells(fill.into())]
            }
            Some(BlocksTarget::Cells(places)) => {
                let mut sums = [0_i128; Liquid::ALL.len()];
                for cell in places.iter().filter_map(|&(x, y)| self.world.cell(x, y)) {
                    if let Some(liquid) = cell.liquid() {
                        sums[liquid as usize] += i128::from(cell.fill());
                    }
                }
                [Liquid::Water, Liquid::Oil, Liquid::Lava].map(|l| cells(sums[l as usize])).to_vec()
            }
            None => Vec::new(),
        }
    }

    fn gauge_heads(&self, gauge: usize) -> &'static [&'static str] {
        match self.targets.get(gauge).and_then(Option::as_ref) {
            Some(BlocksTarget::Cell(..)) => &["level_cells", "fill"],
            Some(BlocksTarget::Cells(_)) => &["water_cells", "oil_cells", "lava_cells"],
            None => &[],
        }
    }

    fn fix_scales(&mut self) -> Result<(), SceneError> {
        self.painter = Some(self.new_painter()?);
        Ok(())
    }

    fn paint(&mut self) -> Result<RgbImage, SceneError> {
        let mut painter = match self.painter.take() {
            Some(painter) => painter,
            None => self.new_painter()?,
        };
        let picture = painter.paint(&self.world);
        self.painter = Some(painter);
        Ok(picture)
    }

    fn write(&self, folder: &Path) -> Result<Written, String> {
        let (output, mut written) = (&self.scene.output, Written::default());
        for layer in &output.layers {
            let name = layer.name();
            let field =
                self.world.layer(name).ok_or_else(|| format!("there is no layer `{name}`"))?;
            let path = folder.join(output.layer_format.file(name));
            let done = match output.layer_format {
                LayerFormat::Npy => raster::write_npy(&path, &field),
                LayerFormat::Png => raster::write_png16(&path, &field),
                LayerFormat::Geotiff => raster::write_geotiff(&path, &field, [1.0, 1.0], None),
            };
            done.map_err(|error| error.to_string())?;
            written.layers.push(path);
        }
        Ok(written)
    }

    fn snapshot(&self) -> Result<Vec<u8>, String> {
        let memory = self.painter.as_ref().map_or(&[][..], PixelPainter::memory);
        postcard::to_stdvec(&(self.world.snapshot(), memory)).map_err(|error| error.to_string())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let (snapshot, memory): (Snapshot, Vec<u8>) =
            postcard::from_bytes(state).map_err(|error| format!("is damaged: {error}"))?;
        let world = Blocks::restore(snapshot).map_err(|error| error.to_string())?;
        let is_same = (world.nx(), world.ny()) == (self.world.nx(), self.world.ny());
        let params = |world: &Blocks| (world.params().rule, world.params().tick);
        if !is_same || params(&world) != params(&self.world) {
            return Err("is not of this scene".into());
        }
        self.world = world;
        if let Some(painter) = &mut self.painter {
            painter.recall(memory);
        }
        Ok(())
    }

    fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    /// The liquids together, in cells.
    fn ledger(&self) -> LedgerSummary {
        let balances = Liquid::ALL.map(|liquid| self.world.balance(liquid));
        let sum = |volume: &dyn Fn(&Balance<i128>) -> i128| -> f64 {
            cells(balances.iter().map(volume).sum::<i128>())
        };
        let by_cause = |volume: &dyn Fn(&Ledger<i128>, Cause) -> i128| {
            let sums = Cause::ALL.map(|cause| (cause.name(), sum(&|b| volume(&b.ledger, cause))));
            sums.into_iter().filter(|(_, sum)| *sum != 0.0).collect::<BTreeMap<_, _>>()
        };
        let inflow = by_cause(&|ledger, cause| ledger.inflow(cause));
        let outflow = by_cause(&|ledger, cause| ledger.outflow(cause));
        let start = sum(&|balance| balance.ledger.start());
        let residual = sum(&|balance| balance.residual);
        let handled = start + inflow.values().sum::<f64>();
        LedgerSummary {
            unit: "cells",
            start,
            inflow,
            outflow,
            now: sum(&|balance| balance.now),
            residual,
            residual_relative: if residual == 0.0 { 0.0 } else { residual / handled.max(1.0) },
            sediment: None,
        }
    }

    fn figures(&self) -> Vec<(&'static str, Value)> {
        let volume = |liquid| json!(cells(self.world.volume(liquid).into()));
        let is_wall = |cell: &headwater::blocks::Cell| *cell == headwater::blocks::Cell::Wall;
        let walls = self.world.cells().as_slice().iter().filter(|cell| is_wall(cell)).count();
        vec![
            ("walls", json!(walls)),
            ("water_cells", volume(Liquid::Water)),
            ("oil_cells", volume(Liquid::Oil)),
            ("lava_cells", volume(Liquid::Lava)),
            ("sources", json!(self.scene.sources.len())),
            ("drains", json!(self.scene.drains.len())),
        ]
    }

    fn lattice(&self) -> headwater::Lattice {
        crate::blocks::tools::lattice(&self.world)
    }

    fn probe(&self, at: headwater::Point) -> Vec<live::Value> {
        super::probe::probe(&self.world, at)
    }

    fn world(&self) -> World<'_> {
        World::of(&self.world)
    }

    fn world_mut(&mut self) -> WorldMut<'_> {
        WorldMut::of(&mut self.world)
    }

    fn act_alone(&mut self, alone: &dyn Any) -> Result<(), ModelError> {
        let scene = of_model::<BlocksScene>(alone)?;
        scene.events.iter().try_for_each(|event| super::act(&mut self.world, &event.action))?;
        Ok(())
    }

    fn retune(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let new = of_model(scene)?;
        super::tools::tune(&mut self.world, &self.scene, new)?;
        Ok(())
    }

    fn follow(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let scene = of_model::<BlocksScene>(scene)?;
        self.scene = scene.clone();
        Ok(())
    }
}
