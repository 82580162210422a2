//! Tests of picture files (PNG files, which are read back, and GIF animations) and of the checks of
//! picture styles.

use crate::support::pictures::{encode_png, read_png};
use headwater_scene::picture::{Palette, Picture, Style, from_png, write_gif, write_png};
use png::{BitDepth, ColorType};
use std::path::PathBuf;
use std::time::Duration;

/// Returns a picture of a ball over a colour gradient. `ball_x` is the horizontal position of the
/// ball.
fn draw_test_frame(width: usize, height: usize, ball_x: f32) -> Picture {
    Picture::from_fn(width, height, |x, y| {
        let inside = (x as f32 - ball_x).hypot(y as f32 - height as f32 / 2.0) < 6.0;
        if inside { [220, 60, 40] } else { [(x * 2) as u8, 120, (y * 3) as u8] }
    })
}

fn frames(folder: &tempfile::TempDir, count: usize, width: usize, height: usize) -> Vec<PathBuf> {
    (0..count)
        .map(|i| {
            let path = folder.path().join(format!("frame-{i}.png"));
            write_png(&path, &draw_test_frame(width, height, 10.0 + 5.0 * i as f32)).unwrap();
            path
        })
        .collect()
}

/// Decodes the frames of an animation as they are displayed. Returns the pixels and the delay (in
/// units of 10 ms) of each frame, and the number of repetitions.
fn decode_gif(path: &PathBuf) -> (Vec<Vec<u8>>, Vec<u16>, gif::Repeat) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
    let width = usize::from(decoder.width());
    let mut canvas = vec![0; width * usize::from(decoder.height()) * 4];
    let (mut seen, mut delays) = (Vec::new(), Vec::new());
    while let Some(part) = decoder.read_next_frame().unwrap() {
        let (left, top) = (usize::from(part.left), usize::from(part.top));
        for (i, pixel) in part.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (left + i % usize::from(part.width), top + i / usize::from(part.width));
            if pixel[3] > 0 {
                canvas[4 * (y * width + x)..][..4].copy_from_slice(pixel);
            }
        }
        seen.push(canvas.clone());
        delays.push(part.delay);
    }
    let repeat = decoder.repeat();
    (seen, delays, repeat)
}

#[test]
fn png_round_trips_and_leaves_no_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let picture = draw_test_frame(50, 30, 20.0);
    write_png(&path, &draw_test_frame(9, 9, 1.0)).unwrap();
    write_png(&path, &picture).unwrap();
    assert_eq!(read_png(&path), picture);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn invalid_pictures_are_rejected_before_allocation() {
    let gray = encode_png((ColorType::Grayscale, BitDepth::Eight), [2, 2], &[0; 4]);
    let said = from_png(&gray).unwrap_err().to_string();
    assert!(said.contains("not 8-bit RGB"), "{said}");
    // A header that claims ten gigabytes, without pixels.
    let mut huge = Vec::new();
    let mut encoder = png::Encoder::new(&mut huge, 60_000, 60_000);
    encoder.set_color(ColorType::Rgb);
    encoder.write_header().unwrap().write_chunk(png::chunk::IDAT, &[]).unwrap();
    let said = from_png(&huge).unwrap_err().to_string();
    assert!(said.contains("limits are exceeded"), "{said}");
}

#[test]
fn gifs_contain_all_frames_and_loop() {
    let folder = tempfile::tempdir().unwrap();
    let frames = frames(&folder, 7, 100, 60);
    let path = folder.path().join("a.gif");
    write_gif(&path, &frames, Duration::from_millis(50), None).unwrap();
    let (seen, delays, repeat) = decode_gif(&path);
    assert_eq!(delays, [5, 5, 5, 5, 5, 5, 150]);
    assert!(matches!(repeat, gif::Repeat::Infinite));
    for (shown, path) in seen.iter().zip(&frames) {
        let wanted = read_png(path);
        let error: f64 = (shown.chunks_exact(4).zip(wanted.as_slice()))
            .map(|(a, b)| (0..3).map(|i| f64::from(a[i].abs_diff(b[i]))).sum::<f64>() / 3.0)
            .sum();
        let mean = error / (wanted.nx() * wanted.ny()) as f64;
        assert!(mean < 6.0, "{mean}");
    }
}

#[test]
fn unchanged_areas_do_not_flicker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    write_gif(&path, &frames(&folder, 4, 100, 60), Duration::ZERO, None).unwrap();
    let (seen, delays, _) = decode_gif(&path);
    assert_eq!(delays[0], 2);
    // The upper rows are above the ball.
    let rows = 20 * 100 * 4;
    assert!(seen.iter().all(|shown| shown[..rows] == seen[0][..rows]));
}

#[test]
fn wide_frames_are_scaled_down() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    write_gif(&path, &frames(&folder, 2, 101, 60), Duration::from_millis(40), Some(50)).unwrap();
    let (seen, _, _) = decode_gif(&path);
    assert_eq!(seen[0].len(), 50 * 30 * 4);
    write_gif(&path, &frames(&folder, 2, 8, 8), Duration::from_millis(40), Some(50)).unwrap();
    assert_eq!(decode_gif(&path).0[0].len(), 8 * 8 * 4);
}

#[test]
fn invalid_animations_are_errors_and_leave_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    let none = write_gif(&path, &[], Duration::ZERO, None).unwrap_err();
    assert!(none.to_string().ends_with("an animation needs at least one frame"), "{none}");
    let mut mixed = frames(&folder, 1, 40, 30);
    let other = folder.path().join("other.png");
    write_png(&other, &draw_test_frame(30, 40, 5.0)).unwrap();
    mixed.push(other);
    let error = write_gif(&path, &mixed, Duration::ZERO, None).unwrap_err().to_string();
    assert!(error.contains("30 × 40 pixels; the first one has 40 × 30"), "{error}");
    let missing = [folder.path().join("nothing.png")];
    let error = write_gif(&path, &missing, Duration::ZERO, None).unwrap_err().to_string();
    assert!(error.contains("nothing.png"), "{error}");
    assert!(!path.exists());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn styles_are_parsed_and_validated() {
    let style: Style = toml::from_str("palette = \"desert\"\nwidth = 640").unwrap();
    assert_eq!((style.palette, style.width), (Palette::Desert, 640));
    assert_eq!(style.validate(), Ok(()));
    let again: Style = toml::from_str(&toml::to_string(&style).unwrap()).unwrap();
    assert_eq!(again, style);
    let unknown = toml::from_str::<Style>("pallette = \"desert\"").unwrap_err().to_string();
    assert!(unknown.contains("pallette") && unknown.contains("palette"), "{unknown}");
    let wrong = [
        ("width = 4", "width: found 4, allowed is 16 to 8192 pixels"),
        ("sun_azimuth = -10.0", "sun_azimuth: found -10, allowed is 0 to 360 degrees"),
        ("wet_depth = 0.0", "wet_depth: found 0, allowed is 1e-9 to 10 m"),
        ("exaggeration = nan", "exaggeration: found NaN, allowed is 0.001 to 10000"),
        (
            "deep_depth = 0.0005",
            "deep_depth: found 0.0005, allowed is above wet_depth, up to 20000 m",
        ),
    ];
    for (text, message) in wrong {
        let style: Style = toml::from_str(text).unwrap();
        assert_eq!(style.validate().unwrap_err().to_string(), message);
    }
}
