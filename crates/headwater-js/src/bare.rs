//! World of the model `flow` for speed comparisons. It bypasses the facade (the common interface of
//! all bindings) and the JavaScript binding. `cargo xtask binding-speed` compares this world with
//! the package to measure the overhead of the package.

use headwater::flow::Flow;
use headwater_scene::flow::FlowWorld;
use headwater_scene::live::Live;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// World of the model `flow` as a JavaScript class, without the facade (the common interface of all
/// bindings).
#[wasm_bindgen]
#[derive(Debug)]
pub struct BareFlow(Flow);

#[wasm_bindgen]
impl BareFlow {
    /// Creates the world of a `flow` scene. `text` is the TOML source of the scene.
    ///
    /// # Errors
    /// Throws a string if the scene is invalid.
    pub fn create(text: &str) -> Result<BareFlow, JsValue> {
        let live = Live::new("bare", text).map_err(|error| JsValue::from(error.to_string()))?;
        let world = live.world().get::<FlowWorld>();
        Ok(Self(world.ok_or_else(|| JsValue::from("a scene of another model"))?.flow.clone()))
    }

    /// Advances the world by a duration (s). Returns the number of steps performed.
    ///
    /// # Errors
    /// Throws a string if the duration is not valid.
    pub fn advance(&mut self, seconds: f64) -> Result<f64, JsValue> {
        let advanced = self.0.advance(seconds).map_err(|error| JsValue::from(error.to_string()))?;
        Ok(advanced.steps as f64)
    }

    /// Returns a hash of the state as a string of hexadecimal digits.
    #[wasm_bindgen(js_name = stateHash)]
    #[must_use]
    pub fn state_hash(&self) -> String {
        format!("{:016x}", self.0.state_hash())
    }
}
