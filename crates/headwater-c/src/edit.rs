//! C functions that edit a running world, apply events and change parameters.

use crate::place::{HwPlace, read_place};
use crate::pointer::write_list;
use crate::status::HwStatus;
use crate::text::{read_text, to_fixed_array};
use crate::worlds::{HwWorld, call_with_world};
use headwater::model::EditKind;
use headwater_scene::live::{Parameter, ParameterKind};
use std::ffi::c_char;

/// Kind of edit that a world supports, with the meaning and range of its amount.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwEdit {
    /// Name of the edit, to be passed to `hw_edit`.
    pub name: [c_char; 32],
    /// Meaning of the amount that is passed with the edit.
    pub meaning: [c_char; 160],
    /// Unit of the amount; empty if the edit ignores the amount.
    pub unit: [c_char; 32],
    /// Smallest allowed amount; excluded if `open` is 1.
    pub low: f64,
    /// Largest allowed amount.
    pub high: f64,
    /// 1 if `low` itself is excluded from the range, otherwise 0.
    pub open: i32,
}

/// Type of the value of a parameter.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HwParameterKind {
    /// Floating-point number.
    Number = 0,
    /// Integer number.
    Whole = 1,
    /// Boolean: `true` or `false`.
    Switch = 2,
}

/// Parameter that can be changed while the world runs, with its current value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwParameter {
    /// Key of the parameter in the scene, for example `physics.manning`.
    pub key: [c_char; 96],
    /// Short label of the parameter in user interfaces.
    pub label: [c_char; 64],
    /// Unit of the value; empty if the value is dimensionless.
    pub unit: [c_char; 32],
    /// Description of the parameter in a few sentences.
    pub doc: [c_char; 640],
    /// Current value; 0 (false) or 1 (true) for a boolean parameter.
    pub value: f64,
    /// Range of useful values for a slider: smallest and largest value.
    pub usual: [f64; 2],
    /// Range of allowed values: smallest and largest value.
    pub allowed: [f64; 2],
    /// Type of the value.
    pub kind: HwParameterKind,
}

/// Writes to `into` the edits that the world supports. `count` (may be null) receives the number of
/// edits, even if they do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_edits(
    world: HwWorld,
    into: *mut HwEdit,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let to_c = |one: &EditKind| HwEdit {
        name: to_fixed_array(one.name),
        meaning: to_fixed_array(one.meaning),
        unit: to_fixed_array(one.unit),
        low: one.allowed.low,
        high: one.allowed.high,
        open: one.allowed.excludes_low.into(),
    };
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(facade.edits().iter().map(to_c), into, capacity, count, "edits") }
    })
}

/// Applies an edit at a place. Unlike an event applied by `hw_act`, the edit does not become part
/// of the scene that `hw_text` returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_edit(
    world: HwWorld,
    edit: *const c_char,
    at: *const HwPlace,
    amount: f64,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let (edit, place) = unsafe { (read_text(edit, "edit")?, read_place(at)?) };
        Ok(facade.edit(edit, &place, amount)?)
    })
}

/// Applies an event to the world. `event` is a TOML string with the keys of an `[[event]]` table of
/// a scene, without `time`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_act(world: HwWorld, event: *const c_char) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    call_with_world(world, |facade| Ok(facade.act(unsafe { read_text(event, "event") }?)?))
}

/// Adds an item to a list of the scene, such as `gauge`, `source`, `drain` or `body`. The model
/// must allow additions to this list in a running world. `entry` is a TOML string with the keys of
/// the item.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_add(
    world: HwWorld,
    list: *const c_char,
    entry: *const c_char,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let (list, entry) = unsafe { (read_text(list, "list")?, read_text(entry, "entry")?) };
        Ok(facade.add(list, entry)?)
    })
}

/// Replaces an item in a list of the scene by a new item with the same name. `entry` is a TOML
/// string with the keys of the new item. The only supported list is `gauge`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_change(
    world: HwWorld,
    list: *const c_char,
    entry: *const c_char,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let (list, entry) = unsafe { (read_text(list, "list")?, read_text(entry, "entry")?) };
        Ok(facade.change(list, entry)?)
    })
}

/// Removes the item with the given name from a list of the scene. The only supported list is
/// `gauge`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_remove(
    world: HwWorld,
    list: *const c_char,
    name: *const c_char,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let (list, name) = unsafe { (read_text(list, "list")?, read_text(name, "name")?) };
        Ok(facade.remove(list, name)?)
    })
}

/// Writes to `into` the parameters that can be changed while the world runs, with their current
/// values. `count` (may be null) receives the number of parameters, even if they do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_parameters(
    world: HwWorld,
    into: *mut HwParameter,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let to_c = |one: Parameter| HwParameter {
        key: to_fixed_array(&one.key),
        label: to_fixed_array(&one.label),
        unit: to_fixed_array(one.unit),
        doc: to_fixed_array(one.doc),
        value: one.value,
        usual: one.slider_range,
        allowed: one.allowed_range,
        kind: match one.kind {
            ParameterKind::Number => HwParameterKind::Number,
            ParameterKind::Integer => HwParameterKind::Whole,
            ParameterKind::Boolean => HwParameterKind::Switch,
        },
    };
    call_with_world(world, |facade| {
        let all = facade.parameters().into_iter().map(to_c);
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(all, into, capacity, count, "parameters") }
    })
}

/// Changes the value of the parameter with the given key. `value` is a string in the syntax of a
/// scene file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_set(
    world: HwWorld,
    key: *const c_char,
    value: *const c_char,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let (key, value) = unsafe { (read_text(key, "key")?, read_text(value, "value")?) };
        Ok(facade.set(key, value)?)
    })
}
