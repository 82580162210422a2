//! Tests that imported heightmaps become plausible land.

use crate::desk::PlaygroundDriver;
use eframe::egui::Key;
use headwater::Field;
use headwater_scene::raster::{to_png16, write_npy};

/// Returns a hilly height field that spans the range of a 16-bit picture.
fn hills() -> Field<f32> {
    Field::from_fn(96, 64, |x, y| {
        let (x, y) = (x as f32 / 95.0, y as f32 / 63.0);
        0.5 + 0.25 * (9.0 * x).sin() + 0.25 * (7.0 * y).cos()
    })
}

/// Returns the test hills as a 16-bit PNG file without units.
fn png() -> Vec<u8> {
    let tones = hills();
    let bytes: Vec<u8> =
        tones.as_slice().iter().flat_map(|tone| ((tone * 65535.0) as u16).to_be_bytes()).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 96, 64);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.write_header().unwrap().write_image_data(&bytes).unwrap();
    file
}

#[test]
fn a_picture_without_units_gets_a_plausible_relief() {
    let mut desk = PlaygroundDriver::with_file("hills.png", &png());
    assert_eq!(desk.status().scene, "dam-breach", "it asks first");
    desk.click("import.make");
    desk.run_frames(3);
    let status = desk.status();
    assert_eq!((status.scene.as_str(), status.errors.len()), ("hills", 0), "{status:?}");
    let (relief, width) = desk.harness.state().relief_and_width().unwrap();
    assert!((0.13..0.17).contains(&(relief / width)), "{relief} m of {width} m");
    // The world runs, and undo returns to the previous one.
    desk.run_frames(20);
    assert!(desk.status().steps > 0);
    desk.click("button.undo");
    assert_eq!(desk.status().scene, "dam-breach");
}

#[test]
fn carved_land_can_be_flooded() {
    let mut desk = PlaygroundDriver::new();
    desk.click("tab.hydrology");
    desk.run_frames(5);
    desk.click("menu.file");
    desk.click("file.flood");
    desk.run_frames(5);
    let status = desk.status();
    assert_eq!(
        (status.tab.as_str(), status.scene.as_str()),
        ("flow", "young-range-land"),
        "{status:?}"
    );
    let (relief, width) = desk.harness.state().relief_and_width().unwrap();
    assert!(relief > 10.0 && relief < width, "{relief} m of {width} m");
}

#[test]
fn the_dialog_can_be_cancelled_and_invalid_files_are_reported() {
    let mut desk = PlaygroundDriver::with_file("hills.png", &png());
    desk.press_key(Key::Escape);
    assert!(desk.names("import").is_empty());
    assert_eq!(desk.status().scene, "dam-breach");
    let desk = PlaygroundDriver::with_file("words.png", b"these are words");
    let errors = desk.status().errors;
    assert!(errors.len() == 1 && errors[0].contains("words.png"), "{errors:?}");
    assert!(!errors[0].contains("--set"), "{errors:?}");
}

#[test]
fn heights_in_metres_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hills.npy");
    write_npy(&path, &hills().map(|&height| 200.0 + 40.0 * height)).unwrap();
    let mut desk = PlaygroundDriver::with_file("hills.npy", &std::fs::read(path).unwrap());
    desk.click("import.side.96");
    desk.click("import.make");
    desk.run_frames(3);
    let (relief, width) = desk.harness.state().relief_and_width().unwrap();
    assert!((relief - 40.0).abs() < 0.5, "{relief} m");
    assert!((0.1..0.2).contains(&(relief / width)), "{relief} m of {width} m");
}

#[test]
fn an_exported_heightmap_keeps_its_cell_size() {
    let saved = to_png16(&hills().map(|&height| 30.0 * height), Some([7.0, 7.0])).unwrap();
    let mut desk = PlaygroundDriver::with_file("hills.png", &saved);
    desk.click("import.side.96");
    desk.click("import.make");
    desk.run_frames(3);
    let (relief, width) = desk.harness.state().relief_and_width().unwrap();
    let (low, high) = hills().min_max().unwrap();
    assert!((relief - 30.0 * f64::from(high - low)).abs() < 0.01, "{relief} m");
    assert_eq!(width, 7.0 * hills().nx() as f64);
}
