//! What the mouse can do to a world: tools whose dabs become entries of the scene.

use headwater::Point;
use toml::{Table, Value};

/// What a tool does, for its icon and its place on the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// A tool.
#[derive(Clone, Copy, Debug)]
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
    pub lasts: bool,
    /// Whether it takes the height that was under it when the button went down, as [`Dab::level`].
    pub levels: bool,
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

/// A table of pairs.
pub(crate) fn table<const N: usize>(pairs: [(&str, Value); N]) -> Table {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// An event in the tool's disc.
pub(crate) fn in_disc<const N: usize>(op: &str, dab: &Dab, pairs: [(&str, Value); N]) -> Table {
    let disc = table([("center", dab.place()), ("radius", short(dab.radius))]);
    let mut event = table([("do", op.into()), ("disc", disc.into())]);
    event.extend(table(pairs));
    event
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
