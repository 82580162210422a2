//! What mouse, pen and fingers do on the canvas in a frame.

use super::super::pace::LONGEST_HOLD;
use eframe::egui::{self, Event, PointerButton, Pos2, Response, Vec2};

/// How much a point of the wheel brings the world nearer, as a power of e.
const WHEEL: f32 = 0.004;

/// A finger that has been down for less (s) and moved less (points) may still become one of two, and does nothing yet.
const WAIT: f64 = 0.12;
const STILL: f32 = 8.0;

#[derive(Clone, Debug, Default)]
pub(super) struct Doing {
    /// The tool works along these places, in their order: all that the pointer was at since the last frame.
    pub(super) path: Vec<Pos2>,
    pub(super) ends: bool,
    /// The stroke was none: a second finger has come.
    pub(super) cancels: bool,
    pub(super) seconds: f64,
    /// A place was clicked with nothing in hand.
    pub(super) asks: bool,
    /// A place was clicked twice with nothing in hand.
    pub(super) goes: bool,
    /// The view moves by so many points.
    pub(super) drag: Vec2,
    /// The view turns by so many points of the mouse's way.
    pub(super) turn: Vec2,
    /// The view turns around what is looked at by this angle (radians, clockwise).
    pub(super) twist: f32,
    /// The view comes nearer by this factor.
    pub(super) nearer: f32,
    /// Around this place of the screen.
    pub(super) around: Pos2,
    /// The brush becomes larger by this factor.
    pub(super) widen: Option<f64>,
}

/// What the pointer was doing in the last frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Pen {
    /// A press that began on the canvas goes on.
    is_down: bool,
    /// The tool has begun to work with it.
    works: bool,
    /// Places of a finger that may still become one of two, and how long it has been there (s).
    waiting: Vec<Pos2>,
    waited: f64,
    /// Two fingers were there, and not all have left yet.
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
            // Two fingers look around, whatever is in hand.
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
            // The finger that is left when the other has gone draws nothing.
            self.pinched = touching;
            return doing;
        }
        if response.hovered() {
            if modifiers.command && has_tool {
                // egui makes a zoom of a wheel with Ctrl.
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

    /// Where the tool works: at every place that events of this frame tell, however long the frame was.
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
            // A press whose end nobody has told.
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
