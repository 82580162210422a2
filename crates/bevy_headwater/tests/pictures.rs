//! Comparison of screenshots of the examples with reference pictures. The tests need a display and
//! a GPU; a software adapter suffices. Build with `cargo build -p bevy_headwater --features
//! test-in-window,gpu --examples`, then run `xvfb-run -a cargo test -p bevy_headwater --features
//! test-in-window,gpu --test pictures`. `HEADWATER_KEEP_PICTURES=1` replaces the reference pictures
//! by the new ones.
#![allow(clippy::unwrap_used, reason = "what fails in a test is to be seen")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Largest allowed mean absolute difference between the colour components (0 to 255) of two
/// pictures. Pictures may differ because drivers round differently.
const ALLOWED: f64 = 4.0;

/// Takes a screenshot of an example at the time `at` (s) of the example's clock, and writes the
/// screenshot to `into`.
fn take_screenshot(name: &str, backend: &str, at: &str, into: &Path) {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().and_then(Path::parent).unwrap().join("examples").join(name);
    let output = Command::new(&program)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("HEADWATER_BACKEND", backend)
        .env("HEADWATER_SCREENSHOT", into)
        .env("HEADWATER_SCREENSHOT_AT", at)
        .env("HEADWATER_SCREENSHOT_SIZE", "480x270")
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(into.exists(), "{name} has taken no picture:\n{said}");
    assert!(!said.contains("ERROR"), "{name} complains:\n{said}");
}

fn decode_picture(path: &Path) -> ([u32; 2], Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut decoder = png::Decoder::new(file);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    bytes.truncate(info.buffer_size());
    let channels = info.color_type.samples();
    let rgb = bytes.chunks_exact(channels).flat_map(|pixel| pixel[..3].to_vec()).collect();
    ([info.width, info.height], rgb)
}

fn assert_matches_reference_picture(name: &str, backend: &str, at: &str) {
    let kept = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/{name}.png"));
    if std::env::var_os("HEADWATER_KEEP_PICTURES").is_some() {
        take_screenshot(name, backend, at, &kept);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken.png");
    take_screenshot(name, backend, at, &taken);
    let ((size, found), (expected_size, expected)) =
        (decode_picture(&taken), decode_picture(&kept));
    assert_eq!(size, expected_size, "{name}");
    let sum: f64 = found.iter().zip(&expected).map(|(&a, &b)| f64::from(a.abs_diff(b))).sum();
    let mean = sum / found.len() as f64;
    if mean > ALLOWED {
        let there = folder.keep();
        panic!("{name} differs by {mean:.1} on the mean of its bytes; see {}", there.display());
    }
}

macro_rules! pictures {
    ($($name:ident at $at:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_matches_reference_picture(stringify!($name), "cpu", $at);
        }
    )*};
}

/// Compares the picture of the GPU backend with the reference picture, which is the same as for the
/// CPU.
#[test]
#[cfg(feature = "gpu")]
fn dig_the_dam_on_a_gpu_matches_the_reference_picture() {
    assert_matches_reference_picture("dig_the_dam", "gpu", "9");
}

pictures! {
    big_map at "3";
    block_world at "2.6";
    boats at "10";
    carved_island at "2";
    castle_pools at "9";
    dig_the_dam at "9";
    hello_water at "2";
    hexagons at "4";
    pond at "6";
}
