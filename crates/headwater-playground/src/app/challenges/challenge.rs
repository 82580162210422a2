//! [`Challenge`]: a goal for the player in a world, measured by gauges. This module also contains
//! the list of all challenges.

use headwater_scene::live::GaugeSeries;
use std::sync::Arc;

pub(in crate::app) struct Challenge {
    /// Identifier of the challenge for tests, and name of its world.
    pub(in crate::app) name: &'static str,
    pub(in crate::app) model: &'static str,
    pub(in crate::app) title: &'static str,
    pub(in crate::app) goal: &'static str,
    /// Name of a library scene, or TOML source of a whole scene.
    pub(in crate::app) scene: &'static str,
    /// Scene keys that the challenge overrides, with their values.
    pub(in crate::app) overrides: &'static [(&'static str, &'static str)],
    /// TOML source that the challenge appends to the scene, such as its gauges.
    pub(in crate::app) extra_text: &'static str,
    /// Targets for gauge readings. The player must reach all of them at the same time or, if
    /// `must_avoid` is true, must prevent this.
    targets: &'static [GaugeTarget],
    /// Time limit, in the scene's unit of time.
    pub(in crate::app) time_limit: f64,
    /// Whether the player must avoid the targets until the time limit. If false, the player must
    /// reach all of them before the time limit.
    pub(in crate::app) must_avoid: bool,
    /// Names of the tools that the player must not use.
    pub(in crate::app) forbidden_tools: &'static [&'static str],
    /// Whether the player may change the weather.
    pub(in crate::app) allows_weather: bool,
    /// Speed of the challenge (simulated time per second of wall time).
    pub(in crate::app) speed: f64,
}

/// Target for a gauge reading. The player must change the quantity `head` of the gauge `gauge` from
/// the initial value `from` to the value `to`. If `gauge` is empty, the target refers to the number
/// of land cells gained from the sea instead.
struct GaugeTarget {
    gauge: &'static str,
    head: &'static str,
    from: f64,
    to: f64,
}

const fn gauge_target(gauge: &'static str, head: &'static str, from: f64, to: f64) -> GaugeTarget {
    GaugeTarget { gauge, head, from, to }
}

/// Names of the tools that add or remove water.
const WATER_TOOLS: &[&str] = &["pour", "rain", "spring", "remove", "sink", "anchor"];

const DEFAULT: Challenge = Challenge {
    name: "",
    model: "flow",
    title: "",
    goal: "",
    scene: "",
    overrides: &[],
    extra_text: "",
    targets: &[],
    time_limit: f64::INFINITY,
    must_avoid: false,
    forbidden_tools: WATER_TOOLS,
    allows_weather: false,
    speed: 1.0,
};

pub(in crate::app) const ALL: &[Challenge] = &[
    Challenge {
        name: "village",
        title: "Save the village",
        goal: "Diggers are going to open the river's bank at 110 s. Keep the village dry until 500 s: raise banks, or fill their trench.",
        scene: "river-divert",
        targets: &[gauge_target("village", "volume_m3", 0.0, 3000.0)],
        time_limit: 500.0,
        must_avoid: true,
        speed: 5.0,
        ..DEFAULT
    },
    Challenge {
        name: "fields",
        title: "Irrigate the fields",
        goal: "Lead water of the river to the fields in the north-east: 3 cm on each of the three, before 900 s. Dig.",
        scene: "lowland-river",
        overrides: &[("event[0].time", "1000000")],
        extra_text: "\n[[gauge]]\nname = \"field-1\"\nrect = { min = [310, 30], max = [350, 80] }\n\
               \n[[gauge]]\nname = \"field-2\"\nrect = { min = [360, 30], max = [400, 80] }\n\
               \n[[gauge]]\nname = \"field-3\"\nrect = { min = [410, 30], max = [450, 80] }\n",
        targets: &[
            gauge_target("field-1", "volume_m3", 0.0, 60.0),
            gauge_target("field-2", "volume_m3", 0.0, 60.0),
            gauge_target("field-3", "volume_m3", 0.0, 60.0),
        ],
        time_limit: 900.0,
        speed: 10.0,
        ..DEFAULT
    },
    Challenge {
        name: "breach",
        title: "Breach by noon",
        goal: "Noon is at 240 s. By then the lake has to stand 8 m lower: dig through its dam.",
        scene: "dam-breach",
        overrides: &[
            ("event[0].time", "9000"),
            ("event[1].time", "9012"),
            ("event[1].until", "9036"),
            ("event[2].time", "9042"),
            ("event[2].until", "9066"),
            ("event[3].time", "9072"),
            ("event[3].until", "9108"),
        ],
        targets: &[gauge_target("lake", "surface_m", 42.0, 34.0)],
        time_limit: 240.0,
        speed: 5.0,
        ..DEFAULT
    },
    Challenge {
        name: "moat",
        model: "columns",
        title: "Fill the moat",
        goal: "Fill both of the castle's moats from the lake on the hill. The one in the east needs a tunnel.",
        scene: include_str!("moat.toml"),
        targets: &[
            gauge_target("west", "volume_m3", 0.0, 7.0),
            gauge_target("east", "volume_m3", 0.0, 7.0),
        ],
        ..DEFAULT
    },
    Challenge {
        name: "bridge",
        model: "columns",
        title: "Freeze a bridge",
        goal: "A bridge of ice from bank to bank of the pond, 20 cm thick, before 60 s. The weather is yours.",
        scene: "winter",
        overrides: &[("weather.air", "9")],
        extra_text: "\n[[gauge]]\nname = \"ice-1\"\nat = [1.8, 5.6]\n\n[[gauge]]\nname = \"ice-2\"\nat = [3.2, 5.6]\n\
               \n[[gauge]]\nname = \"ice-3\"\nat = [4.8, 5.6]\n\n[[gauge]]\nname = \"ice-4\"\nat = [6.2, 5.6]\n",
        targets: &[
            gauge_target("ice-1", "ice_m", 0.0, 0.2),
            gauge_target("ice-2", "ice_m", 0.0, 0.2),
            gauge_target("ice-3", "ice_m", 0.0, 0.2),
            gauge_target("ice-4", "ice_m", 0.0, 0.2),
        ],
        time_limit: 60.0,
        forbidden_tools: &["wall", "anchor"],
        allows_weather: true,
        ..DEFAULT
    },
    Challenge {
        name: "delta",
        model: "hydrology",
        title: "Make a delta",
        goal: "Have rivers build 550 cells of new land in the sea before 2.2 drops have fallen on each cell. These hills alone bring too little: let rivers in from outside.",
        scene: include_str!("delta.toml"),
        targets: &[gauge_target("", "", 0.0, 550.0)],
        time_limit: 2.2,
        forbidden_tools: &["raise", "heap", "flatten", "smooth"],
        speed: 0.05,
        ..DEFAULT
    },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum ChallengeState {
    On,
    Done,
    Lost,
}

#[derive(Clone)]
pub(in crate::app) struct ActiveChallenge {
    pub(in crate::app) challenge: &'static Challenge,
    pub(in crate::app) state: ChallengeState,
    /// Simulated time at which the challenge was decided (won or lost). If the world returns to an
    /// earlier time, the challenge is undecided again.
    decided_at: f64,
    /// Progress of the challenge, 0 to 1.
    pub(in crate::app) progress: f64,
    /// Whether the goal's description is shown on a canvas of small height. The value is true until
    /// the first edit; after that, a button toggles it.
    pub(in crate::app) is_goal_shown: bool,
    /// For each cell, whether it was below sea level at the start; empty in a world without sea.
    pub(in crate::app) sea: Arc<[bool]>,
}

impl ActiveChallenge {
    pub(in crate::app) fn new(challenge: &'static Challenge, sea: Vec<bool>) -> Self {
        let sea = sea.into();
        Self {
            challenge,
            state: ChallengeState::On,
            decided_at: 0.0,
            progress: 0.0,
            is_goal_shown: true,
            sea,
        }
    }

    /// Returns the state of the challenge as a word, for tests.
    pub(in crate::app) fn state_name(&self) -> &'static str {
        match self.state {
            ChallengeState::On => "on",
            ChallengeState::Done => "done",
            ChallengeState::Lost => "lost",
        }
    }

    /// Updates the state at the simulated time `clock`, from the gauge readings and the number of
    /// cells of land gained.
    pub(in crate::app) fn update(&mut self, clock: f64, readings: &[GaugeSeries], land: f64) {
        if self.state != ChallengeState::On {
            if clock >= self.decided_at {
                return;
            }
            // The player has scrubbed back to a time before the decision.
            self.state = ChallengeState::On;
        }
        self.decided_at = clock;
        let Challenge { targets, time_limit, must_avoid, .. } = self.challenge;
        let part = |target: &GaugeTarget| {
            let value = if target.gauge.is_empty() {
                land
            } else {
                let reading = readings.iter().find(|reading| reading.name == target.gauge);
                let value = reading.and_then(|reading| {
                    let head = reading.column_names.iter().position(|head| *head == target.head)?;
                    reading.values[head].last().copied()
                });
                value.filter(|value| value.is_finite()).unwrap_or(target.from)
            };
            ((value - target.from) / (target.to - target.from)).clamp(0.0, 1.0)
        };
        let parts: Vec<f64> = targets.iter().map(part).collect();
        let lowest = parts.iter().copied().fold(1.0, f64::min);
        if *must_avoid {
            self.progress = (clock / time_limit).min(1.0);
            if lowest >= 1.0 {
                self.state = ChallengeState::Lost;
            } else if clock >= *time_limit {
                self.state = ChallengeState::Done;
            }
        } else {
            self.progress = parts.iter().sum::<f64>() / parts.len().max(1) as f64;
            if lowest >= 1.0 {
                self.state = ChallengeState::Done;
            } else if clock > *time_limit {
                self.state = ChallengeState::Lost;
            }
        }
    }
}
