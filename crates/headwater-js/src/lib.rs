//! Headwater's worlds for JavaScript, by wasm-bindgen. It is thin over [`headwater_scene::facade`], whose every call has a method here.
//!
//! What crosses the border is copied: layers go into typed arrays that the caller keeps. A view of this module's memory would be detached as
//! soon as the memory grows.

#[cfg(feature = "bare")]
mod bare;
mod body;
mod error;
mod models;
mod object;
mod place;
mod springs;
mod types;
mod value;
mod view;
mod world;

#[cfg(feature = "bare")]
pub use bare::Bare;
pub use world::World;

use headwater_scene::facade::Facade;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Has what goes wrong inside tell itself on the console.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        let console = web_sys::js_sys::Reflect::get(&web_sys::js_sys::global(), &"console".into());
        console.ok().and_then(|console| {
            let error = web_sys::js_sys::Reflect::get(&console, &"error".into()).ok()?;
            let error: web_sys::js_sys::Function = wasm_bindgen::JsCast::dyn_into(error).ok()?;
            error.call1(&console, &format!("a fault of Headwater: {info}").into()).ok()
        });
    }));
}

/// The names of the library's scenes, of the models that this module has, the one to begin with first.
#[wasm_bindgen]
#[must_use]
pub fn scenes() -> Vec<String> {
    let reader = models::reader();
    let known =
        |name: &&str| Facade::scene_text(name).is_ok_and(|text| models::reads(&reader, text));
    Facade::scenes().filter(known).map(str::to_owned).collect()
}

/// The text of a scene of the library.
///
/// # Errors
/// Throws a `HeadwaterError` if there is none of that name.
#[wasm_bindgen(js_name = sceneText)]
pub fn scene_text(
    #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
) -> Result<String, JsValue> {
    let name = value::word(name, "name")?;
    Facade::scene_text(&name).map(str::to_owned).map_err(error::thrown)
}

/// Checks a scene's text without making its world.
///
/// # Errors
/// Throws a `HeadwaterError` with all that is wrong with it.
#[wasm_bindgen]
pub fn check(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Record<string, Value>")] set: &JsValue,
) -> Result<(), JsValue> {
    let scene =
        models::reader().parse("scene", &value::word(text, "text")?, &value::overrides(set)?);
    scene.map(|_| ()).map_err(|error| error::thrown(error.into()))
}
