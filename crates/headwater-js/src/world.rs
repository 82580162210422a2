//! The world.

use crate::error::{input, thrown, unusable};
use crate::models::reader;
use crate::object::{list, object, pair};
use crate::place::{part, place};
use crate::value::{entry, overrides, text_of, whole, word};
use headwater_scene::facade::{AdvanceOutcome, Facade, FacadeError, Progress, Source};
use headwater_scene::live::{Parameter, ParameterKind};
use headwater_scene::scene::Files;
use std::cell::{RefCell, RefMut};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::js_sys::{Array, Function, Object, Uint8Array};

/// A world of any model. `destroy` it when it is no longer used: a garbage collector gives its memory back too, but sees only a small object, and
/// may wait for long.
#[wasm_bindgen]
pub struct World(RefCell<Option<Facade>>);

impl World {
    pub(crate) fn facade(&self) -> Result<RefMut<'_, Facade>, JsValue> {
        let Ok(facade) = self.0.try_borrow_mut() else {
            return Err(unusable("busy", "another call at work in it", "one at a time"));
        };
        RefMut::filter_map(facade, Option::as_mut)
            .map_err(|_| unusable("destroyed", "one that was destroyed", "one that is there"))
    }

    pub(crate) fn with<T>(
        &self,
        work: impl FnOnce(&mut Facade) -> Result<T, FacadeError>,
    ) -> Result<T, JsValue> {
        work(&mut *self.facade()?).map_err(thrown)
    }

    /// Has the world go on, and asks a function whether it is to.
    fn go(
        &self,
        goes_on: &JsValue,
        run: impl FnOnce(
            &mut Facade,
            &mut dyn FnMut(Progress) -> bool,
        ) -> Result<AdvanceOutcome, FacadeError>,
    ) -> Result<JsValue, JsValue> {
        let asked = match goes_on {
            none if none.is_undefined() || none.is_null() => None,
            asked => match asked.dyn_ref::<Function>() {
                Some(asked) => Some(asked),
                None => return Err(input("goesOn", "something else", "a function")),
            },
        };
        let mut raised = None;
        let arrived = self.with(|facade| {
            run(facade, &mut |at| {
                let Some(asked) = asked else { return true };
                let told = object([
                    ("time", at.time.into()),
                    ("steps", (at.steps as f64).into()),
                    ("part", at.part.into()),
                ]);
                match asked.call1(&JsValue::UNDEFINED, &told) {
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
        Ok(object(parts))
    }
}

/// The value of a parameter, as `set` takes it.
fn value(one: &Parameter) -> JsValue {
    if one.kind == ParameterKind::Switch { (one.value != 0.0).into() } else { one.value.into() }
}

#[wasm_bindgen]
impl World {
    /// A world of a scene. Throws a `HeadwaterError` with all that is wrong with it.
    ///
    /// # Errors
    /// As it says.
    pub fn create(
        #[wasm_bindgen(unchecked_param_type = "Description")] description: &JsValue,
    ) -> Result<World, JsValue> {
        let overrides = overrides(&part(description, "set"))?;
        let said = |key: &str| match part(description, key) {
            none if none.is_undefined() || none.is_null() => Ok(None),
            given => word(&given, key).map(Some),
        };
        let (library, text, name) = (said("library")?, said("text")?, said("name")?);
        let mut files = Files::held_only();
        let held = part(description, "files");
        if held.is_object() {
            for pair in Object::entries(held.unchecked_ref()).iter() {
                let pair = Array::from(&pair);
                let Ok(bytes) = pair.get(1).dyn_into::<Uint8Array>() else {
                    return Err(input("files", "something else", "a Uint8Array for each name"));
                };
                files = files.with(pair.get(0).as_string().unwrap_or_default(), bytes.to_vec());
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
                return Err(input("library and text", found, "one of the two"));
            }
        };
        let facade = source.world(&reader(), &overrides).map_err(thrown)?;
        Ok(Self(RefCell::new(Some(facade))))
    }

    /// Gives the world's memory back. Whatever is asked of it from then on throws.
    ///
    /// # Errors
    /// Throws if a call is at work in it.
    pub fn destroy(&self) -> Result<(), JsValue> {
        match self.0.try_borrow_mut() {
            Ok(mut facade) => {
                *facade = None;
                Ok(())
            }
            Err(_) => Err(unusable("busy", "another call at work in it", "one at a time")),
        }
    }

    /// The model's name: `flow`, `waves`, `blocks`, `columns` or `hydrology`.
    #[wasm_bindgen(getter)]
    pub fn model(&self) -> Result<String, JsValue> {
        Ok(self.facade()?.model().into())
    }

    /// What the scene is called.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> Result<String, JsValue> {
        Ok(self.facade()?.name().into())
    }

    /// The cells.
    #[wasm_bindgen(getter, unchecked_return_type = "Grid")]
    pub fn grid(&self) -> Result<JsValue, JsValue> {
        let grid = self.facade()?.grid();
        Ok(object([
            ("nx", (grid.nx as f64).into()),
            ("ny", (grid.ny as f64).into()),
            ("cell", pair(grid.cell)),
            ("lattice", grid.lattice.into()),
        ]))
    }

    /// Simulated time since the start.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> Result<f64, JsValue> {
        Ok(self.facade()?.time())
    }

    /// What time is counted in: `s`, or of hydrology `drops per cell`.
    #[wasm_bindgen(getter, js_name = timeUnit)]
    pub fn time_unit(&self) -> Result<String, JsValue> {
        Ok(self.facade()?.time_unit().into())
    }

    /// Steps done since the start.
    #[wasm_bindgen(getter)]
    pub fn steps(&self) -> Result<f64, JsValue> {
        Ok(self.facade()?.steps() as f64)
    }

    /// How long a step is now, in the unit of time.
    #[wasm_bindgen(getter, js_name = stepLength)]
    pub fn step_length(&self) -> Result<f64, JsValue> {
        Ok(self.facade()?.step_length())
    }

    /// Whether it still comes to a steady state, before its clock starts.
    #[wasm_bindgen(getter, js_name = isSettling)]
    pub fn is_settling(&self) -> Result<bool, JsValue> {
        Ok(self.facade()?.is_settling())
    }

    /// What was decided for lack of better knowledge, or fell short, in words.
    #[wasm_bindgen(getter)]
    pub fn notices(&self) -> Result<Vec<String>, JsValue> {
        Ok(self.facade()?.notices())
    }

    /// The middle of a cell (m from the top-left corner; of blocks, cells).
    #[wasm_bindgen(unchecked_return_type = "Point")]
    pub fn center(&self, column: f64, row: f64) -> Result<JsValue, JsValue> {
        let (column, row) = (whole(column, "column")?, whole(row, "row")?);
        Ok(pair(self.facade()?.center(column as usize, row as usize)))
    }

    /// Advances by a time. A world rests after whole steps: at the time asked for so far, or less than a step from it, which the next advance takes
    /// into account. What `goesOn` throws comes out of it.
    #[wasm_bindgen(unchecked_return_type = "AdvanceOutcome")]
    pub fn advance(
        &self,
        time: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "GoesOn", js_name = goesOn)]
        goes_on: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.go(goes_on, |facade, ask| facade.advance(time, ask))
    }

    /// Does so many steps, with all events that are due; else as `advance`. A world that is to settle first (`isSettling`) settles before the first one.
    #[wasm_bindgen(unchecked_return_type = "AdvanceOutcome")]
    pub fn step(
        &self,
        count: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "GoesOn", js_name = goesOn)]
        goes_on: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let count = whole(count, "count")?;
        self.go(goes_on, |facade, ask| facade.step(count.into(), ask))
    }

    /// What `edit` can do, with the units and ranges of amounts.
    #[wasm_bindgen(unchecked_return_type = "Edit[]")]
    pub fn edits(&self) -> Result<JsValue, JsValue> {
        Ok(list(self.facade()?.edits().iter().map(|one| {
            object([
                ("name", one.name.into()),
                ("meaning", one.meaning.into()),
                ("unit", one.unit.into()),
                ("allowed", pair([one.allowed.min(), one.allowed.high])),
            ])
        })))
    }

    /// Does one of `edits` at a place. It is not in the `text`, as an `act` is.
    pub fn edit(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] edit: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Place")] place: &JsValue,
        amount: f64,
    ) -> Result<(), JsValue> {
        let (edit, place) = (word(edit, "edit")?, self::place(place)?);
        self.with(|facade| facade.edit(&edit, &place, amount))
    }

    /// Does what an entry of a scene's `[[event]]` says, as an object or as TOML, without `time`.
    pub fn act(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, Value> | string")] event: &JsValue,
    ) -> Result<(), JsValue> {
        let event = entry(event)?;
        self.with(|facade| facade.act(&event))
    }

    /// Adds an entry to one of the scene's lists: `gauge`, `source`, `drain`, `body`, whatever the model can take while it runs.
    pub fn add(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] list: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Record<string, Value> | string")] entry: &JsValue,
    ) -> Result<(), JsValue> {
        let (list, entry) = (word(list, "list")?, self::entry(entry)?);
        self.with(|facade| facade.add(&list, &entry))
    }

    /// Changes an entry of one of the scene's lists, so far of `gauge`: the one that has its name.
    pub fn change(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] list: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Record<string, Value> | string")] entry: &JsValue,
    ) -> Result<(), JsValue> {
        let (list, entry) = (word(list, "list")?, self::entry(entry)?);
        self.with(|facade| facade.change(&list, &entry))
    }

    /// Removes an entry of one of the scene's lists, so far of `gauge`, by its name.
    pub fn remove(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] list: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
    ) -> Result<(), JsValue> {
        let (list, name) = (word(list, "list")?, word(name, "name")?);
        self.with(|facade| facade.remove(&list, &name))
    }

    /// The values that can be changed while the world runs.
    #[wasm_bindgen(unchecked_return_type = "Parameter[]")]
    pub fn parameters(&self) -> Result<JsValue, JsValue> {
        Ok(list(self.facade()?.parameters().into_iter().map(|one| {
            let kind = match one.kind {
                ParameterKind::Number => "number",
                ParameterKind::Whole => "whole",
                ParameterKind::Switch => "switch",
            };
            let value = value(&one);
            object([
                ("key", one.key.into()),
                ("value", value),
                ("unit", one.unit.into()),
                ("allowed", pair(one.hard)),
                ("usual", pair(one.soft)),
                ("label", one.label.into()),
                ("doc", one.doc.into()),
                ("kind", kind.into()),
            ])
        })))
    }

    /// Changes one of them, by its key in the scene.
    pub fn set(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] key: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Value")] value: &JsValue,
    ) -> Result<(), JsValue> {
        let key = word(key, "key")?;
        let value = text_of(value, &key)?;
        self.with(|facade| facade.set(&key, &value))
    }

    /// All that the world needs to go on, bit for bit, which `restore` reads in a world of the same scene with the same values set.
    #[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn snapshot(&self) -> Result<Uint8Array, JsValue> {
        self.with(|facade| Ok(Uint8Array::from(facade.snapshot()?.as_slice())))
    }

    /// Goes on from a snapshot.
    pub fn restore(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] snapshot: &JsValue,
    ) -> Result<(), JsValue> {
        let Some(bytes) = snapshot.dyn_ref::<Uint8Array>() else {
            return Err(input("a snapshot", "something else", "a Uint8Array"));
        };
        let bytes = bytes.to_vec();
        self.with(|facade| facade.restore(&bytes))
    }

    /// The scene as it is now, as TOML, with values that were set and events that were done. What `edit`, `addSpring` and their like have done is
    /// not in it: a snapshot has that.
    pub fn text(&self) -> Result<String, JsValue> {
        Ok(self.facade()?.text())
    }

    /// A hash of the state, 16 hexadecimal digits: the same for the same doing on every machine, and the one that `headwater hash` prints.
    #[wasm_bindgen(js_name = stateHash)]
    pub fn state_hash(&self) -> Result<String, JsValue> {
        Ok(format!("{:016x}", self.facade()?.state_hash()))
    }
}
