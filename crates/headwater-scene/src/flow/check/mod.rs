//! Checks of a `flow` scene: value ranges, and whether positions and areas lie on the grid.

mod body;
mod carve;
mod cover;
pub(super) mod event;
mod fit;
pub(crate) mod ground;
mod run;
mod structure;
mod water;

use super::FlowScene;
use crate::scene::place::Area;
use crate::scene::{Checker, Places, SceneChecks, SceneTables};
use headwater::{InputError, Lattice};

impl SceneChecks for FlowScene {
    fn collect_places(&self, places: &mut Places) {
        for (i, shape) in self.terrain.shapes.iter().enumerate() {
            places.add_area(format!("terrain.shape[{i}]"), shape.area());
        }
        for (i, lake) in self.water.lakes.iter().enumerate() {
            places.add_position(format!("water.lake[{i}].at"), lake.at);
        }
        for (key, sources) in [("source", &self.sources), ("drain", &self.drains)] {
            for (i, source) in sources.iter().enumerate() {
                places.add_position(format!("{key}[{i}].at"), source.at);
            }
        }
        for ends in self.structures() {
            places.add_position(format!("{}.from", ends.key), ends.at[0]);
            places.add_position(format!("{}.to", ends.key), ends.at[1]);
        }
        for (i, area) in self.obstacles.iter().enumerate() {
            places.add_area(format!("obstacle[{i}]"), area.clone());
        }
        for (i, body) in self.bodies.iter().enumerate() {
            places.add_position(format!("body[{i}].at"), body.at);
        }
        for (key, gauge) in self.common_tables().all_gauges() {
            if let Some(polygon) = gauge.polygon.clone() {
                places.add_area(&key, Area { polygon: Some(polygon), ..Area::default() });
            }
            places.add_gauge(&key, gauge.at, gauge.disc, gauge.rect);
        }
        for (i, area) in self.particles.iter().flat_map(|p| &p.emitters).enumerate() {
            places.add_area(format!("particles.emitter[{i}]"), area.clone());
        }
    }

    fn check_style(&self) -> Result<(), InputError> {
        self.picture.validate()
    }

    fn check_values(&self, check: &mut Checker) {
        run::check_run(check, self);
        ground::check_flow_terrain(check, self);
        carve::check_carve(check, self);
        water::check_water(check, self);
        cover::check_covers(check, self);
        structure::check_structures(check, self);
        body::check_bodies(check, self);
    }

    fn check_fit(&self, check: &mut Checker, lattice: &Lattice) {
        fit::check_lines_and_boundaries(check, self, lattice);
    }
}
