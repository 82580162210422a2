//! Functions that create JavaScript objects and arrays.

use wasm_bindgen::JsValue;
use web_sys::js_sys::{Array, Object, Reflect};

/// Creates a JavaScript object with the given property names and values.
pub(crate) fn create_object<const N: usize>(properties: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in properties {
        // Setting a property of a plain object cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

/// Creates a JavaScript object from pairs of a property name and a value. The names may be computed
/// at run time.
pub(crate) fn create_object_from(parts: impl IntoIterator<Item = (String, JsValue)>) -> JsValue {
    let object = Object::new();
    for (name, value) in parts {
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

/// Creates a JavaScript array that contains the given values.
pub(crate) fn create_array(items: impl IntoIterator<Item = JsValue>) -> JsValue {
    items.into_iter().collect::<Array>().into()
}

/// Creates a JavaScript array of two numbers.
pub(crate) fn create_pair([a, b]: [f64; 2]) -> JsValue {
    create_array([a.into(), b.into()])
}
