//! Conversion of JavaScript objects to the places to which edits, springs and drains apply.

use crate::error::{input_error, to_js_error};
use headwater_scene::facade::Place;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::js_sys::{Array, Object, Reflect};

/// Returns the value of a property of an object; undefined if the object has no such property.
pub(crate) fn property(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// Converts a JavaScript object such as `{ disc: { center: [200, 150], radius: 12 }, falloff:
/// "smooth" }` to a place.
pub(crate) fn parse_place(object: &JsValue) -> Result<Place, JsValue> {
    check_keys(object)?;
    let falloff = match property(object, "falloff") {
        none if none.is_undefined() => "flat".to_owned(),
        falloff => {
            falloff.as_string().ok_or_else(|| input_error("falloff", "another type", "a string"))?
        }
    };
    let find = |kind| Some(property(object, kind)).filter(|found| !found.is_undefined());
    let made = if let Some(disc) = find("disc") {
        let center = parse_point(&property(&disc, "center"), "center")?;
        Place::new("disc", &[center], parse_number(&property(&disc, "radius"), "radius")?, &falloff)
    } else if let Some(rect) = find("rect") {
        let corners = ["min", "max"].map(|name| parse_point(&property(&rect, name), name));
        let [min, max] = corners;
        Place::new("rect", &[min?, max?], 0.0, &falloff)
    } else if let Some(line) = find("line") {
        let width = parse_number(&property(&line, "width"), "width")?;
        Place::new("line", &parse_points(&property(&line, "points"))?, width, &falloff)
    } else if let Some(polygon) = find("polygon") {
        Place::new("polygon", &parse_points(&polygon)?, 0.0, &falloff)
    } else if let Some(everywhere) = find("everywhere") {
        if everywhere != JsValue::TRUE {
            return Err(input_error("everywhere", "something else", "true"));
        }
        Place::new("everywhere", &[], 0.0, &falloff)
    } else {
        let allowed = "an object with disc, rect, line, polygon or everywhere";
        return Err(input_error("a place", "something else", allowed));
    };
    made.map_err(to_js_error)
}

/// Checks that an object has only known properties and describes a single place.
///
/// # Errors
/// Returns a JavaScript error if a property is unknown or if there is more than one place.
fn check_keys(object: &JsValue) -> Result<(), JsValue> {
    let Some(object) = object.dyn_ref::<Object>() else { return Ok(()) };
    let mut places = Vec::new();
    for name in Object::keys(object).iter().filter_map(|name| name.as_string()) {
        match name.as_str() {
            "falloff" => {}
            "disc" | "rect" | "line" | "polygon" | "everywhere" => places.push(name),
            _ => {
                let allowed = "disc, rect, line, polygon, everywhere, falloff";
                return Err(input_error("a place", &format!("\"{name}\""), allowed));
            }
        }
    }
    if places.len() > 1 {
        return Err(input_error("a place", &places.join(" and "), "one of them"));
    }
    Ok(())
}

/// Converts a JavaScript value to a number. `value_name` names the value in the error message.
///
/// # Errors
/// Returns a JavaScript error if the value is not a number.
pub(crate) fn parse_number(value: &JsValue, value_name: &str) -> Result<f64, JsValue> {
    value.as_f64().ok_or_else(|| input_error(value_name, "no number", "a number"))
}

/// Converts a JavaScript array of two numbers to a point. `value_name` names the value in the error
/// message.
///
/// # Errors
/// Returns a JavaScript error if the value is not an array of two numbers.
pub(crate) fn parse_point(value: &JsValue, value_name: &str) -> Result<[f64; 2], JsValue> {
    if !Array::is_array(value) || Array::from(value).length() != 2 {
        return Err(input_error(value_name, "something else", "a list of two numbers"));
    }
    let both = Array::from(value);
    Ok([parse_number(&both.get(0), value_name)?, parse_number(&both.get(1), value_name)?])
}

fn parse_points(value: &JsValue) -> Result<Vec<[f64; 2]>, JsValue> {
    if !Array::is_array(value) {
        return Err(input_error("points", "no list", "a list of points"));
    }
    Array::from(value).iter().map(|one| parse_point(&one, "a point")).collect()
}
