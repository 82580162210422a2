//! What is wrong, as an `Error` with what it is made of.

use headwater_scene::facade::{ErrorKind, FacadeError};
use wasm_bindgen::JsValue;
use web_sys::js_sys::{Error, Reflect};

/// What is thrown for an error.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
pub(crate) fn thrown(error: FacadeError) -> JsValue {
    let fault = match error.kind {
        ErrorKind::Scene => "scene",
        ErrorKind::Snapshot => "snapshot",
        ErrorKind::Broken => "broken",
        _ => "input",
    };
    told(&error, fault)
}

/// That a world cannot be worked with now.
pub(crate) fn unusable(fault: &str, found: &str, allowed: &str) -> JsValue {
    told(&FacadeError::input("world", found, allowed), fault)
}

/// An input that cannot be worked with.
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
        // An error takes whatever is put into it.
        let _ = Reflect::set(&made, &name.into(), &part);
    }
    made.into()
}
