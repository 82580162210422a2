//! [`Gamepad`]: state of a gamepad with the standard mapping of browsers
//! (<https://www.w3.org/TR/gamepad/#remapping>). Sticks move and turn the view, triggers zoom, and
//! the tool works at the centre of the view. Supported only on web pages, because a desktop program
//! would need a system library.

/// Number of stick axes, which come first in the browser's list of values.
const AXES: usize = 4;
/// Total number of values: axes and buttons.
const VALUES: usize = AXES + 16;

/// Index of the button that uses the tool.
pub(in crate::app) const USE_TOOL_BUTTON: usize = 0;
/// Index of the button that deselects the tool.
pub(in crate::app) const NO_TOOL_BUTTON: usize = 1;
/// Indices of the buttons that select the previous and the next tool.
pub(in crate::app) const TOOL_BUTTONS: [usize; 2] = [2, 3];
/// Indices of the buttons that decrease and increase the brush radius.
pub(in crate::app) const RADIUS_BUTTONS: [usize; 2] = [4, 5];
pub(in crate::app) const FARTHER_BUTTON: usize = 6;
pub(in crate::app) const NEARER_BUTTON: usize = 7;
pub(in crate::app) const UNDO_BUTTON: usize = 8;
pub(in crate::app) const RUN_BUTTON: usize = 9;
pub(in crate::app) const FIT_BUTTON: usize = 12;

/// Stick deflection (0 to 1) below which a stick counts as centred.
pub(in crate::app) const DEAD_ZONE: f32 = 0.15;

/// Pressure (0 to 1) above which a button counts as pressed.
const PRESS_THRESHOLD: f32 = 0.5;

/// State of the gamepad in the current frame and the previous one.
#[derive(Default)]
pub(in crate::app) struct Gamepad {
    values: Option<[f32; VALUES]>,
    before: [f32; VALUES],
}

impl Gamepad {
    /// Returns the position of a stick along an axis, −1 to 1; 0 in the dead zone.
    pub(in crate::app) fn axis(&self, axis: usize) -> f32 {
        let value = self.values.map_or(0.0, |values| values[axis]);
        if value.abs() < DEAD_ZONE || !value.is_finite() { 0.0 } else { value.clamp(-1.0, 1.0) }
    }

    /// Returns how far a button is pressed, from 0 to 1.
    pub(in crate::app) fn button_pressure(&self, button: usize) -> f32 {
        self.values.map_or(0.0, |values| values[AXES + button])
    }

    fn is_down(&self, button: usize) -> bool {
        self.button_pressure(button) > PRESS_THRESHOLD
    }

    /// Returns true if the button went from released to pressed in this frame.
    pub(in crate::app) fn was_pressed(&self, button: usize) -> bool {
        self.is_down(button) && self.before[AXES + button] <= PRESS_THRESHOLD
    }

    /// Sets the state for this frame: four axes from −1 to 1, then buttons from 0 to 1. If `values`
    /// is `None` or too short, no gamepad is connected.
    pub(in crate::app) fn set_state(&mut self, values: Option<&[f32]>) {
        let values = values.and_then(|values| values.first_chunk::<VALUES>().copied());
        self.before = self.values.unwrap_or_default();
        self.values = values;
    }

    /// Returns true if a gamepad is connected. In that case the tool works at the centre of the
    /// view.
    pub(in crate::app) fn is_connected(&self) -> bool {
        self.values.is_some()
    }

    /// Returns true while the button that uses the tool is pressed.
    pub(in crate::app) fn is_tool_used(&self) -> bool {
        self.is_down(USE_TOOL_BUTTON)
    }

    /// Returns true if the button that uses the tool was released in this frame.
    pub(in crate::app) fn was_tool_button_released(&self) -> bool {
        !self.is_tool_used() && self.before[AXES + USE_TOOL_BUTTON] > PRESS_THRESHOLD
    }
}
