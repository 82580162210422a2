//! A world of `flow` without the facade and what is told across the border, to measure what those cost: `cargo xtask binding-speed`.

use headwater::flow::Flow;
use headwater_scene::flow::FlowWorld;
use headwater_scene::live::Live;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The model alone.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Bare(Flow);

#[wasm_bindgen]
impl Bare {
    /// The world of a scene of `flow`.
    ///
    /// # Errors
    /// Throws a text if it cannot be made.
    pub fn create(text: &str) -> Result<Bare, JsValue> {
        let live = Live::new("bare", text).map_err(|error| JsValue::from(error.to_string()))?;
        let world = live.world().get::<FlowWorld>();
        Ok(Self(world.ok_or_else(|| JsValue::from("a scene of another model"))?.flow.clone()))
    }

    /// Advances it by a time (s), and gives how many steps that took.
    ///
    /// # Errors
    /// Throws a text if the time is no length of time.
    pub fn advance(&mut self, seconds: f64) -> Result<f64, JsValue> {
        let advanced = self.0.advance(seconds).map_err(|error| JsValue::from(error.to_string()))?;
        Ok(advanced.steps as f64)
    }

    /// A hash of its state.
    #[wasm_bindgen(js_name = stateHash)]
    #[must_use]
    pub fn state_hash(&self) -> String {
        format!("{:016x}", self.0.state_hash())
    }
}
