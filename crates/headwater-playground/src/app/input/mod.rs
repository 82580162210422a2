//! Pointer tools, keyboard and gamepad.

pub(super) mod gamepad;
pub(super) mod gamepad_input;
pub(super) mod keys;
pub(super) mod stroke;
pub(super) mod tool_input;
pub(super) mod tool_selection;
