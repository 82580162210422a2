//! [`SideView`]: worlds in side view, blocks and pools, drawn pixel by pixel by the painters of pictures and
//! scaled up without blur.

use super::view::{Pointed, View};
use eframe::egui::{self, Color32, Rect, TextureHandle, TextureOptions, pos2, vec2};
use headwater::InputError;
use headwater::blocks::Blocks;
use headwater_scene::Scene;
use headwater_scene::columns::ColumnsWorld;
use headwater_scene::live::Live;
use headwater_scene::picture::{
    ColumnsPainter, ColumnsShown, Picture, PixelPainter, PixelStyle, Shown,
};

/// Pixels that a picture should have: more are not seen, and take long to draw.
const PIXELS: usize = 600_000;

/// Pixels of pixel art along a cell: as fine as worlds are drawn, and as coarse.
const FINE: usize = 8;
const COARSE: usize = 2;

/// How far one can zoom in.
const NEAREST: f32 = 16.0;

enum Painter {
    Blocks(Box<PixelPainter>),
    Columns(Box<ColumnsPainter>),
}

/// A world in side view.
pub(super) struct SideView {
    /// Which of [`views`] is shown.
    view: View,
    painter: Painter,
    texture: Option<TextureHandle>,
    /// The state that the texture shows: steps and edits.
    shown: Option<(u64, u64)>,
    /// How much larger than fitting the world is shown, and which point of it (shares of its size) is in the middle.
    zoom: f32,
    middle: egui::Vec2,
}

/// What can be shown of a world in side view; `None` for worlds that are seen from above.
pub(super) fn views(scene: &Scene) -> Option<&'static [View]> {
    if scene.blocks().is_some() {
        return Some(&[View::World, View::Bodies, View::Pressure, View::Fill]);
    }
    scene.columns()?;
    Some(&[View::World, View::Temperature, View::Velocity, View::Mesh])
}

impl SideView {
    /// Begins to draw a world; `None` if it is not one in side view.
    pub(super) fn new(live: &Live, view: View) -> Option<Result<Self, InputError>> {
        let (scene, world) = (live.scene(), live.world());
        let made = if let (Some(scene), Some(blocks)) = (scene.blocks(), world.get::<Blocks>()) {
            let shown = match view {
                View::Bodies => Shown::Bodies,
                View::Pressure => Shown::Pressure,
                View::Fill => Shown::Fill,
                _ => Shown::World,
            };
            let style = live_style(&scene.picture, shown, [blocks.nx(), blocks.ny()]);
            PixelPainter::new(style, blocks).map(|painter| Painter::Blocks(Box::new(painter)))
        } else {
            let (scene, world) = (scene.columns()?, world.get::<ColumnsWorld>()?);
            let shown = match view {
                View::Temperature => ColumnsShown::Temperature,
                View::Velocity => ColumnsShown::Velocity,
                View::Mesh => ColumnsShown::Mesh,
                _ => ColumnsShown::World,
            };
            let size = [world.lattice.nx(), world.lattice.ny()];
            let style = live_style(&scene.picture, shown, size);
            let looks = scene.bodies.iter().map(|body| body.kind).collect();
            ColumnsPainter::new(style, &world.columns, &world.anchors, looks)
                .map(|painter| Painter::Columns(Box::new(painter)))
        };
        Some(made.map(|painter| Self {
            view,
            painter,
            texture: None,
            shown: None,
            zoom: 1.0,
            middle: vec2(0.5, 0.5),
        }))
    }

    /// What it shows.
    pub(super) fn view(&self) -> View {
        self.view
    }

    /// Shows all of the world.
    pub(super) fn fit(&mut self) {
        (self.zoom, self.middle) = (1.0, vec2(0.5, 0.5));
    }

    /// Moves the picture by so many points, and brings it nearer by a factor around a place on the screen.
    pub(super) fn travel(&mut self, rect: Rect, by: egui::Vec2, nearer: f32, around: egui::Pos2) {
        let Some(texture) = &self.texture else { return };
        let before = self.place(rect, texture);
        let at = (around - before.min) / before.size();
        self.zoom = (self.zoom * nearer).clamp(1.0, NEAREST);
        let size = self.place(rect, texture).size();
        // What was under the pointer stays there.
        self.middle = at - (around - rect.center()) / size - by / size;
        self.middle = self.middle.clamp(vec2(0.0, 0.0), vec2(1.0, 1.0));
        if self.zoom <= 1.0 {
            self.middle = vec2(0.5, 0.5);
        }
    }

    /// Where the whole picture would be on the screen.
    fn place(&self, rect: Rect, texture: &TextureHandle) -> Rect {
        let size = texture.size_vec2();
        let fitting = (rect.width() / size.x).min(rect.height() / size.y);
        let size = size * fitting * self.zoom;
        Rect::from_min_size(rect.center() - self.middle * size, size)
    }

    /// Draws the world as it is.
    pub(super) fn paint(&mut self, ui: &egui::Ui, rect: Rect, live: &Live, edits: u64) {
        let moment = (live.simulation().steps(), edits);
        if self.shown != Some(moment) || self.texture.is_none() {
            if let Some(image) = self.picture(live) {
                self.upload(ui, &image);
            }
            self.shown = Some(moment);
        }
        let Some(texture) = &self.texture else { return };
        let place = self.place(rect, texture);
        let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().with_clip_rect(rect).image(texture.id(), place, uv, Color32::WHITE);
    }

    fn picture(&mut self, live: &Live) -> Option<Picture> {
        let world = live.world();
        match &mut self.painter {
            Painter::Blocks(painter) => world.get().map(|blocks| painter.paint(blocks)),
            Painter::Columns(painter) => {
                world.get::<ColumnsWorld>().map(|world| painter.paint(&world.columns))
            }
        }
    }

    fn upload(&mut self, ui: &egui::Ui, image: &Picture) {
        let size = [image.nx(), image.ny()];
        let pixels = egui::ColorImage::from_rgb(size, image.as_slice().as_flattened());
        match &mut self.texture {
            Some(texture) if texture.size() == size => texture.set(pixels, TextureOptions::NEAREST),
            texture => {
                *texture = Some(ui.ctx().load_texture("across", pixels, TextureOptions::NEAREST));
            }
        }
    }

    /// The place under a point of the screen, on a world of that size (m, or cells).
    pub(super) fn pick(&self, rect: Rect, at: egui::Pos2, size: [f64; 2]) -> Option<Pointed> {
        let place = self.place(rect, self.texture.as_ref()?);
        let share = (at - place.min) / place.size();
        let inside = (0.0..1.0).contains(&share.x) && (0.0..1.0).contains(&share.y);
        let position = [f64::from(share.x) * size[0], f64::from(share.y) * size[1]];
        let scale = f64::from(place.width()) / size[0];
        inside.then_some(Pointed { position, scale })
    }

    /// Where a place of the world is on the screen.
    pub(super) fn project(
        &self,
        rect: Rect,
        position: [f64; 2],
        size: [f64; 2],
    ) -> Option<egui::Pos2> {
        let place = self.place(rect, self.texture.as_ref()?);
        let share = vec2((position[0] / size[0]) as f32, (position[1] / size[1]) as f32);
        Some(place.min + share * place.size())
    }
}

/// The scene's style for pictures, without what the window says anyhow, at a size that is drawn in time.
fn live_style<V: Clone>(style: &PixelStyle<V>, view: V, [nx, ny]: [usize; 2]) -> PixelStyle<V> {
    let cells = (nx * ny).max(1);
    let along = ((PIXELS / cells) as f64).sqrt() as usize;
    PixelStyle {
        cell: Some(along.clamp(COARSE, FINE) as u32),
        view,
        scale_bar: false,
        time_label: false,
        caption: None,
        ..style.clone()
    }
}
