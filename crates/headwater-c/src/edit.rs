//! What is done to a world.

use crate::place::{HwPlace, place};
use crate::pointer::list;
use crate::status::{HwStatus, guard};
use crate::text::{fixed, text};
use crate::worlds::{HwWorld, on, with};
use headwater::model::EditKind;
use headwater_scene::live::{Parameter, ParameterKind};
use std::ffi::c_char;

/// Something that `hw_edit` can do.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwEdit {
    /// The name to ask for it by.
    pub name: [c_char; 32],
    /// What its amount is.
    pub meaning: [c_char; 160],
    /// The amount's unit; empty if it needs none.
    pub unit: [c_char; 32],
    /// The least amount; where `open`, more than that.
    pub low: f64,
    /// The greatest amount.
    pub high: f64,
    /// Whether `low` itself is left out: 1 or 0.
    pub open: i32,
}

/// How the value of a parameter is written.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HwParameterKind {
    /// Any number.
    Number = 0,
    /// A whole number.
    Whole = 1,
    /// `true` or `false`.
    Switch = 2,
}

/// A value that can be changed while the world runs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwParameter {
    /// Its key in the scene, such as `physics.manning`.
    pub key: [c_char; 96],
    /// A word or two for a slider.
    pub label: [c_char; 64],
    /// Its unit; empty for none.
    pub unit: [c_char; 32],
    /// What it is.
    pub doc: [c_char; 640],
    /// As it is now; of a switch, 0 or 1.
    pub value: f64,
    /// What a slider should cover, from and to.
    pub usual: [f64; 2],
    /// What is allowed, from and to.
    pub allowed: [f64; 2],
    /// How its value is written.
    pub kind: HwParameterKind,
}

/// Tells what `hw_edit` can do. `count` (may be null) is set to how many there are, whether they fit or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_edits(
    world: HwWorld,
    into: *mut HwEdit,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let told = |one: &EditKind| HwEdit {
        name: fixed(one.name),
        meaning: fixed(one.meaning),
        unit: fixed(one.unit),
        low: one.allowed.low,
        high: one.allowed.high,
        open: one.allowed.open.into(),
    };
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        unsafe { list(facade.edits().iter().map(told), into, capacity, count, "edits") }
    })
}

/// Does one of the edits at a place. It is not in the text, as an event is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_edit(
    world: HwWorld,
    edit: *const c_char,
    at: *const HwPlace,
    amount: f64,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        let (edit, place) = unsafe { (text(edit, "edit")?, place(at)?) };
        Ok(facade.edit(edit, &place, amount)?)
    })
}

/// Does what an entry of a scene's `[[event]]` says, given as TOML without `time`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_act(world: HwWorld, event: *const c_char) -> HwStatus {
    // SAFETY: pointers are the caller's.
    on(world, |facade| Ok(facade.act(unsafe { text(event, "event") }?)?))
}

/// Adds an entry to one of the scene's lists, given as TOML: to `gauge`, `source`, `drain`, `body`, whatever the model can take while it runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_add(
    world: HwWorld,
    list: *const c_char,
    entry: *const c_char,
) -> HwStatus {
    // SAFETY: pointers are the caller's.
    let texts = || unsafe { Ok((text(list, "list")?, text(entry, "entry")?)) };
    guard(|| texts().and_then(|(list, entry)| with(world, |facade| Ok(facade.add(list, entry)?))))
}

/// Changes an entry of one of the scene's lists, so far of `gauge`: the one that has its name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_change(
    world: HwWorld,
    list: *const c_char,
    entry: *const c_char,
) -> HwStatus {
    // SAFETY: pointers are the caller's.
    let texts = || unsafe { Ok((text(list, "list")?, text(entry, "entry")?)) };
    guard(|| {
        texts().and_then(|(list, entry)| with(world, |facade| Ok(facade.change(list, entry)?)))
    })
}

/// Removes an entry of one of the scene's lists, so far of `gauge`, by its name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_remove(
    world: HwWorld,
    list: *const c_char,
    name: *const c_char,
) -> HwStatus {
    // SAFETY: pointers are the caller's.
    let texts = || unsafe { Ok((text(list, "list")?, text(name, "name")?)) };
    guard(|| texts().and_then(|(list, name)| with(world, |facade| Ok(facade.remove(list, name)?))))
}

/// Tells the values that can be changed while the world runs, as they are. `count` (may be null) is set to how many there are, whether they fit or
/// not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_parameters(
    world: HwWorld,
    into: *mut HwParameter,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let told = |one: Parameter| HwParameter {
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
    on(world, |facade| {
        let all = facade.parameters().into_iter().map(told);
        // SAFETY: pointers are the caller's.
        unsafe { list(all, into, capacity, count, "parameters") }
    })
}

/// Changes one of them, by its key, to a value that is written as in the scene.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_set(
    world: HwWorld,
    key: *const c_char,
    value: *const c_char,
) -> HwStatus {
    // SAFETY: pointers are the caller's.
    let texts = || unsafe { Ok((text(key, "key")?, text(value, "value")?)) };
    guard(|| texts().and_then(|(key, value)| with(world, |facade| Ok(facade.set(key, value)?))))
}
