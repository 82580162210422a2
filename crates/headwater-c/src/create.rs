//! C functions that create worlds, check scenes and read the scene library.

use crate::pointer::{out, read_sized, slice};
use crate::status::{CallResult, Failure, HwStatus, guard};
use crate::text::{text, text_or_none, write_text};
use crate::worlds::{HwWorld, insert};
use headwater_scene::facade::{Facade, FacadeError, Source};
use headwater_scene::scene::Files;
use std::ffi::c_char;
use std::mem::offset_of;
use std::path::Path;

/// Override of a scene value, for example `grid.nx` and `512`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwOverride {
    /// Key of the value in the scene, for example `grid.nx`.
    pub key: *const c_char,
    /// New value, written as in a scene file, for example `512`.
    pub value: *const c_char,
}

/// File in memory, for scenes given as text. It takes precedence over a file of that name on disk.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwFile {
    /// Name as used in the scene, for example `maps/hill.asc`.
    pub name: *const c_char,
    /// Content of the file.
    pub bytes: *const u8,
    /// Number of bytes in `bytes`.
    pub length: usize,
}

/// Source of a world: exactly one of `library`, `file` and `text`; the others are null.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwDescription {
    /// `sizeof(HwDescription)`.
    pub size: usize,
    /// Name of a scene in the library.
    pub library: *const c_char,
    /// Path of a scene file.
    pub file: *const c_char,
    /// Text of a scene.
    pub text: *const c_char,
    /// Name of the text in messages; may be null.
    pub name: *const c_char,
    /// Directory for relative paths in the text; null for the current directory.
    pub directory: *const c_char,
    /// Overrides of scene values.
    pub overrides: *const HwOverride,
    /// Number of elements in `overrides`.
    pub override_count: usize,
    /// Files in memory that the text refers to.
    pub files: *const HwFile,
    /// Number of elements in `files`.
    pub file_count: usize,
}

/// Creates a world. `world` receives its handle, to be destroyed with `hw_destroy`; 0 on failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_create(
    description: *const HwDescription,
    world: *mut HwWorld,
) -> HwStatus {
    guard(|| {
        // SAFETY: the caller guarantees the pointers, as documented at the head of the header.
        let world = unsafe { out(world, "world")? };
        *world = 0;
        // SAFETY: as above.
        let description = unsafe { read_description(description)? };
        // SAFETY: as above.
        let (overrides, files) = unsafe { (overrides(&description)?, files(&description)?) };
        // SAFETY: as above.
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
        *world = insert(Facade::create(&source, &overrides)?);
        Ok(())
    })
}

/// Checks a scene text with overrides without creating its world. `library` and `file` of the
/// description must be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_check(description: *const HwDescription) -> HwStatus {
    guard(|| {
        // SAFETY: the caller guarantees its pointers.
        let (scene, overrides) = unsafe {
            let description = read_description(description)?;
            (text(description.text, "text")?, overrides(&description)?)
        };
        Ok(Facade::check(scene, &overrides)?)
    })
}

/// Writes the names of the library's scenes to `buffer`, one per line. `length` (may be null)
/// receives the length of the text in bytes without its NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_scenes(
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    guard(|| {
        let names: Vec<_> = Facade::scenes().collect();
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_text(&names.join("\n"), buffer, capacity, length) }
    })
}

/// Writes the text of a library scene to `buffer`. `length` (may be null) receives its length in
/// bytes without the NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_scene_text(
    name: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    guard(|| {
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_text(Facade::scene_text(text(name, "name")?)?, buffer, capacity, length) }
    })
}

/// Reads a description from the caller.
///
/// # Safety
/// `description` is null or points to an `HwDescription`.
unsafe fn read_description(description: *const HwDescription) -> CallResult<HwDescription> {
    let least = offset_of!(HwDescription, name);
    // SAFETY: guaranteed by the caller; zeros are null pointers and empty lists.
    unsafe { read_sized(description, "description", least) }
}

/// Reads the overrides in a description.
///
/// # Safety
/// The pointers in the description are valid for the lengths given in it.
unsafe fn overrides(description: &HwDescription) -> CallResult<Vec<(String, String)>> {
    // SAFETY: guaranteed by the caller.
    let all = unsafe { slice(description.overrides, description.override_count, "overrides") }?;
    let pair = |one: &HwOverride| {
        // SAFETY: guaranteed by the caller.
        let (key, value) = unsafe { (text(one.key, "key")?, text(one.value, "value")?) };
        Ok::<_, Failure>((key.to_owned(), value.to_owned()))
    };
    all.iter().map(pair).collect()
}

/// Reads the files in a description.
///
/// # Safety
/// The pointers in the description are valid for the lengths given in it.
unsafe fn files(description: &HwDescription) -> CallResult<Files> {
    // SAFETY: guaranteed by the caller.
    let all = unsafe { slice(description.files, description.file_count, "files") }?;
    all.iter().try_fold(Files::disk(), |files, one| {
        // SAFETY: guaranteed by the caller.
        let (name, bytes) =
            unsafe { (text(one.name, "name of a file")?, slice(one.bytes, one.length, "bytes")?) };
        Ok(files.with(name, bytes))
    })
}
