//! [`Tool`]: a mouse tool that edits a world. Each application of a tool results in one action,
//! like the action of an event.

use super::AreaAction;
use super::action::AnyAction;
use crate::scene::place::{Coordinate, Disc, Extent, Line, Position};
use headwater::Point;

/// Kind of a mouse tool. It determines the icon and the toolbar position of the tool in a user
/// interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolKind {
    /// Removes ground or walls.
    Dig,
    /// Raises the ground or the water surface.
    Raise,
    /// Raises or lowers the ground toward the elevation that it has where the mouse button was
    /// pressed.
    Flatten,
    /// Smooths the ground.
    Smooth,
    /// Adds water or another liquid.
    Pour,
    /// Removes water or another liquid.
    Drain,
    /// Places a spring, which adds water permanently.
    Spring,
    /// Places a drain, which removes water permanently.
    Sink,
    /// Pushes water in the direction in which the mouse moves.
    Push,
    /// Builds walls, obstacles or land.
    Wall,
    /// Removes walls, obstacles or land.
    Unwall,
    /// Places a heater.
    Heat,
    /// Makes rain fall on the world.
    Rain,
    /// Changes the wind.
    Wind,
    /// Sets the water level of all water that is connected to a point.
    Anchor,
    /// Drops an object into the water, or makes a splash.
    Drop,
    /// Draws a trough into the water surface along the path of the mouse.
    Stroke,
    /// Places a wave maker, which generates waves.
    Maker,
    /// Places a floating body.
    Body,
    /// Adds plants.
    Plant,
    /// Removes plants.
    Clear,
}

/// Label, unit and range of a tool's strength. A user interface shows the strength as a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Label of the slider, for the user.
    pub label: &'static str,
    /// Unit of the strength; empty if it is dimensionless.
    pub unit: &'static str,
    /// Lowest and highest value of the slider, in `unit`.
    pub range: [f64; 2],
    /// Initial value of the slider, in `unit`.
    pub default: f64,
    /// Whether the slider should be logarithmic.
    pub logarithmic: bool,
}

impl Strength {
    /// Creates a strength whose slider is logarithmic. `label` is the label of the slider, and
    /// `range` contains its lowest and highest value, in `unit`.
    pub const fn new(
        label: &'static str,
        unit: &'static str,
        range: [f64; 2],
        default: f64,
    ) -> Self {
        Self { label, unit, range, default, logarithmic: true }
    }

    /// Returns this strength with another slider label and another initial value.
    #[must_use]
    pub const fn with_label(self, label: &'static str, default: f64) -> Self {
        Self { label, default, ..self }
    }

    /// Returns this strength with a linear slider instead of a logarithmic one.
    #[must_use]
    pub const fn with_linear_slider(self) -> Self {
        Self { logarithmic: false, ..self }
    }
}

/// Mouse tool of a model. A user edits the world with it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Tool {
    /// Name of the tool. No other tool of the model has this name.
    pub name: &'static str,
    /// Kind of the tool. It determines the icon and the toolbar position.
    pub kind: ToolKind,
    /// Description of the tool for the user, in one sentence.
    pub doc: &'static str,
    /// Label, unit and range of the tool's strength; `None` if the tool has no strength.
    pub strength: Option<Strength>,
    /// Minimum, maximum and default of the tool's radius (cells). `None` if the tool acts at a
    /// point.
    pub radius: Option<[f64; 3]>,
    /// Whether the tool is applied repeatedly while the mouse button is held down. If false, it is
    /// applied once per press of the button.
    pub is_continuous: bool,
    /// Whether the tool uses [`Dab::level`], the ground elevation where the mouse button was
    /// pressed.
    pub samples_height: bool,
    /// Function that converts an application of the tool to an action of the model.
    to_action: fn(&Dab) -> AnyAction,
}

/// One application of a tool at a point. A stroke of the mouse consists of several applications.
/// Lengths are in metres (in the model `blocks`, in cells).
#[derive(Clone, Debug, PartialEq)]
pub struct Dab {
    /// Position at which the tool is applied.
    pub at: Point,
    /// Position of the previous application in the same stroke. Equal to `at` for the first one.
    pub from: Point,
    /// Radius of the tool, above 0.
    pub radius: f64,
    /// Strength of the tool, in the unit of [`Tool::strength`]. Tools that act over time multiply
    /// it by `seconds`.
    pub strength: f64,
    /// Duration of the application (s). This is the time since the previous application in the same
    /// stroke, or 1 for a single press of the mouse button.
    pub seconds: f64,
    /// Ground elevation (m) at the point where the mouse button was pressed. `None` if the tool
    /// does not need it.
    pub level: Option<f64>,
    /// Name of the kind of plant, for tools that add plants.
    pub plant: Option<String>,
}

impl Dab {
    /// Creates the application of a tool for a single press of the mouse button at a point. The
    /// radius and the strength are 1.
    pub fn new(at: Point) -> Self {
        let (radius, strength, seconds) = (1.0, 1.0, 1.0);
        Self { at, from: at, radius, strength, seconds, level: None, plant: None }
    }

    /// Returns the product of strength and duration, rounded to six significant digits.
    pub(crate) fn amount(&self) -> f64 {
        round_to_six_digits(self.strength * self.seconds)
    }

    /// Returns the strength, rounded to six significant digits.
    pub(crate) fn strength(&self) -> f64 {
        round_to_six_digits(self.strength)
    }

    /// Returns the radius, rounded to six significant digits.
    pub(crate) fn radius(&self) -> f64 {
        round_to_six_digits(self.radius)
    }

    /// Returns the position at which the tool is applied, rounded to six significant digits.
    pub(crate) fn position(&self) -> Position {
        to_position(self.at)
    }

    /// Returns a disc with the tool's radius around the tool's position.
    pub(crate) fn disc(&self) -> Extent {
        Extent::Disc(Disc { center: self.position(), radius: self.radius() })
    }

    /// Returns the line from the previous application of the tool to this one. The width of the
    /// line is the tool's diameter.
    pub(crate) fn line(&self) -> Line {
        let points = vec![to_position(self.from), to_position(self.at)];
        Line { points, width: round_to_six_digits(2.0 * self.radius) }
    }

    /// Returns the action `value` on a disc with the tool's radius around the tool's position.
    pub(crate) fn on_disc<T>(&self, value: T) -> AreaAction<T> {
        AreaAction { extent: self.disc(), value }
    }

    /// Returns the action `value` on the line from the previous application of the tool to this
    /// one. For the first application of a stroke, the action covers a disc instead.
    pub(crate) fn on_line<T>(&self, value: T) -> AreaAction<T> {
        let extent = if self.from == self.at { self.disc() } else { Extent::Line(self.line()) };
        AreaAction { extent, value }
    }

    /// Returns a vector that points from the position of the previous application to the position
    /// of this one. Its length is the product of strength and duration. Returns a zero vector if
    /// both positions are equal.
    pub(crate) fn push_vector(&self) -> [f64; 2] {
        let way = [self.at[0] - self.from[0], self.at[1] - self.from[1]];
        let length = libm::hypot(way[0], way[1]);
        let scale = if length > 0.0 { self.strength * self.seconds / length } else { 0.0 };
        way.map(|part| round_to_six_digits(part * scale))
    }
}

impl Tool {
    /// Creates a tool that acts at a point, has no strength, and is applied repeatedly while the
    /// mouse button is held down. `to_action` converts an application of the tool to an action of
    /// the model.
    pub const fn new(
        name: &'static str,
        kind: ToolKind,
        doc: &'static str,
        to_action: fn(&Dab) -> AnyAction,
    ) -> Self {
        let (strength, radius) = (None, None);
        Self {
            name,
            kind,
            doc,
            strength,
            radius,
            is_continuous: true,
            samples_height: false,
            to_action,
        }
    }

    /// Returns this tool with a strength, which describes the slider for the user.
    #[must_use]
    pub const fn with_strength(self, strength: Strength) -> Self {
        Self { strength: Some(strength), ..self }
    }

    /// Returns this tool with a radius. `radius` contains its minimum, maximum and default (cells).
    #[must_use]
    pub const fn with_radius(self, radius: [f64; 3]) -> Self {
        Self { radius: Some(radius), ..self }
    }

    /// Returns a copy of this tool that uses the ground elevation where the mouse button was
    /// pressed. This elevation is passed in [`Dab::level`].
    #[must_use]
    pub const fn with_sampled_height(self) -> Self {
        Self { samples_height: true, ..self }
    }

    /// Returns a copy of this tool that is applied once per press of the mouse button.
    #[must_use]
    pub const fn once_per_press(self) -> Self {
        Self { is_continuous: false, ..self }
    }

    /// Converts an application of the tool to an action for
    /// [`Live::apply`](crate::live::Live::apply).
    pub fn action(&self, dab: &Dab) -> AnyAction {
        (self.to_action)(dab)
    }
}

/// Rounds a value to six significant digits, to keep the TOML source of the scene short. This is
/// precise enough for mouse input.
pub(crate) fn round_to_six_digits(value: f64) -> f64 {
    /// Powers of ten that `f64` represents exactly.
    const POWERS: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ];
    let size = value.abs();
    // With six digits, the integer and the power are exact, so their quotient is the number that is
    // closest to the decimal number.
    let power = POWERS.iter().find(|power| size * **power >= 1e5);
    match power.filter(|_| size < 1e6) {
        Some(power) => (value * power).round() / power,
        None => format!("{value:.5e}").parse().unwrap_or(value),
    }
}

/// Converts a point to a position in a scene, rounded to six significant digits.
pub(crate) fn to_position(point: Point) -> Position {
    point.map(|metres| Coordinate::Metres(round_to_six_digits(metres)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_numbers_have_six_digits() {
        for (value, rounded) in [
            (0.0, 0.0),
            (41.600_000_000_000_01, 41.6),
            (-1.234_567_89, -1.234_57),
            (123_456.789, 123_457.0),
            (9.999_999_9e-7, 1e-6),
            (1_234_567.0, 1_234_570.0),
            (3e-30, 3e-30),
        ] {
            assert_eq!(round_to_six_digits(value), rounded, "{value}");
        }
    }
}
