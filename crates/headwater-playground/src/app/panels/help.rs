//! The help window with keys and gestures.

use eframe::egui;

const KEYS: &[(&str, &str)] = &[
    ("Space", "run or pause"),
    (".", "one step"),
    ("R", "begin again"),
    ("− / +", "half or twice as fast"),
    ("1 … 5", "the tabs"),
    ("[ / ]", "a smaller or larger brush"),
    ("Esc", "deselect the tool"),
    ("F", "show all of the world"),
    ("T", "follow a floating body in a pool, or stop following"),
    ("M", "map or 3-D"),
    ("W", "move to ground level"),
    ("Arrows", "move the view"),
    ("V", "the next view"),
    ("Ctrl+Z", "undo the last stroke"),
    ("Ctrl+Y", "redo"),
    ("Ctrl+O / Ctrl+S", "open or save a scene"),
    ("P", "save a picture of the window"),
    ("F1", "this help"),
];

const GESTURES: &[(&str, &str)] = &[
    (
        "Left button",
        "use the tool; without one, turn or move the view; a click shows the values there",
    ),
    ("Right button", "turn the view"),
    ("Middle button, Shift+right", "move the view"),
    ("Wheel", "nearer or farther; with Ctrl, a larger or smaller brush"),
    ("One finger", "as the left button"),
    ("Two fingers", "pinch to come nearer, drag to move, twist to turn"),
];

pub(in crate::app) fn show(ctx: &egui::Context, open: &mut bool) {
    egui::Window::new("Keys and gestures")
        .open(open)
        .resizable(false)
        .vscroll(true)
        .max_height(ctx.content_rect().height() - 60.0)
        .default_pos(ctx.content_rect().center() - egui::vec2(200.0, 220.0))
        .show(ctx, |ui| {
            for (id, table) in [("keys", KEYS), ("gestures", GESTURES)] {
                egui::Grid::new(id).num_columns(2).spacing([18.0, 5.0]).show(ui, |ui| {
                    for (key, does) in table {
                        ui.strong(*key);
                        ui.add(egui::Label::new(*does).wrap());
                        ui.end_row();
                    }
                });
                ui.add_space(6.0);
            }
            // Gamepads are supported only on web pages.
            if cfg!(target_arch = "wasm32") {
                ui.label("Gamepad: sticks move and turn, triggers zoom; A uses the tool at the centre of the view, X and Y change it, B deselects it, the shoulder buttons change the brush size; Start runs or pauses, Select undoes, Up shows the whole world.");
            }
            ui.label("Heightmaps (PNG16, GeoTIFF, ASC, NPY, R16), scenes and states can be dropped onto the window.");
        });
}
