//! Conversion of errors to JavaScript `Error` objects with structured fields.

use headwater_scene::facade::{ErrorKind, FacadeError};
use wasm_bindgen::JsValue;
use web_sys::js_sys::{Error, Reflect};

/// Converts an error of the facade to a JavaScript error object.
#[expect(clippy::needless_pass_by_value, reason = "used with `map_err`")]
pub(crate) fn to_js_error(error: FacadeError) -> JsValue {
    let fault = match error.kind {
        ErrorKind::Scene => "scene",
        ErrorKind::Snapshot => "snapshot",
        ErrorKind::Broken => "broken",
        _ => "input",
    };
    make_error(&error, fault)
}

/// Creates the JavaScript error for a call that cannot use its world. `fault` is `"busy"` (in use
/// by another call) or `"destroyed"`. `found` describes the state of the world, and `allowed` the
/// states in which the call is allowed.
pub(crate) fn world_error(fault: &str, found: &str, allowed: &str) -> JsValue {
    make_error(&FacadeError::invalid_argument("world", found, allowed), fault)
}

/// Creates the JavaScript error for the invalid input `key`. `found` is the invalid value and
/// `allowed` describes the allowed values.
pub(crate) fn input_error(key: &str, found: &str, allowed: &str) -> JsValue {
    make_error(&FacadeError::invalid_argument(key, found, allowed), "input")
}

fn make_error(error: &FacadeError, fault: &str) -> JsValue {
    let made = Error::new(&error.message);
    made.set_name("HeadwaterError");
    let parts = [
        ("fault", Some(fault)),
        ("key", error.key.as_deref()),
        ("found", error.found.as_deref()),
        ("allowed", error.allowed.as_deref()),
    ];
    for (name, part) in parts {
        let part = part.map_or(JsValue::UNDEFINED, JsValue::from);
        // Setting a property of a plain object cannot fail.
        let _ = Reflect::set(&made, &name.into(), &part);
    }
    made.into()
}
