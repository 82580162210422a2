//! A scene as a live world that somebody touches: it runs without an end and without files, can be edited at any
//! moment, and is a scene again whenever its text is asked for.
//!
//! A [`Live`] world does what a run of its scene does: the same steps, events and gauges, bit for bit. Between two
//! steps it takes edits, as entries that could stand in the scene; to gauges too. What was done is kept as events in passing, so that
//! the [`text`](Live::text) run as a scene comes to the same state. Nothing here looks at a clock, draws or writes.
//!
//! ```
//! use headwater_scene::live::{Dab, Live};
//!
//! let text = r#"
//!     model = "flow"   # a puddle
//!     [grid]
//!     nx = 32
//!     ny = 32
//!     cell = 1
//!     [time]
//!     until = 10
//!     [terrain]
//!     plane = {}
//!     [water]
//!     depth = 0.5
//! "#;
//! let mut live = Live::new("puddle.toml", text)?;
//! live.advance(2.0, &mut || false)?;
//!
//! // A spade, and a change of mind.
//! let dig = live.tools().iter().find(|tool| tool.name == "dig").expect("a tool of flow");
//! let before = live.state_hash();
//! let moment = live.moment()?;
//! live.dab(dig, &Dab { radius: 3.0, strength: 0.4, ..Dab::at([16.0, 16.0]) })?;
//! assert_ne!(live.state_hash(), before);
//! live.go_back(&moment)?;
//! assert_eq!(live.state_hash(), before);
//!
//! // What was done is part of the scene.
//! live.dab(dig, &Dab { radius: 3.0, strength: 0.4, ..Dab::at([16.0, 16.0]) })?;
//! live.advance(5.0, &mut || false)?;
//! let text = live.text();
//! assert!(text.contains("# a puddle") && text.contains("[[event]]"));
//! let mut again = Live::new("puddle.toml", &text)?;
//! again.advance(5.0, &mut || false)?;
//! assert_eq!(again.state_hash(), live.state_hash());
//!
//! // Gauges come, change and go by their names. They measure in passing, and never change the state.
//! let gauge = |keys: &str| keys.parse::<toml::Table>();
//! live.add("gauge", &gauge("name = 'hole'\nat = [16, 16]\nevery = 0.5")?)?;
//! live.advance(7.0, &mut || false)?;
//! again.advance(7.0, &mut || false)?;
//! assert_eq!(again.state_hash(), live.state_hash());
//! assert!(live.readings()[0].name == "hole" && live.readings()[0].times.len() == 5);
//! live.change("gauge", &gauge("name = 'hole'\ndisc = { center = [16, 16], radius = 3 }")?)?;
//! assert_eq!(live.readings()[0].heads, ["volume_m3"]);
//! live.remove("gauge", "hole")?;
//! assert!(live.readings().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod backend;
mod error;
mod found;
mod gauges;
mod gauges_by_hand;
mod history;
mod journal;
#[expect(clippy::module_inception, reason = "a live world is what it is about")]
mod live;
mod moment;
pub(crate) mod parameter;
mod reached;
mod read_back;
mod reading;
mod recipe;
pub(crate) mod tool;

pub use crate::run::ProbeValue;
pub use error::LiveError;
pub use gauges::Measured;
pub use history::History;
pub use live::Live;
pub use moment::Moment;
pub use parameter::{Parameter, ParameterKind};
pub use reached::{Reached, reach};
pub use reading::Reading;
pub use recipe::Recipe;
pub use tool::{Dab, Strength, Tool, ToolKind};
