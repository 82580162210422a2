//! Queries about points, shapes and pools: surface heights, velocities, submersion and bounds.

use crate::columns::bodies::body::{Body, Shape};
use crate::columns::bodies::float::WaterView;
use crate::columns::layout::{NO_CEILING, Pool};
use crate::columns::world::Columns;
use crate::error::InputError;
use crate::region::{Point, Region};

/// Axis-aligned rectangle (m to the east and down from the grid's top-left corner).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Top-left corner (m).
    pub min: Point,
    /// Bottom-right corner (m).
    pub max: Point,
}

impl Bounds {
    /// Returns whether the two rectangles have at least one point in common.
    pub fn intersects(&self, other: &Bounds) -> bool {
        (0..2).all(|i| self.min[i] <= other.max[i] && other.min[i] <= self.max[i])
    }
}

/// Submerged part of a shape, and properties of the water around it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Submersion {
    /// Area of the shape that lies below the water surface (m²).
    pub area: f64,
    /// Part of `area` that is occupied by water and not by floating bodies (m²).
    pub water: f64,
    /// Centre of buoyancy (m), which is the centroid of the submerged part. `None` if nothing is
    /// submerged.
    pub center: Option<Point>,
    /// Horizontal velocity of the water, averaged over the submerged part of the shape (m/s,
    /// positive to the east).
    pub velocity: f64,
    /// Mean vertical position of the water surface over the width of the shape (m, downward from
    /// the top of the grid). `None` if there is no water.
    pub surface: Option<f64>,
}

impl Columns {
    /// Returns the number of pools, wet or dry. Pools have indices from 0, in order from west to
    /// east.
    pub fn pool_count(&self) -> usize {
        self.layout.pools.len()
    }

    /// Returns the index of the pool at a point (m), wet or dry. Returns `None` if the point is in
    /// a wall or off the grid.
    pub fn pool_at(&self, at: Point) -> Option<usize> {
        self.column_at(at).map(|column| self.layout.pool_of(column))
    }

    /// Returns whether a pool is awake, which means that the next step updates it. Returns false
    /// for an invalid index.
    pub fn is_awake(&self, pool: usize) -> bool {
        pool < self.pool_count() && self.sleep.is_awake(pool)
    }

    /// Returns the number of awake pools.
    pub fn awake_pool_count(&self) -> usize {
        self.sleep.awake.len()
    }

    /// Sets the visible area, in metres from the grid's top-left corner. Pools outside this area
    /// fall asleep sooner than visible pools. `None` makes the whole world visible.
    pub fn set_visible(&mut self, visible: Option<Bounds>) {
        for pool in 0..self.pool_count() {
            let seen = visible.is_none_or(|visible| {
                self.pool_bounds(pool).is_some_and(|bounds| bounds.intersects(&visible))
            });
            self.sleep.hidden[pool] = !seen;
        }
    }

    /// Returns the bounding rectangle (m) of the water in a pool, for example for culling. Returns
    /// `None` if the pool is dry or does not exist.
    pub fn pool_bounds(&self, pool: usize) -> Option<Bounds> {
        let Pool { columns, x0, .. } = self.layout.pools.get(pool)?;
        let wet = columns.clone().filter(|&c| self.state.depth[c] > 0);
        let (mut from, mut to, mut low, mut high) = (usize::MAX, 0, f64::INFINITY, 0.0_f64);
        for c in wet {
            (from, to) = (from.min(c), c);
            low = low.min(self.layout.to_metres(self.layout.floor[c]));
            high = high.max(self.surface_height(c));
        }
        if from > to {
            return None;
        }
        let x = |c: usize| (x0 + c - columns.start) as f64 * self.layout.width;
        let down = |height: f64| self.layout.height() - height;
        Some(Bounds { min: [x(from), down(high)], max: [x(to + 1), down(low)] })
    }

    /// Returns the volume of water in a pool (m³ for a world 1 m thick). Returns 0 for an invalid
    /// index.
    pub fn pool_volume(&self, pool: usize) -> f64 {
        let Some(pool) = self.layout.pools.get(pool) else { return 0.0 };
        let depths = self.state.depth[pool.columns.clone()].iter();
        let quanta: i64 = depths.map(|&depth| i64::from(depth)).sum();
        quanta as f64 * self.layout.quantum_volume()
    }

    /// Returns the width and the height of the grid (m).
    pub fn size(&self) -> [f64; 2] {
        [self.layout.grid.nx() as f64 * self.layout.cell, self.layout.height()]
    }

    /// Returns the vertical position of the water surface (m, downward from the top of the grid) in
    /// the column at a point. If the column is filled to its ceiling, returns the position of the
    /// ceiling. Under a floating body, returns the water level around the body. Returns `None` if
    /// the point is in a wall or off the grid, or if the column is dry.
    pub fn surface_at(&self, at: Point) -> Option<f64> {
        let column = self.column_at(at)?;
        (self.state.depth[column] > 0).then(|| self.layout.height() - self.surface_height(column))
    }

    /// Returns the piezometric level in the column at a point, as a vertical position (m, downward
    /// from the top of the grid, negative above the grid). Returns `None` if the point is in a wall
    /// or off the grid, or if the column is dry.
    pub fn head_at(&self, at: Point) -> Option<f64> {
        let c = self.column_at(at)?;
        let head = self.layout.floor[c] + self.state.depth[c] + self.heads.excess[c];
        (self.state.depth[c] > 0).then(|| self.layout.height() - self.layout.to_metres(head))
    }

    /// Returns the largest height (m) by which compressed water exceeds the height of its column.
    /// Returns 0 if no water is compressed.
    pub fn max_overfill(&self) -> f64 {
        let layout = &self.layout;
        let over = (0..layout.column_count())
            .map(|c| layout.floor[c] + self.state.depth[c] - layout.ceiling[c])
            .max();
        over.map_or(0.0, |over| layout.to_metres(over.max(0)))
    }

    /// Returns the horizontal velocity of the water (m/s, positive to the east) in the column at a
    /// point. Returns `None` if the point is in a wall or off the grid, or if the column is dry.
    pub fn velocity_at(&self, at: Point) -> Option<f64> {
        let column = self.column_at(at)?;
        (self.state.depth[column] > 0).then(|| self.velocity(column))
    }

    /// Returns whether a point (m) is under water and not inside a floating body.
    pub fn is_under_water(&self, at: Point) -> bool {
        let inside = |body: &Body| body.shape.contains(at);
        self.surface_at(at).is_some_and(|surface| at[1] > surface)
            && !self.bodies.iter().any(inside)
    }

    /// Computes which part of a shape lies below the water surface of the columns that it covers.
    /// Parts inside walls count as dry.
    ///
    /// # Errors
    /// Returns [`InputError`] if the size of the shape is not above 0 or its position is not
    /// finite.
    pub fn submersion(&self, shape: &Shape) -> Result<Submersion, InputError> {
        let (center, half) = shape.center_and_half();
        for size in half {
            InputError::check("half a body's size", size, size > 0.0, "above 0 m")?;
        }
        Region::rect(
            [center[0] - half[0], center[1] - half[1]],
            [center[0] + half[0], center[1] + half[1]],
        )
        .validate()?;
        let layout = &self.layout;
        let width = layout.width;
        let columns = layout.grid.nx() * layout.per_cell;
        let reach = |x: f64| (x / width).clamp(0.0, columns as f64);
        let first = reach(center[0] - half[0]).floor() as usize;
        let last = reach(center[0] + half[0]).ceil() as usize;
        let (mut found, mut over) = (Submersion::default(), 0.0);
        let (mut middles, mut surfaces) = ([0.0; 2], 0.0);
        for x in first..last {
            let west = (x as f64 * width).max(center[0] - half[0]);
            let east = ((x + 1) as f64 * width).min(center[0] + half[0]);
            if east <= west {
                continue;
            }
            let middle = 0.5 * (west + east);
            let tall = shape.half_height_at(middle - center[0]);
            let (top, bottom) = (center[1] - tall, center[1] + tall);
            for c in self.layout.columns_at_x(x) {
                let depth = self.state.depth[c];
                if depth == 0 {
                    continue;
                }
                let surface = layout.height() - self.surface_height(c);
                let floor = layout.height() - layout.to_metres(layout.floor[c]);
                let (upper, lower) = (top.max(surface), bottom.min(floor));
                if upper >= lower {
                    continue;
                }
                let area = (lower - upper) * (east - west);
                found.area += area;
                found.water += area - self.displaced_area([west, east], [upper, lower]);
                middles[0] += area * middle;
                middles[1] += area * 0.5 * (upper + lower);
                found.velocity += area * self.velocity(c);
                surfaces += (east - west) * surface;
                over += east - west;
            }
        }
        if found.area > 0.0 {
            found.velocity /= found.area;
            found.center = Some(middles.map(|sum| sum / found.area));
            found.surface = Some(surfaces / over);
        }
        Ok(found)
    }

    /// Returns the height of a column's surface (m above the bottom of the grid), limited by the
    /// height of the ceiling. Includes the displacement of the surface by waves, with
    /// [`Motion::Springs`](super::Motion::Springs), and by floating bodies.
    pub(in crate::columns) fn surface_height(&self, c: usize) -> f64 {
        let layout = &self.layout;
        let offset = self.state.offset.get(c).map_or(0.0, |&offset| f64::from(offset));
        let water = layout.to_metres(layout.floor[c] + self.state.depth[c]) + offset;
        let surface =
            if self.heads.is_under_body[c] { self.surface_with_bodies(c, water) } else { water };
        let ceiling = layout.ceiling[c];
        if ceiling < NO_CEILING { surface.min(layout.to_metres(ceiling)) } else { surface }
    }

    /// Returns the surface height of a column (m above the bottom of the grid), given the height
    /// `water` that its surface would have without floating bodies. Water displaced by bodies
    /// raises the surface. Under a floating body, the surface is no higher than the water level
    /// around the body.
    fn surface_with_bodies(&self, column: usize, water: f64) -> f64 {
        let (layout, view) = (&self.layout, self.water_view());
        let x = layout.column_x(column);
        let (mut surface, mut highest) = (water, f64::INFINITY);
        for body in &*self.bodies {
            let (center, half) = body.shape.center_and_half();
            let west = (x as f64 * layout.width).max(center[0] - half[0]);
            let east = ((x + 1) as f64 * layout.width).min(center[0] + half[0]);
            let middle = layout.height() - center[1];
            if east <= west || view.column_at_height(x, middle + half[1]) != Some(column) {
                continue;
            }
            let tall = body.shape.half_height_at(0.5 * (west + east) - center[0]);
            let (bottom, top) = (middle - tall, middle + tall);
            let levels = view.side_levels(&body.shape);
            let level = view.level_around_body(&levels, column);
            let deep = (level.min(top) - bottom).max(0.0);
            surface += deep * (east - west) / layout.width;
            if level < top {
                highest = highest.min(levels.level_at(x as f64).unwrap_or(level).max(water));
            }
        }
        surface.min(highest)
    }

    /// Returns the area (m²) that floating bodies occupy in a rectangle at most one column wide.
    /// `west` and `east` are the horizontal positions of the rectangle's sides, and `upper` and
    /// `lower` the vertical ones (m to the east and down from the grid's top-left corner).
    fn displaced_area(&self, [west, east]: [f64; 2], [upper, lower]: [f64; 2]) -> f64 {
        let taken = self.bodies.iter().map(|body| {
            let (center, half) = body.shape.center_and_half();
            let (from, to) = (west.max(center[0] - half[0]), east.min(center[0] + half[0]));
            let tall = body.shape.half_height_at(0.5 * (from + to) - center[0]);
            let high = lower.min(center[1] + tall) - upper.max(center[1] - tall);
            if to > from { high.max(0.0) * (to - from) } else { 0.0 }
        });
        taken.sum::<f64>().min((east - west) * (lower - upper))
    }

    pub(in crate::columns) fn water_view(&self) -> WaterView<'_> {
        WaterView {
            layout: &self.layout,
            state: &self.state,
            heads: &self.heads,
            warmth: self.warmth.as_ref(),
            params: &self.params,
            drafts: &[],
            body_index: 0,
        }
    }

    pub(in crate::columns) fn velocity(&self, c: usize) -> f64 {
        let pool = &self.layout.pools[self.layout.pool_of(c)];
        let west = if c > pool.columns.start { self.state.speed[c - 1] } else { 0.0 };
        0.5 * (f64::from(west) + f64::from(self.state.speed[c]))
    }

    pub(in crate::columns) fn column_at(&self, at: Point) -> Option<usize> {
        let layout = &self.layout;
        let x = at[0] / layout.cell;
        let height = layout.grid.ny() as f64 - at[1] / layout.cell;
        if !(0.0..layout.grid.nx() as f64).contains(&x) || height.is_nan() {
            return None;
        }
        let rect = layout.rects.rect_at(x as u32, height)? as usize;
        let within = at[0] / layout.width
            - (layout.rects.all[rect].columns.start as usize * layout.per_cell) as f64;
        let columns = &layout.rect_columns[rect];
        Some((columns.start + within.max(0.0) as usize).min(columns.end - 1))
    }
}
