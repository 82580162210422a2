//! [`Pad`]: a gamepad, by the standard layout of browsers (<https://www.w3.org/TR/gamepad/#remapping>): sticks move and turn what is seen,
//! triggers bring it nearer and farther, and the tool in hand works in the middle of the view. Only pages have one: in a window it
//! would take a library of the system's to be installed.

/// Axes, then buttons, as browsers count them.
const AXES: usize = 4;
const ALL: usize = AXES + 16;

/// Buttons, counted from the first.
pub(super) const DRAW: usize = 0;
pub(super) const LOOK: usize = 1;
pub(super) const TOOLS: [usize; 2] = [2, 3];
pub(super) const SIZES: [usize; 2] = [4, 5];
pub(super) const FARTHER: usize = 6;
pub(super) const NEARER: usize = 7;
pub(super) const UNDO: usize = 8;
pub(super) const RUN: usize = 9;
pub(super) const FIT: usize = 12;

/// A stick that is moved less is at rest.
pub(super) const REST: f32 = 0.15;

/// A button that is pressed so far is down.
const DOWN: f32 = 0.5;

/// A gamepad, as it was in the last frame.
#[derive(Default)]
pub(super) struct Pad {
    values: Option<[f32; ALL]>,
    before: [f32; ALL],
}

impl Pad {
    /// How far a stick is moved along an axis; 0 at rest.
    pub(super) fn axis(&self, axis: usize) -> f32 {
        let value = self.values.map_or(0.0, |values| values[axis]);
        if value.abs() < REST || !value.is_finite() { 0.0 } else { value.clamp(-1.0, 1.0) }
    }

    /// How far a button is pressed, 0 to 1.
    pub(super) fn pressed(&self, button: usize) -> f32 {
        self.values.map_or(0.0, |values| values[AXES + button])
    }

    fn is_down(&self, button: usize) -> bool {
        self.pressed(button) > DOWN
    }

    /// Whether a button went down in this frame.
    pub(super) fn clicks(&self, button: usize) -> bool {
        self.is_down(button) && self.before[AXES + button] <= DOWN
    }

    /// Takes in how it is in a frame: four axes from −1 to 1, then buttons from 0 to 1. Fewer are none.
    pub(super) fn take(&mut self, values: Option<&[f32]>) {
        let values = values.and_then(|values| values.first_chunk::<ALL>().copied());
        self.before = self.values.unwrap_or_default();
        self.values = values;
    }

    /// Whether somebody plays with one: then the tool in hand is in the middle of the view.
    pub(super) fn is_there(&self) -> bool {
        self.values.is_some()
    }

    /// Whether the tool works.
    pub(super) fn draws(&self) -> bool {
        self.is_down(DRAW)
    }

    /// Whether it has just ceased to work.
    pub(super) fn ends(&self) -> bool {
        !self.draws() && self.before[AXES + DRAW] > DOWN
    }
}
