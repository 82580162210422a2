//! Accessibility tree of the page: publishes the readable and clickable widgets of egui as a list.

use crate::host;
use eframe::egui::accesskit::{Action, ActionRequest, Node, NodeId, Role, Toggled, TreeId};
use eframe::egui::{self, Event, FullOutput, Plugin, RawInput};
use serde::Serialize;
use std::cell::RefCell;
use web_time::Instant;

/// Interval between updates of the published tree (s).
const UPDATE_INTERVAL: f64 = 0.4;

thread_local! {
    /// Pair of two values: the ids of widgets that were clicked through the tree and are not
    /// handled yet, and the egui context that is repainted after a click.
    static PRESSED: RefCell<(Vec<u64>, Option<egui::Context>)> = const { RefCell::new((Vec::new(), None)) };
}

pub(crate) fn press(id: &str) {
    let Ok(id) = u64::from_str_radix(id, 16) else { return };
    PRESSED.with_borrow_mut(|(pressed, ctx)| {
        pressed.push(id);
        if let Some(ctx) = ctx {
            ctx.request_repaint();
        }
    });
}

/// Enables publishing of the accessibility tree.
pub(crate) fn install(ctx: &egui::Context) {
    PRESSED.with_borrow_mut(|(_, known)| *known = Some(ctx.clone()));
    ctx.enable_accesskit();
    ctx.add_plugin(AccessibilityTreePublisher::default());
}

/// Publishes the accessibility tree whenever the tree changes.
#[derive(Default)]
struct AccessibilityTreePublisher {
    published: String,
    last_update: Option<Instant>,
}

/// Widget of the accessibility tree, as published in JSON.
#[derive(Serialize)]
struct Widget {
    id: String,
    role: &'static str,
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// Left, top, width and height of the widget (CSS pixels).
    rect: [i32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    on: Option<bool>,
    off: bool,
}

impl Plugin for AccessibilityTreePublisher {
    fn debug_name(&self) -> &'static str {
        "tree"
    }

    fn input_hook(&mut self, _: &egui::Context, input: &mut RawInput) {
        let pressed = PRESSED.with_borrow_mut(|(pressed, _)| std::mem::take(pressed));
        input.events.extend(pressed.into_iter().map(|id| {
            Event::AccessKitActionRequest(ActionRequest {
                action: Action::Click,
                target_tree: TreeId::ROOT,
                target_node: NodeId(id),
                data: None,
            })
        }));
    }

    fn output_hook(&mut self, ctx: &egui::Context, output: &mut FullOutput) {
        let Some(update) = output.platform_output.accesskit_update.take() else { return };
        if self
            .last_update
            .is_some_and(|last_update| last_update.elapsed().as_secs_f64() < UPDATE_INTERVAL)
        {
            return;
        }
        self.last_update = Some(Instant::now());
        let zoom = ctx.zoom_factor();
        let widgets = update.nodes.iter().filter_map(|(id, node)| widget(id.0, node, zoom));
        let text = serde_json::to_string(&widgets.collect::<Vec<_>>()).unwrap_or_default();
        if text != self.published {
            host::describe(&text);
            self.published = text;
        }
    }
}

fn widget(id: u64, node: &Node, zoom: f32) -> Option<Widget> {
    let role = match node.role() {
        Role::Button | Role::DefaultButton | Role::Link => "button",
        Role::CheckBox | Role::Switch | Role::RadioButton => "switch",
        Role::Slider | Role::SpinButton => "slider",
        Role::Label => "label",
        _ => return None,
    };
    let value = node.value().map(str::to_owned).or(node.numeric_value().map(|v| v.to_string()));
    let label = node.label().map(str::to_owned);
    let (label, value) = match (label, value) {
        (Some(label), value) => (label, value),
        (None, Some(value)) => (value, None),
        (None, None) => return None,
    };
    let bounds = node.bounds()?;
    let scale = f64::from(zoom);
    let rect = [bounds.x0, bounds.y0, bounds.x1 - bounds.x0, bounds.y1 - bounds.y0]
        .map(|side| (side * scale) as i32);
    let on = match (node.toggled(), node.is_selected()) {
        (Some(toggled), _) => Some(toggled == Toggled::True),
        (None, selected) => selected,
    };
    Some(Widget { id: format!("{id:x}"), role, label, value, rect, on, off: node.is_disabled() })
}
