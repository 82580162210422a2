//! Springs and drains, by ids.

use crate::object::list;
use crate::place::place;
use crate::value::whole;
use crate::world::World;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

fn ids(all: &[u32]) -> JsValue {
    list(all.iter().map(|&id| id.into()))
}

#[wasm_bindgen]
impl World {
    /// Adds a spring that gives so much (m³/s; of blocks, cells/s; of hydrology, drops per cell of rain), and gives its id.
    #[wasm_bindgen(js_name = addSpring)]
    pub fn add_spring(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<u32, JsValue> {
        let place = self::place(place)?;
        self.with(|facade| facade.add_spring(&place, rate))
    }

    /// Puts another spring in the place of one.
    #[wasm_bindgen(js_name = setSpring)]
    pub fn set_spring(
        &self,
        id: f64,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<(), JsValue> {
        let place = self::place(place)?;
        let id = whole(id, "id")?;
        self.with(|facade| facade.set_spring(id, &place, rate))
    }

    /// Takes a spring out.
    #[wasm_bindgen(js_name = removeSpring)]
    pub fn remove_spring(&self, id: f64) -> Result<(), JsValue> {
        let id = whole(id, "id")?;
        self.with(|facade| facade.remove_spring(id))
    }

    /// The ids of its springs, those of the scene too.
    #[wasm_bindgen(unchecked_return_type = "number[]")]
    pub fn springs(&self) -> Result<JsValue, JsValue> {
        Ok(ids(&self.facade()?.springs()))
    }

    /// Adds a drain that takes up to so much, and gives its id.
    #[wasm_bindgen(js_name = addDrain)]
    pub fn add_drain(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<u32, JsValue> {
        let place = self::place(place)?;
        self.with(|facade| facade.add_drain(&place, rate))
    }

    /// Puts another drain in the place of one.
    #[wasm_bindgen(js_name = setDrain)]
    pub fn set_drain(
        &self,
        id: f64,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        rate: f64,
    ) -> Result<(), JsValue> {
        let place = self::place(place)?;
        let id = whole(id, "id")?;
        self.with(|facade| facade.set_drain(id, &place, rate))
    }

    /// Takes a drain out.
    #[wasm_bindgen(js_name = removeDrain)]
    pub fn remove_drain(&self, id: f64) -> Result<(), JsValue> {
        let id = whole(id, "id")?;
        self.with(|facade| facade.remove_drain(id))
    }

    /// The ids of its drains, those of the scene too.
    #[wasm_bindgen(unchecked_return_type = "number[]")]
    pub fn drains(&self) -> Result<JsValue, JsValue> {
        Ok(ids(&self.facade()?.drains()))
    }
}
