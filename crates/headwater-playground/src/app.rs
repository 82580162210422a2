//! [`App`]: the playground as eframe sees it.

use eframe::egui;

/// The playground.
#[derive(Debug, Default)]
pub struct App {}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        egui::CentralPanel::default().show(ui, |ui| {
            ui.heading("Headwater");
        });
    }
}
