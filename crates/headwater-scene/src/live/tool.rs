//! [`Tool`]: a mouse tool that edits a world. Each dab of a tool becomes an entry of the scene.

use headwater::Point;
use toml::{Table, Value};

/// Kind of a mouse tool. A user interface chooses the tool's icon and toolbar position from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolKind {
    /// Removes ground or walls.
    Dig,
    /// Adds ground.
    Raise,
    /// Moves the ground towards the height at which the stroke began.
    Flatten,
    /// Smooths the ground.
    Smooth,
    /// Adds water.
    Pour,
    /// Removes water.
    Drain,
    /// Places a permanent spring.
    Spring,
    /// Places a permanent drain.
    Sink,
    /// Pushes water.
    Push,
    /// Builds walls, obstacles or land.
    Wall,
    /// Removes walls, obstacles or land.
    Unwall,
    /// Places a heater.
    Heat,
    /// Makes rain.
    Rain,
    /// Changes the wind.
    Wind,
    /// Prescribes the water level at a point.
    Anchor,
    /// Drops an object into the water, or makes a splash.
    Drop,
    /// Draws a trough in the water surface.
    Stroke,
    /// Places a wave maker.
    Maker,
    /// Places a floating body.
    Body,
    /// Adds plants.
    Plant,
    /// Removes plants.
    Clear,
}

/// Label, unit and range of a tool's strength, for a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Label of the slider.
    pub meaning: &'static str,
    /// Unit; empty if the strength is dimensionless.
    pub unit: &'static str,
    /// Lowest and highest value of the slider.
    pub range: [f64; 2],
    /// Default value.
    pub default: f64,
    /// Whether the slider should be logarithmic.
    pub logarithmic: bool,
}

impl Strength {
    /// Creates a strength with a logarithmic slider.
    pub const fn new(
        meaning: &'static str,
        unit: &'static str,
        range: [f64; 2],
        default: f64,
    ) -> Self {
        Self { meaning, unit, range, default, logarithmic: true }
    }

    /// Returns this strength with its label and default replaced.
    #[must_use]
    pub const fn with_meaning(self, meaning: &'static str, default: f64) -> Self {
        Self { meaning, default, ..self }
    }

    /// Returns this strength with a linear instead of a logarithmic slider.
    #[must_use]
    pub const fn linear(self) -> Self {
        Self { logarithmic: false, ..self }
    }
}

/// A mouse tool of a model.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Tool {
    /// Name, unique among the model's tools.
    pub name: &'static str,
    /// Kind, for the icon and the toolbar position.
    pub kind: ToolKind,
    /// Description of the tool in one sentence.
    pub doc: &'static str,
    /// Label, unit and range of the strength; `None` if the tool has no strength.
    pub strength: Option<Strength>,
    /// Radius in cells: minimum, maximum and default. `None` if the tool acts at a point.
    pub radius: Option<[f64; 3]>,
    /// Whether the tool acts for as long as the button is held. If false, each press of the button
    /// is one dab.
    pub is_continuous: bool,
    /// Whether the tool needs [`Dab::level`], the ground height where the button was pressed.
    pub samples_height: bool,
    pub(crate) list: &'static str,
    pub(crate) make: fn(&Dab) -> Table,
}

/// One application of a tool at a point. A stroke of the mouse consists of several dabs. Lengths
/// are in metres (in cells for `blocks`).
#[derive(Clone, Debug, PartialEq)]
pub struct Dab {
    /// Position of the dab.
    pub at: Point,
    /// Position of the previous dab in the stroke; equal to `at` for the first dab.
    pub from: Point,
    /// Radius of the tool, above 0.
    pub radius: f64,
    /// Strength of the tool, in the unit of [`Tool::strength`]. Tools that act over time multiply
    /// it by `seconds`.
    pub strength: f64,
    /// Duration (s): the time since the previous dab in the stroke, or 1 for a single press.
    pub seconds: f64,
    /// Ground height (m) where the button was pressed, for tools that need it.
    pub level: Option<f64>,
    /// Name of the kind of plants, for tools that add plants.
    pub plant: Option<String>,
}

impl Dab {
    /// Creates a dab at a point for a single press, with radius and strength 1.
    pub fn at(at: Point) -> Self {
        let (radius, strength, seconds) = (1.0, 1.0, 1.0);
        Self { at, from: at, radius, strength, seconds, level: None, plant: None }
    }

    /// Returns the product of strength and duration as a TOML value.
    pub(crate) fn amount(&self) -> Value {
        rounded_value(self.strength * self.seconds)
    }

    /// Returns the position as a TOML array.
    pub(crate) fn place(&self) -> Value {
        place(self.at)
    }

    /// Returns a vector in the direction from the previous dab to this one. Its length is the
    /// product of strength and duration. Zero if the positions are equal.
    pub(crate) fn push(&self) -> [f64; 2] {
        let way = [self.at[0] - self.from[0], self.at[1] - self.from[1]];
        let length = libm::hypot(way[0], way[1]);
        let scale = if length > 0.0 { self.strength * self.seconds / length } else { 0.0 };
        way.map(|part| rounded(part * scale))
    }
}

impl Tool {
    /// Creates a continuous tool without strength that acts at a point. `make` converts a dab to an
    /// event.
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

    /// Returns this tool with `strength` as its strength.
    #[must_use]
    pub const fn with_strength(self, strength: Strength) -> Self {
        Self { strength: Some(strength), ..self }
    }

    /// Returns this tool with a radius in cells: minimum, maximum and default.
    #[must_use]
    pub const fn with_radius(self, radius: [f64; 3]) -> Self {
        Self { radius: Some(radius), ..self }
    }

    /// Returns this tool with [`Dab::level`] as an input, the ground height where the button was
    /// pressed.
    #[must_use]
    pub const fn with_sampled_height(self) -> Self {
        Self { samples_height: true, ..self }
    }

    /// Returns this tool as one that makes a single dab per press of the button.
    #[must_use]
    pub const fn once_per_press(self) -> Self {
        Self { is_continuous: false, ..self }
    }

    /// Returns this tool as one that makes a single dab per press and adds the dab's entry to the
    /// scene's list `list`, such as `source`, instead of the list `event`.
    #[must_use]
    pub const fn adds_to(self, list: &'static str) -> Self {
        Self { list, ..self.once_per_press() }
    }

    /// Converts a dab to a scene entry and returns it with the name of its list. Entries of the
    /// list `event` are for [`Live::edit`](super::Live::edit), others for
    /// [`Live::add`](super::Live::add).
    pub fn entry(&self, dab: &Dab) -> (&'static str, Table) {
        (self.list, (self.make)(dab))
    }
}

/// Rounds a value to six significant digits, so that the scene's text stays short. This is precise
/// enough for mouse input.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

pub(crate) fn rounded_value(value: f64) -> Value {
    Value::Float(rounded(value))
}

/// Returns a position as a TOML array of rounded numbers.
pub(crate) fn place(at: Point) -> Value {
    Value::Array(at.map(rounded_value).to_vec())
}

pub(crate) fn table<const N: usize>(pairs: [(&str, Value); N]) -> Table {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Returns an event with the operation `op` and the keys `pairs`, in the disc of the dab.
pub(crate) fn in_disc<const N: usize>(op: &str, dab: &Dab, pairs: [(&str, Value); N]) -> Table {
    let mut event = disc_entry(dab, "do", op.into());
    event.extend(table(pairs));
    event
}

/// Returns an event like [`in_disc`], but with smooth falloff towards the rim.
pub(crate) fn in_smooth_disc<const N: usize>(
    op: &str,
    dab: &Dab,
    pairs: [(&str, Value); N],
) -> Table {
    let mut event = in_disc(op, dab, pairs);
    event.insert("falloff".into(), "smooth".into());
    event
}

/// Tool that lowers the ground.
pub(crate) const DIG: Tool = Tool::new("dig", ToolKind::Dig, "Lowers the ground.", |dab| {
    in_smooth_disc("lower", dab, [("amount", dab.amount())])
});

/// Tool that moves the ground towards its height where the button was pressed.
pub(crate) const FLATTEN: Tool = Tool::new(
    "flatten",
    ToolKind::Flatten,
    "Moves the ground towards its height at the button press.",
    |dab| in_smooth_disc("flatten", dab, [("level", rounded_value(dab.level.unwrap_or_default()))]),
)
.with_sampled_height();

/// Tool that smooths the ground.
pub(crate) const SMOOTH: Tool =
    Tool::new("smooth", ToolKind::Smooth, "Smooths the ground.", |dab| {
        in_smooth_disc("smooth", dab, [])
    });

/// Returns a scene entry with the disc of the dab and one more key.
pub(crate) fn disc_entry(dab: &Dab, key: &str, value: Value) -> Table {
    let disc = table([("center", dab.place()), ("radius", rounded_value(dab.radius))]);
    table([("disc", disc.into()), (key, value)])
}

/// Returns an event along the line from the previous dab to this one. The line is as wide as the
/// tool's disc.
pub(crate) fn along_stroke<const N: usize>(
    op: &str,
    dab: &Dab,
    pairs: [(&str, Value); N],
) -> Table {
    if dab.from == dab.at {
        return in_disc(op, dab, pairs);
    }
    let points = Value::Array(vec![place(dab.from), place(dab.at)]);
    let line = table([("points", points), ("width", rounded_value(2.0 * dab.radius))]);
    let mut event = table([("do", op.into()), ("line", line.into())]);
    event.extend(table(pairs));
    event
}
