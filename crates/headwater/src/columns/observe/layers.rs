//! Named layers of a world, for drawing and for output files.

use super::light::{Light, Sun};
use crate::changes::Tile;
use crate::columns::world::Columns;
use crate::field::Field;
use crate::layer::{layers, write_blocks};
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
        let mut rows = Rows { columns: self, view, tiles, into };
        match view {
            // Cells of a wall have no column.
            View::Walls => rows.write(|_| (), |(), _| 0.0),
            View::Light => {
                let mut light = self.scratch.take::<Light>();
                // The default sun is always valid.
                if self.light_into(&Sun::default(), &mut light).is_ok() {
                    rows.into.clone_from(&light.brightness);
                }
            }
            View::Fill => rows.write(top, |&top, floor| self.fraction_below(top, floor)),
            View::Temperature => rows.write(
                |c| (top(c), self.temperature_profile(c)),
                |&(top, ref profile), floor| match profile {
                    Some(profile) if top > floor => {
                        profile.at(0.5 * (floor + top.min(floor + self.layout.cell)))
                    }
                    _ => 0.0,
                },
            ),
            View::Ice => rows.write(
                |c| {
                    // A column has at most five strata.
                    let (mut ice, mut count) = ([[0.0; 2]; 5], 0);
                    self.for_each_stratum(c, |ends, is_ice| {
                        if is_ice {
                            ice[count] = ends;
                            count += 1;
                        }
                    });
                    (ice, count)
                },
                |&(ref ice, count), floor| {
                    ice[..count].iter().fold(0.0, |part, ends| {
                        let [bottom, top] = ends.map(|height| self.fraction_below(height, floor));
                        part + (top - bottom)
                    })
                },
            ),
            View::Pool => rows.write(|c| self.layout.pool_of(c) as f64 + 1.0, |&pool, _| pool),
            View::Head => rows.write(
                |c| {
                    let head = self.layout.floor[c] + self.state.depth[c] + self.heads.excess[c];
                    (self.surface_height(c), self.layout.to_metres(head))
                },
                |&(surface, head), floor| if surface > floor { head } else { 0.0 },
            ),
            View::Velocity => rows.write(
                |c| (self.surface_height(c), self.velocity(c)),
                |&(surface, velocity), floor| if surface > floor { velocity } else { 0.0 },
            ),
            View::Awake => rows.write(
                |c| f64::from(u8::from(self.sleep.is_awake(self.layout.pool_of(c)))),
                |&awake, _| awake,
            ),
        }
    }

    fn fraction_below(&self, height: f64, floor: f64) -> f64 {
        ((height - floor) / self.layout.cell).clamp(0.0, 1.0)
    }
}

/// Output field of a layer.
struct Rows<'a> {
    columns: &'a Columns,
    view: View,
    tiles: &'a [Tile],
    into: &'a mut Field<f32>,
}

impl Rows<'_> {
    /// Writes the layer. `prepare(c)` returns what the values in column `c` depend on, and
    /// `value(prepared, floor)` the value at the height `floor` (m) of the bottom of a cell. The
    /// value of a cell is the mean over its columns.
    fn write<P: Send + 'static>(
        &mut self,
        prepare: impl Fn(usize) -> P + Sync,
        value: impl Fn(&P, f64) -> f64 + Sync,
    ) {
        let Columns { layout, scratch, .. } = self.columns;
        let of_walls = f32::from(u8::from(self.view == View::Walls));
        let (ny, per_cell) = (self.into.ny(), layout.per_cell);
        write_blocks(self.view.layer(), self.tiles, self.into, |mut block| {
            let Tile { x, y, nx, ny: rows } = block.tile;
            block.each_row(|_, into| into.fill(of_walls));
            let mut prepared = scratch.take_vec::<P>();
            for (rect, columns) in layout.rects.all.iter().zip(&layout.rect_columns) {
                let top = rect.ceiling.unwrap_or(ny as u32).min(ny as u32) as usize;
                let ys = (ny - top).max(y)..(ny - rect.floor as usize).min(y + rows);
                let west = rect.columns.start as usize;
                let xs = west.max(x)..(rect.columns.end as usize).min(x + nx);
                if xs.is_empty() || ys.is_empty() {
                    continue;
                }
                let first = columns.start + (xs.start - west) * per_cell;
                prepared.clear();
                prepared.extend((first..first + xs.len() * per_cell).map(&prepare));
                for y in ys {
                    let floor = (ny - 1 - y) as f64 * layout.cell;
                    let into = &mut block.row(y)[xs.start - x..xs.end - x];
                    for (into, columns) in into.iter_mut().zip(prepared.chunks_exact(per_cell)) {
                        let sum: f64 = columns.iter().map(|column| value(column, floor)).sum();
                        *into = (sum / per_cell as f64) as f32;
                    }
                }
            }
        });
    }
}
