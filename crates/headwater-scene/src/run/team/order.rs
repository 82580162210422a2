//! What is said in a team.

use super::errand::{Begin, Brought, Errand};
use headwater::{flow, hydrology, waves};
use serde::{Deserialize, Serialize};

/// A part as it is handed out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Start {
    /// Of a world of `flow`.
    Flow(Box<flow::Share>),
    /// Of a world of `waves`.
    Waves(Box<waves::Share>),
    /// Of a land.
    Hydrology(Box<hydrology::Share>),
    /// Rows of a world that nobody has as a whole.
    Held(Box<Begin>),
}

/// What all parts do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Order {
    /// Steps on the way to a time (s), so many at most, of worlds that choose their steps' length.
    StepToward {
        /// The time (s).
        stop: f64,
        /// The most steps.
        most: u64,
    },
    /// Steps of worlds whose steps have one length.
    Steps {
        /// How many.
        count: u64,
        /// What stirs the surface of `waves` in each of them; nothing if it is calm.
        stirred: Vec<waves::Stirred>,
    },
    /// Telling what the part has become.
    Rows,
    /// Something with rows of a world that nobody has as a whole.
    Held(Errand),
}

/// What a part says.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Answer {
    /// A part of `flow` has done steps.
    Flow {
        /// Its time now (s).
        time: f64,
        /// Its steps since the start.
        steps: u64,
        /// What came and went in its rows.
        log: flow::Log,
    },
    /// A part of `waves` has done steps.
    Waves {
        /// Its steps since the start.
        steps: u64,
        /// What came over edges in its rows.
        log: waves::Log,
    },
    /// What a part of `waves` has become.
    WavesRows(Box<waves::PartRows>),
    /// A part of a land has done steps.
    Hydrology {
        /// Its time now (drops per cell).
        time: f64,
        /// Its steps since the start.
        steps: u64,
        /// What came and went in its rows.
        log: hydrology::Log,
    },
    /// What a part of a land has become.
    HydrologyRows(Box<hydrology::PartRows>),
    /// What a part of `flow` has become.
    FlowRows(Box<flow::PartRows>),
    /// What came of an errand.
    Held(Brought),
    /// It cannot do as told, for this reason.
    Refused(String),
}
