//! C functions that edit a running world, apply events and change parameters.

use crate::place::{HwPlace, place};
use crate::pointer::write_list;
use crate::status::{HwStatus, guard};
use crate::text::{fixed, text};
use crate::worlds::{HwWorld, call, with_world};
use headwater::model::EditKind;
use headwater_scene::live::{Parameter, ParameterKind};
use std::ffi::c_char;

/// Edit that `hw_edit` accepts.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwEdit {
    /// Name to pass to `hw_edit`.
    pub name: [c_char; 32],
    /// Meaning of the amount.
    pub meaning: [c_char; 160],
    /// Unit of the amount; empty if it needs none.
    pub unit: [c_char; 32],
    /// Smallest amount; excluded if `open` is 1.
    pub low: f64,
    /// Largest amount.
    pub high: f64,
    /// 1 if `low` itself is not allowed, otherwise 0.
    pub open: i32,
}

/// Value type of a parameter.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HwParameterKind {
    /// Any number.
    Number = 0,
    /// Integer.
    Whole = 1,
    /// `true` or `false`.
    Switch = 2,
}

/// Parameter that can be changed while the world runs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwParameter {
    /// Key in the scene, for example `physics.manning`.
    pub key: [c_char; 96],
    /// Short label for a slider.
    pub label: [c_char; 64],
    /// Unit; empty for none.
    pub unit: [c_char; 32],
    /// Description.
    pub doc: [c_char; 640],
    /// Current value; 0 or 1 for a switch.
    pub value: f64,
    /// Suggested range of a slider: smallest and largest value.
    pub usual: [f64; 2],
    /// Allowed range: smallest and largest value.
    pub allowed: [f64; 2],
    /// Value type.
    pub kind: HwParameterKind,
}

/// Writes the available edits to `into`. `count` (may be null) receives their number, even if they
/// do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_edits(
    world: HwWorld,
    into: *mut HwEdit,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let to_c = |one: &EditKind| HwEdit {
        name: fixed(one.name),
        meaning: fixed(one.meaning),
        unit: fixed(one.unit),
        low: one.allowed.low,
        high: one.allowed.high,
        open: one.allowed.open.into(),
    };
    call(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(facade.edits().iter().map(to_c), into, capacity, count, "edits") }
    })
}

/// Applies an edit at a place. Unlike an event, it does not become part of the scene text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_edit(
    world: HwWorld,
    edit: *const c_char,
    at: *const HwPlace,
    amount: f64,
) -> HwStatus {
    call(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let (edit, place) = unsafe { (text(edit, "edit")?, place(at)?) };
        Ok(facade.edit(edit, &place, amount)?)
    })
}

/// Applies an event, given as TOML like an entry of a scene's `[[event]]` without `time`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_act(world: HwWorld, event: *const c_char) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    call(world, |facade| Ok(facade.act(unsafe { text(event, "event") }?)?))
}

/// Adds an entry, given as TOML, to a list of the scene: `gauge`, `source`, `drain`, `body` and
/// others that the model can add while it runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_add(
    world: HwWorld,
    list: *const c_char,
    entry: *const c_char,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    let texts = || unsafe { Ok((text(list, "list")?, text(entry, "entry")?)) };
    guard(|| {
        texts().and_then(|(list, entry)| with_world(world, |facade| Ok(facade.add(list, entry)?)))
    })
}

/// Replaces the entry of the same name in a list of the scene. Supports `gauge`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_change(
    world: HwWorld,
    list: *const c_char,
    entry: *const c_char,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    let texts = || unsafe { Ok((text(list, "list")?, text(entry, "entry")?)) };
    guard(|| {
        texts()
            .and_then(|(list, entry)| with_world(world, |facade| Ok(facade.change(list, entry)?)))
    })
}

/// Removes an entry of a list of the scene by its name. Supports `gauge`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_remove(
    world: HwWorld,
    list: *const c_char,
    name: *const c_char,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    let texts = || unsafe { Ok((text(list, "list")?, text(name, "name")?)) };
    guard(|| {
        texts().and_then(|(list, name)| with_world(world, |facade| Ok(facade.remove(list, name)?)))
    })
}

/// Writes the parameters that can be changed while the world runs, with their current values.
/// `count` (may be null) receives their number, even if they do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_parameters(
    world: HwWorld,
    into: *mut HwParameter,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let to_c = |one: Parameter| HwParameter {
        key: fixed(&one.key),
        label: fixed(&one.label),
        unit: fixed(one.unit),
        doc: fixed(one.doc),
        value: one.value,
        usual: one.soft,
        allowed: one.hard,
        kind: match one.kind {
            ParameterKind::Number => HwParameterKind::Number,
            ParameterKind::Whole => HwParameterKind::Whole,
            ParameterKind::Switch => HwParameterKind::Switch,
        },
    };
    call(world, |facade| {
        let all = facade.parameters().into_iter().map(to_c);
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(all, into, capacity, count, "parameters") }
    })
}

/// Changes a parameter, given by its key, to a value written as in a scene file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_set(
    world: HwWorld,
    key: *const c_char,
    value: *const c_char,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    let texts = || unsafe { Ok((text(key, "key")?, text(value, "value")?)) };
    guard(|| {
        texts().and_then(|(key, value)| with_world(world, |facade| Ok(facade.set(key, value)?)))
    })
}
