//! The values of a scene that can be changed while its world runs.

use headwater::parameter::{Kind, Mutability, Setting, Value};

/// A value that can be changed while the world runs, by [`Live::set`](super::Live::set).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its key in the scene, such as `physics.manning`.
    pub key: String,
    /// A word or two for a slider.
    pub label: String,
    /// As it is now; of a switch, 0 or 1.
    pub value: f64,
    /// Its unit; empty for none.
    pub unit: &'static str,
    /// What a slider should cover.
    pub soft: [f64; 2],
    /// What is allowed.
    pub hard: [f64; 2],
    /// Whether a slider should be logarithmic.
    pub logarithmic: bool,
    /// How its value is written.
    pub kind: ParameterKind,
    /// What it is, in a sentence.
    pub doc: &'static str,
}

/// How the value of a parameter is written in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// Any number.
    Number,
    /// A whole number.
    Whole,
    /// `true` or `false`.
    Switch,
}

impl Parameter {
    /// A value as [`Live::set`](super::Live::set) takes it.
    pub fn write(&self, value: f64) -> toml::Value {
        match self.kind {
            ParameterKind::Number => value.into(),
            ParameterKind::Whole => toml::Value::Integer(value.round() as i64),
            ParameterKind::Switch => (value != 0.0).into(),
        }
    }
}

/// Those of a model's parameters that sliders and switches can change while its world runs; of a pair of numbers, one each.
pub(crate) fn of_settings(settings: Vec<Setting>) -> Vec<Parameter> {
    let live = settings.into_iter().filter(|setting| setting.mutability == Mutability::Live);
    live.flat_map(|setting| match setting.value {
        Value::Pair(pair) => {
            let names = [("[0]", " to the east"), ("[1]", " to the south")];
            let parts = names.into_iter().zip(pair);
            parts.filter_map(|(names, v)| of_setting(&setting, names, Some(v))).collect::<Vec<_>>()
        }
        ref value => of_setting(&setting, ("", ""), value.as_number()).into_iter().collect(),
    })
    .collect()
}

/// What a slider changes of a model's parameter, if one does: `names` are what of its key and label tells the part.
fn of_setting(setting: &Setting, names: (&str, &str), value: Option<f64>) -> Option<Parameter> {
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

/// Sliders over several powers of ten, from above 0.
fn is_logarithmic(soft: [f64; 2]) -> bool {
    soft[0] > 0.0 && soft[1] / soft[0] >= 100.0
}
