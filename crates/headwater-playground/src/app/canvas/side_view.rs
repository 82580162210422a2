//! [`SideView`]: the view of a world from the side (blocks and pools). A painter renders the world
//! as a picture, which is scaled to the canvas without filtering.

use super::side_camera::{SideCamera, ViewFrame};
use super::skyline::Skyline;
use super::surroundings::Surroundings;
use super::view::{PointerPosition, View};
use eframe::egui::{self, Color32, Rect, TextureHandle, TextureOptions, pos2, vec2};
use headwater::blocks::Blocks;
use headwater::{Id, InputError, Model};
use headwater_scene::Scene;
use headwater_scene::columns::ColumnsWorld;
use headwater_scene::live::Live;
use headwater_scene::picture::{
    BlocksContent, ColumnsContent, ColumnsPainter, Picture, PixelPainter, PixelStyle,
};

/// Largest number of pixels of the picture, which limits the drawing time.
const MAX_PIXELS: usize = 600_000;

/// Largest number of picture pixels per cell, along each axis.
const MAX_CELL_PIXELS: usize = 8;
/// Smallest number of picture pixels per cell, along each axis.
const MIN_CELL_PIXELS: usize = 2;

/// Pan speed while a key is held (points per second).
const PAN_SPEED: f32 = 420.0;

enum Painter {
    Blocks(Box<PixelPainter>),
    Columns(Box<ColumnsPainter>),
}

pub(super) struct SideView {
    /// Current view mode, one of those that [`views`] returns.
    view: View,
    painter: Painter,
    texture: Option<TextureHandle>,
    surroundings: Surroundings,
    /// Skyline of the world (lower end of the open sky, where rain ends), preceded by the step and
    /// edit counts of the state from which the skyline was computed.
    skyline: (Option<(u64, u64)>, Skyline),
    /// Step and edit counts of the state that was last drawn.
    shown: Option<(u64, u64)>,
    /// Number of columns and rows of the world.
    cells: egui::Vec2,
    pub(super) camera: SideCamera,
    /// Whether the user has moved the camera in this frame.
    is_user_moving: bool,
    /// Whether the camera was copied from another view in this frame.
    camera_was_copied: bool,
    /// Zoom factor that is applied in the next frame.
    zoom_factor: f32,
    /// Pan that is applied in the next frame (points).
    pending_pan: egui::Vec2,
    /// Whether the world was replaced, so that the picture is outdated.
    pub(super) is_stale: bool,
}

/// Returns the view modes of a world in side view; `None` for a world seen from above.
pub(super) fn views(scene: &Scene) -> Option<&'static [View]> {
    if scene.blocks().is_some() {
        return Some(&[View::World, View::Bodies, View::Pressure, View::Fill]);
    }
    scene.columns()?;
    Some(&[View::World, View::Temperature, View::Velocity, View::Mesh])
}

impl SideView {
    /// Creates the view of a world; `None` if the world is not shown from the side.
    pub(super) fn new(
        live: &Live,
        view: View,
        camera: SideCamera,
    ) -> Option<Result<Self, InputError>> {
        let (scene, world) = (live.scene(), live.world());
        let made = if let (Some(scene), Some(blocks)) = (scene.blocks(), world.get::<Blocks>()) {
            let shown = match view {
                View::Bodies => BlocksContent::Bodies,
                View::Pressure => BlocksContent::Pressure,
                View::Fill => BlocksContent::Fill,
                _ => BlocksContent::World,
            };
            let style = real_time_style(&scene.picture, shown, [blocks.nx(), blocks.ny()]);
            PixelPainter::new(style, blocks).map(|painter| Painter::Blocks(Box::new(painter)))
        } else {
            let (scene, world) = (scene.columns()?, world.get::<ColumnsWorld>()?);
            let shown = match view {
                View::Temperature => ColumnsContent::Temperature,
                View::Velocity => ColumnsContent::Velocity,
                View::Mesh => ColumnsContent::Mesh,
                _ => ColumnsContent::World,
            };
            let size = [world.lattice.nx(), world.lattice.ny()];
            let style = real_time_style(&scene.picture, shown, size);
            let looks = scene.bodies.iter().map(|body| body.kind).collect();
            ColumnsPainter::new(style, &world.columns, &world.anchors, looks)
                .map(|painter| Painter::Columns(Box::new(painter)))
        };
        let lattice = live.lattice();
        Some(made.map(|painter| Self {
            view,
            painter,
            texture: None,
            surroundings: Surroundings::default(),
            skyline: (None, Skyline::default()),
            shown: None,
            cells: vec2(lattice.nx() as f32, lattice.ny() as f32),
            camera,
            is_user_moving: false,
            camera_was_copied: false,
            zoom_factor: 1.0,
            pending_pan: egui::Vec2::ZERO,
            is_stale: false,
        }))
    }

    pub(super) fn view(&self) -> View {
        self.view
    }

    /// Copies the camera of another view, but does not follow the body that the other camera
    /// follows.
    pub(super) fn copy_camera(&mut self, other: &Self) {
        self.camera = other.camera;
        self.camera.follows = None;
        self.camera_was_copied = true;
    }

    pub(super) fn fit_world(&mut self) {
        self.camera = SideCamera::default();
    }

    pub(super) fn zoom_animated(&mut self, factor: f32) {
        self.zoom_factor = factor;
    }

    /// Pans the view as if arrow keys were held for `seconds` s. `right` and `up` are the
    /// components of the direction, each from −1 to 1.
    pub(super) fn move_by(&mut self, [right, up]: [f32; 2], seconds: f32) {
        self.pending_pan += egui::vec2(-right, up) * PAN_SPEED * seconds;
    }

    /// Pans by `offset` (points) in the next frame.
    pub(super) fn pan_next_frame(&mut self, offset: egui::Vec2) {
        self.pending_pan += offset;
    }

    /// Pans by `offset` (points), and zooms by the factor `zoom_factor` around the screen
    /// position `zoom_center`.
    pub(super) fn pan_and_zoom(
        &mut self,
        rect: Rect,
        offset: egui::Vec2,
        zoom_factor: f32,
        zoom_center: egui::Pos2,
    ) {
        self.is_user_moving = true;
        self.camera.pan_and_zoom(self.frame(rect), offset, zoom_factor, zoom_center);
    }

    /// Makes the camera follow the floating body nearest to the position `place` (m), or to the
    /// centre of the view if `place` is `None`. If the camera already follows a body, stops
    /// following it instead.
    pub(super) fn toggle_follow(&mut self, live: &Live, place: Option<[f64; 2]>) {
        let size = size(live);
        let middle = self.camera.middle();
        let place = place.unwrap_or([f64::from(middle.x) * size[0], f64::from(middle.y) * size[1]]);
        let far = |at: [f64; 2]| (at[0] - place[0]).hypot(at[1] - place[1]);
        let nearest = bodies(live).into_iter().min_by(|a, b| far(a.1).total_cmp(&far(b.1)));
        self.camera.follows = match self.camera.follows {
            None => nearest.map(|(id, _)| id),
            Some(_) => None,
        };
    }

    fn frame(&self, view: Rect) -> ViewFrame {
        ViewFrame { view, cells: self.cells }
    }

    /// Returns the rectangle that the whole picture occupies on the screen (points).
    fn picture_rect(&self, rect: Rect) -> Rect {
        self.camera.world_rect(self.frame(rect))
    }

    /// Returns two values. The first is the part of the view in which rain is drawn (above and
    /// inside the world). The second is a function that maps a screen x-coordinate to the
    /// y-coordinate at which the sky ends.
    pub(super) fn sky_region(
        &mut self,
        rect: Rect,
        live: &Live,
    ) -> (Rect, impl Fn(f32) -> f32 + '_) {
        let world = self.picture_rect(rect);
        if self.skyline.0 != self.shown {
            let skyline =
                live.world().get::<ColumnsWorld>().map(|world| Skyline::compute(&world.columns));
            self.skyline = (self.shown, skyline.unwrap_or_default());
        }
        let skyline = &self.skyline.1;
        let above = Rect::from_min_max(pos2(world.left(), rect.top()), world.max);
        (above.intersect(rect), move |x| skyline.end_y(world, x))
    }

    /// Animates the camera back to the allowed positions, unless the user is moving it.
    fn animate_camera(&mut self, ui: &egui::Ui, rect: Rect, live: &Live) {
        let size = size(live);
        let share = |at: [f64; 2]| vec2((at[0] / size[0]) as f32, (at[1] / size[1]) as f32);
        let followed = self.camera.follows.and_then(|id| {
            bodies(live).into_iter().find(|(body, _)| *body == id).map(|(_, at)| share(at))
        });
        if followed.is_none() {
            self.camera.follows = None;
        }
        let is_user_moving =
            std::mem::take(&mut self.is_user_moving) || ui.input(|input| input.pointer.any_down());
        let seconds = ui.input(|input| input.stable_dt).min(0.1);
        let frame = self.frame(rect);
        if (followed.is_some() || !is_user_moving)
            && self.camera.animate_to_rest(frame, followed, seconds)
        {
            ui.ctx().request_repaint();
        }
    }

    pub(super) fn paint(&mut self, ui: &egui::Ui, rect: Rect, live: &Live, edits: u64) {
        let zoom_factor = std::mem::replace(&mut self.zoom_factor, 1.0);
        let pending_pan = std::mem::take(&mut self.pending_pan);
        if zoom_factor != 1.0 || pending_pan != egui::Vec2::ZERO {
            self.camera.pan_and_zoom(self.frame(rect), pending_pan, zoom_factor, rect.center());
        }
        if !std::mem::take(&mut self.camera_was_copied) {
            self.animate_camera(ui, rect, live);
        }
        let moment = (live.simulation().steps(), edits);
        if self.shown != Some(moment) || self.texture.is_none() {
            if let Some(image) = self.render_picture(live) {
                self.surroundings = Surroundings::from_picture(&image);
                self.upload(ui, &image);
            }
            self.shown = Some(moment);
        }
        let Some(texture) = &self.texture else { return };
        let place = self.picture_rect(rect);
        let painter = ui.painter().with_clip_rect(rect);
        self.surroundings.paint(&painter, rect, place);
        let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(texture.id(), place, uv, Color32::WHITE);
    }

    fn render_picture(&mut self, live: &Live) -> Option<Picture> {
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

    pub(super) fn pick(
        &self,
        rect: Rect,
        at: egui::Pos2,
        size: [f64; 2],
    ) -> Option<PointerPosition> {
        let place = self.texture.as_ref().map(|_| self.picture_rect(rect))?;
        let share = (at - place.min) / place.size();
        let inside = (0.0..1.0).contains(&share.x) && (0.0..1.0).contains(&share.y);
        let position = [f64::from(share.x) * size[0], f64::from(share.y) * size[1]];
        let scale = f64::from(place.width()) / size[0];
        inside.then_some(PointerPosition { position, scale })
    }

    pub(super) fn project(
        &self,
        rect: Rect,
        position: [f64; 2],
        size: [f64; 2],
    ) -> Option<egui::Pos2> {
        let place = self.texture.as_ref().map(|_| self.picture_rect(rect))?;
        let share = vec2((position[0] / size[0]) as f32, (position[1] / size[1]) as f32);
        Some(place.min + share * place.size())
    }
}

/// Returns the width and height of a world, in metres; for a world of blocks, in cells.
fn size(live: &Live) -> [f64; 2] {
    let lattice = live.lattice();
    [lattice.width(), lattice.height()]
}

/// Returns the ids and positions (m) of the floating bodies in a world.
fn bodies(live: &Live) -> Vec<(Id, [f64; 2])> {
    let world = live.world();
    let Some(pools) = world.get::<ColumnsWorld>() else { return Vec::new() };
    let bodies = Model::bodies(&pools.columns).into_iter();
    bodies.map(|(id, body)| (id, body.position)).collect()
}

/// Returns a copy of a picture style for real-time drawing. It shows the given view mode without
/// scale bar and time label, at a resolution that can be drawn in real time.
fn real_time_style<V: Clone>(
    style: &PixelStyle<V>,
    view: V,
    [nx, ny]: [usize; 2],
) -> PixelStyle<V> {
    let cells = (nx * ny).max(1);
    let along = ((MAX_PIXELS / cells) as f64).sqrt() as usize;
    PixelStyle {
        cell: Some(along.clamp(MIN_CELL_PIXELS, MAX_CELL_PIXELS) as u32),
        view,
        scale_bar: false,
        time_label: false,
        ..style.clone()
    }
}
