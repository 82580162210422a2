//! Pointer and touch input on the canvas.

use super::super::pace::LONGEST_HOLD;
use eframe::egui::{self, Event, PointerButton, Pos2, Response, Vec2};

/// Zoom per point of wheel motion, as a power of e.
const WHEEL: f32 = 0.004;

/// A touch shorter than this (s) and with less motion (points) may become a two-finger gesture, so
/// it does not draw yet.
const WAIT: f64 = 0.12;
const STILL: f32 = 8.0;

/// Input of one frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Doing {
    /// All pointer positions since the last frame while the tool is used.
    pub(super) path: Vec<Pos2>,
    pub(super) ends: bool,
    /// True if a second finger cancelled the stroke.
    pub(super) cancels: bool,
    pub(super) seconds: f64,
    /// True if a place was clicked without a tool.
    pub(super) asks: bool,
    /// True if a place was double-clicked without a tool.
    pub(super) goes: bool,
    /// Pan (points).
    pub(super) drag: Vec2,
    /// Rotation, as pointer motion (points).
    pub(super) turn: Vec2,
    /// Rotation about the view axis (rad, clockwise).
    pub(super) twist: f32,
    /// Zoom factor.
    pub(super) nearer: f32,
    /// Screen position that stays fixed while zooming.
    pub(super) around: Pos2,
    /// Scale factor of the brush radius.
    pub(super) widen: Option<f64>,
}

/// Pointer state between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct Pen {
    /// A press that began on the canvas is in progress.
    is_down: bool,
    /// The tool is in use.
    works: bool,
    /// Positions of a touch that may become a two-finger gesture, and its duration (s).
    waiting: Vec<Pos2>,
    waited: f64,
    /// A two-finger gesture was active, and fingers are still down.
    pinched: bool,
}

impl Pen {
    pub(super) fn read(&mut self, ui: &egui::Ui, response: &Response, has_tool: bool) -> Doing {
        let (wheel, modifiers, seconds, zoom) = ui.input(|input| {
            let seconds = f64::from(input.stable_dt).min(LONGEST_HOLD);
            (input.smooth_scroll_delta().y, input.modifiers, seconds, input.zoom_delta())
        });
        let around = response.hover_pos().unwrap_or(response.rect.center());
        let mut doing = Doing { seconds, nearer: 1.0, around, ..Doing::default() };
        let touching = ui.input(egui::InputState::any_touches);
        if let Some(touch) = ui.input(egui::InputState::multi_touch) {
            // Two fingers move the view, even with a tool.
            doing.cancels = self.works;
            *self = Self { pinched: true, ..Self::default() };
            if response.rect.contains(touch.center_pos) {
                doing.drag = touch.translation_delta;
                doing.nearer = touch.zoom_delta;
                doing.twist = touch.rotation_delta;
                doing.around = touch.center_pos;
            }
            return doing;
        }
        if self.pinched {
            // The remaining finger does not draw.
            self.pinched = touching;
            return doing;
        }
        if response.hovered() {
            if modifiers.command && has_tool {
                // egui converts the wheel with Ctrl to a zoom factor.
                doing.widen = (zoom != 1.0).then_some(f64::from(zoom));
            } else {
                doing.nearer = (wheel * WHEEL).exp() * zoom;
            }
        }
        let delta = response.drag_delta();
        let down = response.is_pointer_button_down_on();
        let held = |button| ui.input(|input| input.pointer.button_down(button));
        let moves =
            held(PointerButton::Middle) || held(PointerButton::Secondary) && modifiers.shift;
        if moves && down {
            doing.drag = delta;
        } else if held(PointerButton::Secondary) && down {
            doing.turn = delta;
        } else if has_tool {
            self.draw(ui, response, touching, &mut doing);
        } else if response.dragged_by(PointerButton::Primary) {
            if modifiers.shift { doing.drag = delta } else { doing.turn = delta }
        }
        if !has_tool {
            *self = Self::default();
            doing.goes = response.double_clicked_by(PointerButton::Primary);
            doing.asks = !doing.goes && response.clicked_by(PointerButton::Primary);
        }
        doing
    }

    /// Collects the tool path from all pointer events of the frame, however long it was.
    fn draw(&mut self, ui: &egui::Ui, response: &Response, touching: bool, doing: &mut Doing) {
        let begins_here =
            response.is_pointer_button_down_on() || response.clicked() || response.drag_stopped();
        let mut path = Vec::new();
        ui.input(|input| {
            for event in &input.events {
                match *event {
                    Event::PointerButton {
                        pos, button: PointerButton::Primary, pressed, ..
                    } => {
                        if pressed && begins_here && response.interact_rect.contains(pos) {
                            self.is_down = true;
                        }
                        if self.is_down {
                            path.push(pos);
                            doing.ends |= !pressed;
                        }
                        self.is_down &= pressed;
                    }
                    Event::PointerMoved(pos) if self.is_down => path.push(pos),
                    _ => {}
                }
            }
            // The release event is missing.
            if self.is_down && !input.pointer.primary_down() {
                (self.is_down, doing.ends) = (false, true);
            }
            if self.is_down && path.is_empty() {
                path.extend(input.pointer.latest_pos());
            }
        });
        if touching && !self.works && self.is_down {
            self.waiting.append(&mut path);
            self.waited += doing.seconds;
            let way = self.waiting.first().zip(self.waiting.last());
            let still = way.is_none_or(|(first, last)| first.distance(*last) < STILL);
            if still && self.waited < WAIT {
                ui.ctx().request_repaint();
                return;
            }
        }
        if !self.waiting.is_empty() {
            self.waiting.append(&mut path);
            path = std::mem::take(&mut self.waiting);
        }
        self.waited = 0.0;
        self.works = self.is_down;
        doing.path = path;
    }
}
