//! Pointer and touch gestures on the canvas.

use crate::app::world::pace::LONGEST_HOLD;
use eframe::egui::{self, Event, PointerButton, Pos2, Response, Vec2};

/// Change in the natural logarithm of the zoom factor per point that the mouse wheel scrolls.
const WHEEL_ZOOM: f32 = 0.004;

/// Time (s) for which a new touch does not draw, because it may still become a two-finger gesture.
const TOUCH_DELAY: f64 = 0.12;
/// Distance (points) that a touch may move before it counts as a stroke rather than as the
/// beginning of a two-finger gesture.
const TOUCH_SLOP: f32 = 8.0;

/// Gestures on the canvas in one frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Gesture {
    /// Pointer positions in this frame while a tool is in use, in order (points).
    pub(super) path: Vec<Pos2>,
    pub(super) ends: bool,
    /// Whether a second finger has cancelled the stroke of the tool.
    pub(super) cancels: bool,
    pub(super) seconds: f64,
    /// Whether the user clicked a position while no tool was selected. Such a click shows the
    /// values at the position.
    pub(super) inspects: bool,
    /// Whether the user double-clicked a position while no tool was selected. Such a double click
    /// zooms in on the position.
    pub(super) focuses: bool,
    /// Pointer motion that pans the view (points).
    pub(super) drag: Vec2,
    /// Pointer motion that rotates the view (points).
    pub(super) turn: Vec2,
    /// Rotation of the view about its viewing axis (rad, clockwise).
    pub(super) twist: f32,
    /// Zoom factor. Values above 1 zoom in.
    pub(super) zoom_factor: f32,
    /// Screen position that stays fixed while zooming.
    pub(super) zoom_center: Pos2,
    /// Factor by which the brush radius is scaled, if any.
    pub(super) brush_scale: Option<f64>,
}

/// State of the pointer that is kept between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct PointerState {
    /// Whether a press that began on the canvas is in progress.
    is_down: bool,
    /// Whether the tool is in use.
    is_drawing: bool,
    /// Positions of a touch that may still become a two-finger gesture.
    pending_path: Vec<Pos2>,
    /// Time (s) since the start of a touch that may still become a two-finger gesture.
    pending_seconds: f64,
    /// Whether a two-finger gesture has begun and its fingers have not all been lifted yet.
    is_pinching: bool,
}

impl PointerState {
    pub(super) fn read_gesture(
        &mut self,
        ui: &egui::Ui,
        response: &Response,
        has_tool: bool,
    ) -> Gesture {
        let (wheel, modifiers, seconds, zoom) = ui.input(|input| {
            let seconds = f64::from(input.stable_dt).min(LONGEST_HOLD);
            (input.smooth_scroll_delta().y, input.modifiers, seconds, input.zoom_delta())
        });
        let zoom_center = response.hover_pos().unwrap_or(response.rect.center());
        let mut gesture = Gesture { seconds, zoom_factor: 1.0, zoom_center, ..Gesture::default() };
        let touching = ui.input(egui::InputState::any_touches);
        if let Some(apply_input) = ui.input(egui::InputState::multi_touch) {
            // Two fingers move the view, even if a tool is selected.
            gesture.cancels = self.is_drawing;
            *self = Self { is_pinching: true, ..Self::default() };
            if response.rect.contains(apply_input.center_pos) {
                gesture.drag = apply_input.translation_delta;
                gesture.zoom_factor = apply_input.zoom_delta;
                gesture.twist = apply_input.rotation_delta;
                gesture.zoom_center = apply_input.center_pos;
            }
            return gesture;
        }
        if self.is_pinching {
            // After a two-finger gesture, the remaining finger does not draw.
            self.is_pinching = touching;
            return gesture;
        }
        if response.hovered() {
            if modifiers.command && has_tool {
                // egui converts wheel motion with Ctrl to a zoom factor.
                gesture.brush_scale = (zoom != 1.0).then_some(f64::from(zoom));
            } else {
                gesture.zoom_factor = (wheel * WHEEL_ZOOM).exp() * zoom;
            }
        }
        let delta = response.drag_delta();
        let down = response.is_pointer_button_down_on();
        let held = |button| ui.input(|input| input.pointer.button_down(button));
        let moves =
            held(PointerButton::Middle) || held(PointerButton::Secondary) && modifiers.shift;
        if moves && down {
            gesture.drag = delta;
        } else if held(PointerButton::Secondary) && down {
            gesture.turn = delta;
        } else if has_tool {
            self.collect_tool_path(ui, response, touching, &mut gesture);
        } else if response.dragged_by(PointerButton::Primary) {
            if modifiers.shift { gesture.drag = delta } else { gesture.turn = delta }
        }
        if !has_tool {
            *self = Self::default();
            gesture.focuses = response.double_clicked_by(PointerButton::Primary);
            gesture.inspects = !gesture.focuses && response.clicked_by(PointerButton::Primary);
        }
        gesture
    }

    /// Collects the tool path from all pointer events of the frame, so that no position is lost in
    /// long frames.
    fn collect_tool_path(
        &mut self,
        ui: &egui::Ui,
        response: &Response,
        is_touch: bool,
        gesture: &mut Gesture,
    ) {
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
                            gesture.ends |= !pressed;
                        }
                        self.is_down &= pressed;
                    }
                    Event::PointerMoved(pos) if self.is_down => path.push(pos),
                    _ => {}
                }
            }
            // The release event may be missing.
            if self.is_down && !input.pointer.primary_down() {
                (self.is_down, gesture.ends) = (false, true);
            }
            if self.is_down && path.is_empty() {
                path.extend(input.pointer.latest_pos());
            }
        });
        if is_touch && !self.is_drawing && self.is_down {
            self.pending_path.append(&mut path);
            self.pending_seconds += gesture.seconds;
            let way = self.pending_path.first().zip(self.pending_path.last());
            let still = way.is_none_or(|(first, last)| first.distance(*last) < TOUCH_SLOP);
            if still && self.pending_seconds < TOUCH_DELAY {
                ui.ctx().request_repaint();
                return;
            }
        }
        if !self.pending_path.is_empty() {
            self.pending_path.append(&mut path);
            path = std::mem::take(&mut self.pending_path);
        }
        self.pending_seconds = 0.0;
        self.is_drawing = self.is_down;
        gesture.path = path;
    }
}
