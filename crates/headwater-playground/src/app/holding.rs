//! Tool strokes on the shown world.

use super::canvas::Hands;
use super::hand::Grip;
use super::stage::Stage;
use super::stroke::{DABS, Held, SPACING, Stroke, spread};
use headwater_scene::live::{Dab, Tool};

impl Stage {
    /// Applies the input on the canvas with a tool and its settings.
    pub(super) fn touch(&mut self, tool: Option<(&'static Tool, Grip)>, hands: &Hands) {
        if hands.cancels {
            self.cancel_stroke();
        }
        if let Some((tool, grip)) = tool
            && !hands.path.is_empty()
        {
            self.hold(tool, &hands.path, grip, hands.seconds, hands.ends);
        }
        if hands.ends || !hands.draws {
            self.end_stroke();
        }
    }

    /// Adds the path of the last frame of `seconds` s to the stroke. A stroke is undone as a whole.
    pub(super) fn hold(
        &mut self,
        tool: &'static Tool,
        path: &[[f64; 2]],
        grip: Grip,
        seconds: f64,
        ends: bool,
    ) {
        let new = || Held { tool, grip, path: Vec::new(), seconds: 0.0, ends: false };
        let held = self.held.get_or_insert_with(new);
        held.path.extend_from_slice(path);
        held.seconds += seconds;
        held.ends |= ends;
        self.go_on_holding();
    }

    /// Applies pending input if the world is ready. The first input of a stroke needs the world on
    /// the CPU, to save an undo point.
    pub(super) fn go_on_holding(&mut self) {
        if self.is_cancelled && self.live.read_back() {
            let done = self.history.cancel_last(&mut self.live);
            self.travelled(done.err().map(|error| error.to_string()));
        }
        let first = self.stroke.is_none();
        let wants = self.held.is_some();
        let ready = wants && if first { self.live.read_back() } else { self.live.is_ready() };
        if let Some(held) = self.held.take_if(|_| ready) {
            let ended = held.ends;
            self.work(held, first);
            if ended {
                self.stroke = None;
            }
        }
    }

    fn work(&mut self, held: Held, first: bool) {
        let Held { tool, grip, path, seconds, ends } = held;
        let Some(&at) = path.first() else { return };
        if first {
            self.remember();
        }
        let mut stroke = self.stroke.take().unwrap_or_else(|| {
            let level = tool.samples_height.then(|| self.ground_at(at)).flatten();
            Stroke { last: at, way: Vec::new(), level, held: 0.0 }
        });
        stroke.held += seconds;
        stroke.way.extend_from_slice(&path);
        if first || tool.is_continuous && (stroke.held >= DABS || ends) {
            let radius = grip.radius * self.brush_cell();
            let places = if tool.is_continuous {
                spread(stroke.last, &stroke.way, SPACING * radius)
            } else {
                vec![at]
            };
            let each = stroke.held / places.len() as f64;
            for at in places {
                let dab = Dab {
                    from: stroke.last,
                    radius,
                    strength: grip.strength,
                    seconds: if tool.is_continuous { each } else { 1.0 },
                    level: stroke.level,
                    plant: self.plants().get(grip.kind).cloned(),
                    ..Dab::at(at)
                };
                self.refusal = self.live.dab(tool, &dab).err().map(|error| error.to_string());
                stroke.last = at;
            }
            self.edits += 1;
            stroke.way.clear();
            stroke.held = 0.0;
        }
        self.stroke = Some(stroke);
    }

    /// Cancels the stroke in progress and undoes it.
    pub(super) fn cancel_stroke(&mut self) {
        self.held = None;
        self.is_cancelled |= self.stroke.take().is_some();
        self.go_on_holding();
    }

    fn ground_at(&self, at: [f64; 2]) -> Option<f64> {
        self.live.probe(at).into_iter().find(|value| value.name == "bed").map(|value| value.value)
    }
}
