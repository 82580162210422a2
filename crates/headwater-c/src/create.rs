//! C functions that create worlds, check scenes and read the library of built-in scenes.

use crate::pointer::{input_slice, output_mut, read_sized};
use crate::status::{CallResult, Failure, HwStatus, catch_panics};
use crate::text::{read_optional_text, read_text, write_text};
use crate::worlds::{HwWorld, check_process, register_world};
use headwater_scene::facade::{Facade, FacadeError, Source};
use headwater_scene::scene::{Files, Limits, Reader};
use std::ffi::c_char;
use std::mem::offset_of;
use std::path::Path;

/// Override of a value in a scene, for example the key `grid.nx` with the value `512`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwOverride {
    /// Key of the overridden value in the scene, for example `grid.nx`.
    pub key: *const c_char,
    /// New value in the syntax of a scene file, for example `512`.
    pub value: *const c_char,
}

/// File in memory that a scene given as a string refers to. It takes precedence over a file of the
/// same name on disk.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwFile {
    /// Name of the file as written in the scene, for example `maps/hill.asc`.
    pub name: *const c_char,
    /// Contents of the file.
    pub bytes: *const u8,
    /// Size of the file (number of bytes in `bytes`).
    pub length: usize,
}

/// Description of the world to create. Exactly one of `library`, `file` and `text` is not null.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwDescription {
    /// Size of the struct as compiled into the caller: `sizeof(HwDescription)`.
    pub size: usize,
    /// Name of a built-in scene.
    pub library: *const c_char,
    /// Path of a scene file.
    pub file: *const c_char,
    /// Scene as a string in TOML format.
    pub text: *const c_char,
    /// Name by which messages refer to the scene in `text`; may be null.
    pub name: *const c_char,
    /// Directory to which file paths in `text` are relative; null for the current directory.
    pub directory: *const c_char,
    /// Array of overrides of scene values.
    pub overrides: *const HwOverride,
    /// Number of items in `overrides`.
    pub override_count: usize,
    /// Array of files in memory that the scene in `text` refers to.
    pub files: *const HwFile,
    /// Number of items in `files`.
    pub file_count: usize,
    /// 1 to confine file access, for scenes from untrusted authors; otherwise 0. A confined scene
    /// file can read only files in its own folder and subfolders. A confined scene in `text` can
    /// read only files in `directory`.
    pub confined: u32,
    /// Maximum estimated memory of the world (bytes); 0 for the default of 4 GiB. The estimate is
    /// based on the number of cells.
    pub memory_limit: u64,
}

/// Creates a world. `world` receives the handle of the world, or 0 if the call fails. Destroy the
/// world with `hw_destroy`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_create(
    description: *const HwDescription,
    world: *mut HwWorld,
) -> HwStatus {
    catch_panics(|| {
        // SAFETY: the caller guarantees the pointers, as documented at the head of the header.
        let world = unsafe { output_mut(world, "world")? };
        *world = 0;
        check_process()?;
        // SAFETY: as above.
        let description = unsafe { read_description(description)? };
        // SAFETY: as above.
        let (overrides, files) =
            unsafe { (read_overrides(&description)?, read_files(&description)?) };
        // SAFETY: as above.
        let [library, file, scene, name, directory] = unsafe {
            [
                read_optional_text(description.library, "library")?,
                read_optional_text(description.file, "file")?,
                read_optional_text(description.text, "text")?,
                read_optional_text(description.name, "name")?,
                read_optional_text(description.directory, "directory")?,
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
                return Err(FacadeError::invalid_argument("description", many, allowed).into());
            }
        };
        let reader = create_reader(&description)?;
        *world = register_world(source.create_world(&reader, &overrides)?)?;
        Ok(())
    })
}

/// Checks a scene given as a string, with its overrides, without creating a world. `library` and
/// `file` of the description must be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_check(description: *const HwDescription) -> HwStatus {
    catch_panics(|| {
        check_process()?;
        // SAFETY: the caller guarantees its pointers.
        let (scene, overrides) = unsafe {
            let description = read_description(description)?;
            (read_text(description.text, "text")?, read_overrides(&description)?)
        };
        Ok(Facade::check(scene, &overrides)?)
    })
}

/// Writes the names of the built-in scenes to `buffer`, one per line. `length` (may be null)
/// receives the length of the string in bytes, without the terminating NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_scenes(
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    catch_panics(|| {
        let names: Vec<_> = Facade::scenes().collect();
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_text(&names.join("\n"), buffer, capacity, length) }
    })
}

/// Writes the TOML source of a built-in scene to `buffer`. `length` (may be null) receives the
/// length of the string in bytes, without the terminating NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_scene_text(
    name: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    catch_panics(|| {
        // SAFETY: the caller guarantees its pointers.
        unsafe {
            write_text(Facade::scene_text(read_text(name, "name")?)?, buffer, capacity, length)
        }
    })
}

/// Reads the description of a world that a C caller has given.
///
/// # Safety
/// `description` is null or points to an `HwDescription`.
unsafe fn read_description(description: *const HwDescription) -> CallResult<HwDescription> {
    let min_size = offset_of!(HwDescription, name);
    // SAFETY: guaranteed by the caller; zeros are null pointers and empty lists.
    unsafe { read_sized(description, "description", min_size) }
}

/// Returns a reader with the settings of a description.
fn create_reader(description: &HwDescription) -> CallResult<Reader> {
    let mut limits = Limits::default();
    if description.memory_limit > 0 {
        limits.memory_bytes = description.memory_limit;
    }
    let reader = Reader::default().with_limits(limits);
    match description.confined {
        0 => Ok(reader),
        1 => Ok(reader.confined()),
        found => Err(FacadeError::invalid_argument("confined", found, "0 or 1").into()),
    }
}

/// Converts the overrides of a description to pairs of scene key and value.
///
/// # Safety
/// The pointers in the description are valid for the lengths given in it.
unsafe fn read_overrides(description: &HwDescription) -> CallResult<Vec<(String, String)>> {
    // SAFETY: guaranteed by the caller.
    let all =
        unsafe { input_slice(description.overrides, description.override_count, "overrides") }?;
    let pair = |one: &HwOverride| {
        // SAFETY: guaranteed by the caller.
        let (key, value) = unsafe { (read_text(one.key, "key")?, read_text(one.value, "value")?) };
        Ok::<_, Failure>((key.to_owned(), value.to_owned()))
    };
    all.iter().map(pair).collect()
}

/// Copies the in-memory files of a description.
///
/// # Safety
/// The pointers in the description are valid for the lengths given in it.
unsafe fn read_files(description: &HwDescription) -> CallResult<Files> {
    // SAFETY: guaranteed by the caller.
    let all = unsafe { input_slice(description.files, description.file_count, "files") }?;
    all.iter().try_fold(Files::from_disk(), |files, one| {
        // SAFETY: guaranteed by the caller.
        let (name, bytes) = unsafe {
            (read_text(one.name, "name of a file")?, input_slice(one.bytes, one.length, "bytes")?)
        };
        Ok(files.with_file(name, bytes))
    })
}
