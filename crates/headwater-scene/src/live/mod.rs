//! Interactive worlds. An interactive world is created from a scene, but has no end time and writes
//! no files. It can be edited at any time, and can be written as a scene again.
//!
//! A [`Live`] world takes the same steps, events and gauge samples as a run of its scene, bit for
//! bit. Between two steps, it accepts edits of the world and of the gauges, written as entries of a
//! scene. It records them as events that do not shorten steps, so a run of the scene that
//! [`text`](Live::text) returns reaches the same state. This module uses no wall clock and draws
//! nothing.
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
//! // Dig, then restore the state before.
//! let dig = live.tools().iter().find(|tool| tool.name == "dig").expect("a tool of flow");
//! let before = live.state_hash();
//! let state = live.save_state()?;
//! live.apply_tool(dig, &Dab { radius: 3.0, strength: 0.4, ..Dab::new([16.0, 16.0]) })?;
//! assert_ne!(live.state_hash(), before);
//! live.restore_state(&state)?;
//! assert_eq!(live.state_hash(), before);
//!
//! // Edits are part of the text.
//! live.apply_tool(dig, &Dab { radius: 3.0, strength: 0.4, ..Dab::new([16.0, 16.0]) })?;
//! live.advance(5.0, &mut || false)?;
//! let text = live.text();
//! assert!(text.contains("# a puddle") && text.contains("[[event]]"));
//! let mut again = Live::new("puddle.toml", &text)?;
//! again.advance(5.0, &mut || false)?;
//! assert_eq!(again.state_hash(), live.state_hash());
//!
//! // Gauges can be added, changed and removed by name. They do not change the state.
//! let gauge = |keys: &str| keys.parse::<toml::Table>();
//! live.add("gauge", &gauge("name = 'hole'\nat = [16, 16]\nevery = 0.5")?)?;
//! live.advance(7.0, &mut || false)?;
//! again.advance(7.0, &mut || false)?;
//! assert_eq!(again.state_hash(), live.state_hash());
//! assert!(live.readings()[0].name == "hole" && live.readings()[0].times.len() == 5);
//! live.change("gauge", &gauge("name = 'hole'\ndisc = { center = [16, 16], radius = 3 }")?)?;
//! assert_eq!(live.readings()[0].column_names, ["volume_m3"]);
//! live.remove("gauge", "hole")?;
//! assert!(live.readings().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backend;
mod device_probe;
mod device_queries;
mod edit_log;
mod error;
mod gauge_edits;
mod gauge_series;
mod gauges;
mod history;
mod journal;
#[expect(clippy::module_inception, reason = "a live world is what it is about")]
mod live;
mod read_back;
mod saved_state;
mod state_hash;

pub use crate::run::ProbeValue;
pub use crate::scene::{Dab, Parameter, ParameterKind, Strength, Tool, ToolKind};
pub use edit_log::EditLog;
pub use error::LiveError;
pub use gauge_series::GaugeSeries;
pub use gauges::GaugeHistory;
pub use history::History;
pub use live::Live;
pub use saved_state::SavedState;
pub use state_hash::{StateHash, hash_after_steps};
