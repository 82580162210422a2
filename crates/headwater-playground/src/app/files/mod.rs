//! Import and export of files, by drag and drop or by dialogs. In browsers, uploads and downloads
//! replace the dialogs.

pub(super) mod export;
#[cfg(not(target_arch = "wasm32"))]
pub(super) mod file_dialogs;
#[cfg(not(target_arch = "wasm32"))]
pub(super) mod gif_file;
pub(super) mod ground;
pub(super) mod import;
pub(super) mod import_dialogs;
pub(super) mod saved_scene;

use eframe::egui;
#[cfg(not(target_arch = "wasm32"))]
use headwater_scene::atomic::write_atomically;
use headwater_scene::picture::{Picture, to_png};
use saved_scene::SavedScene;
#[cfg(not(target_arch = "wasm32"))]
use std::io::Write as _;
#[cfg(not(target_arch = "wasm32"))]
use std::path::Path;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileCommand {
    OpenScene,
    SaveScene,
    OpenHeightmap,
    OpenState,
    SaveState,
    Screenshot,
    Flood,
    SaveHeightmap,
    SaveMesh,
    SaveLayer,
    /// Records the last seconds of play as an animation.
    Record,
    SaveGauges,
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "a window has no address"))]
    Share,
}

#[derive(Debug)]
pub(super) enum FileEvent {
    File {
        name: String,
        bytes: Vec<u8>,
        /// Folder of the file, if known. Paths of other files in the scene are relative to this
        /// folder.
        folder: Option<PathBuf>,
    },
    Picture {
        name: String,
        bytes: Vec<u8>,
    },
    Saved(String),
    Failed(String),
}

impl FileCommand {
    pub(super) const ALL: &[Self] = &[
        Self::OpenScene,
        Self::SaveScene,
        Self::OpenHeightmap,
        Self::OpenState,
        Self::SaveState,
        Self::Screenshot,
        Self::Flood,
        Self::SaveHeightmap,
        Self::SaveMesh,
        Self::SaveLayer,
        Self::Record,
        Self::SaveGauges,
        #[cfg(target_arch = "wasm32")]
        Self::Share,
    ];

    /// Returns three texts for the command's menu entry: its name in tests, its label and its
    /// tooltip.
    pub(super) fn menu_entry(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::OpenScene => ("open-scene", "Open a scene …", "A scene file (TOML)"),
            Self::SaveScene => (
                "save-scene",
                "Save the scene …",
                "As TOML, with your parameters and your edits as events",
            ),
            Self::OpenHeightmap => (
                "open-heightmap",
                "Open a heightmap …",
                "PNG (16 bit), GeoTIFF, ASC, NPY or R16: water on your own land",
            ),
            Self::OpenState => {
                ("open-state", "Open a state …", "Continue from a saved state of this scene")
            }
            Self::SaveState => ("save-state", "Save the state …", "The exact state of the world"),
            Self::Screenshot => ("screenshot", "Save a picture …", "The window as a PNG (P)"),
            Self::Flood => (
                "flood",
                "Let it rain on this land",
                "A flow world with rain and springs on this ground",
            ),
            Self::SaveHeightmap => (
                "save-heightmap",
                "Save the heightmap …",
                "The ground as a 16-bit PNG with its scale in metres",
            ),
            Self::SaveMesh => (
                "save-mesh",
                "Save the mesh …",
                "Ground and water as a glTF mesh, for modelling tools and game engines",
            ),
            Self::SaveLayer => (
                "save-layer",
                "Save a layer …",
                "Depth, velocity and other fields as numbers (NPY)",
            ),
            Self::Record => (
                "record",
                "Record the last six seconds",
                "The last six seconds of play as an animation",
            ),
            Self::SaveGauges => ("save-gauges", "Save the gauges …", "All readings as CSV"),
            Self::Share => (
                "share",
                "Share as a link",
                "A link that opens this world with your edits, on any machine",
            ),
        }
    }

    /// Returns the file filter for dialogs, as two values: the displayed name of the command's file
    /// type, and its file name extensions.
    fn file_filter(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::OpenScene | Self::SaveScene => ("scenes", &["toml"]),
            Self::OpenHeightmap => {
                ("heightmaps", &["png", "tif", "tiff", "asc", "npy", "r16", "raw"])
            }
            Self::SaveHeightmap => ("heightmaps", &["png"]),
            Self::OpenState | Self::SaveState => ("states", &[STATE]),
            Self::Screenshot => ("pictures", &["png"]),
            Self::SaveMesh => ("meshes", &["glb"]),
            Self::SaveLayer => ("layers", &["npy"]),
            // A web page records WebM instead.
            Self::Record => ("animations", &["gif"]),
            Self::SaveGauges => ("tables", &["csv"]),
            Self::Flood | Self::Share => ("", &[]),
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn create_dialog(self) -> rfd::AsyncFileDialog {
        let (kind, endings) = self.file_filter();
        rfd::AsyncFileDialog::new().add_filter(kind, endings)
    }
}

pub(super) const STATE: &str = "headwater";

pub(super) struct Files {
    sender: Sender<FileEvent>,
    arrivals: Receiver<FileEvent>,
    /// Whether a screenshot was requested and has not yet arrived. It arrives when a later frame is
    /// drawn.
    screenshot_pending: bool,
}

impl Default for Files {
    fn default() -> Self {
        let (sender, arrivals) = channel();
        Self { sender, arrivals, screenshot_pending: false }
    }
}

impl Files {
    #[cfg(target_arch = "wasm32")]
    pub(super) fn open_dialog(&self, command: FileCommand, ctx: &egui::Context) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        let (_, endings) = command.file_filter();
        run_in_background(async move {
            match crate::host::pick_file(endings).await {
                Ok(None) => {}
                Ok(Some((name, bytes))) => {
                    send_event(&sender, &ctx, FileEvent::File { name, bytes, folder: None });
                }
                Err(problem) => send_event(&sender, &ctx, FileEvent::Failed(problem)),
            }
        });
    }

    /// Downloads a file in the browser with the given name and contents.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn save(&self, _: FileCommand, name: &str, bytes: Vec<u8>, ctx: &egui::Context) {
        crate::host::download(name, &bytes);
        send_event(&self.sender, ctx, FileEvent::Saved(format!("{name} was downloaded")));
    }

    /// Downloads a scene and the file that the scene needs.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn save_scene(&self, scene: SavedScene, ctx: &egui::Context) {
        crate::host::download(&scene.name, scene.text.as_bytes());
        let words = scene.saved_message(&format!("{} was downloaded", scene.name));
        if let Some((name, bytes)) = &scene.file {
            crate::host::download(name, bytes);
        }
        send_event(&self.sender, ctx, FileEvent::Saved(words));
    }

    /// Records an animation of the canvas in the browser for `seconds` s and downloads it.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn record(&self, name: &str, seconds: f64, ctx: &egui::Context) {
        let (sender, ctx, name) = (self.sender.clone(), ctx.clone(), name.to_owned());
        run_in_background(async move {
            let arrival = match crate::host::record(&name, seconds).await {
                Ok(file) => FileEvent::Saved(format!("{file} was downloaded")),
                Err(problem) => FileEvent::Failed(problem),
            };
            send_event(&sender, &ctx, arrival);
        });
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn open_dialog(&self, command: FileCommand, ctx: &egui::Context) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        if !file_dialogs::has_dialogs() {
            return send_event(&sender, &ctx, FileEvent::Failed("No file dialog is available. Install a desktop portal or zenity, drop the file onto the window, or pass it on the command line.".into()));
        }
        let file = command.create_dialog().pick_file();
        run_in_background(async move {
            let Some(file) = file.await else { return };
            let (name, folder) = (file.file_name(), parent_folder(file.path()));
            // The file may have been removed since; the dialog library's `read` would panic in that
            // case.
            let arrival = match std::fs::read(file.path()) {
                Ok(bytes) => FileEvent::File { name, bytes, folder },
                Err(error) => FileEvent::Failed(format!("{name}: {error}")),
            };
            send_event(&sender, &ctx, arrival);
        });
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn save(
        &self,
        command: FileCommand,
        name: &str,
        bytes: Vec<u8>,
        ctx: &egui::Context,
    ) {
        self.write(
            file_dialogs::ask_save_path(command.create_dialog(), name, None),
            ctx,
            move |place| {
                write_atomically(&place.path, |file| file.write_all(&bytes))
                    .map_err(|error| format!("cannot be written: {error}"))?;
                Ok(place.saved_message())
            },
        );
    }

    /// Asks the user for a path, and writes a scene to it together with the file that the scene
    /// needs. Reports an error if the scene could not be opened from that path.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn save_scene(&self, scene: SavedScene, ctx: &egui::Context) {
        let place = file_dialogs::ask_save_path(
            FileCommand::SaveScene.create_dialog(),
            &scene.name,
            scene.folder.as_deref(),
        );
        self.write(place, ctx, move |place| {
            scene.write(&place.path)?;
            Ok(scene.saved_message(&place.saved_message()))
        });
    }

    /// Encodes pictures as an animation with `delay` s between them, asks the user for a path, and
    /// writes the animation to it.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn save_animation(
        &self,
        name: &str,
        pictures: Vec<std::sync::Arc<egui::ColorImage>>,
        delay: f64,
        ctx: &egui::Context,
    ) {
        self.write(
            file_dialogs::ask_save_path(FileCommand::Record.create_dialog(), name, None),
            ctx,
            move |place| {
                let frames: Result<Vec<_>, _> =
                    pictures.iter().map(|picture| encode_png(picture)).collect();
                let frames = frames.map_err(|error| format!("no animation: {error}"))?;
                gif_file::write(&place.path, &frames, delay)?;
                Ok(place.saved_message())
            },
        );
    }

    /// Waits until the user has chosen a path, then calls `write_file` to write the file.
    /// `write_file` returns a message or an error.
    #[cfg(not(target_arch = "wasm32"))]
    fn write(
        &self,
        chosen_path: impl Future<Output = Option<file_dialogs::SavePath>> + Send + 'static,
        ctx: &egui::Context,
        write_file: impl FnOnce(&file_dialogs::SavePath) -> Result<String, String> + Send + 'static,
    ) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        run_in_background(async move {
            let Some(chosen_path) = chosen_path.await else { return };
            send_event(
                &sender,
                &ctx,
                write_file(&chosen_path).map_or_else(FileEvent::Failed, FileEvent::Saved),
            );
        });
    }

    pub(super) fn take_screenshot(&mut self, name: &str, ctx: &egui::Context) {
        let (sender, name) = (self.sender.clone(), name.to_owned());
        let waker = ctx.clone();
        let took = move |picture: std::sync::Arc<egui::ColorImage>| {
            let arrival = match encode_png(&picture) {
                Ok(bytes) => FileEvent::Picture { name, bytes },
                Err(error) => FileEvent::Failed(format!("no picture: {error}")),
            };
            send_event(&sender, &waker, arrival);
        };
        self.screenshot_pending = true;
        let callback = egui::ScreenshotCallback::new(took);
        ctx.send_viewport_cmd(egui::ViewportCommand::Screenshot(callback));
    }

    pub(super) fn read_dropped_files(&self, ctx: &egui::Context) {
        for dropped in ctx.input(|input| input.raw.dropped_files.clone()) {
            let (sender, ctx) = (self.sender.clone(), ctx.clone());
            run_in_background(async move {
                let name =
                    dropped.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
                #[cfg(target_arch = "wasm32")]
                let (bytes, folder) = (dropped.bytes_async().await, None);
                #[cfg(not(target_arch = "wasm32"))]
                let (bytes, folder) = (dropped.bytes(), parent_folder(dropped.path()));
                let arrival = match bytes {
                    Ok(bytes) => FileEvent::File { name, bytes, folder },
                    Err(problem) => FileEvent::Failed(format!("{name}: {problem}")),
                };
                send_event(&sender, &ctx, arrival);
            });
        }
    }

    pub(super) fn take_events(&mut self) -> Vec<FileEvent> {
        let arrivals: Vec<FileEvent> = self.arrivals.try_iter().collect();
        let done = |arrival: &FileEvent| !matches!(arrival, FileEvent::File { .. });
        self.screenshot_pending &= !arrivals.iter().any(done);
        arrivals
    }

    pub(super) fn is_screenshot_pending(&self) -> bool {
        self.screenshot_pending
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn parent_folder(path: &Path) -> Option<PathBuf> {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned)
}

/// Encodes a screenshot as a PNG without an alpha channel.
fn encode_png(picture: &egui::ColorImage) -> Result<Vec<u8>, png::EncodingError> {
    let [width, _] = picture.size;
    let color = |x: usize, y: usize| {
        let [red, green, blue, _] = picture.pixels[y * width + x].to_array();
        [red, green, blue]
    };
    to_png(&Picture::from_fn(width, picture.size[1], color))
}

fn send_event(sender: &Sender<FileEvent>, ctx: &egui::Context, event: FileEvent) {
    // Sending fails only if the program is ending.
    if sender.send(event).is_ok() {
        ctx.request_repaint();
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn run_in_background(work: impl Future<Output = ()> + Send + 'static) {
    std::thread::spawn(move || pollster::block_on(work));
}

#[cfg(target_arch = "wasm32")]
fn run_in_background(work: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(work);
}
