//! Tests of the C functions, and a check that the C header in the repository equals the header that
//! cbindgen generates from the sources.

mod arguments;
#[cfg(unix)]
mod forks;
mod texts;

use headwater_c::{HwDescription, HwStatus, HwWorld, hw_create, hw_last_error};
use std::ffi::CStr;
use std::path::Path;

/// Small scene of the model `flow`, which supports all edits that the tests use.
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

/// Returns the message of the last failed call on this thread.
fn last_message() -> String {
    let mut message = [0; 400];
    // SAFETY: the pointers are valid for the capacity.
    unsafe { hw_last_error(0, message.as_mut_ptr(), message.len(), std::ptr::null_mut()) };
    let bytes = message.map(|byte| byte as u8);
    CStr::from_bytes_until_nul(&bytes).expect("a terminated text").to_string_lossy().into_owned()
}

#[test]
fn worlds_can_be_confined_and_limited_in_memory() {
    let create = |text: &CStr, confined: u32, memory_limit: u64| {
        let mut world = 0;
        // SAFETY: as in `create_world`.
        unsafe {
            let mut description: HwDescription = std::mem::zeroed();
            description.size = size_of::<HwDescription>();
            (description.text, description.directory) = (text.as_ptr(), c"tests/it".as_ptr());
            (description.confined, description.memory_limit) = (confined, memory_limit);
            hw_create(&raw const description, &raw mut world)
        }
    };
    let file = c"model = 'flow'
terrain.file = '../../../headwater-io/src/lib.rs'
time.until = 1
";
    assert_eq!(create(SCENE, 1, 1 << 20), HwStatus::Ok);
    assert_eq!(create(SCENE, 2, 0), HwStatus::Input);
    assert_eq!(create(SCENE, 0, 1000), HwStatus::Scene);
    assert_eq!(create(file, 1, 0), HwStatus::Scene);
    let message = last_message();
    assert!(message.contains("outside the folder of the scene"), "{message}");
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
