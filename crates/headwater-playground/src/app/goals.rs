//! [`Challenge`]: a goal in a world, measured by its gauges; and the list of challenges.

use headwater_scene::live::GaugeSeries;
use std::sync::Arc;

pub(super) struct Challenge {
    /// Identifier for tests, and name of its world.
    pub(super) name: &'static str,
    pub(super) model: &'static str,
    pub(super) title: &'static str,
    pub(super) goal: &'static str,
    /// Name of a library scene, or a scene text.
    pub(super) scene: &'static str,
    /// Overridden keys and values.
    pub(super) keys: &'static [(&'static str, &'static str)],
    /// Text appended to the scene.
    pub(super) more: &'static str,
    /// Target values of gauges.
    marks: &'static [Mark],
    /// Time limit (the scene's unit of time).
    pub(super) until: f64,
    /// True if the targets must be avoided until the time limit, false if they must be reached
    /// before it.
    pub(super) keeps: bool,
    /// Tools that are not allowed.
    pub(super) without: &'static [&'static str],
    /// True if changes of the weather are allowed.
    pub(super) weather: bool,
    /// Simulated time per second.
    pub(super) speed: f64,
}

/// A target of a gauge: the quantity `head` goes from one value to another. Without a gauge, it is
/// the land gained from the sea (cells).
struct Mark {
    gauge: &'static str,
    head: &'static str,
    from: f64,
    to: f64,
}

const fn mark(gauge: &'static str, head: &'static str, from: f64, to: f64) -> Mark {
    Mark { gauge, head, from, to }
}

/// Tools that add or remove water.
const WATER: &[&str] = &["pour", "rain", "spring", "remove", "sink", "anchor"];

const USUAL: Challenge = Challenge {
    name: "",
    model: "flow",
    title: "",
    goal: "",
    scene: "",
    keys: &[],
    more: "",
    marks: &[],
    until: f64::INFINITY,
    keeps: false,
    without: WATER,
    weather: false,
    speed: 1.0,
};

pub(super) const ALL: &[Challenge] = &[
    Challenge {
        name: "village",
        title: "Save the village",
        goal: "Diggers are going to open the river's bank at 110 s. Keep the village dry until 500 s: raise banks, or fill their trench.",
        scene: "river-divert",
        marks: &[mark("village", "volume_m3", 0.0, 3000.0)],
        until: 500.0,
        keeps: true,
        speed: 5.0,
        ..USUAL
    },
    Challenge {
        name: "fields",
        title: "Irrigate the fields",
        goal: "Lead water of the river to the fields in the north-east: 3 cm on each of the three, before 900 s. Dig.",
        scene: "lowland-river",
        keys: &[("event[0].time", "1000000")],
        more: "\n[[gauge]]\nname = \"field-1\"\nrect = { min = [310, 30], max = [350, 80] }\n\
               \n[[gauge]]\nname = \"field-2\"\nrect = { min = [360, 30], max = [400, 80] }\n\
               \n[[gauge]]\nname = \"field-3\"\nrect = { min = [410, 30], max = [450, 80] }\n",
        marks: &[
            mark("field-1", "volume_m3", 0.0, 60.0),
            mark("field-2", "volume_m3", 0.0, 60.0),
            mark("field-3", "volume_m3", 0.0, 60.0),
        ],
        until: 900.0,
        speed: 10.0,
        ..USUAL
    },
    Challenge {
        name: "breach",
        title: "Breach by noon",
        goal: "Noon is at 240 s. By then the lake has to stand 8 m lower: dig through its dam.",
        scene: "dam-breach",
        keys: &[
            ("event[0].time", "9000"),
            ("event[1].time", "9012"),
            ("event[1].until", "9036"),
            ("event[2].time", "9042"),
            ("event[2].until", "9066"),
            ("event[3].time", "9072"),
            ("event[3].until", "9108"),
        ],
        marks: &[mark("lake", "surface_m", 42.0, 34.0)],
        until: 240.0,
        speed: 5.0,
        ..USUAL
    },
    Challenge {
        name: "moat",
        model: "columns",
        title: "Fill the moat",
        goal: "Fill both of the castle's moats from the lake on the hill. The one in the east needs a tunnel.",
        scene: include_str!("moat.toml"),
        marks: &[mark("west", "volume_m3", 0.0, 7.0), mark("east", "volume_m3", 0.0, 7.0)],
        ..USUAL
    },
    Challenge {
        name: "bridge",
        model: "columns",
        title: "Freeze a bridge",
        goal: "A bridge of ice from bank to bank of the pond, 20 cm thick, before 60 s. The weather is yours.",
        scene: "winter",
        keys: &[("weather.air", "9")],
        more: "\n[[gauge]]\nname = \"ice-1\"\nat = [1.8, 5.6]\n\n[[gauge]]\nname = \"ice-2\"\nat = [3.2, 5.6]\n\
               \n[[gauge]]\nname = \"ice-3\"\nat = [4.8, 5.6]\n\n[[gauge]]\nname = \"ice-4\"\nat = [6.2, 5.6]\n",
        marks: &[
            mark("ice-1", "ice_m", 0.0, 0.2),
            mark("ice-2", "ice_m", 0.0, 0.2),
            mark("ice-3", "ice_m", 0.0, 0.2),
            mark("ice-4", "ice_m", 0.0, 0.2),
        ],
        until: 60.0,
        without: &["wall", "anchor"],
        weather: true,
        ..USUAL
    },
    Challenge {
        name: "delta",
        model: "hydrology",
        title: "Make a delta",
        goal: "Have rivers build 550 cells of new land in the sea before 2.2 drops have fallen on each cell. These hills alone bring too little: let rivers in from outside.",
        scene: include_str!("delta.toml"),
        marks: &[mark("", "", 0.0, 550.0)],
        until: 2.2,
        without: &["raise", "heap", "flatten", "smooth"],
        speed: 0.05,
        ..USUAL
    },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stand {
    On,
    Done,
    Lost,
}

#[derive(Clone)]
pub(super) struct Running {
    pub(super) challenge: &'static Challenge,
    pub(super) stand: Stand,
    /// Time of the decision (the scene's unit of time); before it, the challenge is open.
    decided: f64,
    /// Progress, 0 to 1.
    pub(super) progress: f64,
    /// True if the goal is shown on small screens: until the first edit, and on request.
    pub(super) is_unfolded: bool,
    /// Cells under the sea at the start, if there is one.
    pub(super) sea: Arc<[bool]>,
}

impl Running {
    pub(super) fn new(challenge: &'static Challenge, sea: Vec<bool>) -> Self {
        let sea = sea.into();
        Self { challenge, stand: Stand::On, decided: 0.0, progress: 0.0, is_unfolded: true, sea }
    }

    /// Returns the state as a word, for tests.
    pub(super) fn word(&self) -> &'static str {
        match self.stand {
            Stand::On => "on",
            Stand::Done => "done",
            Stand::Lost => "lost",
        }
    }

    /// Updates the state from the gauge readings and the land gained (cells).
    pub(super) fn look(&mut self, clock: f64, readings: &[GaugeSeries], land: f64) {
        if self.stand != Stand::On {
            if clock >= self.decided {
                return;
            }
            // The player has scrubbed back in time.
            self.stand = Stand::On;
        }
        self.decided = clock;
        let Challenge { marks, until, keeps, .. } = self.challenge;
        let part = |mark: &Mark| {
            let value = if mark.gauge.is_empty() {
                land
            } else {
                let reading = readings.iter().find(|reading| reading.name == mark.gauge);
                let value = reading.and_then(|reading| {
                    let head = reading.heads.iter().position(|head| *head == mark.head)?;
                    reading.values[head].last().copied()
                });
                value.filter(|value| value.is_finite()).unwrap_or(mark.from)
            };
            ((value - mark.from) / (mark.to - mark.from)).clamp(0.0, 1.0)
        };
        let parts: Vec<f64> = marks.iter().map(part).collect();
        let least = parts.iter().copied().fold(1.0, f64::min);
        if *keeps {
            self.progress = (clock / until).min(1.0);
            if least >= 1.0 {
                self.stand = Stand::Lost;
            } else if clock >= *until {
                self.stand = Stand::Done;
            }
        } else {
            self.progress = parts.iter().sum::<f64>() / parts.len().max(1) as f64;
            if least >= 1.0 {
                self.stand = Stand::Done;
            } else if clock > *until {
                self.stand = Stand::Lost;
            }
        }
    }
}
