//! Methods of [`World`] that add, replace, remove and list springs and drains.

use crate::object::create_array;
use crate::place::parse_place;
use crate::value::to_u32;
use crate::world::World;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

fn ids_to_array(ids: &[u32]) -> JsValue {
    create_array(ids.iter().map(|&id| id.into()))
}

#[wasm_bindgen]
impl World {
    /// Adds a spring and returns its id. `rate` is the discharge: in m³/s; for blocks, in cells/s;
    /// for hydrology, in m³ per unit of model time, which is one rain drop per cell.
    #[wasm_bindgen(js_name = addSpring)]
    pub fn add_spring(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<u32, JsValue> {
        let place = self::parse_place(place)?;
        self.with_facade(|facade| facade.add_spring(&place, rate))
    }

    /// Replaces the place and the discharge of a spring.
    #[wasm_bindgen(js_name = setSpring)]
    pub fn set_spring(
        &self,
        id: f64,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<(), JsValue> {
        let place = self::parse_place(place)?;
        let id = to_u32(id, "id")?;
        self.with_facade(|facade| facade.set_spring(id, &place, rate))
    }

    /// Removes the spring with the given id.
    #[wasm_bindgen(js_name = removeSpring)]
    pub fn remove_spring(&self, id: f64) -> Result<(), JsValue> {
        let id = to_u32(id, "id")?;
        self.with_facade(|facade| facade.remove_spring(id))
    }

    /// Returns the ids of all springs, including those of the scene.
    #[wasm_bindgen(unchecked_return_type = "number[]")]
    pub fn springs(&self) -> Result<JsValue, JsValue> {
        Ok(ids_to_array(&self.facade()?.springs()))
    }

    /// Adds a drain and returns its id. `rate` is the maximum discharge, in the unit of
    /// `addSpring`.
    #[wasm_bindgen(js_name = addDrain)]
    pub fn add_drain(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<u32, JsValue> {
        let place = self::parse_place(place)?;
        self.with_facade(|facade| facade.add_drain(&place, rate))
    }

    /// Replaces the place and the maximum discharge of a drain.
    #[wasm_bindgen(js_name = setDrain)]
    pub fn set_drain(
        &self,
        id: f64,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<(), JsValue> {
        let place = self::parse_place(place)?;
        let id = to_u32(id, "id")?;
        self.with_facade(|facade| facade.set_drain(id, &place, rate))
    }

    /// Removes the drain with the given id.
    #[wasm_bindgen(js_name = removeDrain)]
    pub fn remove_drain(&self, id: f64) -> Result<(), JsValue> {
        let id = to_u32(id, "id")?;
        self.with_facade(|facade| facade.remove_drain(id))
    }

    /// Returns the ids of all drains: those of the scene and those that were added.
    #[wasm_bindgen(unchecked_return_type = "number[]")]
    pub fn drains(&self) -> Result<JsValue, JsValue> {
        Ok(ids_to_array(&self.facade()?.drains()))
    }
}
