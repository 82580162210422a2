//! What the mouse can do to a world: tools whose dabs become entries of the scene.

use headwater::Point;
use toml::{Table, Value};

/// What a tool does, for its icon and its place on the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolKind {
    /// Takes ground or walls away.
    Dig,
    /// Brings ground.
    Raise,
    /// Brings the ground to one height.
    Flatten,
    /// Evens the ground out.
    Smooth,
    /// Brings water.
    Pour,
    /// Takes water.
    Drain,
    /// Puts down a spring that stays.
    Spring,
    /// Puts down a drain that stays.
    Sink,
    /// Pushes water.
    Push,
    /// Builds walls, obstacles or land.
    Wall,
    /// Removes walls, obstacles or land.
    Unwall,
    /// Puts down a hearth.
    Heat,
    /// Lets it rain.
    Rain,
    /// Lets the wind blow.
    Wind,
    /// Says how high water stands.
    Anchor,
    /// Lets a drop fall, or makes a splash.
    Drop,
    /// Draws a furrow.
    Stroke,
    /// Puts down something that makes waves.
    Maker,
    /// Puts down what floats.
    Body,
    /// Sets plants.
    Plant,
    /// Cuts plants.
    Clear,
}

/// What a tool's strength means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// In words, for a slider.
    pub meaning: &'static str,
    /// Its unit; empty for none.
    pub unit: &'static str,
    /// From and to.
    pub range: [f64; 2],
    /// What a tool begins with.
    pub default: f64,
    /// Whether the slider should be logarithmic.
    pub logarithmic: bool,
}

impl Strength {
    /// A strength with a logarithmic slider.
    pub const fn new(
        meaning: &'static str,
        unit: &'static str,
        range: [f64; 2],
        default: f64,
    ) -> Self {
        Self { meaning, unit, range, default, logarithmic: true }
    }

    /// The same in other words, beginning with another value.
    #[must_use]
    pub const fn with_meaning(self, meaning: &'static str, default: f64) -> Self {
        Self { meaning, default, ..self }
    }

    /// The same with a linear slider.
    #[must_use]
    pub const fn linear(self) -> Self {
        Self { logarithmic: false, ..self }
    }
}

/// A tool.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Tool {
    /// Its name, unique in its model.
    pub name: &'static str,
    /// What it does.
    pub kind: ToolKind,
    /// What it does, in a sentence.
    pub doc: &'static str,
    /// What its strength means; `None` if it has none.
    pub strength: Option<Strength>,
    /// Its radius in cells: from, to, and what it begins with. `None` if it works in a point.
    pub radius: Option<[f64; 3]>,
    /// Whether it goes on while the button is held; else each press is one dab.
    pub is_continuous: bool,
    /// Whether it takes the height that was under it when the button went down, as [`Dab::level`].
    pub samples_height: bool,
    pub(crate) list: &'static str,
    pub(crate) make: fn(&Dab) -> Table,
}

/// One touch of a tool. Lengths are metres, of blocks cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Dab {
    /// Where.
    pub at: Point,
    /// Where the last dab of the stroke was; the same place for the first.
    pub from: Point,
    /// The tool's radius, above 0.
    pub radius: f64,
    /// The tool's strength.
    pub strength: f64,
    /// How long the dab lasts (s): the time since the last of the stroke. What a tool does in a second is its strength.
    /// A press that does not last has 1.
    pub seconds: f64,
    /// The height of the ground under the place where the button went down (m), for tools that take one.
    pub level: Option<f64>,
    /// Which kind of plant a tool sets, by its name.
    pub plant: Option<String>,
}

impl Dab {
    /// A single touch of radius and strength 1.
    pub fn at(at: Point) -> Self {
        let (radius, strength, seconds) = (1.0, 1.0, 1.0);
        Self { at, from: at, radius, strength, seconds, level: None, plant: None }
    }

    /// Strength times seconds.
    pub(crate) fn amount(&self) -> Value {
        short(self.strength * self.seconds)
    }

    /// Where, as it stands in a scene.
    pub(crate) fn place(&self) -> Value {
        place(self.at)
    }

    /// A direction of length strength times seconds, from the last dab to this one; none where they are one.
    pub(crate) fn push(&self) -> [f64; 2] {
        let way = [self.at[0] - self.from[0], self.at[1] - self.from[1]];
        let length = libm::hypot(way[0], way[1]);
        let scale = if length > 0.0 { self.strength * self.seconds / length } else { 0.0 };
        way.map(|part| rounded(part * scale))
    }
}

impl Tool {
    /// A tool that goes on while the button is held, in a point and without a strength: its dabs are events.
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

    /// The same with a strength.
    #[must_use]
    pub const fn with_strength(self, strength: Strength) -> Self {
        Self { strength: Some(strength), ..self }
    }

    /// The same with a radius in cells: from, to, and what it begins with.
    #[must_use]
    pub const fn with_radius(self, radius: [f64; 3]) -> Self {
        Self { radius: Some(radius), ..self }
    }

    /// The same, taking the height that was under it when the button went down.
    #[must_use]
    pub const fn with_sampled_height(self) -> Self {
        Self { samples_height: true, ..self }
    }

    /// The same, done once for each press.
    #[must_use]
    pub const fn once_per_press(self) -> Self {
        Self { is_continuous: false, ..self }
    }

    /// The same, done once for each press, which adds an entry to a list of the scene such as `source`.
    #[must_use]
    pub const fn adds_to(self, list: &'static str) -> Self {
        Self { list, ..self.once_per_press() }
    }

    /// A dab as an entry: of the list `event`, for [`Live::edit`](super::Live::edit), or of another for
    /// [`Live::add`](super::Live::add).
    pub fn entry(&self, dab: &Dab) -> (&'static str, Table) {
        (self.list, (self.make)(dab))
    }
}

/// A number with as many digits as a hand has: six.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

pub(crate) fn short(value: f64) -> Value {
    Value::Float(rounded(value))
}

/// A place as it stands in a scene.
pub(crate) fn place(at: Point) -> Value {
    Value::Array(at.map(short).to_vec())
}

pub(crate) fn table<const N: usize>(pairs: [(&str, Value); N]) -> Table {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// An event in the tool's disc.
pub(crate) fn in_disc<const N: usize>(op: &str, dab: &Dab, pairs: [(&str, Value); N]) -> Table {
    let mut event = spread(dab, "do", op.into());
    event.extend(table(pairs));
    event
}

/// The same, weaker towards the disc's edge.
pub(crate) fn softly<const N: usize>(op: &str, dab: &Dab, pairs: [(&str, Value); N]) -> Table {
    let mut event = in_disc(op, dab, pairs);
    event.insert("falloff".into(), "smooth".into());
    event
}

/// Digs ground away.
pub(crate) const DIG: Tool = Tool::new("dig", ToolKind::Dig, "Digs the ground away.", |dab| {
    softly("lower", dab, [("amount", dab.amount())])
});

/// Brings ground to the height where the button went down.
pub(crate) const FLATTEN: Tool = Tool::new(
    "flatten",
    ToolKind::Flatten,
    "Brings the ground to the height where the button went down.",
    |dab| softly("flatten", dab, [("level", short(dab.level.unwrap_or_default()))]),
)
.with_sampled_height();

/// Evens ground out.
pub(crate) const SMOOTH: Tool =
    Tool::new("smooth", ToolKind::Smooth, "Evens the ground out.", |dab| softly("smooth", dab, []));

/// An entry of a list, in the tool's disc.
pub(crate) fn spread(dab: &Dab, key: &str, value: Value) -> Table {
    let disc = table([("center", dab.place()), ("radius", short(dab.radius))]);
    table([("disc", disc.into()), (key, value)])
}

/// An event along the way from the last dab to this one, as wide as the tool.
pub(crate) fn along<const N: usize>(op: &str, dab: &Dab, pairs: [(&str, Value); N]) -> Table {
    if dab.from == dab.at {
        return in_disc(op, dab, pairs);
    }
    let points = Value::Array(vec![place(dab.from), place(dab.at)]);
    let line = table([("points", points), ("width", short(2.0 * dab.radius))]);
    let mut event = table([("do", op.into()), ("line", line.into())]);
    event.extend(table(pairs));
    event
}
