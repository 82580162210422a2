//! Runs of scenes of the model `columns`.

use super::{ColumnsMeasure, ColumnsScene, ColumnsTarget, ColumnsWorld, Extras};
use crate::live;
use crate::picture::ColumnsPainter;
use crate::raster;
use crate::run::Simulation;
use crate::run::outcome::{Grid, ModelError, Written, of_model};
use crate::run::summary::LedgerSummary;
use crate::run::{World, WorldMut};
use crate::scene::{LayerFormat, SceneError, Tables, resolve};
use headwater::Cause;
use headwater::columns::{Columns, Snapshot};
use image::RgbImage;
use serde_json::{Value, json};
use std::any::Any;
use std::path::Path;

/// A world of pools being run.
pub(crate) struct ColumnsRun {
    scene: ColumnsScene,
    world: ColumnsWorld,
    painter: Option<ColumnsPainter>,
}

/// A step that ends this part of itself after a stop still ends at it: times add up with rounding.
const NEARLY: f64 = 1e-6;

impl ColumnsRun {
    pub(crate) fn new(scene: &ColumnsScene) -> Result<Self, SceneError> {
        let world = ColumnsWorld::build(scene)?;
        Ok(Self { scene: scene.clone(), world, painter: None })
    }

    fn new_painter(&self) -> Result<ColumnsPainter, SceneError> {
        let (style, world) = (self.scene.picture.clone(), &self.world);
        let looks = world.looks.clone();
        ColumnsPainter::new(style, &world.columns, &world.anchors, looks).map_err(|error| {
            self.scene.error(&format!("picture.{}", error.what), error.to_string())
        })
    }
}

impl Simulation for ColumnsRun {
    fn grid(&self) -> Grid {
        let lattice = &self.world.lattice;
        Grid { lattice: "square".into(), nx: lattice.nx(), ny: lattice.ny() }
    }

    fn time(&self) -> f64 {
        self.world.columns.time()
    }

    fn steps(&self) -> u64 {
        self.world.columns.steps()
    }

    fn step_length(&self) -> f64 {
        self.world.columns.params().step
    }

    fn is_at(&self, stop: f64) -> bool {
        let columns = &self.world.columns;
        columns.time() + columns.params().step * (1.0 - NEARLY) > stop
    }

    fn steps_toward(&mut self, stop: f64, _: u64) -> Result<bool, ModelError> {
        if self.is_at(stop) {
            return Ok(false);
        }
        self.world.columns.step();
        Ok(true)
    }

    fn act(&mut self, event: usize) -> Result<(), ModelError> {
        self.world.act(&self.scene.events[event].action)?;
        if let Some(painter) = &mut self.painter {
            painter.set_looks(&self.world.looks);
        }
        Ok(())
    }

    fn is_sound(&self) -> bool {
        self.world.columns.energy().total().is_finite()
    }

    fn measure(&self, gauge: usize) -> Vec<f64> {
        let columns = &self.world.columns;
        match self.scene.gauges[gauge].target {
            ColumnsTarget::Point(at) => {
                let at = resolve(at, &self.world.lattice);
                let mut all =
                    vec![columns.surface_at(at), columns.head_at(at), columns.velocity_at(at)];
                if self.scene.has_heat() {
                    all.extend([columns.temperature_at(at), columns.ice_at(at)]);
                }
                all.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect()
            }
            target @ (ColumnsTarget::Disc(_) | ColumnsTarget::Rect(_)) => {
                let shape = target.shape(&self.world.lattice);
                let under = shape.and_then(|shape| columns.submersion(&shape).ok());
                vec![under.map_or(f64::NAN, |under| under.area)]
            }
            ColumnsTarget::Whole(ColumnsMeasure::Energy) => {
                let energy = columns.energy();
                vec![energy.kinetic, energy.potential]
            }
            ColumnsTarget::Whole(ColumnsMeasure::Volume) => {
                vec![columns.volume(), columns.ice_volume()]
            }
            ColumnsTarget::Whole(ColumnsMeasure::Heat) => {
                let Some(heat) = columns.heat_balance() else { return vec![f64::NAN; 5] };
                let causes = [Cause::Boundary, Cause::Source, Cause::Edit, Cause::Evaporation];
                let net = causes.map(|cause| heat.ledger.net(cause));
                [heat.now].into_iter().chain(net).collect()
            }
        }
    }

    fn gauge_heads(&self, gauge: usize) -> &'static [&'static str] {
        match self.scene.gauges[gauge].target {
            ColumnsTarget::Point(_) if self.scene.has_heat() => {
                &["surface_m", "head_m", "velocity_m_per_s", "temperature_c", "ice_m"]
            }
            ColumnsTarget::Point(_) => &["surface_m", "head_m", "velocity_m_per_s"],
            ColumnsTarget::Disc(_) | ColumnsTarget::Rect(_) => &["volume_m3"],
            ColumnsTarget::Whole(ColumnsMeasure::Energy) => &["kinetic_j", "potential_j"],
            ColumnsTarget::Whole(ColumnsMeasure::Volume) => &["volume_m3", "ice_m3"],
            ColumnsTarget::Whole(ColumnsMeasure::Heat) => {
                &["heat_j", "from_air_j", "from_heaters_j", "with_water_j", "with_steam_j"]
            }
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
        let picture = painter.paint(&self.world.columns);
        self.painter = Some(painter);
        Ok(picture)
    }

    fn write(&self, folder: &Path) -> Result<Written, String> {
        let (output, mut written) = (&self.scene.output, Written::default());
        let columns = &self.world.columns;
        for layer in &output.layers {
            let name = layer.name();
            let field = columns.layer(name).ok_or_else(|| format!("there is no layer `{name}`"))?;
            let path = folder.join(output.layer_format.file(name));
            let done = match output.layer_format {
                LayerFormat::Npy => raster::write_npy(&path, &field),
                LayerFormat::Png => raster::write_png16(&path, &field),
                LayerFormat::Geotiff => {
                    raster::write_geotiff(&path, &field, [columns.cell(); 2], None)
                }
            };
            done.map_err(|error| error.to_string())?;
            written.layers.push(path);
        }
        Ok(written)
    }

    fn snapshot(&self) -> Result<Vec<u8>, String> {
        let state = (self.world.columns.snapshot(), self.world.extras());
        postcard::to_stdvec(&state).map_err(|error| error.to_string())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let read = postcard::from_bytes::<(Snapshot, Extras)>(state);
        let (snapshot, extras) = read.map_err(|error| format!("is damaged: {error}"))?;
        let columns = Columns::restore(snapshot).map_err(|error| error.to_string())?;
        let now = &self.world.columns;
        let params = |columns: &Columns| {
            (columns.params().motion, columns.params().step, columns.params().columns_per_cell)
        };
        if columns.cell() != now.cell()
            || !columns.walls().same_shape(&now.walls())
            || params(&columns) != params(now)
            || !self.world.take_over(columns, extras)
        {
            return Err("is not of this scene".into());
        }
        Ok(())
    }

    fn state_hash(&self) -> u64 {
        self.world.columns.state_hash()
    }

    fn ledger(&self) -> LedgerSummary {
        LedgerSummary::of(&self.world.columns.balance())
    }

    fn notices(&self) -> Vec<String> {
        let ignored = self.world.columns.ignored().iter();
        let words = ignored.map(|ignored| {
            let [x, y] = ignored.anchor.at;
            format!("the anchor at [{x:.2}, {y:.2}] was left aside: {}", ignored.reason)
        });
        words.collect()
    }

    fn figures(&self) -> Vec<(&'static str, Value)> {
        let columns = &self.world.columns;
        let walls = columns.walls();
        let mut figures = vec![
            ("cell_metres", json!(columns.cell())),
            ("walls", json!(walls.as_slice().iter().filter(|&&wall| wall).count())),
            ("pools", json!(columns.pools())),
            ("columns", json!(columns.columns())),
            ("column_width_metres", json!(columns.column_width())),
            ("openings", json!(columns.openings().len())),
            ("bubbles", json!(columns.bubbles())),
            ("volume_cubic_metres", json!(columns.volume())),
            ("bodies", json!(columns.bodies().len())),
            ("sources", json!(self.scene.sources.len())),
            ("drains", json!(self.scene.drains.len())),
        ];
        if let Some(balance) = columns.heat_balance() {
            figures.extend([
                ("air_celsius", json!(columns.air())),
                ("heaters", json!(self.scene.heaters.len())),
                ("ice_cubic_metres", json!(columns.ice_volume())),
                ("heat_joules", json!(balance.now)),
                ("heat_residual_joules", json!(balance.residual)),
            ]);
        }
        figures
    }

    fn lattice(&self) -> headwater::Lattice {
        self.world.lattice
    }

    fn probe(&self, at: headwater::Point) -> Vec<live::Value> {
        super::probe::probe(&self.world.columns, &self.world.lattice, at)
    }

    fn world(&self) -> World<'_> {
        World::of(&self.world)
    }

    fn world_mut(&mut self) -> WorldMut<'_> {
        WorldMut::of(&mut self.world)
    }

    fn act_alone(&mut self, alone: &dyn Any) -> Result<(), ModelError> {
        let scene = of_model::<ColumnsScene>(alone)?;
        scene.events.iter().try_for_each(|event| self.world.act(&event.action))?;
        Ok(())
    }

    fn retune(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let new = of_model(scene)?;
        super::tools::tune(&mut self.world, &self.scene, new)?;
        Ok(())
    }

    fn follow(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let scene = of_model::<ColumnsScene>(scene)?;
        self.world.follow(&self.scene, scene)?;
        self.scene = scene.clone();
        Ok(())
    }
}
