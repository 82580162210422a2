//! Named layers of a world, for drawing and for output files.

use super::light::{Light, Sun};
use crate::changes::Tile;
use crate::columns::world::Columns;
use crate::field::Field;
use crate::layer::{layers, write};
use crate::model::Model as _;

layers! {
    Columns, Field<f32>;
    Walls: "walls", "1", "1 in walls, 0 elsewhere";
    Fill: "fill", "1", "part of the cell filled with water and ice, 0 to 1";
    Pool: "pool", "1", "number of the pool, from 1; 0 in walls";
    Head: "head", "m", "piezometric head above the bottom of the board; 0 without water";
    Velocity: "velocity", "m/s", "velocity of the water, positive to the east";
    Temperature: "temperature", "°C", "temperature of water and ice; 0 without water";
    Ice: "ice", "1", "part of the cell filled with ice, 0 to 1";
    Light: "light", "1", "light from straight above in the water; 1 below a flat surface", Anywhere;
    Awake: "awake", "1", "1 where the pool is awake, 0 elsewhere";
}

impl Columns {
    /// Returns a named layer of the world as a field with one value per grid cell.
    pub fn view(&self, view: View) -> Field<f32> {
        self.compute_layer(view)
    }

    fn write(&self, view: View, tiles: &[Tile], into: &mut Field<f32>) {
        let top = |c: usize| self.surface_height(c) + self.freeboard(c);
        let value: &dyn Fn(usize, f64) -> f64 = match view {
            // Cells of a wall have no column.
            View::Walls => &|_, _| 0.0,
            View::Light => {
                let mut light = self.scratch.take::<Light>();
                // The default sun is always valid.
                if self.light_into(&Sun::default(), &mut light).is_ok() {
                    into.clone_from(&light.brightness);
                }
                return;
            }
            View::Fill => &|c, floor| self.fraction_below(top(c), floor),
            View::Temperature => &|c, floor| {
                let middle = 0.5 * (floor + top(c).min(floor + self.layout.cell));
                let temperature = self.temperature(c, middle).filter(|_| top(c) > floor);
                temperature.unwrap_or(0.0)
            },
            View::Ice => &|c, floor| {
                let mut part = 0.0;
                self.for_each_stratum(c, |ends, is_ice| {
                    let [bottom, top] = ends.map(|height| self.fraction_below(height, floor));
                    part += if is_ice { top - bottom } else { 0.0 };
                });
                part
            },
            View::Pool => &|c, _| self.layout.pool_of(c) as f64 + 1.0,
            View::Head => &|c, floor| {
                let head = self.layout.floor[c] + self.state.depth[c] + self.heads.excess[c];
                if self.surface_height(c) > floor { self.layout.to_metres(head) } else { 0.0 }
            },
            View::Velocity => &|c, floor| {
                if self.surface_height(c) > floor { self.velocity(c) } else { 0.0 }
            },
            View::Awake => &|c, _| f64::from(u8::from(self.sleep.is_awake(self.layout.pool_of(c)))),
        };
        let of_walls = f32::from(u8::from(view == View::Walls));
        write(view.layer(), tiles, into, |_, _| of_walls);
        let (nx, ny) = (into.nx(), into.ny());
        for (rect, columns) in self.layout.rects.all.iter().zip(&self.layout.rect_columns) {
            let top = rect.ceiling.unwrap_or(ny as u32).min(ny as u32);
            let within = |tile: Tile| {
                let rows = (ny - top as usize).max(tile.y)
                    ..(ny - rect.floor as usize).min(tile.y + tile.ny);
                let from = (rect.columns.start as usize).max(tile.x);
                (from..(rect.columns.end as usize).min(tile.x + tile.nx), rows)
            };
            for (xs, rows) in tiles.iter().map(|tile| within(tile.expanded(0, [nx, ny]))) {
                for x in xs {
                    let i = x - rect.columns.start as usize;
                    let of_cell = columns.start + i * self.layout.per_cell;
                    for y in rows.clone() {
                        let floor = (ny - 1 - y) as f64 * self.layout.cell;
                        let all = of_cell..of_cell + self.layout.per_cell;
                        let sum: f64 = all.map(|c| value(c, floor)).sum();
                        into[(x, y)] = (sum / self.layout.per_cell as f64) as f32;
                    }
                }
            }
        }
    }

    fn fraction_below(&self, height: f64, floor: f64) -> f64 {
        ((height - floor) / self.layout.cell).clamp(0.0, 1.0)
    }
}
