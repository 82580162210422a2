//! [`Parameter`]: value of a scene that can be changed while the world runs, described for a user
//! interface with sliders.

use headwater::parameter::{Kind, Mutability, Setting, Value};

/// A value of the scene that can be changed with [`Live::set`](super::Live::set) while the world
/// runs, described for a slider or switch.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Key in the scene, such as `physics.manning`.
    pub key: String,
    /// Short label for a slider or switch.
    pub label: String,
    /// Current value; 0 or 1 for a Boolean.
    pub value: f64,
    /// Unit; empty if the value is dimensionless.
    pub unit: &'static str,
    /// Lowest and highest value of the slider.
    pub soft: [f64; 2],
    /// Lowest and highest allowed value.
    pub hard: [f64; 2],
    /// Whether the slider should be logarithmic.
    pub logarithmic: bool,
    /// Type of the value.
    pub kind: ParameterKind,
    /// Description of the parameter in one sentence.
    pub doc: &'static str,
}

/// Type of a parameter's value in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// Any number (TOML float).
    Number,
    /// Integer.
    Whole,
    /// Boolean.
    Switch,
}

impl Parameter {
    /// Converts a slider value to the scene's type, for [`Live::set`](super::Live::set). Integers
    /// are rounded; any value except 0 is `true`.
    pub fn write(&self, value: f64) -> toml::Value {
        match self.kind {
            ParameterKind::Number => value.into(),
            ParameterKind::Whole => toml::Value::Integer(value.round() as i64),
            ParameterKind::Switch => (value != 0.0).into(),
        }
    }
}

/// Returns the parameters that can be changed while the world runs. A pair of numbers becomes two
/// parameters.
pub(crate) fn from_settings(settings: Vec<Setting>) -> Vec<Parameter> {
    let live = settings.into_iter().filter(|setting| setting.mutability == Mutability::Live);
    live.flat_map(|setting| match setting.value {
        Value::Pair(pair) => {
            let names = [("[0]", " to the east"), ("[1]", " to the south")];
            let parts = names.into_iter().zip(pair);
            parts
                .filter_map(|(names, v)| from_setting(&setting, names, Some(v)))
                .collect::<Vec<_>>()
        }
        ref value => from_setting(&setting, ("", ""), value.as_number()).into_iter().collect(),
    })
    .collect()
}

/// Returns the parameter for a setting, or `None` if it is a choice of words. `names` are suffixes
/// of key and label.
fn from_setting(setting: &Setting, names: (&str, &str), value: Option<f64>) -> Option<Parameter> {
    let &Setting { ref key, label, unit, doc, kind, allowed, slider_range, .. } = setting;
    let (kind, hard) = match kind {
        Kind::Number | Kind::OptionalNumber | Kind::Series | Kind::OptionalSeries | Kind::Pair => {
            (ParameterKind::Number, [allowed.min(), allowed.high])
        }
        Kind::Integer => (ParameterKind::Whole, [allowed.min(), allowed.high]),
        Kind::Bool => (ParameterKind::Switch, [0.0, 1.0]),
        Kind::Choice(_) => return None,
    };
    let (key, label) = (format!("{key}{}", names.0), format!("{label}{}", names.1));
    let logarithmic = is_logarithmic(slider_range);
    Some(Parameter {
        key,
        label,
        value: value?,
        unit,
        soft: slider_range,
        hard,
        logarithmic,
        kind,
        doc,
    })
}

/// Returns whether a range spans at least two powers of ten and excludes zero.
fn is_logarithmic(soft: [f64; 2]) -> bool {
    soft[0] > 0.0 && soft[1] / soft[0] >= 100.0
}
