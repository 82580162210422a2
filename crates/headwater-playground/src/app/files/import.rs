//! Dialog for importing a heightmap: cell size, height range and number of cells, with a preview.
//! The file provides the defaults for the settings that it contains.

use crate::app::panels::numbers;
use crate::app::panels::widgets::Tip as _;
use crate::app::world::script::ImportedHeightmap;
use crate::status::Probe;
use eframe::egui::{self, Color32, ColorImage, TextureHandle, TextureOptions, vec2};
use headwater_scene::raster::{self, Format, Raster, ReadOptions, SampleType};

/// Default height range of a heightmap without units (highest minus lowest height), as a fraction
/// of the heightmap's width.
const DEFAULT_RELIEF: f64 = 0.15;

/// Default width of a heightmap without units (m).
const DEFAULT_WIDTH: f64 = 1500.0;

/// Default limit for the number of cells along the longer side. A CPU can simulate worlds of this
/// size in real time.
const DEFAULT_SIDE: usize = if cfg!(target_arch = "wasm32") { 256 } else { 512 };

/// Numbers of cells along the longer side that the dialog offers.
const SIDES: [usize; 5] = [128, 256, 512, 1024, 2048];
/// Largest number of cells along the longer side that can be drawn.
const MAX_SIDE: usize = 4096;

/// Size of the preview along its longer side (pixels).
const PREVIEW_PIXELS: usize = 220;

/// Largest number of heights that a file may contain.
const MAX_HEIGHTS: usize = 1 << 26;

/// State of a heightmap import while its dialog is open.
pub(in crate::app) struct HeightmapImport {
    name: String,
    bytes: Vec<u8>,
    raster: Raster,
    /// Cell size of the imported heightmap (m).
    cell: f64,
    low: f64,
    high: f64,
    /// Number of cells along the longer side of the world.
    side: usize,
    /// Number of columns of the heightmap, set in the dialog; `None` if the file specifies the
    /// number of columns and rows.
    columns: Option<usize>,
    problem: Option<String>,
    preview: Option<TextureHandle>,
}

/// Outcome of the import dialog in a frame.
pub(in crate::app) enum ImportOutcome {
    Waits,
    Cancelled,
    Made(ImportedHeightmap),
}

impl HeightmapImport {
    pub(in crate::app) fn read(name: &str, bytes: Vec<u8>) -> Result<Self, String> {
        let raw = ["r16", "raw"].iter().any(|end| name.to_ascii_lowercase().ends_with(end));
        // A raw file does not contain its dimensions, so the grid is assumed to be nearly square.
        let columns = raw.then(|| most_square_column_count(bytes.len() / 2));
        let raster = read_heights(name, &bytes, columns)?;
        let (wide, high) = (raster.heights.nx(), raster.heights.ny());
        let longest = wide.max(high);
        let (lowest, highest) = height_range(&raster);
        let known_cell = raster.cell.map(|cell| cell[0]);
        // Heights of pictures and raw integers are not in metres.
        let info = &raster.info;
        let has_metric_samples =
            matches!(info.sample_type, SampleType::F32 | SampleType::F64 | SampleType::Text);
        let metres = known_cell.is_some() || has_metric_samples || info.scale != 1.0;
        let relief = highest - lowest;
        let usual_cell = if metres && relief > 0.0 {
            relief / DEFAULT_RELIEF / longest as f64
        } else {
            DEFAULT_WIDTH / longest as f64
        };
        let cell =
            known_cell.unwrap_or_else(|| numbers::round_to_two_digits(usual_cell.clamp(0.01, 1e4)));
        let (low, high) = if metres {
            (lowest, highest)
        } else {
            (0.0, numbers::round_to_two_digits(DEFAULT_RELIEF * cell * longest as f64))
        };
        Ok(Self {
            name: name.into(),
            bytes,
            side: longest.min(DEFAULT_SIDE),
            raster,
            cell,
            low,
            high,
            columns,
            problem: None,
            preview: None,
        })
    }

    fn shape(&self) -> [usize; 2] {
        let own = [self.raster.heights.nx(), self.raster.heights.ny()];
        let longest = own[0].max(own[1]) as f64;
        own.map(|n| ((n as f64 * self.side as f64 / longest).round() as usize).max(2))
    }

    /// Returns the size (m) of the cells of the world that the import will create.
    fn world_cell_size(&self) -> f64 {
        let own = self.raster.heights.nx();
        self.cell * own as f64 / self.shape()[0] as f64
    }

    fn to_heightmap(&self) -> ImportedHeightmap {
        let (lowest, highest) = height_range(&self.raster);
        let info = &self.raster.info;
        let span = highest - lowest;
        let stretch = if span > 0.0 { (self.high - self.low) / span } else { 1.0 };
        let stretch = if stretch == 0.0 { 1e-6 } else { stretch };
        let offset = self.low + (info.offset - lowest) * stretch;
        let [nx, ny] = self.shape();
        let mut keys = vec![
            ("terrain.scale", format!("{:?}", info.scale * stretch)),
            ("terrain.offset", format!("{offset:?}")),
            ("grid.nx", nx.to_string()),
            ("grid.ny", ny.to_string()),
            ("grid.cell", format!("{:?}", self.world_cell_size())),
        ];
        if let Some(columns) = self.columns {
            let rows = self.bytes.len() / 2 / columns;
            keys.push(("terrain.size", format!("[{columns}, {rows}]")));
        }
        let keys = keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        ImportedHeightmap { file: self.name.clone(), bytes: self.bytes.clone(), keys }
    }

    pub(in crate::app) fn show(&mut self, ctx: &egui::Context, probe: &Probe) -> ImportOutcome {
        let mut answer = ImportOutcome::Waits;
        let mut open = true;
        let middle = ctx.content_rect().center();
        let window = egui::Window::new("Your land")
            .open(&mut open)
            .collapsible(false)
            .resizable(false)
            .pivot(egui::Align2::CENTER_CENTER)
            .default_pos(middle)
            .max_width((ctx.content_rect().width() - 24.0).min(420.0));
        let shown = window.show(ctx, |ui| {
            self.show_settings(ui, probe);
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let make = ui.add_enabled(self.problem.is_none(), egui::Button::new("Let it rain"));
                if probe.record_widget("import.make", make).clicked() {
                    answer = ImportOutcome::Made(self.to_heightmap());
                }
                if probe.record_widget("import.cancel", ui.button("Cancel")).clicked() {
                    answer = ImportOutcome::Cancelled;
                }
            });
        });
        if let Some(shown) = shown {
            probe.record_rect("import", shown.response.rect);
        }
        if open { answer } else { ImportOutcome::Cancelled }
    }

    fn show_settings(&mut self, ui: &mut egui::Ui, probe: &Probe) {
        let (file, own) = (&self.name, [self.raster.heights.nx(), self.raster.heights.ny()]);
        ui.label(format!("{file}: {} × {} heights", own[0], own[1]));
        let texture = self.preview.get_or_insert_with(|| {
            ui.ctx().load_texture("preview", preview(&self.raster), TextureOptions::LINEAR)
        });
        let size = texture.size_vec2();
        let shrunk = size * (PREVIEW_PIXELS as f32 / size.max_elem()).min(1.0);
        ui.vertical_centered(|ui| ui.image((texture.id(), shrunk)));
        let mut reread = false;
        egui::Grid::new("import").num_columns(2).spacing(vec2(14.0, 6.0)).show(ui, |ui| {
            if let Some(columns) = &mut self.columns {
                ui.label("Columns in the file");
                reread = ui.add(egui::DragValue::new(columns).range(2..=65_536)).changed();
                ui.end_row();
            }
            ui.label("Width of the land").tip("From its west edge to its east edge");
            let mut width = self.cell * own[0] as f64;
            let fine = width * 0.01;
            let field = ui.add(length_input(&mut width, 1.0, 1e7).speed(fine));
            if probe.record_widget("import.width", field).changed() {
                self.cell = width / own[0] as f64;
            }
            ui.end_row();
            ui.label("Lowest and highest ground");
            ui.horizontal(|ui| {
                let fine = (self.high - self.low).abs().max(1.0) * 0.01;
                probe.record_widget(
                    "import.low",
                    ui.add(length_input(&mut self.low, -12e3, 12e3).speed(fine)),
                );
                probe.record_widget(
                    "import.high",
                    ui.add(length_input(&mut self.high, -12e3, 12e3).speed(fine)),
                );
            });
            ui.end_row();
            ui.label("Size of the world").tip("More cells show more detail and simulate slower");
            let longest = own[0].max(own[1]);
            let mut sides: Vec<usize> = SIDES.into_iter().filter(|side| *side < longest).collect();
            sides.push(longest.min(MAX_SIDE));
            ui.horizontal_wrapped(|ui| {
                for side in sides {
                    let entry = ui.selectable_value(&mut self.side, side, side.to_string());
                    probe.record_widget(format!("import.side.{side}"), entry);
                }
            });
            ui.end_row();
        });
        if reread {
            match read_heights(&self.name, &self.bytes, self.columns) {
                Ok(raster) => (self.raster, self.preview, self.problem) = (raster, None, None),
                Err(problem) => self.problem = Some(problem),
            }
        }
        let ([nx, ny], cell) = (self.shape(), self.world_cell_size());
        let [wide, deep] = [nx, ny].map(|n| numbers::format_length(n as f64 * cell));
        let relief = numbers::format_length((self.high - self.low).abs());
        ui.weak(format!(
            "{nx} × {ny} cells of {}: {wide} by {deep}, {relief} from lowest to highest",
            numbers::format_length(cell)
        ));
        let missing = self.raster.no_data.as_slice().iter().filter(|missing| **missing).count();
        if missing > 0 {
            ui.weak(format!(
                "{missing} heights are missing in the file; these cells are left out."
            ));
        }
        if let Some(problem) = &self.problem {
            ui.colored_label(ui.visuals().error_fg_color, problem);
        }
    }
}

fn length_input(value: &mut f64, low: f64, high: f64) -> egui::DragValue<'_> {
    egui::DragValue::new(value).range(low..=high).suffix(" m").max_decimals(3)
}

fn read_heights(name: &str, bytes: &[u8], columns: Option<usize>) -> Result<Raster, String> {
    let size = columns.map(|columns| [columns, bytes.len() / 2 / columns.max(1)]);
    let options = ReadOptions { size, max_cells: MAX_HEIGHTS, ..ReadOptions::default() };
    let raster = raster::read_bytes(name, bytes, &options).map_err(|error| error.to_string())?;
    if raster.heights.nx().min(raster.heights.ny()) < 2 {
        return Err(format!("{name}: a land needs at least two rows and two columns of heights"));
    }
    if raster.info.format == Format::R16 || raster.no_data.as_slice().contains(&false) {
        Ok(raster)
    } else {
        Err(format!("{name} has no heights: all of it is marked as missing"))
    }
}

/// Returns the number of columns of a grid that has `cells` values and is as nearly square as
/// possible. If that grid would be a narrow strip, returns the number of columns of a square grid
/// instead. Some values at the end then remain unused.
fn most_square_column_count(cells: usize) -> usize {
    let root = cells.isqrt().max(1);
    let rows = (1..=root).rev().find(|rows| cells.is_multiple_of(*rows)).unwrap_or(1);
    // Instead of making a narrow strip, ignore some values at the end.
    if cells / rows > 16 * rows { root } else { cells / rows }
}

/// Returns the lowest and the highest height in a heightmap (m), in this order. Cells without data
/// are ignored. Returns zeros if no cell has data.
fn height_range(raster: &Raster) -> (f64, f64) {
    let known = raster.heights.as_slice().iter().zip(raster.no_data.as_slice());
    let known = known.filter(|(_, missing)| !**missing).map(|(height, _)| f64::from(*height));
    let range = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| {
        (low.min(height), high.max(height))
    });
    if range.0 <= range.1 { range } else { (0.0, 0.0) }
}

/// Renders a preview of a heightmap, lit from the north-west.
fn preview(raster: &Raster) -> ColorImage {
    let own = [raster.heights.nx(), raster.heights.ny()];
    let longest = own[0].max(own[1]) as f64;
    let [nx, ny] = own.map(|n| {
        let side = n as f64 * PREVIEW_PIXELS as f64 / longest;
        (side.round() as usize).clamp(1, PREVIEW_PIXELS)
    });
    let small = raster.resample(nx, ny);
    let (low, high) = height_range(&small);
    let span = (high - low).max(1e-9);
    let share = |x: usize, y: usize| (f64::from(small.heights[(x, y)]) - low) / span;
    let pixels = (0..nx * ny).map(|i| {
        let (x, y) = (i % nx, i / nx);
        if small.no_data[(x, y)] {
            return Color32::TRANSPARENT;
        }
        let (west, north) = (share(x.saturating_sub(1), y), share(x, y.saturating_sub(1)));
        let here = share(x, y);
        let slope = (2.0 * here - west - north) * PREVIEW_PIXELS as f64 / 12.0;
        let light = (0.62 + 0.38 * here + 0.35 * slope.clamp(-1.0, 1.0)).clamp(0.15, 1.15);
        let tone = |low: f64, high: f64| ((low + (high - low) * here) * light).min(255.0) as u8;
        Color32::from_rgb(tone(96.0, 226.0), tone(128.0, 220.0), tone(84.0, 206.0))
    });
    ColorImage::new([nx, ny], pixels.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_files_get_the_most_square_shape() {
        assert_eq!(most_square_column_count(512 * 512), 512);
        assert_eq!(most_square_column_count(600 * 512), 600);
        // A prime number of heights.
        assert_eq!(most_square_column_count(1_000_003), 1000);
    }
}
