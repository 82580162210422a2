//! [`App`]: the state of the playground, and its actions, such as opening scenes, restarting,
//! saving and importing files.

use super::canvas::Canvas;
use super::comparison::Comparison;
use super::files::import::HeightmapImport;
use super::files::saved_scene::SavedScene;
use super::files::{self, FileCommand, FileEvent, Files};
use super::history::navigation_history::{NavigationHistory, SuspendedWorld};
use super::history::recording::Recording;
use super::input::gamepad::Gamepad;
use super::input::tool_selection::ToolSelection;
use super::panels::Panels;
use super::panels::charts;
use super::panels::hint::Hint;
use super::panels::notice::Notice;
use super::sharing::shared_world::SharedWorld;
use super::world::catalog::{self, CatalogScene};
use super::world::compute::BackendChoice;
use super::world::large_world::LargeWorld;
use super::world::world_view::WorldView;
use crate::status::Probe;
use eframe::egui;
use headwater_scene::library::{self, LibraryScene};
use headwater_scene::run::RunError;
use std::collections::BTreeMap;
use std::mem;
use std::path::Path;
#[cfg(target_arch = "wasm32")]
use web_time::Instant;

/// Digging speed (m/s) that is set for the digging tool if a scene suggests digging.
const DIG_SPEED: f64 = 8.0;

const DEFAULT_SCENE: &str = "dam-breach";

/// An action that runs once the state of the world is available on the CPU.
pub(super) type DeferredAction = Box<dyn FnOnce(&mut App)>;

/// The playground application: the displayed world, the panels and all other state.
pub struct App {
    pub(super) probe: Probe,
    pub(super) catalog: Vec<CatalogScene>,
    pub(super) tab: &'static str,
    pub(super) world_view: WorldView,
    /// Earlier and later worlds of the open tab, for undo and redo of world changes such as opening
    /// a scene.
    navigation: NavigationHistory,
    /// Suspended world and navigation history of each tab other than the open one, by model name.
    tabs: BTreeMap<&'static str, (SuspendedWorld, NavigationHistory)>,
    /// Second world, if two worlds are being compared.
    pub(super) comparison: Option<Comparison>,
    pub(super) selection: ToolSelection,
    pub(super) canvas: Canvas,
    pub(super) compute: BackendChoice,
    /// Actions that wait until the state of the world is read back from the GPU.
    pub(super) deferred: Vec<DeferredAction>,
    pub(super) gamepad: Gamepad,
    pub(super) panels: Panels,
    pub(super) files: Files,
    pub(super) hint: Hint,
    /// Whether touch input is expected. Before the first input, the value depends on the platform.
    pub(super) expects_touch: bool,
    pub(super) help: bool,
    /// Position (m) in the world whose values the inspector shows.
    pub(super) pinned: Option<[f64; 2]>,
    /// Message that is shown over the world, if any.
    pub(super) notice: Option<Notice>,
    /// Wall time and duration (s) of the last autosave, and the world's step and edit counts at
    /// that time.
    #[cfg(target_arch = "wasm32")]
    pub(super) last_save: Option<(Instant, f64, [u64; 2])>,
    /// Shared world whose edit log is being replayed, if any.
    pub(super) replay: Option<SharedWorld>,
    /// Large world that waits for confirmation, if any.
    pub(super) large: Option<LargeWorld>,
    /// Heightmap import whose dialog is open, if any.
    pub(super) import: Option<HeightmapImport>,
    /// Animation recording in progress, if any.
    pub(super) recording: Option<Recording>,
    pub(super) errors: Vec<String>,
}

impl App {
    /// Opens the playground with the default scene.
    ///
    /// # Errors
    /// Returns [`RunError`] if the default scene of the library is invalid.
    pub fn new(probe: Probe) -> Result<Self, RunError> {
        Self::with_library_scene(probe, DEFAULT_SCENE)
    }

    /// Opens the playground with the library scene `name`, or with the default scene if there is no
    /// scene of this name.
    ///
    /// # Errors
    /// Returns the same errors as [`new`](Self::new).
    pub fn with_library_scene(probe: Probe, name: &str) -> Result<Self, RunError> {
        let known = library::find_scene(name);
        let shown =
            known.or_else(|| library::find_scene(DEFAULT_SCENE)).unwrap_or(library::SCENES[0]);
        let mut app = Self::with_view(probe, WorldView::from_library(shown)?);
        if known.is_none() {
            app.warn(format!(
                "There is no scene `{name}` in the library; the default scene was opened."
            ));
        }
        Ok(app)
    }

    #[cfg(target_arch = "wasm32")]
    pub(crate) fn assume_touch_input(&mut self) {
        self.expects_touch = true;
    }

    /// Opens the playground with a scene that is given as TOML source. Paths in the scene are
    /// relative to `directory`, or to the current directory if `directory` is `None`.
    ///
    /// # Errors
    /// Returns [`RunError`] if `text` is not a valid scene, or if its world cannot be created.
    pub fn with_scene(
        probe: Probe,
        name: &str,
        text: &str,
        directory: Option<&Path>,
    ) -> Result<Self, RunError> {
        Ok(Self::with_view(probe, WorldView::open(name, text, directory)?))
    }

    fn with_view(probe: Probe, world_view: WorldView) -> Self {
        let mut app = Self {
            probe,
            catalog: catalog::catalog_scenes(),
            tab: world_view.live.scene().model(),
            hint: Hint::for_scene(&world_view),
            world_view,
            navigation: NavigationHistory::default(),
            tabs: BTreeMap::new(),
            comparison: None,
            selection: ToolSelection::default(),
            canvas: Canvas::default(),
            compute: BackendChoice::default(),
            deferred: Vec::new(),
            gamepad: Gamepad::default(),
            panels: Panels::default(),
            files: Files::default(),
            expects_touch: false,
            help: false,
            pinned: None,
            notice: None,
            #[cfg(target_arch = "wasm32")]
            last_save: None,
            replay: None,
            large: None,
            import: None,
            recording: None,
            errors: Vec::new(),
        };
        app.select_suggested_tool();
        app
    }

    /// Selects the tool that the scene's hint suggests.
    fn select_suggested_tool(&mut self) {
        let Some(name) = self.hint.tool() else { return };
        let Some(tool) = self.world_view.live.tools().iter().find(|tool| tool.name == name) else {
            return;
        };
        self.selection.select(Some(name));
        // The dam of the first scene is 14 m higher than its lake, so digging through takes about
        // two seconds.
        self.selection.brush(tool).strength = DIG_SPEED;
    }

    /// Switches to the tab of `model`. Shows the suspended world of the tab, or the first scene of
    /// the model.
    pub(super) fn switch_tab(&mut self, model: &'static str) {
        self.run_when_available(move |app| app.switch_tab_now(model));
    }

    fn switch_tab_now(&mut self, model: &'static str) {
        if self.tab == model {
            return;
        }
        if let Some((world, navigation)) = self.tabs.remove(model) {
            let now = self.swap_world(world);
            let navigation = mem::replace(&mut self.navigation, navigation);
            self.tabs.insert(self.tab, (now, navigation));
            self.tab = model;
        } else if let Some(known) = catalog::first_scene(&self.catalog, model) {
            self.open_library_scene(known);
        }
    }

    /// Opens the playground with a file that contains a scene or a heightmap. A dialog asks for the
    /// settings that the heightmap does not contain.
    ///
    /// # Errors
    /// Returns the same errors as [`new`](Self::new). Errors in the file itself are shown in the
    /// window.
    pub fn with_file(probe: Probe, name: &str, bytes: &[u8]) -> Result<Self, RunError> {
        let mut app = Self::new(probe)?;
        app.open_file(name, bytes, None);
        Ok(app)
    }

    /// Opens a scene. If this fails, shows the error and keeps the current scene. A large world
    /// needs confirmation first.
    pub(super) fn open(&mut self, name: &str, text: &str, folder: Option<&Path>) {
        self.large = LargeWorld::from_scene(name, text, folder);
        if self.large.is_none() {
            self.open_now(name, text, folder);
        }
    }

    pub(super) fn open_now(&mut self, name: &str, text: &str, folder: Option<&Path>) {
        self.open_world_or_report(WorldView::open(name, text, folder));
    }

    /// Returns, for tests, two properties of a flow world: the difference between its highest and
    /// lowest ground height (m), and its width (m). Returns `None` for other models.
    #[must_use]
    pub fn relief_and_width(&self) -> Option<(f64, f64)> {
        let world = self.world_view.live.world();
        let (low, high) = world.flow()?.state().bed.min_max()?;
        Some((f64::from(high - low), self.world_view.size()[0]))
    }

    pub(super) fn open_library_scene(&mut self, library_scene: LibraryScene) {
        self.open_world_or_report(WorldView::from_library(library_scene));
    }

    /// Opens a new world, or shows the error if creating it failed.
    pub(super) fn open_world_or_report(&mut self, result: Result<WorldView, RunError>) {
        match result {
            Ok(world_view) => self.open_world(world_view),
            Err(error) => self.report_error(error.to_string()),
        }
    }

    /// Opens a new world in the tab of its model. The previous world of the tab is kept for undo.
    pub(super) fn open_world(&mut self, world_view: WorldView) {
        self.run_when_available(move |app| app.open_world_now(world_view));
    }

    pub(super) fn open_world_now(&mut self, world_view: WorldView) {
        let model = world_view.live.scene().model();
        let hint = Hint::for_scene(&world_view);
        let mut now = self.swap_world(SuspendedWorld {
            world_view,
            hint,
            camera_state: None,
            pinned: None,
            selection: None,
        });
        self.select_suggested_tool();
        if model != self.tab {
            let suspended = self.tabs.remove(model);
            let navigation = mem::take(&mut self.navigation);
            self.tabs.insert(self.tab, (now, navigation));
            self.tab = model;
            let Some((world, navigation)) = suspended else { return };
            (now, self.navigation) = (world, navigation);
        }
        if !now.world_view.is_unmodified() {
            self.navigation.push(now);
        }
    }

    /// Shows a suspended world, and returns the world that was shown before.
    fn swap_world(&mut self, world: SuspendedWorld) -> SuspendedWorld {
        let SuspendedWorld { mut world_view, hint, camera_state, pinned, selection } = world;
        let was_compared = self.comparison.is_some();
        self.end_comparison();
        world_view.resume();
        self.world_view.suspend();
        let before = SuspendedWorld {
            world_view: mem::replace(&mut self.world_view, world_view),
            hint: mem::replace(&mut self.hint, hint),
            camera_state: self.canvas.camera_state(),
            pinned: mem::replace(&mut self.pinned, pinned),
            selection: Some(self.selection.clone()),
        };
        self.canvas.switch_world(camera_state);
        self.compute.refused = None;
        match selection {
            Some(selection) => self.selection = selection,
            None => self.selection.reset_for(self.world_view.live.tools()),
        }
        if !self.world_view.allows_tool(self.selection.name()) {
            self.selection.select(None);
        }
        self.notice = None;
        if was_compared {
            self.notify("The comparison has ended, because another world was opened.");
        }
        before
    }

    /// Restarts the displayed world with the same camera, and with the seed `seed` if given. The
    /// replaced world is kept for undo if it has been stepped or edited. A world that was only
    /// restarted with another seed, without edits, is not kept when it is reseeded again.
    pub(super) fn restart(&mut self, seed: Option<u32>) {
        self.run_when_available(move |app| app.restart_now(seed));
    }

    fn restart_now(&mut self, seed: Option<u32>) {
        let fresh = match self.world_view.create_restarted(seed) {
            Ok(fresh) => fresh,
            Err(error) => return self.report_error(error.to_string()),
        };
        let camera_state = self.canvas.camera_state();
        self.world_view.suspend();
        let world_view = mem::replace(&mut self.world_view, fresh);
        if !(world_view.is_unmodified() || seed.is_some() && world_view.is_reseeded_and_unedited())
        {
            let hint = mem::replace(&mut self.hint, Hint::for_scene(&self.world_view));
            let (pinned, selection) = (self.pinned, Some(self.selection.clone()));
            self.navigation.push(SuspendedWorld {
                world_view,
                hint,
                camera_state,
                pinned,
                selection,
            });
        }
        self.canvas.refresh();
        self.rebuild_comparison();
    }

    /// Undoes the last stroke; if there is none, returns to the previous world.
    pub(super) fn undo(&mut self) {
        self.run_when_available(|app| {
            if app.world_view.undo_redo_availability().0 {
                app.undo_stroke();
            } else {
                app.show_adjacent_world(false);
            }
        });
    }

    pub(super) fn redo(&mut self) {
        self.run_when_available(|app| {
            if app.world_view.undo_redo_availability().1 {
                app.redo_stroke();
            } else {
                app.show_adjacent_world(true);
            }
        });
    }

    pub(super) fn undo_redo_availability(&self) -> (bool, bool) {
        let (strokes, worlds) =
            (self.world_view.undo_redo_availability(), self.navigation.back_forward_availability());
        (strokes.0 || worlds.0, strokes.1 || worlds.1)
    }

    fn show_adjacent_world(&mut self, forward: bool) {
        let Some(world) = self.navigation.worlds_in_direction(forward).pop() else { return };
        let same = world.world_view.has_same_scene(&self.world_view);
        let camera_state = if same { self.canvas.camera_state() } else { None };
        let now = self.swap_world(SuspendedWorld {
            camera_state: camera_state.or(world.camera_state),
            ..world
        });
        self.navigation.worlds_in_direction(!forward).push(now);
    }

    /// Discards the redo history if a new stroke has started.
    pub(super) fn handle_new_strokes(&mut self) {
        if mem::take(&mut self.world_view.has_new_stroke) {
            self.navigation.discard_forward();
            if let Some(running) = &mut self.world_view.challenge {
                // A player who acts has read the goal.
                running.is_goal_shown = false;
            }
        }
    }

    /// Closes dialogs and notices. If none are open, deselects the tool and hides the hint.
    pub(super) fn dismiss(&mut self) {
        let dialog_closed = self.import.take().is_some() | self.large.take().is_some();
        if !dialog_closed && self.notice.take().is_none() {
            if self.help || self.panels.sheet.is_some() {
                (self.help, self.panels.sheet) = (false, None);
            } else {
                self.selection.select(None);
                self.hint.dismiss();
            }
        }
    }

    pub(super) fn run_file_command(&mut self, command: FileCommand, ctx: &egui::Context) {
        match command {
            // A browser opens a file dialog only in the frame of the click.
            FileCommand::OpenScene | FileCommand::OpenHeightmap | FileCommand::OpenState => {
                self.files.open_dialog(command, ctx);
            }
            _ => {
                let ctx = ctx.clone();
                self.run_when_available(move |app| app.run_file_command_now(command, &ctx));
            }
        }
    }

    fn run_file_command_now(&mut self, command: FileCommand, ctx: &egui::Context) {
        match command {
            FileCommand::OpenScene | FileCommand::OpenHeightmap | FileCommand::OpenState => {}
            FileCommand::SaveScene => {
                let script = &self.world_view.script;
                let folder =
                    script.directory.clone().filter(|folder| !folder.as_os_str().is_empty());
                let file = script.file.clone();
                let (name, text) =
                    (format!("{}.toml", self.world_view.name), self.world_view.live.text());
                self.files.save_scene(SavedScene { name, text, file, folder }, ctx);
            }
            FileCommand::SaveState => {
                let state = self.world_view.live.snapshot();
                self.save_world_file(command, ".headwater", state, ctx);
            }
            FileCommand::Flood => {
                let land = self.world_view.imported_heightmap();
                match land
                    .and_then(|land| WorldView::from_heightmap(&land).map_err(|e| e.to_string()))
                {
                    Ok(world_view) => self.open_world_now(world_view),
                    Err(problem) => self.report_error(problem),
                }
            }
            FileCommand::SaveHeightmap => {
                let map = self.world_view.heightmap();
                self.save_world_file(command, "-ground.png", map, ctx);
            }
            FileCommand::SaveMesh => self.save_mesh(ctx),
            // This menu entry opens a submenu.
            FileCommand::SaveLayer => {}
            FileCommand::Record => self.record(ctx),
            FileCommand::SaveGauges => {
                let table = charts::format_csv(self.world_view.live.readings()).into_bytes();
                self.save_world_file(command, "-gauges.csv", Ok(table), ctx);
            }
            FileCommand::Share => self.share(ctx),
            FileCommand::Screenshot => {
                self.files.take_screenshot(&format!("{}.png", self.world_view.name), ctx);
            }
        }
    }

    /// Offers to save a file that is named after the world and has the extension `extension`. If
    /// creating the contents failed, shows the error.
    pub(super) fn save_world_file(
        &mut self,
        command: FileCommand,
        extension: &str,
        contents: Result<Vec<u8>, String>,
        ctx: &egui::Context,
    ) {
        match contents {
            Ok(bytes) => {
                self.files.save(
                    command,
                    &format!("{}{extension}", self.world_view.name),
                    bytes,
                    ctx,
                );
            }
            Err(problem) => self.report_error(problem),
        }
    }

    /// Handles files that have arrived from dialogs or by drag and drop.
    pub(super) fn process_file_events(&mut self, ctx: &egui::Context) {
        self.files.read_dropped_files(ctx);
        for arrival in self.files.take_events() {
            match arrival {
                FileEvent::File { name, bytes, folder } => {
                    self.open_file(&name, &bytes, folder.as_deref());
                }
                FileEvent::Picture { name, bytes } => {
                    self.files.save(FileCommand::Screenshot, &name, bytes, ctx);
                }
                FileEvent::Saved(words) => self.notify(words),
                FileEvent::Failed(problem) => self.report_error(problem),
            }
        }
    }

    fn open_file(&mut self, name: &str, bytes: &[u8], folder: Option<&Path>) {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        match ending.to_ascii_lowercase().as_str() {
            "toml" => match std::str::from_utf8(bytes) {
                Ok(text) => self.open(stem, text, folder),
                Err(_) => self.report_error(format!("{name}: a scene is a TOML text in UTF-8")),
            },
            files::STATE => {
                let (name, bytes) = (name.to_owned(), bytes.to_vec());
                self.run_when_available(move |app| match app.world_view.restore(&bytes) {
                    Ok(()) => app.rebuild_comparison(),
                    Err(problem) => app.report_error(format!("{name}: {problem}")),
                });
            }
            _ => match HeightmapImport::read(name, bytes.to_vec()) {
                Ok(import) => self.import = Some(import),
                Err(problem) => self.report_error(problem),
            },
        }
    }
}
