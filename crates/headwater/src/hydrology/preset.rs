//! Sets of parameters for lands of a kind.

use super::params::Params;
use crate::parameter::choices;
use serde::{Deserialize, Serialize};

choices! {
    /// A land of a kind, as values for some of its [`Params`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Preset {
        /// Rough and steep: bare rock that stands at 50°, gorges, little soil.
        Young = "young",
        /// Worn down: deep soil that creeps, gentle slopes, wide valleys between round hills.
        Old = "old",
        /// As after ice: broad troughs with flat floors between smooth steep walls, and lakes that stay.
        Glacial = "glacial",
    }
}

impl Preset {
    /// Some parameters with this land's values, the others as they are.
    pub fn over(self, params: Params) -> Params {
        match self {
            Self::Young => Params {
                capacity: 0.2,
                rock: 0.3,
                rock_repose: 1.2,
                repose: 0.8,
                weathering: 0.005,
                creep: 0.02,
                width: 0.02,
                ..params
            },
            Self::Old => Params {
                capacity: 0.1,
                rock: 0.7,
                rock_repose: 0.6,
                repose: 0.4,
                soil: 4.0,
                weathering: 0.06,
                creep: 0.4,
                width: 0.08,
                evaporation: 0.6,
                ..params
            },
            Self::Glacial => Params {
                capacity: 0.15,
                rock: 0.5,
                rock_repose: 1.4,
                repose: 0.5,
                weathering: 0.02,
                creep: 0.3,
                width: 0.35,
                evaporation: 0.1,
                ..params
            },
        }
    }
}

impl Params {
    /// The defaults for a land of a kind.
    pub fn of(preset: Preset) -> Self {
        preset.over(Self::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_sound_differ_and_leave_what_is_not_theirs() {
        let base = Params { seed: 7, sea: 12.0, ..Params::default() };
        for (i, &(_, preset)) in Preset::ALL.iter().enumerate() {
            let params = preset.over(base.clone());
            params.validate().unwrap();
            assert_eq!((params.seed, params.sea), (7, 12.0));
            assert_ne!(params, base);
            assert!(Preset::ALL[..i].iter().all(|(_, other)| other.over(base.clone()) != params));
        }
    }
}
