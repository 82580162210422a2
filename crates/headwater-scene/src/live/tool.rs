//! [`Tool`]: a mouse tool that edits a world. Each application of a tool becomes an entry of the
//! scene.

use headwater::Point;
use toml::{Table, Value};

/// Kind of a mouse tool. It determines the icon and the toolbar position in a user interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolKind {
    /// Removes ground or walls.
    Dig,
    /// Raises the ground or the water surface.
    Raise,
    /// Moves the ground towards the ground height where the mouse button was pressed.
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
    pub meaning: &'static str,
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
    /// Creates a strength whose slider is logarithmic. `meaning` is the label of the slider, and
    /// `range` contains its lowest and highest value, in `unit`.
    pub const fn new(
        meaning: &'static str,
        unit: &'static str,
        range: [f64; 2],
        default: f64,
    ) -> Self {
        Self { meaning, unit, range, default, logarithmic: true }
    }

    /// Returns this strength with another slider label and another initial value.
    #[must_use]
    pub const fn with_meaning(self, meaning: &'static str, default: f64) -> Self {
        Self { meaning, default, ..self }
    }

    /// Returns this strength with a linear slider instead of a logarithmic one.
    #[must_use]
    pub const fn with_linear_slider(self) -> Self {
        Self { logarithmic: false, ..self }
    }
}

/// Mouse tool of a model, with which a user edits the world.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Tool {
    /// Name of the tool, which is unique among the model's tools.
    pub name: &'static str,
    /// Kind of the tool, which determines its icon and its toolbar position.
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
    /// Whether the tool uses [`Dab::level`], the ground height where the mouse button was pressed.
    pub samples_height: bool,
    pub(crate) list: &'static str,
    pub(crate) make: fn(&Dab) -> Table,
}

/// One application of a tool at a point. A stroke of the mouse consists of several applications.
/// Lengths are in metres (in the model `blocks`, in cells).
#[derive(Clone, Debug, PartialEq)]
pub struct Dab {
    /// Position at which the tool is applied.
    pub at: Point,
    /// Position of the previous application in the same stroke. Equal to `at` for the first one.
    pub from: Point,
    /// Radius of the tool, which is positive.
    pub radius: f64,
    /// Strength of the tool, in the unit of [`Tool::strength`]. Tools that act over time multiply
    /// it by `seconds`.
    pub strength: f64,
    /// Duration of the application (s). This is the time since the previous application in the same
    /// stroke, or 1 for a single press of the mouse button.
    pub seconds: f64,
    /// Ground height where the mouse button was pressed (m). `None` if the tool does not need it.
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

    /// Returns the product of strength and duration, rounded, as a TOML value.
    pub(crate) fn amount(&self) -> Value {
        to_rounded_value(self.strength * self.seconds)
    }

    /// Returns the position at which the tool is applied as a TOML array.
    pub(crate) fn position_value(&self) -> Value {
        to_position_value(self.at)
    }

    /// Returns a vector from the position of the previous application to the position of this one,
    /// scaled to the product of strength and duration. Returns a zero vector if both positions are
    /// equal.
    pub(crate) fn push_vector(&self) -> [f64; 2] {
        let way = [self.at[0] - self.from[0], self.at[1] - self.from[1]];
        let length = libm::hypot(way[0], way[1]);
        let scale = if length > 0.0 { self.strength * self.seconds / length } else { 0.0 };
        way.map(|part| round_to_six_digits(part * scale))
    }
}

impl Tool {
    /// Creates a tool that acts at a point, has no strength, and is applied repeatedly while the
    /// mouse button is held down. `make` converts an application of the tool to an event.
    pub const fn new(
        name: &'static str,
        kind: ToolKind,
        doc: &'static str,
        make: fn(&Dab) -> Table,
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
            list: "event",
            make,
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

    /// Returns this tool, changed to use the ground height where the mouse button was pressed,
    /// which is passed in [`Dab::level`].
    #[must_use]
    pub const fn with_sampled_height(self) -> Self {
        Self { samples_height: true, ..self }
    }

    /// Returns this tool, changed to be applied once per press of the mouse button.
    #[must_use]
    pub const fn once_per_press(self) -> Self {
        Self { is_continuous: false, ..self }
    }

    /// Returns this tool, changed to be applied once per press of the mouse button, and to add an
    /// entry to the scene's list `list`, such as `source`, instead of the list `event`.
    #[must_use]
    pub const fn with_list(self, list: &'static str) -> Self {
        Self { list, ..self.once_per_press() }
    }

    /// Converts an application of the tool to an entry of the scene. Also returns the name of the
    /// list to which the entry belongs. Pass entries of the list `event` to
    /// [`Live::edit`](super::Live::edit), and other entries to [`Live::add`](super::Live::add).
    pub fn scene_entry(&self, dab: &Dab) -> (&'static str, Table) {
        (self.list, (self.make)(dab))
    }
}

/// Rounds a value to six significant digits, to keep the TOML source of the scene short. This is
/// precise enough for mouse input.
pub(crate) fn round_to_six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

pub(crate) fn to_rounded_value(value: f64) -> Value {
    Value::Float(round_to_six_digits(value))
}

/// Returns a position as a TOML array of two rounded numbers.
pub(crate) fn to_position_value(at: Point) -> Value {
    Value::Array(at.map(to_rounded_value).to_vec())
}

pub(crate) fn table_from_pairs<const N: usize>(pairs: [(&str, Value); N]) -> Table {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Returns an event with the operation `op` and the keys `pairs`. It acts on the disc around the
/// tool's position that has the tool's radius.
pub(crate) fn disc_event<const N: usize>(op: &str, dab: &Dab, pairs: [(&str, Value); N]) -> Table {
    let mut event = disc_entry(dab, "do", op.into());
    event.extend(table_from_pairs(pairs));
    event
}

/// Returns an event like [`disc_event`], but with an effect that decreases smoothly towards the rim
/// of the disc.
pub(crate) fn smooth_disc_event<const N: usize>(
    op: &str,
    dab: &Dab,
    pairs: [(&str, Value); N],
) -> Table {
    let mut event = disc_event(op, dab, pairs);
    event.insert("falloff".into(), "smooth".into());
    event
}

/// Tool that lowers the ground.
pub(crate) const DIG: Tool = Tool::new("dig", ToolKind::Dig, "Lowers the ground.", |dab| {
    smooth_disc_event("lower", dab, [("amount", dab.amount())])
});

/// Tool that moves the ground towards the ground height where the mouse button was pressed.
pub(crate) const FLATTEN: Tool = Tool::new(
    "flatten",
    ToolKind::Flatten,
    "Moves the ground towards its height at the button press.",
    |dab| {
        smooth_disc_event(
            "flatten",
            dab,
            [("level", to_rounded_value(dab.level.unwrap_or_default()))],
        )
    },
)
.with_sampled_height();

/// Tool that smooths the ground.
pub(crate) const SMOOTH: Tool =
    Tool::new("smooth", ToolKind::Smooth, "Smooths the ground.", |dab| {
        smooth_disc_event("smooth", dab, [])
    });

/// Returns an entry of the scene with two keys: `disc`, whose value is the area of the tool, and
/// `key` with the value `value`.
pub(crate) fn disc_entry(dab: &Dab, key: &str, value: Value) -> Table {
    let disc = table_from_pairs([
        ("center", dab.position_value()),
        ("radius", to_rounded_value(dab.radius)),
    ]);
    table_from_pairs([("disc", disc.into()), (key, value)])
}

/// Returns an event that acts along the line from the previous application of the tool to this one.
/// The width of the line is the tool's diameter. `op` is the operation, and `pairs` are the other
/// keys of the event.
pub(crate) fn stroke_event<const N: usize>(
    op: &str,
    dab: &Dab,
    pairs: [(&str, Value); N],
) -> Table {
    if dab.from == dab.at {
        return disc_event(op, dab, pairs);
    }
    let points = Value::Array(vec![to_position_value(dab.from), to_position_value(dab.at)]);
    let line =
        table_from_pairs([("points", points), ("width", to_rounded_value(2.0 * dab.radius))]);
    let mut event = table_from_pairs([("do", op.into()), ("line", line.into())]);
    event.extend(table_from_pairs(pairs));
    event
}
