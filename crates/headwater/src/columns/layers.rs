//! Named layers of a world, to draw or to write to a file.

use super::light::Sun;
use super::world::Columns;
use crate::field::Field;
use crate::layer::{Layer, Reach};

/// Every layer of a world of columns, one value for each cell of the board.
pub const LAYERS: [Layer; 9] = [
    Layer::new("walls", "1", "1 where there is wall, else 0"),
    Layer::new("fill", "1", "the part of the cell that water and ice fill, 0 to 1"),
    Layer::new("pool", "1", "number of the pool, from 1; 0 in walls"),
    Layer::new("head", "m", "head of the water above the bottom; 0 where none"),
    Layer::new("velocity", "m/s", "velocity of the water to the east"),
    Layer::new("temperature", "°C", "temperature of water and ice; 0 where none"),
    Layer::new("ice", "1", "the part of the cell that ice fills, 0 to 1"),
    Layer::new(
        "light",
        "1",
        "light from straight above in the water, also from other pools; 1 below a flat surface",
    )
    .reaching(Reach::Anywhere),
    Layer::new("awake", "1", "1 where the pool is stepped, else 0"),
];

impl Columns {
    /// The layer of that name, of the shape of the board, or `None` if there is no such layer (see
    /// [`LAYERS`]).
    pub fn layer(&self, name: &str) -> Option<Field<f32>> {
        let regions = &self.layout.regions;
        let (nx, ny) = (regions.nx(), regions.ny());
        let mut field = Field::new(nx, ny, 0.0_f32);
        if name == "walls" {
            return Some(regions.walls().map(|&wall| f32::from(u8::from(wall))));
        }
        if name == "light" {
            return self.light(&Sun::default()).ok().map(|light| light.brightness);
        }
        let value: &dyn Fn(usize, f64) -> f64 = match name {
            "fill" => &|c, floor| self.part_below(self.surface(c) + self.freeboard(c), floor),
            "temperature" => &|c, floor| {
                let top = self.surface(c) + self.freeboard(c);
                let middle = 0.5 * (floor + top.min(floor + self.layout.cell));
                let temperature = self.temperature(c, middle).filter(|_| top > floor);
                temperature.unwrap_or(0.0)
            },
            "ice" => &|c, floor| {
                let top = self.surface(c) + self.freeboard(c);
                self.part_below(top, floor) - self.part_below(top - self.ice(c), floor)
            },
            "pool" => &|c, _| self.layout.pool_of(c) as f64 + 1.0,
            "head" => &|c, floor| {
                let head = self.layout.floor[c] + self.state.depth[c] + self.heads.excess[c];
                if self.surface(c) > floor { self.layout.metres(head) } else { 0.0 }
            },
            "velocity" => &|c, floor| {
                if self.surface(c) > floor { self.velocity(c) } else { 0.0 }
            },
            "awake" => &|c, _| f64::from(u8::from(self.sleep.is_awake(self.layout.pool_of(c)))),
            _ => return None,
        };
        for (rect, columns) in self.layout.rects.all.iter().zip(&self.layout.rect_columns) {
            let top = rect.ceiling.unwrap_or(ny as u32).min(ny as u32);
            for (i, x) in rect.columns.clone().enumerate() {
                let of_cell = columns.start + i * self.layout.per_cell;
                for height in rect.floor..top {
                    let floor = f64::from(height) * self.layout.cell;
                    let all = of_cell..of_cell + self.layout.per_cell;
                    let sum: f64 = all.map(|c| value(c, floor)).sum();
                    let y = ny - 1 - height as usize;
                    field[(x as usize, y)] = (sum / self.layout.per_cell as f64) as f32;
                }
            }
        }
        Some(field)
    }

    /// The part of a cell that lies below a height, by that of its floor (m above the bottom of the board).
    fn part_below(&self, height: f64, floor: f64) -> f64 {
        ((height - floor) / self.layout.cell).clamp(0.0, 1.0)
    }
}
