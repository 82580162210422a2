//! Mouse tools that edit a world: each dab becomes an entry of the scene.

use headwater::Point;
use toml::{Table, Value};

/// Kind of a tool, for its icon and its position on the toolbar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolKind {
    /// Removes ground or walls.
    Dig,
    /// Adds ground.
    Raise,
    /// Moves the ground towards one height.
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
    /// Makes wind.
    Wind,
    /// Prescribes the water level.
    Anchor,
    /// Drops something into the water, or makes a splash.
    Drop,
    /// Draws a trough in the surface.
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

/// Meaning and range of a tool's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Label for a slider.
    pub meaning: &'static str,
    /// Unit; empty if dimensionless.
    pub unit: &'static str,
    /// Lowest and highest value.
    pub range: [f64; 2],
    /// Default value.
    pub default: f64,
    /// True if the slider should be logarithmic.
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

    /// Returns this strength with another label and default.
    #[must_use]
    pub const fn with_meaning(self, meaning: &'static str, default: f64) -> Self {
        Self { meaning, default, ..self }
    }

    /// Returns this strength with a linear slider.
    #[must_use]
    pub const fn linear(self) -> Self {
        Self { logarithmic: false, ..self }
    }
}

/// A tool.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Tool {
    /// Name, unique in its model.
    pub name: &'static str,
    /// Kind of tool.
    pub kind: ToolKind,
    /// Description in one sentence.
    pub doc: &'static str,
    /// Meaning of its strength; `None` if it has none.
    pub strength: Option<Strength>,
    /// Radius in cells: minimum, maximum and default. `None` if the tool acts at a point.
    pub radius: Option<[f64; 3]>,
    /// True if the tool acts while the button is held; otherwise each press is one dab.
    pub is_continuous: bool,
    /// True if the tool needs the ground height at the button press, as [`Dab::level`].
    pub samples_height: bool,
    pub(crate) list: &'static str,
    pub(crate) make: fn(&Dab) -> Table,
}

/// One application of a tool. Lengths are in metres, or in cells with `blocks`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dab {
    /// Position.
    pub at: Point,
    /// Position of the previous dab of the stroke; equal to `at` for the first one.
    pub from: Point,
    /// Radius of the tool, above 0.
    pub radius: f64,
    /// Strength of the tool, per second.
    pub strength: f64,
    /// Duration (s): the time since the previous dab of the stroke, or 1 for a single press.
    pub seconds: f64,
    /// Ground height at the button press (m), for tools that need it.
    pub level: Option<f64>,
    /// Name of the plant kind, for tools that add plants.
    pub plant: Option<String>,
}

impl Dab {
    /// Creates a single dab with radius and strength 1.
    pub fn at(at: Point) -> Self {
        let (radius, strength, seconds) = (1.0, 1.0, 1.0);
        Self { at, from: at, radius, strength, seconds, level: None, plant: None }
    }

    /// Returns strength times duration.
    pub(crate) fn amount(&self) -> Value {
        rounded_value(self.strength * self.seconds)
    }

    /// Returns the position as a scene writes it.
    pub(crate) fn place(&self) -> Value {
        place(self.at)
    }

    /// Returns a vector from the previous dab to this one, with length strength times duration.
    /// Zero if the positions are equal.
    pub(crate) fn push(&self) -> [f64; 2] {
        let way = [self.at[0] - self.from[0], self.at[1] - self.from[1]];
        let length = libm::hypot(way[0], way[1]);
        let scale = if length > 0.0 { self.strength * self.seconds / length } else { 0.0 };
        way.map(|part| rounded(part * scale))
    }
}

impl Tool {
    /// Creates a tool that acts at a point while the button is held, without a strength. Its dabs
    /// are events.
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

    /// Returns this tool with a strength.
    #[must_use]
    pub const fn with_strength(self, strength: Strength) -> Self {
        Self { strength: Some(strength), ..self }
    }

    /// Returns this tool with a radius in cells: minimum, maximum and default.
    #[must_use]
    pub const fn with_radius(self, radius: [f64; 3]) -> Self {
        Self { radius: Some(radius), ..self }
    }

    /// Returns this tool with the ground height at the button press as input.
    #[must_use]
    pub const fn with_sampled_height(self) -> Self {
        Self { samples_height: true, ..self }
    }

    /// Returns this tool with one dab per press.
    #[must_use]
    pub const fn once_per_press(self) -> Self {
        Self { is_continuous: false, ..self }
    }

    /// Returns this tool with one dab per press that adds an entry to a list of the scene such as
    /// `source`.
    #[must_use]
    pub const fn adds_to(self, list: &'static str) -> Self {
        Self { list, ..self.once_per_press() }
    }

    /// Returns a dab as an entry: of the list `event` for [`Live::edit`](super::Live::edit), or of
    /// another list for [`Live::add`](super::Live::add).
    pub fn entry(&self, dab: &Dab) -> (&'static str, Table) {
        (self.list, (self.make)(dab))
    }
}

/// Rounds a value to six significant digits, which is enough for mouse input.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

pub(crate) fn rounded_value(value: f64) -> Value {
    Value::Float(rounded(value))
}

/// Returns a position as a scene writes it.
pub(crate) fn place(at: Point) -> Value {
    Value::Array(at.map(rounded_value).to_vec())
}

pub(crate) fn table<const N: usize>(pairs: [(&str, Value); N]) -> Table {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Returns an event in the tool's disc.
pub(crate) fn in_disc<const N: usize>(op: &str, dab: &Dab, pairs: [(&str, Value); N]) -> Table {
    let mut event = disc_entry(dab, "do", op.into());
    event.extend(table(pairs));
    event
}

/// Returns an event in the tool's disc that fades towards the rim.
pub(crate) fn in_smooth_disc<const N: usize>(
    op: &str,
    dab: &Dab,
    pairs: [(&str, Value); N],
) -> Table {
    let mut event = in_disc(op, dab, pairs);
    event.insert("falloff".into(), "smooth".into());
    event
}

/// Lowers the ground.
pub(crate) const DIG: Tool = Tool::new("dig", ToolKind::Dig, "Lowers the ground.", |dab| {
    in_smooth_disc("lower", dab, [("amount", dab.amount())])
});

/// Moves the ground towards its height at the button press.
pub(crate) const FLATTEN: Tool = Tool::new(
    "flatten",
    ToolKind::Flatten,
    "Moves the ground towards its height at the button press.",
    |dab| in_smooth_disc("flatten", dab, [("level", rounded_value(dab.level.unwrap_or_default()))]),
)
.with_sampled_height();

/// Smooths the ground.
pub(crate) const SMOOTH: Tool =
    Tool::new("smooth", ToolKind::Smooth, "Smooths the ground.", |dab| {
        in_smooth_disc("smooth", dab, [])
    });

/// Returns an entry of a list with the tool's disc.
pub(crate) fn disc_entry(dab: &Dab, key: &str, value: Value) -> Table {
    let disc = table([("center", dab.place()), ("radius", rounded_value(dab.radius))]);
    table([("disc", disc.into()), (key, value)])
}

/// Returns an event along the line from the previous dab to this one, as wide as the tool.
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
