//! [`Surroundings`]: background around a side view that does not fill the canvas. The sky continues
//! above the world. The areas to the left, to the right and below are darkened, so that the edges
//! of the world are visible.

use eframe::egui::{self, Color32, Pos2, Rect, Rgba, pos2};
use headwater_scene::picture::Picture;

/// Number of colour samples along the left edge of the world, and along the right edge. Each edge
/// is divided into this many sections of equal height, and each sample is the mean colour of one
/// section.
const EDGE_SECTIONS: usize = 24;

/// Brightness of the background to the left and right of the world, relative to the world's edge
/// colours.
const SIDE_BRIGHTNESS: f32 = 0.2;
/// Brightness of the background directly below the world, relative to the world's lower edge.
const BELOW_BRIGHTNESS: f32 = 0.16;
/// Brightness of the background at the bottom of the view, relative to the world's lower edge.
const BOTTOM_BRIGHTNESS: f32 = 0.01;

/// Factor by which the colour above the world is darkened at the top of the view.
const ZENITH_BRIGHTNESS: f32 = 0.6;

/// Largest mean deviation of the pixel brightness (0 to 1) from its average at which the top row of
/// the world counts as sky.
const MAX_SKY_DEVIATION: f32 = 0.04;

/// Background colours, derived from the edges of a world's picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    /// Background colour above the world.
    above: Rgba,
    /// Whether the top row of the world shows sky.
    is_sky: bool,
    below: Rgba,
    /// Background colours to the left and to the right of the world, in this order. Each list runs
    /// from top to bottom.
    sides: [Vec<Rgba>; 2],
}

impl Surroundings {
    pub(super) fn from_picture(picture: &Picture) -> Self {
        let (nx, ny) = (picture.nx(), picture.ny());
        let color = |x: usize, y: usize| {
            let [r, g, b] = picture.as_slice()[y * nx + x];
            Rgba::from(Color32::from_rgb(r, g, b))
        };
        let row = |y: usize| mean_color((0..nx).map(|x| color(x, y)));
        let above = row(0);
        let uneven: f32 =
            (0..nx).map(|x| (color(x, 0).intensity() - above.intensity()).abs()).sum();
        let band = |x: usize, band: usize| {
            let rows = band * ny / EDGE_SECTIONS
                ..((band + 1) * ny / EDGE_SECTIONS).max(band * ny / EDGE_SECTIONS + 1);
            mean_color(rows.map(|y| color(x, y.min(ny - 1))))
        };
        let side = |x: usize| (0..EDGE_SECTIONS).map(|at| band(x, at)).collect();
        let is_sky = uneven <= MAX_SKY_DEVIATION * nx as f32;
        Self { above, is_sky, below: row(ny - 1), sides: [side(0), side(nx - 1)] }
    }

    pub(super) fn paint(&self, painter: &egui::Painter, view: Rect, world: Rect) {
        painter.add(self.mesh(view, world));
    }

    fn mesh(&self, view: Rect, world: Rect) -> egui::Mesh {
        let mut mesh = egui::Mesh::default();
        if world.top() > view.top() {
            // The sky continues only above the world, so that the world's sides remain visible.
            let [left, right] = [world.left().max(view.left()), world.right().min(view.right())];
            let over = if self.is_sky { 1.0 } else { SIDE_BRIGHTNESS };
            for (from, to, near) in [
                (view.left(), left, SIDE_BRIGHTNESS),
                (left, right, over),
                (right, view.right(), SIDE_BRIGHTNESS),
            ] {
                if from < to {
                    let place = Rect::from_min_max(pos2(from, view.top()), pos2(to, world.top()));
                    add_gradient_rect(
                        &mut mesh,
                        place,
                        self.above * (near * ZENITH_BRIGHTNESS),
                        self.above * near,
                    );
                }
            }
        }
        if world.bottom() < view.bottom() {
            let place = Rect::from_min_max(pos2(view.left(), world.bottom()), view.max);
            add_gradient_rect(
                &mut mesh,
                place,
                self.below * BELOW_BRIGHTNESS,
                self.below * BOTTOM_BRIGHTNESS,
            );
        }
        let sides = [(view.left(), world.left()), (world.right(), view.right())];
        for ((left, right), colors) in sides.into_iter().zip(&self.sides) {
            if left >= right {
                continue;
            }
            let height = world.height() / EDGE_SECTIONS as f32;
            // Each colour applies to the middle of its band; the outer half bands have constant
            // colour.
            let middle = |at: usize| world.top() + (at as f32 + 0.5) * height;
            for at in 0..=EDGE_SECTIONS {
                let above = colors[at.saturating_sub(1)] * SIDE_BRIGHTNESS;
                let below = colors[at.min(EDGE_SECTIONS - 1)] * SIDE_BRIGHTNESS;
                let top = if at == 0 { world.top() } else { middle(at - 1) };
                let bottom = if at == EDGE_SECTIONS { world.bottom() } else { middle(at) };
                let place = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
                add_gradient_rect(&mut mesh, place, above, below);
            }
        }
        mesh
    }
}

fn mean_color(colors: impl ExactSizeIterator<Item = Rgba>) -> Rgba {
    let count = colors.len().max(1) as f32;
    colors.fold(Rgba::TRANSPARENT, |sum, color| sum + color) * (1.0 / count)
}

/// Adds a rectangle with a vertical colour gradient to a mesh.
fn add_gradient_rect(mesh: &mut egui::Mesh, rect: Rect, top: Rgba, bottom: Rgba) {
    let first = mesh.vertices.len() as u32;
    let mut corner = |at: Pos2, color: Rgba| {
        mesh.colored_vertex(at, Color32::from(Rgba::from_rgb(color.r(), color.g(), color.b())));
    };
    corner(rect.left_top(), top);
    corner(rect.right_top(), top);
    corner(rect.left_bottom(), bottom);
    corner(rect.right_bottom(), bottom);
    mesh.add_triangle(first, first + 1, first + 2);
    mesh.add_triangle(first + 1, first + 2, first + 3);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test_picture(color: impl Fn(usize, usize) -> [u8; 3]) -> Picture {
        Picture::from_fn(40, 30, color)
    }

    #[test]
    fn uniform_rows_count_as_sky_and_rock_does_not() {
        let rows = |_, y| if y < 15 { [90, 160, 230] } else { [40; 3] };
        let sky = Surroundings::from_picture(&test_picture(rows));
        assert!(sky.is_sky);
        assert_eq!(Color32::from(sky.above), Color32::from_rgb(90, 160, 230));
        assert_eq!(Color32::from(sky.below), Color32::from_rgb(40, 40, 40));
        let rock =
            Surroundings::from_picture(&test_picture(
                |x, _| if x % 2 == 0 { [200; 3] } else { [20; 3] },
            ));
        assert!(!rock.is_sky);
    }

    #[test]
    fn the_surroundings_cover_the_view_but_not_the_world() {
        let [view, world] = [
            Rect::from_min_max(pos2(0.0, 0.0), pos2(300.0, 200.0)),
            Rect::from_min_max(pos2(50.0, 40.0), pos2(250.0, 170.0)),
        ];
        let around = Surroundings::from_picture(&test_picture(|_, y| [y as u8, 100, 200]));
        let mesh = around.mesh(view, world);
        let mut area = 0.0;
        for corners in mesh.indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|i| mesh.vertices[corners[i] as usize].pos);
            let middle = ((a.to_vec2() + b.to_vec2() + c.to_vec2()) / 3.0).to_pos2();
            assert!(view.contains(middle) && !world.contains(middle), "{middle:?}");
            let [ab, ac] = [b - a, c - a];
            area += 0.5 * (ab.x * ac.y - ab.y * ac.x).abs();
        }
        assert!((area - (view.area() - world.area())).abs() < 1.0, "{area}");
    }
}
