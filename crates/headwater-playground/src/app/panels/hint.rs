//! [`Hint`]: a suggestion for the user's first action. The hint is shown at the position of the
//! action if the action has one.

use super::numbers::capitalize;
use crate::app::world::world_view::WorldView;
use crate::status::Probe;
use eframe::egui::{self, Align2, Color32, FontId, Pos2, Rect, Stroke, pos2, vec2};
use headwater_scene::flow::Action;
use headwater_scene::live::Tool;

/// Simulated time (s) after which the hint to dig is no longer shown.
const HINT_END: f64 = 895.0;

pub(in crate::app) struct Hint {
    suggestion: Option<Suggestion>,
    /// Position of the suggested action (m); `None` if the action has no position.
    pub(in crate::app) place: Option<[f64; 2]>,
    /// Edit count of the world when the scene was opened. The hint is hidden when the count
    /// changes.
    edits: u64,
}

enum Suggestion {
    /// Suggests digging at the hint's position.
    Dig,
    /// Suggests trying a tool.
    Try(&'static Tool),
}

impl Suggestion {
    fn text(&self, expects_touch: bool) -> String {
        match (self, expects_touch) {
            (Self::Dig, true) => "Dig here: hold a finger on the dam".into(),
            (Self::Dig, false) => "Dig here: hold the left button on the dam".into(),
            (Self::Try(tool), _) => {
                format!("Try “{}”: {}", capitalize(tool.name), tool.doc)
            }
        }
    }
}

impl Hint {
    /// Returns the hint of a scene: digging at the position of the scene's first digging event,
    /// otherwise trying the first tool.
    pub(in crate::app) fn for_scene(world_view: &WorldView) -> Self {
        let place = first_digging_position(world_view);
        let suggestion = match place {
            Some(_) => Some(Suggestion::Dig),
            None => world_view.live.tools().first().map(Suggestion::Try),
        };
        Self { suggestion, place, edits: world_view.edits }
    }

    pub(in crate::app) fn tool(&self) -> Option<&'static str> {
        matches!(self.suggestion, Some(Suggestion::Dig)).then_some("dig")
    }

    /// Hides the hint for the rest of the scene.
    pub(in crate::app) fn dismiss(&mut self) {
        self.suggestion = None;
    }

    /// Draws the hint. It is drawn until the world is edited. `at` is the screen position of the
    /// suggested action.
    pub(in crate::app) fn show(
        &mut self,
        ui: &egui::Ui,
        rect: Rect,
        at: Option<Pos2>,
        world_view: &WorldView,
        expects_touch: bool,
        probe: &Probe,
    ) {
        if world_view.edits != self.edits
            || world_view.live.clock() > HINT_END && self.place.is_some()
        {
            self.dismiss();
        }
        let Some(suggestion) = &self.suggestion else { return };
        let text = suggestion.text(expects_touch);
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
        probe.record_rect("hint", bubble);
    }
}

/// Returns the centre (m) of the area that the scene's first digging event lowers; `None` without
/// such an event.
fn first_digging_position(world_view: &WorldView) -> Option<[f64; 2]> {
    let scene = world_view.live.scene().flow()?;
    let lowered = scene.events.iter().find_map(|event| match event.action()? {
        Action::Lower(lowered) => Some(&lowered.extent),
        _ => None,
    });
    let lattice = world_view.live.lattice();
    let cells = lowered?.region(&lattice).cells(lattice);
    let count = cells.len().max(1) as f64;
    let sum = cells.iter().fold([0.0, 0.0], |sum, &(x, y, _)| {
        let [east, south] = lattice.center(x, y);
        [sum[0] + east, sum[1] + south]
    });
    (!cells.is_empty()).then(|| sum.map(|along| along / count))
}
