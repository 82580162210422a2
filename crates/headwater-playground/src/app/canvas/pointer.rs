//! What mouse and fingers do on the canvas in a frame.

use eframe::egui::{self, PointerButton, Pos2, Response, Vec2};

/// How much a point of the wheel brings the world nearer, as a power of e.
const WHEEL: f32 = 0.004;

/// What mouse and fingers do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doing {
    /// The tool works.
    pub(super) works: bool,
    /// For so long (s): the length of the frame.
    pub(super) seconds: f64,
    /// A place was clicked with nothing in hand.
    pub(super) asks: bool,
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

/// What is done on the canvas, with a tool in hand or none.
pub(super) fn read(ui: &egui::Ui, response: &Response, has_tool: bool) -> Doing {
    let (wheel, modifiers, seconds, zoom) = ui.input(|input| {
        let seconds = f64::from(input.stable_dt).min(0.1);
        (input.smooth_scroll_delta().y, input.modifiers, seconds, input.zoom_delta())
    });
    let around = response.hover_pos().unwrap_or(response.rect.center());
    let mut doing = Doing {
        works: false,
        seconds,
        asks: false,
        drag: Vec2::ZERO,
        turn: Vec2::ZERO,
        twist: 0.0,
        nearer: 1.0,
        around,
        widen: None,
    };
    if let Some(touch) = ui.input(egui::InputState::multi_touch) {
        // Two fingers look around, whatever is in hand.
        doing.drag = touch.translation_delta;
        doing.nearer = touch.zoom_delta;
        doing.twist = touch.rotation_delta;
        doing.around = touch.center_pos;
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
    let moves = held(PointerButton::Middle) || held(PointerButton::Secondary) && modifiers.shift;
    if moves && down {
        doing.drag = delta;
    } else if held(PointerButton::Secondary) && down {
        doing.turn = delta;
    } else if has_tool {
        doing.works = down && held(PointerButton::Primary);
    } else if response.dragged_by(PointerButton::Primary) {
        if modifiers.shift { doing.drag = delta } else { doing.turn = delta }
    }
    doing.asks = !has_tool && response.clicked_by(PointerButton::Primary);
    doing
}
