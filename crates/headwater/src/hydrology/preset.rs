//! Parameter presets for types of landscape.

use super::params::Params;
use crate::parameter::choices;
use serde::{Deserialize, Serialize};

choices! {
    /// Type of landscape, which determines the values of some [`Params`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Preset {
        /// Young, rugged and steep mountains: bare rock that is stable up to 50°, gorges, and
        /// little soil.
        Young = "young",
        /// Old, worn-down land: deep creeping soil, gentle slopes, and wide valleys between rounded
        /// hills.
        Old = "old",
        /// Glaciated land: broad troughs with flat floors between smooth steep walls, and lakes
        /// that persist.
        Glacial = "glacial",
    }
}

impl Preset {
    /// Returns a copy of `params` in which the values of this preset are set. All other parameters
    /// keep their values.
    pub fn apply_to(self, params: Params) -> Params {
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
    /// Returns the default parameters with the values of a preset.
    pub fn from_preset(preset: Preset) -> Self {
        preset.apply_to(Self::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_valid_and_distinct_and_keep_other_parameters() {
        let base = Params { seed: 7, sea: 12.0, ..Params::default() };
        for (i, &(_, preset)) in Preset::ALL.iter().enumerate() {
            let params = preset.apply_to(base.clone());
            params.validate().unwrap();
            assert_eq!((params.seed, params.sea), (7, 12.0));
            assert_ne!(params, base);
            assert!(
                Preset::ALL[..i].iter().all(|(_, other)| other.apply_to(base.clone()) != params)
            );
        }
    }
}
