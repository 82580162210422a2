//! Worlds are made, and the library of scenes.

use crate::pointer::{described, out, slice};
use crate::status::{Done, Failure, HwStatus, guard};
use crate::text::{put, text, text_or_none};
use crate::worlds::{HwWorld, take_in};
use headwater_scene::facade::{Facade, FacadeError, Source};
use headwater_scene::scene::Files;
use std::ffi::c_char;
use std::mem::offset_of;
use std::path::Path;

/// A key of a scene and a value, laid over it, such as `grid.nx` and `512`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwOverride {
    /// The key.
    pub key: *const c_char,
    /// The value, written as in the scene.
    pub value: *const c_char,
}

/// A file in memory, for scenes that are given as texts. It stands for any of that name on the disk.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwFile {
    /// Its name, as the scene says it, such as `maps/hill.asc`.
    pub name: *const c_char,
    /// Its bytes.
    pub bytes: *const u8,
    /// How many.
    pub length: usize,
}

/// What a world is made of: one of `library`, `file` and `text`, the others null.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwDescription {
    /// `sizeof(HwDescription)`.
    pub size: usize,
    /// The name of a scene of the library.
    pub library: *const c_char,
    /// The path of a scene file.
    pub file: *const c_char,
    /// The text of a scene.
    pub text: *const c_char,
    /// What the text is called in messages; may be null.
    pub name: *const c_char,
    /// What the paths of the text are relative to; null for the current directory.
    pub directory: *const c_char,
    /// Values laid over the scene.
    pub overrides: *const HwOverride,
    /// How many.
    pub override_count: usize,
    /// Files of the text that are in memory.
    pub files: *const HwFile,
    /// How many.
    pub file_count: usize,
}

/// Makes a world. `world` is set to its handle, to be destroyed by `hw_destroy`; to 0 if it cannot be made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_create(
    description: *const HwDescription,
    world: *mut HwWorld,
) -> HwStatus {
    guard(|| {
        // SAFETY: pointers are the caller's, as said at the head of the header.
        let world = unsafe { out(world, "world")? };
        *world = 0;
        // SAFETY: the same.
        let description = unsafe { of_caller(description)? };
        // SAFETY: the same.
        let (overrides, files) = unsafe { (overrides(&description)?, files(&description)?) };
        // SAFETY: the same.
        let [library, file, scene, name, directory] = unsafe {
            [
                text_or_none(description.library, "library")?,
                text_or_none(description.file, "file")?,
                text_or_none(description.text, "text")?,
                text_or_none(description.name, "name")?,
                text_or_none(description.directory, "directory")?,
            ]
        };
        let source = match (library, file, scene) {
            (Some(name), None, None) => Source::Library(name),
            (None, Some(path), None) => Source::File(Path::new(path)),
            (None, None, Some(text)) => Source::Text {
                name: name.unwrap_or("scene"),
                text,
                directory: directory.map(Path::new),
                files: &files,
            },
            _ => {
                let many = [library, file, scene].into_iter().flatten().count();
                let allowed = "one of `library`, `file` and `text`";
                return Err(FacadeError::input("description", many, allowed).into());
            }
        };
        *world = take_in(Facade::create(&source, &overrides)?);
        Ok(())
    })
}

/// Checks a scene's text with overrides without making its world. Of the description, `library` and `file` are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_check(description: *const HwDescription) -> HwStatus {
    guard(|| {
        // SAFETY: pointers are the caller's.
        let (scene, overrides) = unsafe {
            let description = of_caller(description)?;
            (text(description.text, "text")?, overrides(&description)?)
        };
        Ok(Facade::check(scene, &overrides)?)
    })
}

/// Tells the names of the library's scenes, a line each. `length` (may be null) is set to the bytes of the text without its NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_scenes(
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    guard(|| {
        let names: Vec<_> = Facade::scenes().collect();
        // SAFETY: pointers are the caller's.
        unsafe { put(&names.join("\n"), buffer, capacity, length) }
    })
}

/// Tells the text of a scene of the library. `length` (may be null) is set to its bytes without the NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_scene_text(
    name: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    guard(|| {
        // SAFETY: pointers are the caller's.
        unsafe { put(Facade::scene_text(text(name, "name")?)?, buffer, capacity, length) }
    })
}

/// # Safety
/// The pointer is null or leads to a description.
unsafe fn of_caller(description: *const HwDescription) -> Done<HwDescription> {
    let least = offset_of!(HwDescription, name);
    // SAFETY: as the caller says; zeros are null pointers and no entries.
    unsafe { described(description, "description", least) }
}

/// # Safety
/// The description's pointers lead to what it says.
unsafe fn overrides(description: &HwDescription) -> Done<Vec<(String, String)>> {
    // SAFETY: as the caller says.
    let all = unsafe { slice(description.overrides, description.override_count, "overrides") }?;
    let pair = |one: &HwOverride| {
        // SAFETY: as the caller says.
        let (key, value) = unsafe { (text(one.key, "key")?, text(one.value, "value")?) };
        Ok::<_, Failure>((key.to_owned(), value.to_owned()))
    };
    all.iter().map(pair).collect()
}

/// # Safety
/// The description's pointers lead to what it says.
unsafe fn files(description: &HwDescription) -> Done<Files> {
    // SAFETY: as the caller says.
    let all = unsafe { slice(description.files, description.file_count, "files") }?;
    all.iter().try_fold(Files::disk(), |files, one| {
        // SAFETY: as the caller says.
        let (name, bytes) =
            unsafe { (text(one.name, "name of a file")?, slice(one.bytes, one.length, "bytes")?) };
        Ok(files.with(name, bytes))
    })
}
