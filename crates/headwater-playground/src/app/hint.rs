//! [`Hint`]: a suggestion for the first action, shown at its place if it has one.

use super::numbers::capital;
use super::stage::Stage;
use crate::status::Probe;
use eframe::egui::{self, Align2, Color32, FontId, Pos2, Rect, Stroke, pos2, vec2};
use headwater_scene::flow::Action;
use headwater_scene::live::Tool;

/// Simulated time after which the digging hint is pointless (s).
const LATE: f64 = 895.0;

pub(super) struct Hint {
    asks: Option<Asks>,
    /// Place of the suggested action (m).
    pub(super) place: Option<[f64; 2]>,
    /// Number of edits when the scene was opened.
    edits: u64,
}

enum Asks {
    /// Dig at the place.
    Dig,
    /// Try a tool.
    Try(&'static Tool),
}

impl Asks {
    fn text(&self, has_finger: bool) -> String {
        match (self, has_finger) {
            (Self::Dig, true) => "Dig here: hold a finger on the dam".into(),
            (Self::Dig, false) => "Dig here: hold the left button on the dam".into(),
            (Self::Try(tool), _) => {
                format!("Try “{}”: {}", capital(tool.name), tool.doc)
            }
        }
    }
}

impl Hint {
    /// Returns the hint of a scene: the place of its first digging, otherwise its first tool.
    pub(super) fn of(stage: &Stage) -> Self {
        let place = digging_place(stage);
        let asks = match place {
            Some(_) => Some(Asks::Dig),
            None => stage.live.tools().first().map(Asks::Try),
        };
        Self { asks, place, edits: stage.edits }
    }

    pub(super) fn tool(&self) -> Option<&'static str> {
        matches!(self.asks, Some(Asks::Dig)).then_some("dig")
    }

    /// Hides the hint.
    pub(super) fn end(&mut self) {
        self.asks = None;
    }

    /// Draws the hint until the world is edited. `at` is the screen position of its place.
    pub(super) fn show(
        &mut self,
        ui: &egui::Ui,
        rect: Rect,
        at: Option<Pos2>,
        stage: &Stage,
        has_finger: bool,
        probe: &Probe,
    ) {
        if stage.edits != self.edits || stage.live.clock() > LATE && self.place.is_some() {
            self.end();
        }
        let Some(asks) = &self.asks else { return };
        let text = asks.text(has_finger);
        let painter = ui.painter().with_clip_rect(rect);
        let font = FontId::proportional(15.0);
        let galley = painter.layout(text, font, Color32::WHITE, (rect.width() - 48.0).max(80.0));
        let over = at.filter(|at| rect.shrink(30.0).contains(*at));
        let middle =
            over.map_or(pos2(rect.center().x, rect.bottom() - 24.0), |at| at - vec2(0.0, 70.0));
        let half = galley.size() * 0.5 + vec2(14.0, 14.0);
        let within = Rect::from_min_max(rect.min + half, (rect.max - half).max(rect.min + half));
        let place =
            Align2::CENTER_CENTER.anchor_size(middle.clamp(within.min, within.max), galley.size());
        let bubble = place.expand2(vec2(12.0, 6.0));
        if let Some(at) = over {
            let line = Stroke::new(2.0, Color32::from_black_alpha(190));
            painter.line_segment([bubble.center_bottom(), at], line);
            painter.circle_filled(at, 4.0, Color32::from_black_alpha(190));
        }
        painter.rect_filled(bubble, 8.0, Color32::from_black_alpha(190));
        painter.galley(place.min, galley, Color32::WHITE);
        probe.rect("hint", bubble);
    }
}

/// Returns the centre of the area that the scene's first digging event lowers.
fn digging_place(stage: &Stage) -> Option<[f64; 2]> {
    let scene = stage.live.scene().flow()?;
    let dug = |action: &Action| matches!(action, Action::Lower(_));
    let action = scene.events.iter().filter_map(|event| event.action()).find(|one| dug(one))?;
    let lattice = stage.live.lattice();
    let cells = action.area().region(&lattice).cells(lattice);
    let count = cells.len().max(1) as f64;
    let sum = cells.iter().fold([0.0, 0.0], |sum, &(x, y, _)| {
        let [east, south] = lattice.center(x, y);
        [sum[0] + east, sum[1] + south]
    });
    (!cells.is_empty()).then(|| sum.map(|along| along / count))
}
