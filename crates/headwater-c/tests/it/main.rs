//! Tests of the C functions, and a check that the C header in the repository equals the header that
//! cbindgen generates from the sources.

mod arguments;
#[cfg(unix)]
mod forks;
mod texts;

use headwater_c::{HwDescription, HwStatus, HwWorld, hw_create};
use std::ffi::CStr;
use std::path::Path;

/// Small scene of a model that supports all edits.
const SCENE: &CStr = c"model = 'flow'
[grid]
nx = 24
ny = 17
cell = 20
[terrain]
plane = { height = 9, slope = [0.01, 0] }
[water]
level = 9
[time]
until = 9
";

/// Creates a world from the scene [`SCENE`].
fn create_world() -> HwWorld {
    let mut world = 0;
    // SAFETY: all zeros is a valid description, and the pointers are valid.
    let status = unsafe {
        let mut description: HwDescription = std::mem::zeroed();
        description.size = size_of::<HwDescription>();
        description.text = SCENE.as_ptr();
        hw_create(&raw const description, &raw mut world)
    };
    assert_eq!(status, HwStatus::Ok);
    world
}

#[test]
fn header_matches_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    // cbindgen follows the modules from lib.rs.
    let builder = cbindgen::Builder::new().with_config(config).with_src(root.join("src/lib.rs"));
    let mut generated = Vec::new();
    builder.generate().expect("a header").write(&mut generated);
    let (generated, path) =
        (String::from_utf8(generated).expect("a text"), root.join("include/headwater.h"));
    if std::env::var_os("HEADWATER_WRITE_HEADER").is_some() {
        std::fs::write(&path, &generated).expect("a header written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let advice = "HEADWATER_WRITE_HEADER=1 cargo test -p headwater-c --test it";
    assert!(generated == written, "{} does not match the sources; run: {advice}", path.display());
}
