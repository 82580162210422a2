//! Outlines of the water in pools for renderers, with one triangle strip per connected stretch of
//! water.

use crate::columns::world::Columns;

/// Outline of a connected stretch of water in a pool, as a triangle strip between floor and
/// surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// Corners (m to the east and down from the grid's top-left corner), in pairs from west to
    /// east. Each pair consists of a point on the surface and a point on the floor. All pairs
    /// together form one triangle strip. Each column has three pairs: at its western edge, its
    /// middle and its eastern edge.
    pub points: Vec<[f32; 2]>,
    /// Foam at each corner, from 0 (none) to 1. The value is 0 on the floor.
    pub foam: Vec<f32>,
    /// Thickness (m) of the top layer at each corner if this layer is ice; 0 if it is water, or if
    /// the corner is on the floor.
    pub ice: Vec<f32>,
    /// Height (m) of the top of the ice above the water surface at each corner, including a pond
    /// and a crust on the ice. The value is 0 on the floor.
    pub freeboard: Vec<f32>,
}

impl Columns {
    /// Returns the outlines of the water in a pool, from west to east. The result is empty if the
    /// pool is dry or does not exist.
    pub fn outlines(&self, pool: usize) -> Vec<Outline> {
        let mut outlines = Vec::new();
        let Some(pool) = self.layout.pools.get(pool) else { return outlines };
        let columns = pool.columns.clone();
        let mut from = columns.start;
        while from < columns.end {
            if self.state.depth[from] == 0 {
                from += 1;
                continue;
            }
            let mut to = from + 1;
            while to < columns.end && self.are_connected(to - 1, to) {
                to += 1;
            }
            outlines.push(self.outline(pool.x0 + from - columns.start, from..to));
            from = to;
        }
        outlines
    }

    pub(in crate::columns) fn are_connected(&self, i: usize, j: usize) -> bool {
        let sill = self.layout.floor[i].max(self.layout.floor[j]);
        [i, j]
            .iter()
            .all(|&c| self.state.depth[c] > 0 && self.layout.floor[c] + self.state.depth[c] > sill)
    }

    fn outline(&self, x0: usize, columns: std::ops::Range<usize>) -> Outline {
        let mut outline = Outline::default();
        let down = |height: f64| (self.layout.height() - height) as f32;
        let mut push = |x: f64, surface: f64, c: usize| {
            let floor = self.layout.to_metres(self.layout.floor[c]);
            outline.points.push([x as f32, down(surface)]);
            outline.points.push([x as f32, down(floor)]);
            outline.foam.extend([self.state.foam[c], 0.0]);
            outline.ice.extend([self.bare_ice(c) as f32, 0.0]);
            outline.freeboard.extend([self.freeboard(c) as f32, 0.0]);
        };
        for c in columns.clone() {
            let west = (x0 + c - columns.start) as f64 * self.layout.width;
            let own = self.surface_height(c);
            // A step of the ceiling or the floor has one corner on each side of the edge.
            let between = |other: usize| {
                let next = self.surface_height(other);
                let roof = |c: usize| self.layout.to_metres(self.layout.ceiling[c]);
                if next < own && next >= roof(other) {
                    own
                } else {
                    (0.5 * (own + next)).min(roof(c))
                }
            };
            let before = if c > columns.start { between(c - 1) } else { own };
            let after = if c + 1 < columns.end { between(c + 1) } else { own };
            push(west, before, c);
            push(west + 0.5 * self.layout.width, own, c);
            push(west + self.layout.width, after, c);
        }
        outline
    }
}
