//! Files in and out: by a dialog, which in a browser is an upload or a download, or dropped onto the window.

#[cfg(not(target_arch = "wasm32"))]
use super::asking;
use super::saved_scene::SavedScene;
use super::words::{Tipped, words};
use eframe::egui;
#[cfg(not(target_arch = "wasm32"))]
use headwater_scene::atomic::write_atomically;
use headwater_scene::picture::{Picture, to_png};
#[cfg(not(target_arch = "wasm32"))]
use std::io::Write as _;
#[cfg(not(target_arch = "wasm32"))]
use std::path::Path;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What the file menu offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Open a scene file.
    OpenScene,
    /// Save the scene with all that was done to it.
    SaveScene,
    /// Make a world of a heightmap.
    OpenHeightmap,
    /// Go on from a state.
    OpenState,
    /// Keep the state.
    SaveState,
    /// Save a picture of the window.
    Screenshot,
    /// Let it rain on the ground of the world on show.
    Flood,
    /// Save the ground as a heightmap.
    SaveHeightmap,
    /// Save ground and water as triangles.
    SaveMesh,
    /// Save a layer as numbers.
    SaveLayer,
    /// Make an animation of the last seconds.
    Record,
    /// Save what gauges have measured.
    SaveGauges,
    /// Make a link that holds the world: to a page.
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "a window has no address"))]
    Share,
}

/// What came in or went out.
#[derive(Debug)]
pub(super) enum Arrival {
    /// A file was read.
    File {
        /// Its name, without folders.
        name: String,
        /// All of it.
        bytes: Vec<u8>,
        /// Where it lies, if that is known: other files that it names lie there too.
        folder: Option<PathBuf>,
    },
    /// The window was photographed.
    Picture {
        /// What its file may be called.
        name: String,
        /// The PNG.
        bytes: Vec<u8>,
    },
    /// Something was saved, in these words.
    Saved(String),
    /// It went wrong.
    Failed(String),
}

impl Wish {
    /// All, as the menu shows them.
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

    /// How the menu and dialogs show it.
    pub(super) fn entry(self) -> Entry {
        const HEIGHTMAPS: &[&str] = &["png", "tif", "tiff", "asc", "npy", "r16", "raw"];
        let words = &words().files;
        let (name, words, filter): (_, _, Filter) = match self {
            Self::OpenScene => ("open-scene", words.open_scene, (words.scenes, &["toml"])),
            Self::SaveScene => ("save-scene", words.save_scene, (words.scenes, &["toml"])),
            Self::OpenHeightmap => {
                ("open-heightmap", words.open_heightmap, (words.heightmaps, HEIGHTMAPS))
            }
            Self::OpenState => ("open-state", words.open_state, (words.states, &[STATE])),
            Self::SaveState => ("save-state", words.save_state, (words.states, &[STATE])),
            Self::Screenshot => ("screenshot", words.screenshot, (words.pictures, &["png"])),
            Self::Flood => ("flood", words.flood, ("", &[])),
            Self::SaveHeightmap => {
                ("save-heightmap", words.save_heightmap, (words.heightmaps, &["png"]))
            }
            Self::SaveMesh => ("save-mesh", words.save_mesh, (words.meshes, &["glb"])),
            Self::SaveLayer => ("save-layer", words.save_layer, (words.layers, &["npy"])),
            Self::Record => ("record", words.record, (words.animations, &[ANIMATION])),
            Self::SaveGauges => ("save-gauges", words.save_gauges, (words.tables, &["csv"])),
            Self::Share => ("share", words.share, ("", &[])),
        };
        Entry { name, words, filter }
    }

    /// A dialog for such files.
    #[cfg(not(target_arch = "wasm32"))]
    fn dialog(self) -> rfd::AsyncFileDialog {
        let (kind, endings) = self.entry().filter;
        rfd::AsyncFileDialog::new().add_filter(kind, endings)
    }
}

/// What a dialog filters for: a word and the endings of names.
type Filter = (&'static str, &'static [&'static str]);

/// An entry of the file menu.
pub(super) struct Entry {
    /// Its name for tests.
    pub(super) name: &'static str,
    /// What the menu says.
    pub(super) words: Tipped,
    filter: Filter,
}

/// The ending of animations.
const ANIMATION: &str = if cfg!(target_arch = "wasm32") { "webm" } else { "gif" };

/// The ending of files of states.
pub(super) const STATE: &str = "headwater";

/// Dialogs that are open, and what comes of them.
pub(super) struct Files {
    sender: Sender<Arrival>,
    arrivals: Receiver<Arrival>,
    /// Whether a picture is on its way from the device, which hands it over when a later frame is drawn.
    photographing: bool,
}

impl Default for Files {
    fn default() -> Self {
        let (sender, arrivals) = channel();
        Self { sender, arrivals, photographing: false }
    }
}

impl Files {
    /// Asks for a file to read.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn ask(&self, wish: Wish, ctx: &egui::Context) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        let (_, endings) = wish.entry().filter;
        in_background(async move {
            match crate::host::pick(endings).await {
                Ok(None) => {}
                Ok(Some((name, bytes))) => {
                    send(&sender, &ctx, Arrival::File { name, bytes, folder: None });
                }
                Err(problem) => send(&sender, &ctx, Arrival::Failed(problem)),
            }
        });
    }

    /// Hands a file to the browser: where it goes, and whether it comes there, only the browser knows.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn offer(&self, _: Wish, name: &str, bytes: Vec<u8>, ctx: &egui::Context) {
        crate::host::download(name, &bytes);
        send(&self.sender, ctx, Arrival::Saved((words().page.downloaded)(name)));
    }

    /// Hands a scene to the browser, and the file that it was made of.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn offer_scene(&self, scene: SavedScene, ctx: &egui::Context) {
        crate::host::download(&scene.name, scene.text.as_bytes());
        let words = scene.words(&(words().page.downloaded)(&scene.name));
        if let Some((name, bytes)) = &scene.file {
            crate::host::download(name, bytes);
        }
        send(&self.sender, ctx, Arrival::Saved(words));
    }

    /// Has the browser make an animation of the canvas, which is then among the downloads.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn record(&self, name: &str, seconds: f64, ctx: &egui::Context) {
        let (sender, ctx, name) = (self.sender.clone(), ctx.clone(), name.to_owned());
        in_background(async move {
            let arrival = match crate::host::record(&name, seconds).await {
                Ok(file) => Arrival::Saved((words().page.downloaded)(&file)),
                Err(problem) => Arrival::Failed(problem),
            };
            send(&sender, &ctx, arrival);
        });
    }

    /// Asks for a file to read.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn ask(&self, wish: Wish, ctx: &egui::Context) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        if !asking::can_ask() {
            return send(&sender, &ctx, Arrival::Failed(words().window.no_dialog.into()));
        }
        let file = wish.dialog().pick_file();
        in_background(async move {
            let Some(file) = file.await else { return };
            let (name, folder) = (file.file_name(), folder_of(file.path()));
            // What has gone in the meantime cannot be read: `read` of the dialog's library would panic.
            let arrival = match std::fs::read(file.path()) {
                Ok(bytes) => Arrival::File { name, bytes, folder },
                Err(error) => Arrival::Failed(format!("{name}: {error}")),
            };
            send(&sender, &ctx, arrival);
        });
    }

    /// Asks where to write, and writes.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn offer(&self, wish: Wish, name: &str, bytes: Vec<u8>, ctx: &egui::Context) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        let place = asking::place(wish.dialog(), name, None);
        in_background(async move {
            let Some(place) = place.await else { return };
            let arrival = match write_atomically(&place.path, |file| file.write_all(&bytes)) {
                Ok(()) => Arrival::Saved(place.saved()),
                Err(error) => Arrival::Failed((words().window.cannot_write)(&error.to_string())),
            };
            send(&sender, &ctx, arrival);
        });
    }

    /// Asks where a scene goes, and writes it there, with the file that it was made of beside it. Says so if it does not open from there.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn offer_scene(&self, scene: SavedScene, ctx: &egui::Context) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        let place = asking::place(Wish::SaveScene.dialog(), &scene.name, scene.folder.as_deref());
        in_background(async move {
            let Some(place) = place.await else { return };
            let arrival = match scene.write(&place.path) {
                Ok(()) => Arrival::Saved(scene.words(&place.saved())),
                Err(problem) => Arrival::Failed(problem),
            };
            send(&sender, &ctx, arrival);
        });
    }

    /// Makes an animation of pictures, each shown so long (s), and asks where to write it.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn offer_animation(
        &self,
        name: &str,
        pictures: Vec<std::sync::Arc<egui::ColorImage>>,
        delay: f64,
        ctx: &egui::Context,
    ) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        let place = asking::place(Wish::Record.dialog(), name, None);
        in_background(async move {
            let Some(place) = place.await else { return };
            let frames: Result<Vec<_>, _> = pictures.iter().map(|picture| png(picture)).collect();
            let frames = frames.map_err(|error| (words().window.no_animation)(&error.to_string()));
            let written =
                frames.and_then(|frames| super::gif_file::write(&place.path, &frames, delay));
            let arrival = match written {
                Ok(()) => Arrival::Saved(place.saved()),
                Err(problem) => Arrival::Failed(problem),
            };
            send(&sender, &ctx, arrival);
        });
    }

    /// Takes a picture of the window, and asks where to write it.
    pub(super) fn photograph(&mut self, name: &str, ctx: &egui::Context) {
        let (sender, name) = (self.sender.clone(), name.to_owned());
        let waker = ctx.clone();
        let took = move |picture: std::sync::Arc<egui::ColorImage>| {
            let arrival = match png(&picture) {
                Ok(bytes) => Arrival::Picture { name, bytes },
                Err(error) => Arrival::Failed((words().saving.no_picture)(&error.to_string())),
            };
            send(&sender, &waker, arrival);
        };
        self.photographing = true;
        let callback = egui::ScreenshotCallback::new(took);
        ctx.send_viewport_cmd(egui::ViewportCommand::Screenshot(callback));
    }

    /// Takes what was dropped onto the window.
    pub(super) fn take_dropped(&self, ctx: &egui::Context) {
        for dropped in ctx.input(|input| input.raw.dropped_files.clone()) {
            let (sender, ctx) = (self.sender.clone(), ctx.clone());
            in_background(async move {
                let name =
                    dropped.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
                #[cfg(target_arch = "wasm32")]
                let (bytes, folder) = (dropped.bytes_async().await, None);
                #[cfg(not(target_arch = "wasm32"))]
                let (bytes, folder) = (dropped.bytes(), folder_of(dropped.path()));
                let arrival = match bytes {
                    Ok(bytes) => Arrival::File { name, bytes, folder },
                    Err(problem) => Arrival::Failed(format!("{name}: {problem}")),
                };
                send(&sender, &ctx, arrival);
            });
        }
    }

    /// What has come since it was asked last.
    pub(super) fn arrivals(&mut self) -> Vec<Arrival> {
        let arrivals: Vec<Arrival> = self.arrivals.try_iter().collect();
        let done = |arrival: &Arrival| !matches!(arrival, Arrival::File { .. });
        self.photographing &= !arrivals.iter().any(done);
        arrivals
    }

    /// Whether frames have to be drawn for something to arrive.
    pub(super) fn wants_frames(&self) -> bool {
        self.photographing
    }
}

/// Where a file lies, if its path says so.
#[cfg(not(target_arch = "wasm32"))]
fn folder_of(path: &Path) -> Option<PathBuf> {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned)
}

/// What is on the screen has no transparency.
fn png(picture: &egui::ColorImage) -> Result<Vec<u8>, png::EncodingError> {
    let [width, _] = picture.size;
    let color = |x: usize, y: usize| {
        let [red, green, blue, _] = picture.pixels[y * width + x].to_array();
        [red, green, blue]
    };
    to_png(&Picture::from_fn(width, picture.size[1], color))
}

fn send(sender: &Sender<Arrival>, ctx: &egui::Context, arrival: Arrival) {
    // Nobody listens any more when the program ends: then nothing is to be done.
    if sender.send(arrival).is_ok() {
        ctx.request_repaint();
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn in_background(work: impl Future<Output = ()> + Send + 'static) {
    std::thread::spawn(move || pollster::block_on(work));
}

#[cfg(target_arch = "wasm32")]
fn in_background(work: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(work);
}
