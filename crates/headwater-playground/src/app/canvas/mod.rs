//! [`Canvas`]: the view of a world in the middle of the window, and pointer input on it.

mod drawn;
mod land_moves;
mod land_view;
mod pointer;
mod rain;
mod side_camera;
mod side_view;
mod skyline;
mod surroundings;
mod view;

use super::hand::Hand;
use super::stage::Stage;
use crate::land::Half;
use crate::status::Probe;
use eframe::egui::{self, Color32, Pos2, Rect, Stroke as Ink};
use eframe::egui_wgpu::RenderState;
use headwater_scene::Scene;
use land_view::LandView;
use pointer::{Doing, Pen};
use rain::Rain;
use side_camera::SideCamera;
use side_view::SideView;
pub(super) use view::{Eye, Hands, Marks};
use view::{Pointed, View};

enum Shows {
    Side(Box<SideView>),
    Land(Box<LandView>),
}

#[derive(Default)]
pub(super) struct Canvas {
    /// Which half of a comparison it shows.
    half: Half,
    shows: Option<Shows>,
    view: View,
    pen: Pen,
    rain: Rain,
    /// Initial camera of the next world, if it differs from the default.
    arrives: Option<Eye>,
    fault: Option<String>,
}

impl Canvas {
    /// Creates the canvas of a comparison world.
    pub(super) fn beside() -> Self {
        Self { half: Half::Second, ..Self::default() }
    }

    /// Frees its device resources.
    pub(super) fn close(&mut self) {
        if let Some(Shows::Land(land)) = &self.shows {
            land.remove();
        }
        self.shows = None;
    }

    /// Copies the camera of another canvas.
    pub(super) fn look_as(&mut self, other: &Self) {
        match (&mut self.shows, &other.shows) {
            (Some(Shows::Side(side)), Some(Shows::Side(other))) => side.look_as(other),
            (Some(Shows::Land(land)), Some(Shows::Land(other))) => land.look_as(other),
            _ => {}
        }
    }

    /// Copies the view and style of another canvas.
    pub(super) fn dress_as(&mut self, other: &Self) {
        self.view = other.view;
        if let (Some(Shows::Land(land)), Some(Shows::Land(other))) = (&mut self.shows, &other.shows)
        {
            land.dress_as(other);
        }
    }

    pub(super) fn look_from(&mut self, eye: Eye) {
        match (&mut self.shows, eye) {
            (Some(Shows::Side(side)), Eye::Side(camera)) => side.camera = camera,
            (Some(Shows::Land(land)), Eye::Land(eye)) => land.look_from(eye),
            _ => {}
        }
    }

    /// Switches to another world, with its saved camera or a view of the whole world.
    pub(super) fn change(&mut self, eye: Option<Eye>) {
        // The renderer is kept, because the next world may need it too.
        if let Some(Shows::Land(land)) = &mut self.shows {
            let eye = match eye {
                Some(Eye::Land(eye)) => Some(eye),
                _ => None,
            };
            land.change(eye);
        } else {
            self.shows = None;
        }
        (self.view, self.fault, self.arrives) = (View::World, None, eye);
    }

    pub(super) fn eye(&self) -> Option<Eye> {
        match self.shows.as_ref()? {
            Shows::Side(side) => Some(Eye::Side(side.camera)),
            Shows::Land(land) => land.eye().map(Eye::Land),
        }
    }

    /// Zooms at the centre of the view by a factor, animated.
    pub(super) fn come_nearer(&mut self, factor: f32) {
        match &mut self.shows {
            Some(Shows::Side(side)) => side.come_nearer(factor),
            Some(Shows::Land(land)) => land.come_nearer(factor),
            None => {}
        }
    }

    /// Returns whether the world is shown as a map (true) or in 3-D (false); `None` for side views.
    pub(super) fn is_map(&self) -> Option<bool> {
        match &self.shows {
            Some(Shows::Land(land)) => Some(land.is_map()),
            _ => None,
        }
    }

    /// Redraws a restarted world with the same camera.
    pub(super) fn refresh(&mut self) {
        match &mut self.shows {
            Some(Shows::Land(land)) => land.refresh(),
            Some(Shows::Side(side)) => side.is_stale = true,
            None => {}
        }
    }

    pub(super) fn views(scene: &Scene) -> &'static [View] {
        side_view::views(scene).unwrap_or(land_view::VIEWS)
    }

    pub(super) fn next_view(&mut self, scene: &Scene) {
        let views = Self::views(scene);
        let now = views.iter().position(|&view| view == self.view).unwrap_or(0);
        self.view = views[(now + 1) % views.len()];
    }

    pub(super) fn fit(&mut self) {
        match &mut self.shows {
            Some(Shows::Side(side)) => side.fit(),
            Some(Shows::Land(land)) => land.fit(),
            None => {}
        }
    }

    pub(super) fn tilt(&mut self) {
        if let Some(Shows::Land(land)) = &mut self.shows {
            land.tilt();
        }
    }

    /// Moves the camera to ground level, at a place (m) or at the centre of the view.
    pub(super) fn walk(&mut self, place: Option<[f64; 2]>) {
        if let Some(Shows::Land(land)) = &mut self.shows {
            land.walk(place);
        }
    }

    pub(super) fn is_walking(&self) -> bool {
        matches!(&self.shows, Some(Shows::Land(land)) if land.is_walking())
    }

    pub(super) fn stroll(&mut self, way: [f32; 2], seconds: f32) {
        match &mut self.shows {
            Some(Shows::Side(side)) => side.stroll(way, seconds),
            Some(Shows::Land(land)) => land.stroll(way, seconds),
            None => {}
        }
    }

    /// Rotates the view for a pointer motion in points; side views are panned instead.
    pub(super) fn turn(&mut self, by: egui::Vec2) {
        match &mut self.shows {
            Some(Shows::Side(side)) => side.shift(by),
            Some(Shows::Land(land)) => land.turn(by),
            None => {}
        }
    }

    /// Zooms at the centre of the view by a factor, at once.
    pub(super) fn zoom(&mut self, factor: f32) {
        match &mut self.shows {
            Some(Shows::Side(side)) => side.come_nearer(factor),
            Some(Shows::Land(land)) => land.zoom(factor),
            None => {}
        }
    }

    /// Returns the input of a gamepad, which acts at the centre of the canvas.
    pub(super) fn hands_in_the_middle(
        &self,
        rect: Rect,
        stage: &Stage,
        draws: bool,
        ends: bool,
    ) -> Hands {
        let shows = self.shows.as_ref();
        let pointed = shows.and_then(|shows| shows.pick(rect, rect.center(), stage.size()));
        let place = pointed.filter(|_| draws || ends).map(|pointed| pointed.position);
        let seconds = stage.pace.frame.min(0.1);
        let hands = Hands::drawing(place.into_iter().collect(), ends, seconds);
        Hands { draws, pointed, ..hands }
    }

    /// Follows the floating body nearest to a place (m) or to the centre of the view, or stops
    /// following.
    pub(super) fn follow(&mut self, stage: &Stage, place: Option<[f64; 2]>) {
        if let Some(Shows::Side(side)) = &mut self.shows {
            side.follow(&stage.live, place);
        }
    }

    pub(super) fn settings(&mut self, ui: &mut egui::Ui, stage: &Stage, probe: &Probe) {
        ui.horizontal_wrapped(|ui| {
            for &view in Self::views(stage.live.scene()) {
                let entry = ui.selectable_value(&mut self.view, view, view.label());
                probe.named(format!("view.{}", view.name()), entry);
            }
        });
        if let Some(Shows::Land(land)) = &mut self.shows {
            land.settings(ui, probe);
        }
    }

    /// Returns the screen position of a place, if visible.
    pub(super) fn project(&self, rect: Rect, place: [f64; 2], stage: &Stage) -> Option<Pos2> {
        self.shows.as_ref()?.project(rect, place, stage.size())
    }

    fn prepare(&mut self, stage: &Stage, render: Option<&RenderState>) {
        let is_side = side_view::views(stage.live.scene()).is_some();
        match &self.shows {
            Some(Shows::Side(side)) if is_side && side.view() == self.view && !side.is_stale => {
                return;
            }
            Some(Shows::Land(_)) if !is_side => return,
            _ => {}
        }
        let shows = if is_side {
            let camera = match (self.arrives.take(), &self.shows) {
                (Some(Eye::Side(camera)), _) => camera,
                (_, Some(Shows::Side(side))) => side.camera,
                _ => SideCamera::default(),
            };
            let side = SideView::new(&stage.live, self.view, camera).transpose();
            side.map(|side| side.map(|side| Shows::Side(Box::new(side))))
                .map_err(|error| error.to_string())
        } else {
            let eye = match self.arrives.take() {
                Some(Eye::Land(eye)) => Some(eye),
                _ => None,
            };
            let land = |render| {
                let mut land = LandView::new(render, self.half);
                land.change(eye);
                Some(Shows::Land(Box::new(land)))
            };
            render.map(land).ok_or_else(|| "there is no device to draw with".into())
        };
        match shows {
            Ok(shows) => self.shows = shows,
            Err(fault) => (self.shows, self.fault) = (None, Some(fault)),
        }
    }

    /// Prepares the view in a rectangle of `ui`, moves the camera, and returns the remaining input.
    pub(super) fn heed(
        &mut self,
        ui: &mut egui::Ui,
        rect: Rect,
        stage: &Stage,
        hand: &mut Hand,
        render: Option<&RenderState>,
    ) -> Hands {
        self.prepare(stage, render);
        let response = ui.allocate_rect(rect, egui::Sense::click_and_drag());
        let Some(shows) = &mut self.shows else {
            let fault = self.fault.as_deref().unwrap_or("nothing to show");
            ui.put(rect, egui::Label::new(fault));
            return Hands::default();
        };
        let size = stage.size();
        let tool = hand.tool(stage.live.tools());
        let doing = self.pen.read(ui, &response, tool.is_some());
        let moved = shows.move_view(rect, &doing);
        if doing.goes {
            shows.go_to(rect, doing.around);
        }
        let pointed = response.hover_pos().or(response.interact_pointer_pos());
        let pointed = pointed.and_then(|at| shows.pick(rect, at, size));
        if let (Some(tool), Some(by)) = (tool, doing.widen) {
            hand.widen(tool, by);
        }
        let places = doing.path.iter().filter_map(|&at| shows.pick(rect, at, size));
        Hands {
            path: places.map(|pointed| pointed.position).collect(),
            draws: !doing.path.is_empty(),
            ends: doing.ends,
            cancels: doing.cancels,
            seconds: doing.seconds,
            clicked: doing.asks.then_some(pointed).flatten().map(|pointed| pointed.position),
            pointed,
            leads: moved || doing.goes || shows.flies(),
        }
    }

    pub(super) fn paint(&mut self, ui: &egui::Ui, rect: Rect, stage: &mut Stage, marks: Marks) {
        let Some(shows) = &mut self.shows else { return };
        shows.paint(ui, rect, stage, self.view, marks.ring);
        if self.view == View::World && !matches!(shows, Shows::Land(land) if land.is_map()) {
            let (strength, seconds) = (stage.rain(), stage.passed);
            match shows {
                Shows::Side(side) if strength > 0.0 => {
                    let (above, end) = side.sky(rect, &stage.live);
                    self.rain.fall(ui, above, end, strength, seconds);
                }
                _ => self.rain.fall(ui, rect, |_| rect.bottom(), strength, seconds),
            }
        }
        if let Some(at) = marks.pinned.and_then(|place| shows.project(rect, place, stage.size())) {
            mark(ui, rect, at);
        }
    }
}

fn mark(ui: &egui::Ui, rect: Rect, at: Pos2) {
    let painter = ui.painter().with_clip_rect(rect);
    circle(&painter, at, 5.0, 1.5, 160);
}

/// Draws a white circle on a broader dark one, visible on any background.
fn circle(painter: &egui::Painter, at: Pos2, radius: f32, thick: f32, dark: u8) {
    painter.circle_stroke(at, radius, Ink::new(3.0, Color32::from_black_alpha(dark)));
    painter.circle_stroke(at, radius, Ink::new(thick, Color32::WHITE));
}

impl Shows {
    fn move_view(&mut self, rect: Rect, doing: &Doing) -> bool {
        let still = doing.drag == egui::Vec2::ZERO && doing.turn == egui::Vec2::ZERO;
        if still && doing.nearer == 1.0 && doing.twist == 0.0 {
            return false;
        }
        match self {
            // Side views cannot rotate, so rotation pans them.
            Self::Side(side) => {
                side.travel(rect, doing.drag + doing.turn, doing.nearer, doing.around);
            }
            Self::Land(land) => land.travel(rect, doing),
        }
        true
    }

    fn flies(&self) -> bool {
        matches!(self, Self::Land(land) if land.flies())
    }

    fn go_to(&mut self, rect: Rect, at: Pos2) {
        match self {
            Self::Side(side) => side.travel(rect, egui::Vec2::ZERO, 2.0, at),
            Self::Land(land) => land.go_to(rect, at),
        }
    }

    fn pick(&self, rect: Rect, at: Pos2, size: [f64; 2]) -> Option<Pointed> {
        match self {
            Self::Side(side) => side.pick(rect, at, size),
            Self::Land(land) => land.pick(rect, at),
        }
    }

    fn project(&self, rect: Rect, place: [f64; 2], size: [f64; 2]) -> Option<Pos2> {
        match self {
            Self::Side(side) => side.project(rect, place, size),
            Self::Land(land) => land.project(rect, place),
        }
    }

    fn paint(
        &mut self,
        ui: &egui::Ui,
        rect: Rect,
        stage: &mut Stage,
        view: View,
        ring: Option<(Pointed, f64)>,
    ) {
        match self {
            Self::Side(side) => {
                side.paint(ui, rect, &stage.live, stage.edits);
                let place = ring.map(|(pointed, _)| pointed.position);
                let at = place.and_then(|place| side.project(rect, place, stage.size()));
                if let (Some(at), Some((pointed, radius))) = (at, ring) {
                    let radius = (radius * pointed.scale) as f32;
                    let painter = ui.painter().with_clip_rect(rect);
                    circle(&painter, at, radius, 1.2, 120);
                }
            }
            Self::Land(land) => land.paint(ui, rect, stage, view, ring),
        }
    }
}
