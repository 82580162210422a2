//! Application of tools to the displayed world: strokes with the pointer.

use super::stroke::{DAB_INTERVAL, PendingInput, SPACING, Stroke, dab_positions};
use super::tool_selection::BrushSettings;
use crate::app::canvas::CanvasInput;
use crate::app::world::world_view::WorldView;
use headwater_scene::live::{Dab, Tool};

impl WorldView {
    /// Applies the canvas input of a frame to the world with the selected tool and its brush
    /// settings.
    pub(in crate::app) fn apply_input(
        &mut self,
        tool: Option<(&'static Tool, BrushSettings)>,
        canvas_input: &CanvasInput,
    ) {
        if canvas_input.cancels {
            self.cancel_stroke();
        }
        if let Some((tool, brush)) = tool
            && !canvas_input.path.is_empty()
        {
            self.use_tool(tool, &canvas_input.path, brush, canvas_input.seconds, canvas_input.ends);
        }
        if canvas_input.ends || !canvas_input.is_tool_in_use {
            self.end_stroke();
        }
    }

    /// Extends the stroke by `path`, the pointer path of the last frame. `seconds` is the duration
    /// of this frame (s). `ends` is true if the pointer was released at the end of the path. A
    /// stroke is undone as a whole.
    pub(in crate::app) fn use_tool(
        &mut self,
        tool: &'static Tool,
        path: &[[f64; 2]],
        brush: BrushSettings,
        seconds: f64,
        ends: bool,
    ) {
        let new = || PendingInput { tool, brush, path: Vec::new(), seconds: 0.0, ends: false };
        let pending_input = self.pending_input.get_or_insert_with(new);
        pending_input.path.extend_from_slice(path);
        pending_input.seconds += seconds;
        pending_input.ends |= ends;
        self.process_pending_input();
    }

    /// Applies pending tool input if the world is ready. The first input of a stroke needs the
    /// state of the world on the CPU, because an undo point is saved.
    pub(in crate::app) fn process_pending_input(&mut self) {
        if self.is_cancelled && self.live.read_back() {
            let done = self.history.cancel_last(&mut self.live);
            self.on_state_jump(done.err().map(|error| error.to_string()));
        }
        let first = self.stroke.is_none();
        let has_input = self.pending_input.is_some();
        let ready = has_input && if first { self.live.read_back() } else { self.live.is_ready() };
        if let Some(pending_input) = self.pending_input.take_if(|_| ready) {
            let ended = pending_input.ends;
            self.apply_to_stroke(pending_input, first);
            if ended {
                self.stroke = None;
            }
        }
    }

    fn apply_to_stroke(&mut self, pending_input: PendingInput, first: bool) {
        let PendingInput { tool, brush, path, seconds, ends } = pending_input;
        let Some(&at) = path.first() else { return };
        if first {
            self.save_undo_point();
        }
        let mut stroke = self.stroke.take().unwrap_or_else(|| {
            let level = tool.samples_height.then(|| self.ground_at(at)).flatten();
            Stroke { last: at, path: Vec::new(), level, seconds: 0.0 }
        });
        stroke.seconds += seconds;
        stroke.path.extend_from_slice(&path);
        if first || tool.is_continuous && (stroke.seconds >= DAB_INTERVAL || ends) {
            let radius = brush.radius * self.brush_cell();
            let places = if tool.is_continuous {
                dab_positions(stroke.last, &stroke.path, SPACING * radius)
            } else {
                vec![at]
            };
            let each = stroke.seconds / places.len() as f64;
            for at in places {
                let dab = Dab {
                    from: stroke.last,
                    radius,
                    strength: brush.strength,
                    seconds: if tool.is_continuous { each } else { 1.0 },
                    level: stroke.level,
                    plant: self.plants().get(brush.kind).cloned(),
                    ..Dab::new(at)
                };
                self.refusal =
                    self.live.apply_tool(tool, &dab).err().map(|error| error.to_string());
                stroke.last = at;
            }
            self.edits += 1;
            stroke.path.clear();
            stroke.seconds = 0.0;
        }
        self.stroke = Some(stroke);
    }

    /// Cancels the stroke in progress and undoes its effects.
    pub(in crate::app) fn cancel_stroke(&mut self) {
        self.pending_input = None;
        self.is_cancelled |= self.stroke.take().is_some();
        self.process_pending_input();
    }

    fn ground_at(&self, at: [f64; 2]) -> Option<f64> {
        self.live.probe(at).into_iter().find(|value| value.name == "bed").map(|value| value.value)
    }
}
