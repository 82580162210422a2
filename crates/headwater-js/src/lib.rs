//! Worlds of Headwater for JavaScript, exported by wasm-bindgen. The module is a thin layer over
//! [`headwater_scene::facade`], with a method for each method of the facade.
//!
//! Data is copied between the memories of WebAssembly and JavaScript: layers are written to typed
//! arrays of the caller. A view of the module's memory would be detached whenever that memory
//! grows.

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
pub use bare::BareFlow;
pub use world::World;

use headwater_scene::facade::Facade;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Installs a hook that reports panics on the console. It is called when the module is loaded.
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

/// Returns the names of the built-in scenes whose models are in this module. The first scene is the
/// one recommended for beginners.
#[wasm_bindgen]
#[must_use]
pub fn scenes() -> Vec<String> {
    let reader = models::reader();
    let known = |name: &&str| {
        Facade::scene_text(name).is_ok_and(|text| models::contains_model_of(&reader, text))
    };
    Facade::scenes().filter(known).map(str::to_owned).collect()
}

/// Returns the TOML source of the built-in scene with the given name.
///
/// # Errors
/// Throws a `HeadwaterError` if there is no scene of that name.
#[wasm_bindgen(js_name = sceneText)]
pub fn scene_text(
    #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
) -> Result<String, JsValue> {
    let name = value::to_text(name, "name")?;
    Facade::scene_text(&name).map(str::to_owned).map_err(error::to_js_error)
}

/// Checks a scene, given as TOML source, without creating a world.
///
/// # Errors
/// Throws a `HeadwaterError` that lists all errors in the scene.
#[wasm_bindgen]
pub fn check(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Record<string, Value>")] set: &JsValue,
) -> Result<(), JsValue> {
    let scene = models::reader().parse(
        "scene",
        &value::to_text(text, "text")?,
        &value::parse_overrides(set)?,
    );
    scene.map(|_| ()).map_err(|error| error::to_js_error(error.into()))
}
