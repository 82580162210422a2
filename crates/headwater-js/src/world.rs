//! The JavaScript class `World`: methods that create a world, advance it in time, edit it, change
//! its parameters and save its state.

use crate::error::{input_error, to_js_error, world_error};
use crate::models::reader;
use crate::object::{create_array, create_object, create_pair};
use crate::place::{parse_place, property};
use crate::value::{entry_to_toml, parse_overrides, to_scene_text, to_text, to_u32};
use headwater_scene::facade::{AdvanceOutcome, Facade, FacadeError, Progress, Source};
use headwater_scene::live::{Parameter, ParameterKind};
use headwater_scene::scene::Files;
use std::cell::{RefCell, RefMut};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::js_sys::{Array, Function, Object, Uint8Array};

/// World of any model. Call `destroy` when the world is no longer needed. The garbage collector
/// also frees the memory of a world, but possibly late, because the collector only sees a small
/// object.
#[wasm_bindgen]
pub struct World(RefCell<Option<Facade>>);

impl World {
    pub(crate) fn facade(&self) -> Result<RefMut<'_, Facade>, JsValue> {
        let Ok(facade) = self.0.try_borrow_mut() else {
            return Err(world_error("busy", "another call in progress", "one call at a time"));
        };
        RefMut::filter_map(facade, Option::as_mut)
            .map_err(|_| world_error("destroyed", "one that was destroyed", "one that is there"))
    }

    pub(crate) fn with_facade<T>(
        &self,
        work: impl FnOnce(&mut Facade) -> Result<T, FacadeError>,
    ) -> Result<T, JsValue> {
        work(&mut *self.facade()?).map_err(to_js_error)
    }

    /// Advances the world by calling `run`. During the run, the JavaScript function `progress` is
    /// called regularly; if it returns `false`, the run stops. Returns an object with the number of
    /// steps, the simulated time, and whether the run was completed.
    fn run_with_progress(
        &self,
        progress: &JsValue,
        run: impl FnOnce(
            &mut Facade,
            &mut dyn FnMut(Progress) -> bool,
        ) -> Result<AdvanceOutcome, FacadeError>,
    ) -> Result<JsValue, JsValue> {
        let callback = match progress {
            none if none.is_undefined() || none.is_null() => None,
            value => match value.dyn_ref::<Function>() {
                Some(callback) => Some(callback),
                None => return Err(input_error("progress", "something else", "a function")),
            },
        };
        let mut raised = None;
        let arrived = self.with_facade(|facade| {
            run(facade, &mut |at| {
                let Some(callback) = callback else { return true };
                let state = create_object([
                    ("time", at.time.into()),
                    ("steps", (at.steps as f64).into()),
                    ("part", at.part.into()),
                ]);
                match callback.call1(&JsValue::UNDEFINED, &state) {
                    Ok(answer) => answer != JsValue::FALSE,
                    Err(error) => {
                        raised = Some(error);
                        false
                    }
                }
            })
        });
        if let Some(error) = raised {
            return Err(error);
        }
        let AdvanceOutcome { steps, time, done } = arrived?;
        let parts =
            [("steps", (steps as f64).into()), ("time", time.into()), ("done", done.into())];
        Ok(create_object(parts))
    }
}

/// Returns the value of a parameter in the form that the method `set` accepts.
fn parameter_value(parameter: &Parameter) -> JsValue {
    if parameter.kind == ParameterKind::Boolean {
        (parameter.value != 0.0).into()
    } else {
        parameter.value.into()
    }
}

#[wasm_bindgen]
impl World {
    /// Creates a world from the TOML source of a scene.
    ///
    /// # Errors
    /// Throws a `HeadwaterError` that lists all errors in the scene.
    pub fn create(
        #[wasm_bindgen(unchecked_param_type = "Description")] description: &JsValue,
    ) -> Result<World, JsValue> {
        let overrides = parse_overrides(&property(description, "set"))?;
        let optional_text = |key: &str| match property(description, key) {
            none if none.is_undefined() || none.is_null() => Ok(None),
            given => to_text(&given, key).map(Some),
        };
        let (library, text, name) =
            (optional_text("library")?, optional_text("text")?, optional_text("name")?);
        let mut files = Files::memory_only();
        let file_map = property(description, "files");
        if file_map.is_object() {
            for pair in Object::entries(file_map.unchecked_ref()).iter() {
                let pair = Array::from(&pair);
                let Ok(bytes) = pair.get(1).dyn_into::<Uint8Array>() else {
                    return Err(input_error(
                        "files",
                        "something else",
                        "a Uint8Array for each name",
                    ));
                };
                files =
                    files.with_file(pair.get(0).as_string().unwrap_or_default(), bytes.to_vec());
            }
        }
        let source = match (&library, &text) {
            (Some(name), None) => Source::Library(name),
            (None, Some(text)) => {
                let name = name.as_deref().unwrap_or("scene");
                Source::Text { name, text, directory: None, files: &files }
            }
            (both, _) => {
                let found = if both.is_some() { "both" } else { "none" };
                return Err(input_error("library and text", found, "one of the two"));
            }
        };
        let facade = source.create_world(&reader(), &overrides).map_err(to_js_error)?;
        Ok(Self(RefCell::new(Some(facade))))
    }

    /// Frees the memory of the world. Later calls of the world's methods throw an error.
    ///
    /// # Errors
    /// Throws an error if another call is using the world.
    pub fn destroy(&self) -> Result<(), JsValue> {
        match self.0.try_borrow_mut() {
            Ok(mut facade) => {
                *facade = None;
                Ok(())
            }
            Err(_) => Err(world_error("busy", "another call in progress", "one call at a time")),
        }
    }

    /// Returns the name of the model: `flow`, `waves`, `blocks`, `columns` or `hydrology`.
    #[wasm_bindgen(getter)]
    pub fn model(&self) -> Result<String, JsValue> {
        Ok(self.facade()?.model().into())
    }

    /// Returns the name of the scene.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> Result<String, JsValue> {
        Ok(self.facade()?.name().into())
    }

    /// Returns the grid of the world: the numbers of columns and rows, and the size and shape of
    /// the cells.
    #[wasm_bindgen(getter, unchecked_return_type = "Grid")]
    pub fn grid(&self) -> Result<JsValue, JsValue> {
        let grid = self.facade()?.grid();
        Ok(create_object([
            ("nx", (grid.nx as f64).into()),
            ("ny", (grid.ny as f64).into()),
            ("cell", create_pair(grid.cell)),
            ("lattice", grid.lattice.into()),
        ]))
    }

    /// Returns the simulated time since the start, in the unit `timeUnit`.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> Result<f64, JsValue> {
        Ok(self.facade()?.time())
    }

    /// Returns the unit of the simulated time: `s`, or `drops per cell` in hydrology.
    #[wasm_bindgen(getter, js_name = timeUnit)]
    pub fn time_unit(&self) -> Result<String, JsValue> {
        Ok(self.facade()?.time_unit().into())
    }

    /// Returns the number of time steps since the start.
    #[wasm_bindgen(getter)]
    pub fn steps(&self) -> Result<f64, JsValue> {
        Ok(self.facade()?.steps() as f64)
    }

    /// Returns the length of the next time step, in the unit `timeUnit`.
    #[wasm_bindgen(getter, js_name = stepLength)]
    pub fn step_length(&self) -> Result<f64, JsValue> {
        Ok(self.facade()?.step_length())
    }

    /// Returns true while the world is still relaxing to its initial steady state. The simulated
    /// time starts when the relaxation ends.
    #[wasm_bindgen(getter, js_name = isSettling)]
    pub fn is_settling(&self) -> Result<bool, JsValue> {
        Ok(self.facade()?.is_settling())
    }

    /// Returns notices about the world, such as values that were assumed and limits that were
    /// reached.
    #[wasm_bindgen(getter)]
    pub fn notices(&self) -> Result<Vec<String>, JsValue> {
        Ok(self.facade()?.notices())
    }

    /// Returns the position of the centre of a cell (m from the top-left corner; in blocks, cells).
    #[wasm_bindgen(unchecked_return_type = "Point")]
    pub fn center(&self, column: f64, row: f64) -> Result<JsValue, JsValue> {
        let (column, row) = (to_u32(column, "column")?, to_u32(row, "row")?);
        Ok(create_pair(self.facade()?.center(column as usize, row as usize)))
    }

    /// Advances the world by a duration, in the unit `timeUnit`. The world performs whole steps, so
    /// the reached time may differ from the requested time by less than one step; the next call
    /// compensates for the difference. Exceptions of the callback `progress` are propagated.
    #[wasm_bindgen(unchecked_return_type = "AdvanceOutcome")]
    pub fn advance(
        &self,
        time: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "ProgressCallback", js_name = progress)]
        progress: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.run_with_progress(progress, |facade, ask| facade.advance(time, ask))
    }

    /// Performs `count` time steps, including all events that are due during these steps. The
    /// method otherwise works like `advance`. While `isSettling` is true, the world relaxes before
    /// the first step.
    #[wasm_bindgen(unchecked_return_type = "AdvanceOutcome")]
    pub fn step(
        &self,
        count: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "ProgressCallback", js_name = progress)]
        progress: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let count = to_u32(count, "count")?;
        self.run_with_progress(progress, |facade, ask| facade.step(count.into(), ask))
    }

    /// Returns the edits that the model supports, with the meanings, units and ranges of their
    /// amounts.
    #[wasm_bindgen(unchecked_return_type = "Edit[]")]
    pub fn edits(&self) -> Result<JsValue, JsValue> {
        Ok(create_array(self.facade()?.edits().iter().map(|one| {
            create_object([
                ("name", one.name.into()),
                ("meaning", one.meaning.into()),
                ("unit", one.unit.into()),
                ("allowed", create_pair([one.allowed.min(), one.allowed.high])),
            ])
        })))
    }

    /// Applies one of the supported `edits` at a place. Unlike `act`, it does not add the edit to
    /// the scene that `text` returns.
    pub fn edit(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] edit: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        amount: f64,
    ) -> Result<(), JsValue> {
        let (edit, place) = (to_text(edit, "edit")?, self::parse_place(place)?);
        self.with_facade(|facade| facade.edit(&edit, &place, amount))
    }

    /// Applies an event. `event` has the keys of an item in a scene's `[[event]]` list, without
    /// `time`, and is an object or a TOML string.
    pub fn act(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, Value> | string")] event: &JsValue,
    ) -> Result<(), JsValue> {
        let event = entry_to_toml(event)?;
        self.with_facade(|facade| facade.act(&event))
    }

    /// Adds an item to one of the scene's lists: `gauge`, `source`, `drain` or `body`, depending on
    /// the model.
    pub fn add(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] list: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Record<string, Value> | string")] entry: &JsValue,
    ) -> Result<(), JsValue> {
        let (list, entry) = (to_text(list, "list")?, self::entry_to_toml(entry)?);
        self.with_facade(|facade| facade.add(&list, &entry))
    }

    /// Replaces an item in one of the scene's lists by a new item with the same name. The only
    /// supported list is `gauge`.
    pub fn change(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] list: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Record<string, Value> | string")] entry: &JsValue,
    ) -> Result<(), JsValue> {
        let (list, entry) = (to_text(list, "list")?, self::entry_to_toml(entry)?);
        self.with_facade(|facade| facade.change(&list, &entry))
    }

    /// Removes the item with the given name from one of the scene's lists. The only supported list
    /// is `gauge`.
    pub fn remove(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] list: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
    ) -> Result<(), JsValue> {
        let (list, name) = (to_text(list, "list")?, to_text(name, "name")?);
        self.with_facade(|facade| facade.remove(&list, &name))
    }

    /// Returns the parameters that can be changed while the world runs, with their current values.
    #[wasm_bindgen(unchecked_return_type = "Parameter[]")]
    pub fn parameters(&self) -> Result<JsValue, JsValue> {
        Ok(create_array(self.facade()?.parameters().into_iter().map(|one| {
            let kind = match one.kind {
                ParameterKind::Number => "number",
                ParameterKind::Integer => "whole",
                ParameterKind::Boolean => "switch",
            };
            let value = parameter_value(&one);
            create_object([
                ("key", one.key.into()),
                ("value", value),
                ("unit", one.unit.into()),
                ("allowed", create_pair(one.allowed_range)),
                ("usual", create_pair(one.slider_range)),
                ("label", one.label.into()),
                ("doc", one.doc.into()),
                ("kind", kind.into()),
            ])
        })))
    }

    /// Changes the value of one of the `parameters`. `key` is the key of the parameter in the
    /// scene.
    pub fn set(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] key: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Value")] value: &JsValue,
    ) -> Result<(), JsValue> {
        let key = to_text(key, "key")?;
        let value = to_scene_text(value, &key)?;
        self.with_facade(|facade| facade.set(&key, &value))
    }

    /// Returns the complete state of the world as bytes. `restore` continues from this state, bit
    /// for bit, in a world of the same scene with the same parameters.
    #[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn snapshot(&self) -> Result<Uint8Array, JsValue> {
        self.with_facade(|facade| Ok(Uint8Array::from(facade.snapshot()?.as_slice())))
    }

    /// Replaces the state of the world with the state in a snapshot.
    pub fn restore(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] snapshot: &JsValue,
    ) -> Result<(), JsValue> {
        let Some(bytes) = snapshot.dyn_ref::<Uint8Array>() else {
            return Err(input_error("a snapshot", "something else", "a Uint8Array"));
        };
        let bytes = bytes.to_vec();
        self.with_facade(|facade| facade.restore(&bytes))
    }

    /// Returns the current scene as TOML, including changed parameters and applied events. The
    /// effects of `edit`, `addSpring` and similar methods are included only in snapshots.
    pub fn text(&self) -> Result<String, JsValue> {
        Ok(self.facade()?.text())
    }

    /// Returns a hash of the state as 16 hexadecimal digits. The hash is the same on all platforms
    /// and equals the output of `headwater hash`.
    #[wasm_bindgen(js_name = stateHash)]
    pub fn state_hash(&self) -> Result<String, JsValue> {
        Ok(format!("{:016x}", self.facade()?.state_hash()))
    }
}
