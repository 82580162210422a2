//! Methods of [`World`] that add, replace, remove and list floating bodies.

use crate::object::{create_array, create_object, create_pair};
use crate::place::{parse_number, parse_point, property};
use crate::value::to_u32;
use crate::world::World;
use headwater::model::BodyState;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Converts a JavaScript object with the properties of a floating body to a [`BodyState`].
fn parse_body(object: &JsValue) -> Result<BodyState, JsValue> {
    let or = |name, else_: JsValue| match property(object, name) {
        none if none.is_undefined() => else_,
        found => found,
    };
    Ok(BodyState {
        position: parse_point(&property(object, "position"), "position")?,
        size: parse_point(&property(object, "size"), "size")?,
        heading: parse_number(&or("heading", 0.into()), "heading")?,
        velocity: parse_point(&or("velocity", create_pair([0.0; 2])), "velocity")?,
        draft: parse_number(&or("draft", 0.1.into()), "draft")?,
    })
}

#[wasm_bindgen]
impl World {
    /// Adds a floating body with the given properties and returns its id.
    #[wasm_bindgen(js_name = addBody)]
    pub fn add_body(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Body")] body: &JsValue,
    ) -> Result<u32, JsValue> {
        let body = self::parse_body(body)?;
        self.with_facade(|facade| facade.add_body(body))
    }

    /// Replaces the state of a floating body, for example to move it or to change its velocity.
    #[wasm_bindgen(js_name = setBody)]
    pub fn set_body(
        &self,
        id: f64,
        #[wasm_bindgen(unchecked_param_type = "Body")] body: &JsValue,
    ) -> Result<(), JsValue> {
        let body = self::parse_body(body)?;
        let id = to_u32(id, "id")?;
        self.with_facade(|facade| facade.set_body(id, body))
    }

    /// Removes the floating body with the given id.
    #[wasm_bindgen(js_name = removeBody)]
    pub fn remove_body(&self, id: f64) -> Result<(), JsValue> {
        let id = to_u32(id, "id")?;
        self.with_facade(|facade| facade.remove_body(id))
    }

    /// Returns the current states of all floating bodies with their ids, including the bodies of
    /// the scene.
    #[wasm_bindgen(unchecked_return_type = "(Required<Body> & { id: number })[]")]
    pub fn bodies(&self) -> Result<JsValue, JsValue> {
        Ok(create_array(self.facade()?.bodies().into_iter().map(|(id, body)| {
            create_object([
                ("id", id.into()),
                ("position", create_pair(body.position)),
                ("size", create_pair(body.size)),
                ("heading", body.heading.into()),
                ("velocity", create_pair(body.velocity)),
                ("draft", body.draft.into()),
            ])
        })))
    }
}
