//! [`Canvas`]: the world in the middle of the window, and the mouse on it.

mod above;
mod across;
mod pointer;
mod seen;
mod view;

use super::hand::Hand;
use super::stage::Stage;
use crate::told::Probe;
use above::Above;
use across::Across;
use eframe::egui::{self, Color32, Pos2, Rect, Stroke as Pen};
use eframe::egui_wgpu::RenderState;
use headwater_scene::Scene;
use pointer::Doing;
use view::{Pointed, View};

enum Shows {
    Across(Across),
    Above(Box<Above>),
}

/// The world in the middle of the window.
#[derive(Default)]
pub(super) struct Canvas {
    shows: Option<Shows>,
    view: View,
    /// Why nothing is shown.
    fault: Option<String>,
}

impl Canvas {
    /// Shows another world from now on.
    pub(super) fn change(&mut self) {
        // What it takes to draw a world from above is kept: the next may be such a one too.
        if let Some(Shows::Above(above)) = &mut self.shows {
            above.change();
        } else {
            self.shows = None;
        }
        (self.view, self.fault) = (View::World, None);
    }

    /// The world begins again: it is drawn anew, from where it was looked at.
    pub(super) fn refresh(&mut self) {
        match &mut self.shows {
            Some(Shows::Above(above)) => above.refresh(),
            _ => self.shows = None,
        }
    }

    /// What there is to choose from.
    pub(super) fn views(scene: &Scene) -> &'static [View] {
        across::views(scene).unwrap_or(above::VIEWS)
    }

    /// Shows the next of the views.
    pub(super) fn next_view(&mut self, scene: &Scene) {
        let views = Self::views(scene);
        let now = views.iter().position(|&view| view == self.view).unwrap_or(0);
        self.view = views[(now + 1) % views.len()];
    }

    /// Shows all of the world.
    pub(super) fn fit(&mut self) {
        match &mut self.shows {
            Some(Shows::Across(across)) => across.fit(),
            Some(Shows::Above(above)) => above.fit(),
            None => {}
        }
    }

    /// From above, or in 3-D.
    pub(super) fn tilt(&mut self) {
        if let Some(Shows::Above(above)) = &mut self.shows {
            above.tilt();
        }
    }

    /// The part of the inspector about what is shown.
    pub(super) fn settings(&mut self, ui: &mut egui::Ui, stage: &Stage, probe: &Probe) {
        ui.horizontal_wrapped(|ui| {
            for &view in Self::views(stage.live.scene()) {
                let entry = ui.selectable_label(self.view == view, view.label());
                probe.rect(format!("view.{}", view.label().to_lowercase()), entry.rect);
                if entry.clicked() {
                    self.view = view;
                }
            }
        });
        if let Some(Shows::Above(above)) = &mut self.shows {
            above.settings(ui, probe);
        }
    }

    /// Where a place of the world is on the screen, if it is to be seen.
    pub(super) fn project(&self, rect: Rect, place: [f64; 2], stage: &Stage) -> Option<Pos2> {
        self.shows.as_ref()?.project(rect, place, stage.size())
    }

    /// Makes sure that it can draw this world.
    fn prepare(&mut self, stage: &Stage, render: Option<&RenderState>) {
        let is_across = across::views(stage.live.scene()).is_some();
        match &self.shows {
            Some(Shows::Across(across)) if is_across && across.view() == self.view => return,
            Some(Shows::Above(_)) if !is_across => return,
            _ => {}
        }
        self.shows = if is_across {
            match Across::new(&stage.live, self.view) {
                Some(Ok(across)) => Some(Shows::Across(across)),
                Some(Err(error)) => {
                    self.fault = Some(error.to_string());
                    None
                }
                None => None,
            }
        } else {
            match render {
                Some(render) => Some(Shows::Above(Box::new(Above::new(render)))),
                None => {
                    self.fault = Some("there is no device to draw with".into());
                    None
                }
            }
        };
    }

    /// Draws the world into `ui`, does what the mouse does, and says which place was clicked with no tool in hand.
    pub(super) fn show(
        &mut self,
        ui: &mut egui::Ui,
        stage: &mut Stage,
        hand: &mut Hand,
        render: Option<&RenderState>,
        pinned: Option<[f64; 2]>,
    ) -> (Rect, Option<[f64; 2]>) {
        self.prepare(stage, render);
        let rect = ui.available_rect_before_wrap();
        let response = ui.allocate_rect(rect, egui::Sense::click_and_drag());
        let Some(shows) = &mut self.shows else {
            let fault = self.fault.as_deref().unwrap_or("nothing to show");
            ui.put(rect, egui::Label::new(fault));
            return (rect, None);
        };
        let size = stage.size();
        let tool = hand.tool(stage.live.tools());
        let doing = pointer::read(ui, &response, tool.is_some());
        shows.move_view(rect, &doing);
        let pointed = response.hover_pos().or(response.interact_pointer_pos());
        let pointed = pointed.and_then(|at| shows.pick(rect, at, size));
        if let (Some(tool), Some(by)) = (tool, doing.widen) {
            hand.widen(tool, by);
        }
        match (tool, pointed) {
            (Some(tool), Some(pointed)) if doing.works => {
                let grip = *hand.grip(tool);
                stage.hold(tool, pointed.position, grip, doing.seconds);
            }
            _ if !doing.works => stage.end_stroke(),
            _ => {}
        }
        let lattice = stage.live.lattice();
        let cell = lattice.dx().max(lattice.dy());
        let ring =
            tool.zip(pointed).map(|(tool, pointed)| (pointed, hand.grip(tool).radius * cell));
        shows.paint(ui, rect, stage, self.view, ring);
        if let Some(at) = pinned.and_then(|place| shows.project(rect, place, size)) {
            mark(ui, rect, at);
        }
        let clicked = doing.asks.then_some(pointed).flatten().map(|pointed| pointed.position);
        (rect, clicked)
    }
}

/// Marks the place that was clicked.
fn mark(ui: &egui::Ui, rect: Rect, at: Pos2) {
    let painter = ui.painter().with_clip_rect(rect);
    painter.circle_stroke(at, 5.0, Pen::new(3.0, Color32::from_black_alpha(160)));
    painter.circle_stroke(at, 5.0, Pen::new(1.5, Color32::WHITE));
}

impl Shows {
    fn move_view(&mut self, rect: Rect, doing: &Doing) {
        let still = doing.drag == egui::Vec2::ZERO && doing.turn == egui::Vec2::ZERO;
        if still && doing.nearer == 1.0 && doing.twist == 0.0 {
            return;
        }
        match self {
            // There is nothing to turn: what would turn a world moves it.
            Self::Across(across) => {
                across.travel(rect, doing.drag + doing.turn, doing.nearer, doing.around);
            }
            Self::Above(above) => above.travel(rect, doing),
        }
    }

    fn pick(&self, rect: Rect, at: Pos2, size: [f64; 2]) -> Option<Pointed> {
        match self {
            Self::Across(across) => across.pick(rect, at, size),
            Self::Above(above) => above.pick(rect, at),
        }
    }

    fn project(&self, rect: Rect, place: [f64; 2], size: [f64; 2]) -> Option<Pos2> {
        match self {
            Self::Across(across) => across.project(rect, place, size),
            Self::Above(above) => above.project(rect, place),
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
            Self::Across(across) => {
                across.paint(ui, rect, &stage.live, stage.edits);
                let (at, ring) = (ui.ctx().pointer_hover_pos(), ring);
                if let (Some(at), Some((pointed, radius))) = (at, ring) {
                    let radius = (radius * pointed.scale) as f32;
                    let painter = ui.painter().with_clip_rect(rect);
                    painter.circle_stroke(
                        at,
                        radius,
                        Pen::new(3.0, Color32::from_black_alpha(120)),
                    );
                    painter.circle_stroke(at, radius, Pen::new(1.2, Color32::WHITE));
                }
            }
            Self::Above(above) => above.paint(ui, rect, stage, view, ring),
        }
    }
}
