//! Conversion of JavaScript values to the values of scene files.

use crate::error::input_error;
use toml::Value;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::js_sys::{Array, JSON, Object};

/// Converts a JavaScript value to a TOML value. `value_name` names the value in the error message.
fn to_toml(value: &JsValue, value_name: &str) -> Result<Value, JsValue> {
    let allowed = "a boolean, a number, a string, or lists and objects of them";
    let refuse = |found: &str| input_error(value_name, found, allowed);
    let text = JSON::stringify(value).map_err(|_| refuse("a value that JSON cannot represent"))?;
    let text = text.as_string().ok_or_else(|| refuse("undefined"))?;
    serde_json::from_str(&text).map_err(|error| refuse(&error.to_string()))
}

/// Converts a JavaScript value to a string argument. `argument_name` names the argument in the
/// error message. Arguments must not be declared as `&str`, because a value of another type could
/// then corrupt the module.
pub(crate) fn to_text(value: &JsValue, argument_name: &str) -> Result<String, JsValue> {
    value.as_string().ok_or_else(|| input_error(argument_name, "another type", "a string"))
}

/// Converts a JavaScript number to an unsigned integer, and rejects fractions and large values,
/// which wasm-bindgen would truncate or wrap. `argument_name` names the value in the error message.
pub(crate) fn to_u32(value: f64, argument_name: &str) -> Result<u32, JsValue> {
    if value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0 {
        return Ok(value as u32);
    }
    Err(input_error(argument_name, &value.to_string(), "a whole number from 0 to 4294967295"))
}

/// Formats a JavaScript value as a value in a scene file. A string is returned unchanged.
pub(crate) fn to_scene_text(value: &JsValue, value_name: &str) -> Result<String, JsValue> {
    match (value.as_string(), value.as_f64()) {
        (Some(text), _) => Ok(text),
        // JSON cannot represent these numbers, but scene files can.
        (_, Some(number)) if !number.is_finite() => Ok(Value::Float(number).to_string()),
        _ => Ok(to_toml(value, value_name)?.to_string()),
    }
}

/// Converts an item of a list in a scene, given as an object or a TOML string, to a TOML string.
pub(crate) fn entry_to_toml(value: &JsValue) -> Result<String, JsValue> {
    if let Some(text) = value.as_string() {
        return Ok(text);
    }
    match to_toml(value, "an entry")? {
        Value::Table(table) => Ok(table.to_string()),
        other => Err(input_error("an entry", other.type_str(), "an object or a text of TOML")),
    }
}

/// Converts an object with overrides of a scene to pairs of the scene key and the formatted value.
pub(crate) fn parse_overrides(set: &JsValue) -> Result<Vec<(String, String)>, JsValue> {
    if set.is_undefined() || set.is_null() {
        return Ok(Vec::new());
    }
    if !set.is_object() {
        return Err(input_error("set", "no object", "one such as { \"grid.nx\": 256 }"));
    }
    let pairs = Object::entries(set.unchecked_ref());
    let pairs = pairs.iter().map(|pair| {
        let pair = Array::from(&pair);
        let key = pair.get(0).as_string().unwrap_or_default();
        let text = to_scene_text(&pair.get(1), &key)?;
        Ok((key, text))
    });
    pairs.collect()
}
