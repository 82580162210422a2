//! Named layers of a world, for drawing and for output files.

use super::light::{Light, Sun};
use crate::changes::Tile;
use crate::columns::world::Columns;
use crate::field::Field;
use crate::layer::{LayerOutput, layers, write_blocks, write_copy};
use crate::model::Model as _;

layers! {
    Columns, Field<f32>;
    Walls: "walls", "1", "1 in walls, 0 elsewhere";
    Fill: "fill", "1", "part of the cell filled with water and ice, 0 to 1";
    Pool: "pool", "1", "number of the pool, from 1; 0 in walls";
    Head: "head", "m", "piezometric head above the bottom of the grid; 0 without water";
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

    fn write(&self, view: View, output: LayerOutput<'_>) {
        let top = |c: usize| self.surface_height(c) + self.freeboard(c);
        let constant = |value: f64| (value, NO_SPAN);
        match view {
            // Cells of a wall have no column.
            View::Walls => self.write_columns(output, 1.0, |_| constant(0.0), |&value, _| value),
            View::Light => {
                let mut light = self.scratch.take::<Light>();
                // The default sun is always valid.
                if self.light_into(&Sun::default(), &mut light).is_ok() {
                    write_copy(output, &light.brightness);
                }
            }
            View::Fill => self.write_columns(
                output,
                0.0,
                |c| {
                    let top = top(c);
                    (top, [top; 2])
                },
                |&top, floor| self.fraction_below(top, floor),
            ),
            View::Temperature => self.write_columns(
                output,
                0.0,
                |c| match self.temperature_profile(c) {
                    Some(profile) => {
                        let top = top(c);
                        (Some((top, profile)), [f64::NEG_INFINITY, top])
                    }
                    None => (None, NO_SPAN),
                },
                |column, floor| match column {
                    Some((top, profile)) if *top > floor => {
                        profile.at(0.5 * (floor + top.min(floor + self.layout.cell)))
                    }
                    _ => 0.0,
                },
            ),
            View::Ice => self.write_columns(
                output,
                0.0,
                |c| {
                    // A column has at most five strata.
                    let (mut ice, mut count, mut span) = ([[0.0; 2]; 5], 0, NO_SPAN);
                    self.for_each_stratum(c, |ends, is_ice| {
                        if is_ice {
                            ice[count] = ends;
                            count += 1;
                            span = [span[0].min(ends[0]), span[1].max(ends[1])];
                        }
                    });
                    ((ice, count), span)
                },
                |&(ref ice, count), floor| {
                    ice[..count].iter().fold(0.0, |part, ends| {
                        let [bottom, top] = ends.map(|height| self.fraction_below(height, floor));
                        part + (top - bottom)
                    })
                },
            ),
            View::Pool => self.write_columns(
                output,
                0.0,
                |c| constant(self.layout.pool_of(c) as f64 + 1.0),
                |&pool, _| pool,
            ),
            View::Head => self.write_in_water(output, |c| {
                let head = self.layout.floor[c] + self.state.depth[c] + self.heads.excess[c];
                self.layout.to_metres(head)
            }),
            View::Velocity => self.write_in_water(output, |c| self.velocity(c)),
            View::Awake => self.write_columns(
                output,
                0.0,
                |c| constant(f64::from(u8::from(self.sleep.is_awake(self.layout.pool_of(c))))),
                |&awake, _| awake,
            ),
        }
    }

    fn fraction_below(&self, height: f64, floor: f64) -> f64 {
        ((height - floor) / self.layout.cell).clamp(0.0, 1.0)
    }

    /// Writes a layer that has the same value in all water of a column, and 0 elsewhere.
    fn write_in_water(&self, output: LayerOutput<'_>, value: impl Fn(usize) -> f64 + Sync) {
        self.write_columns(
            output,
            0.0,
            |c| {
                let surface = self.surface_height(c);
                ((surface, value(c)), [surface; 2])
            },
            |&(surface, value), floor| if surface > floor { value } else { 0.0 },
        );
    }

    /// Writes a layer, with the value `wall` in walls. The value of a grid cell is the mean over
    /// its water columns.
    ///
    /// For each water column `c`, `prepare(c)` returns data for computing its values, and a range
    /// of heights (m above the bottom of the grid). Values may vary with height only in cells that
    /// overlap this range: all cells below it have the same value, and so do all cells above it.
    /// `value(prepared, floor)` returns the value of a cell whose bottom is at the height `floor`
    /// (m).
    fn write_columns<P: Send + 'static>(
        &self,
        output: LayerOutput<'_>,
        wall: f32,
        prepare: impl Fn(usize) -> (P, [f64; 2]) + Sync,
        value: impl Fn(&P, f64) -> f64 + Sync,
    ) {
        let Self { layout, scratch, .. } = self;
        let (ny, per_cell) = (layout.grid.ny(), layout.per_cell);
        write_blocks(output, |mut block| {
            let Tile { x, y, nx, ny: rows } = block.tile;
            block.for_each_row(|_, into| into.fill(wall));
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
                let mut span = NO_SPAN;
                prepared.clear();
                prepared.extend((first..first + xs.len() * per_cell).map(|c| {
                    let (prepared, [low, high]) = prepare(c);
                    span = [span[0].min(low), span[1].max(high)];
                    prepared
                }));
                let xs = xs.start - x..xs.end - x;
                // Computed rows above and below the span. The other rows there are copies of them.
                let mut computed = [None; 2];
                for y in ys {
                    let floor = (ny - 1 - y) as f64 * layout.cell;
                    let outside = [floor >= span[1], span[0] - floor >= layout.cell];
                    let side = outside.iter().position(|&outside| outside);
                    if let Some(from) = side.and_then(|side| computed[side]) {
                        block.copy_row(from, y, xs.clone());
                        continue;
                    }
                    let into = &mut block.row(y)[xs.clone()];
                    for (into, columns) in into.iter_mut().zip(prepared.chunks_exact(per_cell)) {
                        let sum: f64 = columns.iter().map(|column| value(column, floor)).sum();
                        *into = (sum / per_cell as f64) as f32;
                    }
                    if let Some(side) = side {
                        computed[side] = Some(y);
                    }
                }
            }
        });
    }
}

/// Empty range of heights (m), for columns whose values are the same at all heights.
const NO_SPAN: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];
