//! Export of the displayed world as meshes and data layers.

use super::FileCommand;
use crate::app::App;
use crate::app::panels::widgets::{self, Tip as _};
use eframe::egui;
use headwater_scene::mesh::to_glb;
use headwater_scene::raster::to_npy;

impl App {
    pub(in crate::app) fn save_mesh(&mut self, ctx: &egui::Context) {
        let simulation = self.world_view.live.simulation();
        let parts = simulation.meshes();
        if parts.iter().all(|part| part.mesh.triangles.is_empty()) {
            return self.report_error("This world has no surface to export as a mesh.".into());
        }
        let glb = to_glb(&parts, simulation.datum()).map_err(|error| error.to_string());
        self.save_world_file(FileCommand::SaveMesh, ".glb", glb, ctx);
    }

    fn save_layer(&mut self, layer: &str, ctx: &egui::Context) {
        let field = self.world_view.live.simulation().masked_layer(layer);
        let bytes = field.map(|field| to_npy(&field));
        let bytes = bytes.ok_or_else(|| format!("This world has no layer `{layer}`."));
        self.save_world_file(FileCommand::SaveLayer, &format!("-{layer}.npy"), bytes, ctx);
    }
}

pub(in crate::app) fn show_layer_menu(ui: &mut egui::Ui, app: &mut App, label: &str) {
    let layers = app.world_view.live.model().layers();
    let mut selected = None;
    let menu = widgets::menu(ui, label, |ui| {
        for layer in layers {
            let entry = ui.button(layer.name.replace('_', " "));
            let entry = app.probe.record_widget(format!("layer.{}", layer.name), entry);
            if entry.tip(format!("{} ({})", layer.meaning, layer.unit)).clicked() {
                selected = Some(layer.name);
                ui.close();
            }
        }
    });
    app.probe.record_rect("file.save-layer", menu.rect);
    if let Some(layer) = selected {
        let ctx = ui.ctx().clone();
        app.run_when_available(move |app| app.save_layer(layer, &ctx));
        ui.close();
    }
}
