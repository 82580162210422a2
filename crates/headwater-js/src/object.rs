//! Objects and lists that are told.

use wasm_bindgen::JsValue;
use web_sys::js_sys::{Array, Object, Reflect};

/// An object of these values.
pub(crate) fn object<const N: usize>(parts: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in parts {
        // A new object takes whatever is put into it.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

/// An object of values by names.
pub(crate) fn by_name(parts: impl IntoIterator<Item = (String, JsValue)>) -> JsValue {
    let object = Object::new();
    for (name, value) in parts {
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

/// A list.
pub(crate) fn list(all: impl IntoIterator<Item = JsValue>) -> JsValue {
    all.into_iter().collect::<Array>().into()
}

/// Two numbers.
pub(crate) fn pair([a, b]: [f64; 2]) -> JsValue {
    list([a.into(), b.into()])
}
