//! [`PlaygroundDriver`]: test driver that controls the playground by mouse and keyboard events,
//! without a window.

#![allow(dead_code, reason = "not every test does all of it")]

use eframe::egui::{self, Pos2, Rect, pos2};
use eframe::egui_wgpu::RenderState;
use egui_kittest::{Harness, HarnessBuilder, TestRenderer};
use headwater_playground::status::{Probe, Status};
use headwater_playground::{App, install_fonts};

pub(crate) struct PlaygroundDriver {
    pub(crate) harness: Harness<'static, App>,
    probe: Probe,
}

impl PlaygroundDriver {
    /// Opens the default scene without a graphics device. Worlds seen from above are not drawn.
    pub(crate) fn new() -> Self {
        Self::with_builder(true, |builder| builder)
    }

    /// Opens the default scene with a graphics device for worlds seen from above, but does not draw
    /// to the device.
    pub(crate) fn with_device(render: &RenderState) -> Self {
        let device = HeadlessDevice(render.clone());
        Self::with_builder(true, |builder| builder.renderer(device))
    }

    /// Opens the default scene like [`with_device`](Self::with_device), but does not request state
    /// hashes.
    pub(crate) fn with_device_without_hashes(render: &RenderState) -> Self {
        let device = HeadlessDevice(render.clone());
        Self::with_builder(false, |builder| builder.renderer(device))
    }

    /// Opens the default scene in a window of the given size (points), without a graphics device.
    pub(crate) fn with_window_size(size: [f32; 2]) -> Self {
        let mut desk = Self::new();
        desk.harness.set_size(size.into());
        desk.run_frames(3);
        desk
    }

    /// Opens the given file instead of the default scene.
    pub(crate) fn with_file(name: &str, bytes: &[u8]) -> Self {
        let app = |probe| App::with_file(probe, name, bytes).expect("the first scene is sound");
        Self::from_app(Probe::default(), app, |builder| builder)
    }

    /// Opens a scene on a graphics device, at 60 frames per second.
    pub(crate) fn with_scene(render: &RenderState, name: &str, scene: &str) -> Self {
        let device = HeadlessDevice(render.clone());
        let app = |probe| App::with_scene(probe, name, scene, None).expect("the scene is sound");
        Self::from_app(Probe::default(), app, |builder| {
            builder.with_step_dt(1.0 / 60.0).renderer(device)
        })
    }

    fn with_builder(
        hashes: bool,
        finish: impl FnOnce(HarnessBuilder<App>) -> HarnessBuilder<App>,
    ) -> Self {
        let probe = Probe::default();
        if hashes {
            probe.request_hash();
        }
        Self::from_app(
            probe,
            |probe| App::new(probe).expect("the library's scenes are sound"),
            |builder| finish(builder.with_step_dt(1.0 / 30.0)),
        )
    }

    fn from_app(
        probe: Probe,
        app: impl FnOnce(Probe) -> App,
        finish: impl FnOnce(HarnessBuilder<App>) -> HarnessBuilder<App>,
    ) -> Self {
        let app = app(probe.clone());
        let builder = finish(Harness::builder().with_size([1200.0, 760.0]));
        let harness = builder.build_eframe(move |made| {
            install_fonts(&made.egui_ctx);
            app
        });
        let mut desk = Self { harness, probe };
        desk.run_frames(3);
        desk
    }

    /// Serializes the state of the displayed world.
    pub(crate) fn save_world(&mut self) -> Vec<u8> {
        self.harness.state_mut().save_world().expect("the world can be saved")
    }

    /// Returns the names and positions of the widgets whose names begin with `prefix`.
    pub(crate) fn widget_rects(&self, prefix: &str) -> Vec<(String, Rect)> {
        self.names(prefix).into_iter().map(|name| (name.clone(), self.rect_of(&name))).collect()
    }

    /// Sends a touch event of the finger `id`. The first finger also acts as the pointer, as in
    /// browsers and windows.
    pub(crate) fn send_touch(&mut self, id: u64, phase: egui::TouchPhase, pos: Pos2) {
        let device_id = egui::TouchDeviceId(0);
        let id = egui::TouchId(id);
        self.harness.event(egui::Event::Touch { device_id, id, phase, pos, force: None });
        if id == egui::TouchId(0) {
            let button = |pressed| egui::Event::PointerButton {
                pos,
                button: egui::PointerButton::Primary,
                pressed,
                modifiers: egui::Modifiers::NONE,
            };
            self.harness.event(egui::Event::PointerMoved(pos));
            match phase {
                egui::TouchPhase::Start => self.harness.event(button(true)),
                egui::TouchPhase::Move => {}
                egui::TouchPhase::End | egui::TouchPhase::Cancel => {
                    self.harness.event(button(false));
                    self.harness.event(egui::Event::PointerGone);
                }
            }
        }
        self.run_frames(1);
    }

    pub(crate) fn run_frames(&mut self, count: usize) {
        self.harness.run_steps(count);
    }

    pub(crate) fn status(&self) -> Status {
        self.probe.status()
    }

    pub(crate) fn hash(&self) -> String {
        self.status().hash.expect("hashes are wanted")
    }

    pub(crate) fn rect_of(&self, name: &str) -> Rect {
        self.probe.rect_of(name).unwrap_or_else(|| panic!("`{name}` is not to be seen"))
    }

    /// Returns the sorted names of the widgets whose names begin with `prefix`.
    pub(crate) fn names(&self, prefix: &str) -> Vec<String> {
        let json: serde_json::Value = serde_json::from_str(&self.probe.json()).expect("JSON");
        let rects = json["rects"].as_object().expect("a table of widgets");
        rects.keys().filter(|name| name.starts_with(prefix)).cloned().collect()
    }

    pub(crate) fn click(&mut self, name: &str) {
        let at = self.rect_of(name).center();
        self.press(at);
        self.run_frames(1);
        self.release(at);
        self.run_frames(2);
    }

    pub(crate) fn press_key(&mut self, key: egui::Key) {
        self.harness.key_press(key);
        self.run_frames(2);
    }

    pub(crate) fn press(&mut self, at: Pos2) {
        self.harness.hover_at(at);
        self.run_frames(1);
        self.harness.drag_at(at);
    }

    pub(crate) fn release(&mut self, at: Pos2) {
        self.harness.drop_at(at);
    }

    /// Draws a stroke over the canvas from one position to another. Positions are fractions of the
    /// canvas size.
    pub(crate) fn draw_stroke(&mut self, from: [f32; 2], to: [f32; 2]) {
        self.draw_stroke_on("canvas", from, to);
    }

    /// Draws a stroke like [`draw_stroke`](Self::draw_stroke) over the canvas with the given widget
    /// name.
    pub(crate) fn draw_stroke_on(&mut self, canvas: &str, from: [f32; 2], to: [f32; 2]) {
        let rect = self.rect_of(canvas);
        let at =
            |[x, y]: [f32; 2]| pos2(rect.left() + x * rect.width(), rect.top() + y * rect.height());
        self.press(at(from));
        self.run_frames(2);
        for i in 1..=4 {
            let part = i as f32 / 4.0;
            let between = [0, 1].map(|k| from[k] + part * (to[k] - from[k]));
            self.harness.hover_at(at(between));
            self.run_frames(1);
        }
        self.release(at(to));
        self.run_frames(2);
    }

    /// Turns the mouse wheel at a position. Positive values zoom in.
    pub(crate) fn turn_wheel(&mut self, at: Pos2, points: f32) {
        self.harness.hover_at(at);
        self.harness.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, points),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: egui::Modifiers::NONE,
        });
        self.run_frames(12);
    }

    pub(crate) fn pause(&mut self) {
        if self.status().running {
            self.click("button.run");
        }
    }
}

/// Graphics device with the settings of a window, but created without opening a window.
struct HeadlessDevice(RenderState);

impl TestRenderer for HeadlessDevice {
    fn setup_eframe(
        &self,
        creation_context: &mut eframe::CreationContext<'_>,
        frame: &mut eframe::Frame,
    ) {
        creation_context.wgpu_render_state = Some(self.0.clone());
        frame.wgpu_render_state = Some(self.0.clone());
    }

    fn handle_delta(&mut self, delta: &mut egui::TexturesDelta) {
        delta.clear();
    }
}
