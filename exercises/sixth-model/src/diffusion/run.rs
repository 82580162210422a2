//! Its runs.

use super::ink::{Ink, STEP};
use super::scene::{Action, DiffusionScene, steps_by};
use headwater::{Brush, Cause, Field, Lattice, Point};
use headwater_scene::live;
use headwater_scene::raster;
use headwater_scene::run::{Grid, LedgerSummary, ModelError, Simulation, World, WorldMut, Written};
use headwater_scene::scene::{SceneError, resolve};
use image::{Rgb, RgbImage};
use serde_json::{Value, json};
use std::any::Any;
use std::path::Path;

pub struct DiffusionRun {
    scene: DiffusionScene,
    world: Ink,
}

impl DiffusionRun {
    pub fn new(scene: &DiffusionScene) -> Self {
        let world = Ink::new(scene.grid.nx, scene.grid.ny, *scene.physics);
        Self { scene: scene.clone(), world }
    }

    fn act_on(world: &mut Ink, action: &Action) {
        let Action::Pour(pour) = action;
        let before = sum(&world.ink);
        let region = pour.extent.region(&world.lattice().into());
        world.pour(&Brush::flat(region), pour.what.amount);
        world.ledger.book(Cause::Edit, sum(&world.ink) - before);
    }
}

fn sum(field: &Field<f32>) -> f64 {
    field.as_slice().iter().copied().map(f64::from).sum()
}

fn of_diffusion(scene: &dyn Any) -> Result<&DiffusionScene, ModelError> {
    scene.downcast_ref().ok_or_else(|| "the scene is of another model".into())
}

impl Simulation for DiffusionRun {
    fn grid(&self) -> Grid {
        Grid { lattice: "square".into(), nx: self.world.ink.nx(), ny: self.world.ink.ny() }
    }

    fn time(&self) -> f64 {
        self.world.steps as f64 * STEP
    }

    fn steps(&self) -> u64 {
        self.world.steps
    }

    fn step_length(&self) -> f64 {
        STEP
    }

    fn is_at(&self, stop: f64) -> bool {
        self.world.steps >= steps_by(stop)
    }

    fn steps_toward(&mut self, stop: f64, _: u64) -> Result<bool, ModelError> {
        let goes = !self.is_at(stop);
        if goes {
            self.world.step();
        }
        Ok(goes)
    }

    fn act(&mut self, event: usize) -> Result<(), ModelError> {
        Self::act_on(&mut self.world, &self.scene.events[event].action);
        Ok(())
    }

    fn measure(&self, gauge: usize) -> Vec<f64> {
        let lattice = self.lattice();
        let cell = lattice.cell_at(resolve(self.scene.gauges[gauge].at, &lattice));
        cell.map(|cell| self.world.ink[cell].into()).into_iter().collect()
    }

    fn gauge_heads(&self, _: usize) -> &'static [&'static str] {
        &["ink"]
    }

    fn paint(&mut self) -> Result<RgbImage, SceneError> {
        let (nx, ny) = (self.world.ink.nx() as u32, self.world.ink.ny() as u32);
        Ok(RgbImage::from_fn(4 * nx, 4 * ny, |x, y| {
            let ink = self.world.ink[(x as usize / 4, y as usize / 4)].clamp(0.0, 1.0);
            Rgb([235, 240, 245].map(|paper: u8| (f32::from(paper) * (1.0 - 0.9 * ink)) as u8))
        }))
    }

    fn write(&self, folder: &Path) -> Result<Written, String> {
        let mut written = Written::default();
        for layer in &self.scene.output.layers {
            let path = folder.join(self.scene.output.layer_format.file(layer.name()));
            raster::write_npy(&path, &self.world.ink).map_err(|error| error.to_string())?;
            written.layers.push(path);
        }
        Ok(written)
    }

    fn snapshot(&self) -> Result<Vec<u8>, String> {
        let cells = self.world.ink.as_slice();
        let bytes = self.world.steps.to_le_bytes().into_iter();
        Ok(bytes.chain(cells.iter().flat_map(|v| v.to_le_bytes())).collect())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let (steps, cells) = state.split_first_chunk().ok_or("is too short")?;
        if cells.len() != 4 * self.world.ink.as_slice().len() {
            return Err("is of another grid".into());
        }
        self.world.steps = u64::from_le_bytes(*steps);
        for (cell, bytes) in self.world.ink.as_mut_slice().iter_mut().zip(cells.chunks_exact(4)) {
            *cell = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        Ok(())
    }

    fn state_hash(&self) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&self.snapshot().unwrap_or_default())
    }

    fn ledger(&self) -> LedgerSummary {
        LedgerSummary::of(&self.world.ledger.balance(sum(&self.world.ink)))
    }

    fn figures(&self) -> Vec<(&'static str, Value)> {
        vec![("ink", json!(sum(&self.world.ink)))]
    }

    fn lattice(&self) -> Lattice {
        self.world.lattice().into()
    }

    fn probe(&self, at: Point) -> Vec<live::Value> {
        let ink = self.lattice().cell_at(at).map(|cell| f64::from(self.world.ink[cell]));
        ink.map(|value| live::Value { name: "ink", value, unit: "", word: None })
            .into_iter()
            .collect()
    }

    fn world(&self) -> World<'_> {
        World::of(&self.world)
    }

    fn world_mut(&mut self) -> WorldMut<'_> {
        WorldMut::of(&mut self.world)
    }

    fn act_alone(&mut self, alone: &dyn Any) -> Result<(), ModelError> {
        of_diffusion(alone)?
            .events
            .iter()
            .for_each(|event| Self::act_on(&mut self.world, &event.action));
        Ok(())
    }

    fn retune(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        self.world.spread = *of_diffusion(scene)?.physics;
        Ok(())
    }

    fn follow(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        self.scene = of_diffusion(scene)?.clone();
        Ok(())
    }
}
