//! Comparison of window screenshots with stored pictures. Ripples and numbers vary, so only the
//! average colour of each tile is compared. If `HEADWATER_KEEP_PICTURES=1` is set, the current
//! pictures are stored instead, for inspection.

use eframe::egui::ColorImage;
use headwater_scene::picture::{Picture, from_png, write_png};
use std::path::PathBuf;

/// Size of a tile (pixels per side).
const TILE: usize = 8;

/// Largest allowed mean colour difference over all tiles (0 to 255).
const MAX_MEAN_DIFFERENCE: f64 = 1.5;
/// Largest allowed colour difference of a single tile (0 to 255).
const MAX_TILE_DIFFERENCE: f64 = 60.0;

/// Average colours of a picture's tiles in row-major order, with the number of columns and rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TileColors {
    size: [usize; 2],
    colors: Vec<[u8; 3]>,
}

impl TileColors {
    /// Computes the tiles of a picture. Incomplete tiles at the right and bottom are ignored.
    pub(crate) fn from_picture(picture: &ColorImage) -> Self {
        let size = picture.size.map(|side| side / TILE);
        let average = |x: usize, y: usize, channel: usize| {
            let mut sum = 0;
            for row in y * TILE..(y + 1) * TILE {
                for column in x * TILE..(x + 1) * TILE {
                    sum += usize::from(picture.pixels[row * picture.size[0] + column][channel]);
                }
            }
            (sum / (TILE * TILE)) as u8
        };
        let color = |x, y| [0, 1, 2].map(|channel| average(x, y, channel));
        let colors = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| color(x, y))).collect();
        Self { size, colors }
    }

    /// Returns the mean colour difference over all tiles, and the largest difference of any tile (0
    /// to 255).
    fn difference(&self, other: &Self) -> (f64, f64) {
        let parts = self.differences(other);
        let (sum, worst) =
            parts.iter().fold((0.0, 0.0_f64), |(sum, worst), d| (sum + d, worst.max(*d)));
        (sum / parts.len() as f64, worst)
    }

    fn differences(&self, other: &Self) -> Vec<f64> {
        assert_eq!(self.size, other.size, "pictures of one size");
        let apart = |(a, b): (&[u8; 3], &[u8; 3])| {
            (0..3).map(|k| f64::from(a[k].abs_diff(b[k]))).sum::<f64>() / 3.0
        };
        self.colors.iter().zip(&other.colors).map(apart).collect()
    }

    /// Returns the top-left corners (pixels) of the tiles that differ most, at most ten.
    fn worst_tiles(&self, other: &Self) -> Vec<[usize; 2]> {
        let parts = self.differences(other);
        let mut order: Vec<usize> =
            (0..parts.len()).filter(|&at| parts[at] > MAX_TILE_DIFFERENCE / 2.0).collect();
        order.sort_by(|&a, &b| parts[b].total_cmp(&parts[a]));
        let pixel = |at: usize| [at % self.size[0] * TILE, at / self.size[0] * TILE];
        order.into_iter().take(10).map(pixel).collect()
    }

    pub(crate) fn looks_like(&self, other: &Self) -> bool {
        let (mean, worst) = self.difference(other);
        mean <= MAX_MEAN_DIFFERENCE && worst <= MAX_TILE_DIFFERENCE
    }

    /// Checks that the tiles match the stored picture with the name `name`. If
    /// `HEADWATER_KEEP_PICTURES` is set, stores the tiles as this picture instead.
    pub(crate) fn assert_matches_stored_picture(&self, name: &str) {
        let path = picture_folder().join(format!("{name}.png"));
        if std::env::var_os("HEADWATER_KEEP_PICTURES").is_some() {
            let [width, height] = self.size;
            let picture = Picture::from_vec(width, height, self.colors.clone());
            write_png(&path, &picture.expect("its size")).expect("a folder to write to");
            return;
        }
        let kept = from_png(&std::fs::read(&path).expect("a kept picture")).expect("a picture");
        let kept = Self { size: [kept.nx(), kept.ny()], colors: kept.into_vec() };
        let (mean, worst) = self.difference(&kept);
        println!("  {name}: differs by {mean:.2} on average, {worst:.0} in the worst tile");
        assert!(
            kept.looks_like(self),
            "{name} does not look as in {}: see the pixels at {:?}",
            path.display(),
            kept.worst_tiles(self)
        );
    }
}

fn picture_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pictures")
}
