//! Methods of [`World`] for springs and drains.

use crate::object::list;
use crate::place::place;
use crate::value::to_u32;
use crate::world::World;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

fn ids(all: &[u32]) -> JsValue {
    list(all.iter().map(|&id| id.into()))
}

#[wasm_bindgen]
impl World {
    /// Adds a spring of a rate (m³/s; in blocks, cells/s; in hydrology, drops per cell of rain),
    /// and returns its id.
    #[wasm_bindgen(js_name = addSpring)]
    pub fn add_spring(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<u32, JsValue> {
        let place = self::place(place)?;
        self.with(|facade| facade.add_spring(&place, rate))
    }

    /// Replaces a spring.
    #[wasm_bindgen(js_name = setSpring)]
    pub fn set_spring(
        &self,
        id: f64,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<(), JsValue> {
        let place = self::place(place)?;
        let id = to_u32(id, "id")?;
        self.with(|facade| facade.set_spring(id, &place, rate))
    }

    /// Removes a spring.
    #[wasm_bindgen(js_name = removeSpring)]
    pub fn remove_spring(&self, id: f64) -> Result<(), JsValue> {
        let id = to_u32(id, "id")?;
        self.with(|facade| facade.remove_spring(id))
    }

    /// Ids of the springs, including those of the scene.
    #[wasm_bindgen(unchecked_return_type = "number[]")]
    pub fn springs(&self) -> Result<JsValue, JsValue> {
        Ok(ids(&self.facade()?.springs()))
    }

    /// Adds a drain of a maximum rate, and returns its id.
    #[wasm_bindgen(js_name = addDrain)]
    pub fn add_drain(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<u32, JsValue> {
        let place = self::place(place)?;
        self.with(|facade| facade.add_drain(&place, rate))
    }

    /// Replaces a drain.
    #[wasm_bindgen(js_name = setDrain)]
    pub fn set_drain(
        &self,
        id: f64,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<(), JsValue> {
        let place = self::place(place)?;
        let id = to_u32(id, "id")?;
        self.with(|facade| facade.set_drain(id, &place, rate))
    }

    /// Removes a drain.
    #[wasm_bindgen(js_name = removeDrain)]
    pub fn remove_drain(&self, id: f64) -> Result<(), JsValue> {
        let id = to_u32(id, "id")?;
        self.with(|facade| facade.remove_drain(id))
    }

    /// Ids of the drains, including those of the scene.
    #[wasm_bindgen(unchecked_return_type = "number[]")]
    pub fn drains(&self) -> Result<JsValue, JsValue> {
        Ok(ids(&self.facade()?.drains()))
    }
}
