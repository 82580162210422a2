//! [`Skyline`]: the lower end of the open sky in a world of pools, where drawn rain ends.

use eframe::egui::Rect;
use headwater::columns::Columns;

/// Lower end of the sky above each column of cells, as a fraction of the world's height, measured
/// from the top; empty if the sky reaches the bottom everywhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Skyline(Vec<f32>);

impl Skyline {
    /// Computes the skyline of a world. In each column, the sky ends at the topmost wall, or at the
    /// surface of the water that stands on this wall.
    pub(super) fn compute(world: &Columns) -> Self {
        let (walls, [_, height]) = (world.walls(), world.size());
        let cell = world.cell_size();
        let end = |x: usize| {
            let free = (0..walls.ny()).take_while(|&y| !walls[(x, y)]).count();
            let ground = free as f64 * cell;
            // The cell above the wall belongs to the water that stands on the wall.
            let floor = [(x as f64 + 0.5) * cell, ground - 0.5 * cell];
            let surface = if free > 0 { world.surface_at(floor) } else { None };
            (surface.unwrap_or(ground).min(ground) / height) as f32
        };
        Self((0..walls.nx()).map(end).collect())
    }

    /// Returns the y-coordinate of the sky's lower end at the screen x-coordinate `x`. `world` is
    /// the screen rectangle of the world.
    pub(super) fn end_y(&self, world: Rect, x: f32) -> f32 {
        let share = (x - world.left()) / world.width();
        let column = (share * self.0.len() as f32).floor();
        let end = self.0.get(column.max(0.0) as usize).filter(|_| column >= 0.0);
        end.map_or(world.bottom(), |end| world.top() + end * world.height())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{pos2, vec2};
    use headwater::Field;
    use headwater::columns::{Anchor, Params};

    #[test]
    fn rain_ends_at_roofs_and_at_water() {
        // A roof over the first two of six columns, and a basin with water below the others.
        let walls = Field::from_fn(6, 8, |x, y| y == 7 || (x < 2 && y == 2));
        let world = Columns::new(&walls, 1.0, &[Anchor::new_level([4.5, 5.0])], Params::default());
        let skyline = Skyline::compute(&world.unwrap());
        let seen = Rect::from_min_size(pos2(10.0, 20.0), vec2(60.0, 80.0));
        let ends = [15.0, 25.0, 35.0, 65.0].map(|x| skyline.end_y(seen, x));
        assert_eq!(ends, [40.0, 40.0, 70.0, 70.0]);
        assert_eq!(Skyline::default().end_y(seen, 15.0), 100.0);
        assert_eq!(skyline.end_y(seen, 0.0), 100.0, "outside the world the sky reaches the bottom");
    }
}
