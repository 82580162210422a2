//! The resolution menu, which changes the number of cells of a world that is seen from above.

use super::large_world::LargeWorld;
use super::world_view::WorldView;
use crate::app::App;
use crate::app::panels::widgets::Tip as _;
use eframe::egui;
use headwater_scene::run::RunError;
use headwater_scene::waves::WavesWorld;

/// Resolutions that the menu offers (number of cells along the longer side of the world).
pub(in crate::app) const SIDES: [usize; 4] = [256, 512, 1024, 2048];

pub(in crate::app) fn show_resolution_menu(ui: &mut egui::Ui, app: &mut App) {
    if !app.world_view.can_change_resolution() {
        return;
    }
    let now = app.world_view.resolution();
    let mut selected = None;
    ui.weak("Cells along a side");
    ui.horizontal_wrapped(|ui| {
        for side in SIDES {
            let entry = ui.selectable_label(now == side, side.to_string());
            let entry = app.probe.record_widget(format!("size.{side}"), entry);
            if entry
                .tip("Restart on the same land with finer or coarser cells; can be undone")
                .clicked()
                && now != side
            {
                selected = Some(side);
            }
        }
    });
    if let Some(side) = selected {
        app.resize(side);
    }
}

impl App {
    /// Restarts the displayed world with `side` cells along its longer side. A large world needs
    /// confirmation first.
    fn resize(&mut self, side: usize) {
        self.large = LargeWorld::from_resolution(&self.world_view, side);
        if self.large.is_none() {
            self.resize_now(side);
        }
    }

    pub(in crate::app) fn resize_now(&mut self, side: usize) {
        self.open_world_or_report(self.world_view.with_resolution(side));
    }
}

impl WorldView {
    /// Returns true if the resolution can be changed: the world is seen from above, and its scene
    /// has a grid.
    pub(in crate::app) fn can_change_resolution(&self) -> bool {
        let scene = self.live.scene();
        let is_land = scene.flow().is_some() || scene.waves().is_some();
        is_land || scene.hydrology().is_some()
    }

    /// Returns the number of cells along the longer side of the world.
    pub(in crate::app) fn resolution(&self) -> usize {
        let lattice = self.live.lattice();
        lattice.nx().max(lattice.ny())
    }

    /// Returns the numbers of columns and rows that the world has if its longer side has `side`
    /// cells.
    pub(in crate::app) fn shape_at(&self, side: usize) -> [usize; 2] {
        let (lattice, finer) = (self.live.lattice(), side as f64 / self.resolution() as f64);
        [lattice.nx(), lattice.ny()].map(|n| ((n as f64 * finer).round() as usize).max(2))
    }

    /// Opens the scene of this world again, on the same area, with `side` cells along its longer
    /// side.
    pub(in crate::app) fn with_resolution(&self, side: usize) -> Result<Self, RunError> {
        let (lattice, finer) = (self.live.lattice(), side as f64 / self.resolution() as f64);
        let [nx, ny] = self.shape_at(side);
        let [dx, dy] = [lattice.dx() / finer, lattice.dy() / finer];
        let cell = if dx == dy || lattice.is_hex() {
            format!("{dx:?}")
        } else {
            format!("[{dx:?}, {dy:?}]")
        };
        let mut script = self.script.clone();
        script.override_value("grid.nx", nx.to_string());
        script.override_value("grid.ny", ny.to_string());
        script.override_value("grid.cell", cell);
        if let Some(scene) = self.live.scene().flow()
            && scene.physics.keys.is_given("pipe_area")
        {
            // Scale the pipe area with the cell size, which keeps the wave speed.
            script.override_value(
                "physics.pipe_area",
                format!("{:?}", scene.physics.keys.pipe_area / finer),
            );
        }
        if let Some(world) = self.live.world().get::<WavesWorld>() {
            // Scale the time step with the cell size, which keeps the Courant number.
            script.override_value(
                "physics.step",
                format!("{:?}", world.waves.params().step / finer.max(1.0)),
            );
        }
        script.brush *= finer;
        let mut sized = Self::from_script(&self.name, script)?;
        (sized.playing, sized.pace.speed) = (self.playing, self.pace.speed);
        Ok(sized)
    }
}
