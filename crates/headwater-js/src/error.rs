//! Errors as JavaScript `Error` objects with structured fields.

use headwater_scene::facade::{FacadeError, Fault};
use wasm_bindgen::JsValue;
use web_sys::js_sys::{Error, Reflect};

/// Returns the JavaScript error for a facade error.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
pub(crate) fn thrown(error: FacadeError) -> JsValue {
    let fault = match error.fault {
        Fault::Scene => "scene",
        Fault::Snapshot => "snapshot",
        Fault::Broken => "broken",
        _ => "input",
    };
    told(&error, fault)
}

/// Returns the error of a world that is busy or destroyed.
pub(crate) fn unusable(fault: &str, found: &str, allowed: &str) -> JsValue {
    told(&FacadeError::input("world", found, allowed), fault)
}

/// Returns the error of an invalid input.
pub(crate) fn input(key: &str, found: &str, allowed: &str) -> JsValue {
    told(&FacadeError::input(key, found, allowed), "input")
}

fn told(error: &FacadeError, fault: &str) -> JsValue {
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
