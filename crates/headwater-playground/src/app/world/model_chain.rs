//! Conversions of the displayed world to another model with the same land. Eroded terrain becomes a
//! flow world, a lake in a flow world becomes a wave world, and a block world becomes a world of
//! pools (model `columns`).

use super::world_view::WorldView;
use crate::app::App;
use crate::app::files::FileCommand;
use crate::app::panels::widgets::{LabelAndTip, Tip as _};
use eframe::egui;
use headwater::Field;
use headwater::blocks::Blocks;
use headwater::flow::Flow;
use std::fmt::Write as _;

/// Length of the longer side of a converted lake in the wave model (m).
const MODEL_LENGTH: f64 = 16.0;
/// Number of cells along the longer side of a converted lake.
const MODEL_CELLS: f64 = 320.0;

/// Largest number of rectangles that describe a lake; a scene may contain up to a thousand.
const MAX_RECTANGLES: usize = 990;

/// Depth below which cells of a lake become shore, as a fraction of the lake's largest depth.
const SHORE: f32 = 0.03;

/// Smallest number of cells that a lake must have to be converted.
const MIN_LAKE_CELLS: usize = 60;

/// Target of a conversion of the displayed world to another model.
#[derive(Clone, Copy)]
enum Conversion {
    Flood,
    Ripple,
    Pools,
}

impl Conversion {
    fn for_model(model: &str) -> Option<Self> {
        match model {
            "hydrology" => Some(Self::Flood),
            "flow" => Some(Self::Ripple),
            "blocks" => Some(Self::Pools),
            _ => None,
        }
    }

    fn label_and_tip(self) -> LabelAndTip {
        match self {
            Self::Flood => ("Flood this land", "Rain and springs on the carved ground"),
            Self::Ripple => (
                "Ripple a lake of it",
                "Waves on a 16 m long model of a lake: the selected one, or the largest",
            ),
            Self::Pools => ("Make pools of it", "The same world and its water, as pools"),
        }
    }
}

pub(in crate::app) fn show(ui: &mut egui::Ui, app: &mut App) {
    let Some(conversion) = Conversion::for_model(app.tab) else { return };
    let (label, tip) = conversion.label_and_tip();
    let button = app.probe.record_widget("onward", ui.button(label));
    if button.tip(tip).clicked() {
        let ctx = ui.ctx().clone();
        match conversion {
            Conversion::Flood => app.run_file_command(FileCommand::Flood, &ctx),
            Conversion::Ripple => {
                app.open_converted_world(|app| waves_scene_text(&app.world_view, app.pinned));
            }
            Conversion::Pools => app.open_converted_world(|app| pools_scene_text(&app.world_view)),
        }
    }
}

impl App {
    /// Opens the converted world. The closure `text` returns the TOML source of its scene, or the
    /// reason why the conversion is impossible; this reason is shown to the user.
    fn open_converted_world(
        &mut self,
        text: impl FnOnce(&Self) -> Result<String, String> + 'static,
    ) {
        self.run_when_available(move |app| {
            let name = format!("{}-onward", app.world_view.name.trim_end_matches("-onward"));
            match text(app) {
                Ok(text) => app.open_now(&name, &text, None),
                Err(problem) => app.report_error(problem),
            }
        });
    }
}

/// Converts a block world to a world of pools (model `columns`), and returns the TOML source of its
/// scene.
fn pools_scene_text(world_view: &WorldView) -> Result<String, String> {
    let blocks = world_view.live.world().get::<Blocks>().ok_or("There are no blocks.")?;
    // Pools contain only water: lava becomes rock, and oil is removed.
    let map = blocks.to_text().replace('L', "#").replace('o', ".");
    Ok(format!(
        "model = \"columns\"\ntitle = \"Pools\"\ndescription = \"What rested in blocks swings as to_pools\"\n\n\
         [time]\nuntil = 60\n\n[world]\ncell = 0.5\n\n[world.blocks]\nmap = \"\"\"\n{map}\"\"\"\n\n\
         [physics]\ncolumns_per_cell = 2\ndamping = 0.1\n\n\
         [[event]]\ntime = 1\nevery = 6\ndo = \"splash\"\nrect = {{ min = [\"30%\", 0], max = [\"32%\", \"100%\"] }}\nheight = 0.4\n"
    ))
}

/// Converts the lake at the position `place` (m), or the largest lake, to a wave world, and returns
/// the TOML source of its scene.
fn waves_scene_text(world_view: &WorldView, place: Option<[f64; 2]>) -> Result<String, String> {
    let flow = world_view.live.world().flow().ok_or("There is no water over land.")?;
    if flow.lattice().is_hex() {
        return Err(
            "This is only available for square grids, and this world has a hexagonal grid.".into(),
        );
    }
    let lake = Lake::find(flow, place).ok_or("There is no lake that is large enough.")?;
    Ok(lake.scene(world_view.seed()))
}

/// A lake in a flow world with square cells.
struct Lake {
    /// Water depth (m) in the cells of the lake; negative in other cells.
    depth: Field<f32>,
    /// Bounding box of the lake: first column, first row, end column, end row. The ends are
    /// exclusive.
    bounds: [usize; 4],
    /// Column and row of the deepest cell.
    deepest_cell: [usize; 2],
    /// Mean depth of the lake (m).
    mean_depth: f32,
    /// Size of a cell (m).
    cell: [f64; 2],
}

impl Lake {
    fn find(flow: &Flow, place: Option<[f64; 2]>) -> Option<Self> {
        let lattice = flow.lattice();
        let (state, closed) = (flow.state(), flow.state().closed.cells());
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let deepest = state.depth.min_max()?.1;
        let shore = (SHORE * deepest).max(0.02);
        let wet = |i: usize| {
            let at = (i % nx, i / nx);
            state.depth[at] > shore && !closed[at]
        };
        // Label the connected components of the water.
        let mut parts = vec![0_usize; nx * ny];
        let mut sizes = vec![0_usize];
        let mut open = Vec::new();
        for start in 0..nx * ny {
            if parts[start] > 0 || !wet(start) {
                continue;
            }
            let part = sizes.len();
            sizes.push(0);
            parts[start] = part;
            open.push(start);
            while let Some(i) = open.pop() {
                sizes[part] += 1;
                let (x, y) = (i % nx, i / nx);
                let neighbors = [
                    (x > 0).then(|| i - 1),
                    (x + 1 < nx).then(|| i + 1),
                    (y > 0).then(|| i - nx),
                    (y + 1 < ny).then(|| i + nx),
                ];
                for next in neighbors.into_iter().flatten() {
                    if parts[next] == 0 && wet(next) {
                        parts[next] = part;
                        open.push(next);
                    }
                }
            }
        }
        let selected_part =
            place.and_then(|place| lattice.cell_at(place)).map(|(x, y)| parts[y * nx + x]);
        let largest = || (1..sizes.len()).max_by_key(|&part| sizes[part]);
        let part = selected_part.filter(|&part| part > 0).or_else(largest)?;
        if sizes[part] < MIN_LAKE_CELLS {
            return None;
        }
        let depth = Field::from_fn(nx, ny, |x, y| {
            let at = state.depth[(x, y)];
            if parts[y * nx + x] == part { at } else { -deepest.min(2.0 * shore) }
        });
        let (mut bounds, mut deepest_cell, mut sum) = ([nx, ny, 0, 0], [0, 0], 0.0);
        for i in (0..nx * ny).filter(|&i| parts[i] == part) {
            let (x, y) = (i % nx, i / nx);
            bounds =
                [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x + 1), bounds[3].max(y + 1)];
            if depth[(x, y)] > depth[(deepest_cell[0], deepest_cell[1])] {
                deepest_cell = [x, y];
            }
            sum += depth[(x, y)];
        }
        let margin = (nx.max(ny) / 40).max(2);
        let bounds = [
            bounds[0].saturating_sub(margin),
            bounds[1].saturating_sub(margin),
            (bounds[2] + margin).min(nx),
            (bounds[3] + margin).min(ny),
        ];
        let (mean_depth, cell) = (sum / sizes[part] as f32, [lattice.dx(), lattice.dy()]);
        Some(Self { depth, bounds, deepest_cell, mean_depth, cell })
    }

    fn scene(&self, seed: u32) -> String {
        let [x0, y0, x1, y1] = self.bounds;
        let size = [(x1 - x0) as f64 * self.cell[0], (y1 - y0) as f64 * self.cell[1]];
        // Metres of the lake per metre of the wave model.
        let scale = size[0].max(size[1]) / MODEL_LENGTH;
        let mut along = MODEL_CELLS;
        let (runs, cells, cell) = loop {
            let cell = MODEL_LENGTH / along;
            let cells = size.map(|side| ((side / scale / cell).round() as usize).max(8));
            let runs = self.to_rectangles(cells);
            if runs.len() <= MAX_RECTANGLES || along < 32.0 {
                break (runs, cells, cell);
            }
            along *= 0.7;
        };
        let depth = (f64::from(self.mean_depth) / scale).clamp(0.2, 1.2);
        let mut text = format!(
            "model = \"waves\"\ntitle = \"Ripples on a lake\"\n\
             description = \"A model of a lake, 1 : {:.0}\"\nseed = {seed}\n\n\
             [grid]\nnx = {}\nny = {}\ncell = {cell:?}\n\n[time]\nuntil = 40\n\n\
             [physics]\nspeed = 1.0\ndamping = 0.3\ndepth = {depth:.3}\nhighest = 0.25\n\n\
             [picture]\nfloor = \"pebbles\"\ngrain = 0.2\nexaggeration = 1.7\n\n[[land]]\neverywhere = true\n",
            scale.max(1.0),
            cells[0],
            cells[1],
        );
        // Writing to a string cannot fail.
        for [x0, y0, x1, y1] in runs.into_iter().take(MAX_RECTANGLES) {
            let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(|at| at as f64 * cell);
            let _ = write!(
                text,
                "\n[[land]]\nrect = {{ min = [{x0:.4}, {y0:.4}], max = [{x1:.4}, {y1:.4}] }}\nwater = true\n"
            );
        }
        let at = [0, 1].map(|i| {
            (self.deepest_cell[i] as f64 + 0.5 - self.bounds[i] as f64) * self.cell[i] / scale
        });
        let _ = write!(
            text,
            "\n[[event]]\ntime = 0.5\nevery = 7\ndo = \"drop\"\nat = [{:.3}, {:.3}]\nradius = 0.5\ndepth = 0.12\n",
            at[0], at[1],
        );
        text
    }

    /// Returns the lake on the `nx × ny` grid of the wave model as rectangles: first column, first
    /// row, end column, end row (ends exclusive). Each rectangle is a horizontal run of wet cells.
    /// It extends over all following rows that contain the same run.
    fn to_rectangles(&self, [nx, ny]: [usize; 2]) -> Vec<[usize; 4]> {
        let [x0, y0, x1, y1] = self.bounds.map(|at| at as f64);
        let wet = |x: usize, y: usize| {
            let part = |at: usize, n: usize| (at as f64 + 0.5) / n as f64;
            let (x, y) = (x0 + (x1 - x0) * part(x, nx), y0 + (y1 - y0) * part(y, ny));
            self.depth.sample(x - 0.5, y - 0.5) > 0.0
        };
        let mut runs: Vec<[usize; 4]> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for y in 0..ny {
            let mut here = Vec::new();
            let mut x = 0;
            while x < nx {
                let start = x;
                while x < nx && wet(x, y) {
                    x += 1;
                }
                if x > start {
                    let same =
                        open.iter().copied().find(|&i| runs[i][0] == start && runs[i][2] == x);
                    here.push(same.unwrap_or(runs.len()));
                    match same {
                        Some(i) => runs[i][3] = y + 1,
                        None => runs.push([start, y, x, y + 1]),
                    }
                } else {
                    x += 1;
                }
            }
            open = here;
        }
        runs
    }
}
