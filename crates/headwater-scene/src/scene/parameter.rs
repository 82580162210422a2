//! [`Parameter`]: a value of a scene that can be changed while the world runs, described for a user
//! interface.

use headwater::parameter::{Kind, Mutability, Setting, Value};

/// Value of a scene that [`Live::set`](crate::live::Live::set) can change while the world runs. The
/// description is sufficient to show a slider or a switch.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Key in the scene, such as `physics.manning`.
    pub key: String,
    /// Short label of the slider or switch, for the user.
    pub label: String,
    /// Current value. Booleans are 0 or 1.
    pub value: f64,
    /// Unit of the value; empty if it is dimensionless.
    pub unit: &'static str,
    /// Lowest and highest value of the slider, in `unit`.
    pub slider_range: [f64; 2],
    /// Lowest and highest value that the scene allows, in `unit`.
    pub allowed_range: [f64; 2],
    /// Whether the slider should be logarithmic.
    pub logarithmic: bool,
    /// Type of the value in the scene.
    pub kind: ParameterKind,
    /// Description of the parameter for the user, in one sentence.
    pub doc: &'static str,
}

/// Type of a parameter's value in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// Floating-point number.
    Number,
    /// Integer.
    Integer,
    /// Boolean.
    Boolean,
}

impl Parameter {
    /// Converts a slider value to the type that the parameter's value has in the scene, for
    /// [`Live::set`](crate::live::Live::set). Integers are rounded. For a Boolean, any value except
    /// 0 is `true`.
    pub fn to_toml_value(&self, value: f64) -> toml::Value {
        match self.kind {
            ParameterKind::Number => value.into(),
            ParameterKind::Integer => toml::Value::Integer(value.round() as i64),
            ParameterKind::Boolean => (value != 0.0).into(),
        }
    }
}

/// Returns the parameters that can be changed while the world runs. A setting that is a pair of
/// numbers results in two parameters.
pub(crate) fn parameters_from_settings(settings: Vec<Setting>) -> Vec<Parameter> {
    let live = settings.into_iter().filter(|setting| setting.mutability == Mutability::Live);
    live.flat_map(|setting| match setting.value {
        Value::Pair(pair) => {
            let names = [("[0]", " to the east"), ("[1]", " to the south")];
            let parts = names.into_iter().zip(pair);
            parts
                .filter_map(|(names, v)| parameter_from_setting(&setting, names, Some(v)))
                .collect::<Vec<_>>()
        }
        ref value => {
            parameter_from_setting(&setting, ("", ""), value.as_number()).into_iter().collect()
        }
    })
    .collect()
}

/// Creates the parameter for a setting whose current value is `value`. Returns `None` if the
/// setting is a choice between words or has no value. `names` contains two suffixes, for the key
/// and for the label of the parameter.
fn parameter_from_setting(
    setting: &Setting,
    names: (&str, &str),
    value: Option<f64>,
) -> Option<Parameter> {
    let &Setting { ref key, label, unit, doc, kind, allowed, slider_range, .. } = setting;
    let (kind, allowed_range) = match kind {
        Kind::Number | Kind::OptionalNumber | Kind::Series | Kind::OptionalSeries | Kind::Pair => {
            (ParameterKind::Number, [allowed.min(), allowed.high])
        }
        Kind::Integer => (ParameterKind::Integer, [allowed.min(), allowed.high]),
        Kind::Bool => (ParameterKind::Boolean, [0.0, 1.0]),
        Kind::Choice(_) => return None,
    };
    let (key, label) = (format!("{key}{}", names.0), format!("{label}{}", names.1));
    let logarithmic = is_logarithmic(slider_range);
    Some(Parameter {
        key,
        label,
        value: value?,
        unit,
        slider_range,
        allowed_range,
        logarithmic,
        kind,
        doc,
    })
}

/// Returns whether a slider with this range should be logarithmic. This is so if the range is
/// positive and spans at least two powers of ten.
fn is_logarithmic(slider_range: [f64; 2]) -> bool {
    slider_range[0] > 0.0 && slider_range[1] / slider_range[0] >= 100.0
}
