//! What a language says: [`Words`], in groups by panel. Where something is put into a sentence, a field is a function, so that a
//! language orders its words as it likes.

/// All that the playground says in a language.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) bar: BarWords,
    pub(crate) files: FilesWords,
    pub(crate) saving: SavingWords,
    pub(crate) recording: RecordingWords,
    pub(crate) sending: SendingWords,
    pub(crate) playback: PlaybackWords,
    pub(crate) books: BooksWords,
    pub(crate) shelf: ShelfWords,
    pub(crate) onward: OnwardWords,
    pub(crate) weather: WeatherWords,
    pub(crate) challenges: ChallengesWords,
    pub(crate) compare: CompareWords,
    pub(crate) inspector: InspectorWords,
    pub(crate) view: ViewWords,
    pub(crate) compute: ComputeWords,
    pub(crate) hints: HintsWords,
    pub(crate) questions: QuestionsWords,
    pub(crate) help: HelpWords,
    pub(crate) numbers: NumbersWords,
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "of windows alone"))]
    pub(crate) window: WindowWords,
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "of pages alone"))]
    pub(crate) page: PageWords,
    /// What models say of themselves, in English, and in this language: names and docs of tools and parameters, layers, quantities,
    /// units, titles of scenes. What is not in it stays English.
    pub(crate) of_models: &'static [(&'static str, &'static str)],
}

/// What a widget says, and what is said under the pointer.
#[derive(Clone, Copy)]
pub(crate) struct Tipped {
    pub(crate) label: &'static str,
    pub(crate) tip: &'static str,
}

/// A widget's words.
pub(super) const fn tipped(label: &'static str, tip: &'static str) -> Tipped {
    Tipped { label, tip }
}

/// The bar at the top, and the switches of a phone.
#[derive(Clone, Copy)]
pub(crate) struct BarWords {
    pub(crate) file: &'static str,
    pub(crate) menu: &'static str,
    /// What a model is about, and the key of its tab.
    pub(crate) tab_tip: fn(&str, usize) -> String,
    pub(crate) undo: Tipped,
    pub(crate) redo: Tipped,
    pub(crate) shelf: Tipped,
    pub(crate) inspector: Tipped,
    pub(crate) help: Tipped,
    pub(crate) light: Tipped,
    pub(crate) dark: Tipped,
    /// A phone's sheet about the world: the end of the bar at the foot, and the inspector.
    pub(crate) world: &'static str,
    /// Puts a notice away.
    pub(crate) close: &'static str,
}

/// The file menu.
#[derive(Clone, Copy)]
pub(crate) struct FilesWords {
    pub(crate) no_such_scene: fn(&str) -> String,
    pub(crate) open_scene: Tipped,
    pub(crate) save_scene: Tipped,
    pub(crate) open_heightmap: Tipped,
    pub(crate) open_state: Tipped,
    pub(crate) save_state: Tipped,
    pub(crate) screenshot: Tipped,
    pub(crate) flood: Tipped,
    pub(crate) save_heightmap: Tipped,
    pub(crate) save_mesh: Tipped,
    pub(crate) save_layer: Tipped,
    pub(crate) record: Tipped,
    pub(crate) save_gauges: Tipped,
    pub(crate) share: Tipped,
    /// Kinds of files, as dialogs name them.
    pub(crate) scenes: &'static str,
    pub(crate) heightmaps: &'static str,
    pub(crate) states: &'static str,
    pub(crate) pictures: &'static str,
    pub(crate) meshes: &'static str,
    pub(crate) layers: &'static str,
    pub(crate) animations: &'static str,
    pub(crate) tables: &'static str,
    /// Of a file by its name.
    pub(crate) no_text: fn(&str) -> String,
    pub(crate) no_surface: &'static str,
    /// Of a layer by its name.
    pub(crate) no_layer: fn(&str) -> String,
    pub(crate) no_ground: &'static str,
    pub(crate) squares_only: &'static str,
}

/// What is said once something is saved, or is not.
#[derive(Clone, Copy)]
pub(crate) struct SavingWords {
    /// What is said of the scene, and the name of a file beside it.
    pub(crate) with_file: fn(&str, &str) -> String,
    /// Why.
    pub(crate) no_picture: fn(&str) -> String,
}

/// Animations of the last seconds.
#[derive(Clone, Copy)]
pub(crate) struct RecordingWords {
    /// How far it is (%).
    pub(crate) progress: fn(f64) -> String,
    pub(crate) cancel_tip: &'static str,
    pub(crate) one_world: &'static str,
    pub(crate) nothing_yet: &'static str,
}

/// Worlds that are sent, and those that come again.
#[derive(Clone, Copy)]
pub(crate) struct SendingWords {
    pub(crate) no_files: &'static str,
    pub(crate) too_long: &'static str,
    pub(crate) ready: &'static str,
    /// How far it is (%).
    pub(crate) again: fn(u64) -> String,
    /// Why.
    pub(crate) cannot: fn(&str) -> String,
    pub(crate) damaged: &'static str,
    pub(crate) other_version: &'static str,
    /// A world that was kept between two visits.
    pub(crate) last_time: &'static str,
}

/// The bar at the foot.
#[derive(Clone, Copy)]
pub(crate) struct PlaybackWords {
    pub(crate) run: Tipped,
    pub(crate) pause: Tipped,
    pub(crate) again: Tipped,
    pub(crate) step: Tipped,
    /// What stands after the speed: simulated time, in this unit, in a second. The unit begins with a blank.
    pub(crate) speed: fn(&str) -> String,
    pub(crate) speed_tip: &'static str,
    pub(crate) slower: Tipped,
    pub(crate) faster: Tipped,
    /// What stands before the seed, with a blank.
    pub(crate) seed: &'static str,
    pub(crate) seed_tip: &'static str,
    pub(crate) now: &'static str,
    /// How long ago (s).
    pub(crate) ago: fn(f64) -> String,
    pub(crate) back_tip: &'static str,
    /// How many.
    pub(crate) steps_done: fn(u64) -> String,
    /// Frames a second, and how long the steps of a frame take (ms).
    pub(crate) cost: fn(f64, f64) -> String,
    pub(crate) cost_tip: &'static str,
    /// What is reached of the speed (%).
    pub(crate) reached: fn(f64) -> String,
    pub(crate) reached_tip: &'static str,
}

/// How much water there is, and whether all of it is there.
#[derive(Clone, Copy)]
pub(crate) struct BooksWords {
    /// A length.
    pub(crate) waves: fn(&str) -> String,
    pub(crate) waves_tip: &'static str,
    pub(crate) liquid_tip: &'static str,
    /// What is missing, as a part of all.
    pub(crate) tip: fn(&str) -> String,
    pub(crate) sound: &'static str,
    /// An amount.
    pub(crate) missing: fn(&str) -> String,
}

/// The panel to the left: tools and scenes.
#[derive(Clone, Copy)]
pub(crate) struct ShelfWords {
    pub(crate) tools: &'static str,
    pub(crate) scenes: &'static str,
    /// Scenes that are no challenges.
    pub(crate) to_play_with: &'static str,
    pub(crate) look: Tipped,
    pub(crate) radius: &'static str,
    /// What stands after a radius, with a blank.
    pub(crate) cells: &'static str,
    pub(crate) sides: Tipped,
}

/// From one model to the next.
#[derive(Clone, Copy)]
pub(crate) struct OnwardWords {
    pub(crate) flood: Tipped,
    pub(crate) ripple: Tipped,
    pub(crate) pools: Tipped,
    pub(crate) no_blocks: &'static str,
    pub(crate) no_water: &'static str,
    pub(crate) no_lake: &'static str,
}

/// Skies to choose from.
#[derive(Clone, Copy)]
pub(crate) struct WeatherWords {
    pub(crate) title: &'static str,
    pub(crate) clear: Tipped,
    pub(crate) drizzle: Tipped,
    pub(crate) cloudburst: Tipped,
    pub(crate) drought: Tipped,
    pub(crate) storm: Tipped,
    pub(crate) winter: Tipped,
    pub(crate) melt: Tipped,
    pub(crate) no_heat: &'static str,
}

/// A challenge: what it is called, and what is to be done.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub(crate) title: &'static str,
    pub(crate) goal: &'static str,
}

/// Challenges.
#[derive(Clone, Copy)]
pub(crate) struct ChallengesWords {
    pub(crate) menu: Tipped,
    pub(crate) leave: Tipped,
    pub(crate) not_allowed: &'static str,
    /// How long (s).
    pub(crate) left: fn(f64) -> String,
    pub(crate) done: &'static str,
    pub(crate) lost: &'static str,
    pub(crate) well_done: &'static str,
    pub(crate) not_this_time: &'static str,
    pub(crate) village: Task,
    pub(crate) fields: Task,
    pub(crate) breach: Task,
    pub(crate) moat: Task,
    pub(crate) bridge: Task,
    pub(crate) delta: Task,
}

/// Two worlds beside each other.
#[derive(Clone, Copy)]
pub(crate) struct CompareWords {
    pub(crate) begin: Tipped,
    pub(crate) end: &'static str,
    pub(crate) differs_in: &'static str,
    pub(crate) differs_tip: &'static str,
    /// What moves the water of a flow.
    pub(crate) physics: &'static str,
    pub(crate) nothing_differs: &'static str,
    pub(crate) no_rewind: &'static str,
    pub(crate) ended: &'static str,
}

/// The panel to the right.
#[derive(Clone, Copy)]
pub(crate) struct InspectorWords {
    pub(crate) view: &'static str,
    pub(crate) place: &'static str,
    pub(crate) gauges: &'static str,
    pub(crate) parameters: &'static str,
    pub(crate) no_place: &'static str,
    /// How far to the east and to the south.
    pub(crate) at: fn(&str, &str) -> String,
    /// What a parameter is, and from where to where it goes.
    pub(crate) parameter_tip: fn(&str, [&str; 2]) -> String,
    /// Of a parameter by its key.
    pub(crate) in_file: fn(&str) -> String,
    /// A value and a time with its unit.
    pub(crate) value_at: fn(&str, &str) -> String,
}

/// What is shown of a world, and from where.
#[derive(Clone, Copy)]
pub(crate) struct ViewWords {
    pub(crate) world: &'static str,
    pub(crate) bodies: &'static str,
    pub(crate) pressure: &'static str,
    pub(crate) fill: &'static str,
    pub(crate) temperature: &'static str,
    pub(crate) velocity: &'static str,
    pub(crate) mesh: &'static str,
    pub(crate) depth: &'static str,
    pub(crate) surface: &'static str,
    pub(crate) ground: &'static str,
    /// What colours say, from where to where, in a unit.
    pub(crate) depths: fn(f32, f32, &str) -> String,
    pub(crate) speeds: fn(f32, f32, &str) -> String,
    pub(crate) surfaces: fn(f32, f32, &str) -> String,
    pub(crate) grounds: fn(f32, f32, &str) -> String,
    pub(crate) orbit: Tipped,
    pub(crate) map: Tipped,
    pub(crate) walk: Tipped,
    pub(crate) nearer: Tipped,
    pub(crate) farther: Tipped,
    pub(crate) all: Tipped,
    pub(crate) contours: &'static str,
    pub(crate) arrows: &'static str,
    pub(crate) tracers: &'static str,
    pub(crate) trees: &'static str,
    pub(crate) fine: Tipped,
    pub(crate) heights: &'static str,
    pub(crate) sun: &'static str,
    pub(crate) sun_azimuth_tip: &'static str,
    pub(crate) sun_altitude_tip: &'static str,
    pub(crate) no_device: &'static str,
    pub(crate) nothing: &'static str,
}

/// Whether worlds are computed by the CPU or by the GPU.
#[derive(Clone, Copy)]
pub(crate) struct ComputeWords {
    pub(crate) cpu: Tipped,
    pub(crate) gpu: Tipped,
    pub(crate) getting_ready: &'static str,
    pub(crate) no_device: &'static str,
    /// Why.
    pub(crate) on_the_cpu: fn(&str) -> String,
    /// Why.
    pub(crate) draws_only: fn(&str) -> String,
    /// Of a model by its name.
    pub(crate) cpu_alone: fn(&str) -> String,
    /// Why.
    pub(crate) refused: fn(&str) -> String,
}

/// What to try first.
#[derive(Clone, Copy)]
pub(crate) struct HintsWords {
    pub(crate) dig_by_finger: &'static str,
    pub(crate) dig_by_mouse: &'static str,
    /// A tool, and what it does.
    pub(crate) try_tool: fn(&str, &str) -> String,
}

/// What is asked before a world is made.
#[derive(Clone, Copy)]
pub(crate) struct QuestionsWords {
    pub(crate) cancel: &'static str,
    /// Of a heightmap.
    pub(crate) land: &'static str,
    pub(crate) make: &'static str,
    /// A file, its columns and rows.
    pub(crate) heights: fn(&str, [usize; 2]) -> String,
    pub(crate) columns: &'static str,
    pub(crate) width: Tipped,
    pub(crate) range: &'static str,
    pub(crate) size: Tipped,
    /// Columns and rows of the world, the size of a cell, and the world's width, depth and relief.
    pub(crate) becomes: fn([usize; 2], &str, [&str; 3]) -> String,
    /// How many.
    pub(crate) missing: fn(usize) -> String,
    /// Of a file by its name.
    pub(crate) too_few: fn(&str) -> String,
    pub(crate) all_missing: fn(&str) -> String,
    /// Of a large world.
    pub(crate) large: &'static str,
    /// Its name, how many cells it has, and how much memory they take (GB).
    pub(crate) has_many: fn(&str, &str, &str) -> String,
    pub(crate) open: &'static str,
}

/// The window with keys and gestures: a key, and what it does.
#[derive(Clone, Copy)]
pub(crate) struct HelpWords {
    pub(crate) title: &'static str,
    pub(crate) keys: [(&'static str, &'static str); 18],
    pub(crate) gestures: [(&'static str, &'static str); 6],
    pub(crate) pad: &'static str,
    pub(crate) files: &'static str,
}

/// What stands with numbers.
#[derive(Clone, Copy)]
pub(crate) struct NumbersWords {
    /// How many of what.
    pub(crate) millions: fn(&str, &str) -> String,
    pub(crate) billions: fn(&str, &str) -> String,
    pub(crate) cells: &'static str,
    /// The unit of parts of a cell.
    pub(crate) of_cell: &'static str,
    pub(crate) on: &'static str,
    pub(crate) off: &'static str,
}

/// What windows alone say.
#[derive(Clone, Copy)]
#[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "of windows alone"))]
pub(crate) struct WindowWords {
    /// Why there is none.
    pub(crate) no_window: fn(&str) -> String,
    pub(crate) no_dialog: &'static str,
    /// A file by its name.
    pub(crate) saved: fn(&str) -> String,
    /// A file by its path.
    pub(crate) saved_unasked: fn(&str) -> String,
    /// Why.
    pub(crate) cannot_write: fn(&str) -> String,
    /// A file that a scene needs, and the folder in which there is another.
    pub(crate) another_file: fn(&str, &str) -> String,
    /// A scene's file, and why.
    pub(crate) does_not_open: fn(&str, &str) -> String,
    /// A key of a scene, and the path that it names.
    pub(crate) absent: fn(&str, &str) -> String,
    /// Why.
    pub(crate) no_animation: fn(&str) -> String,
    pub(crate) no_pictures: &'static str,
}

/// What pages alone say.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "of pages alone"))]
pub(crate) struct PageWords {
    /// A file by its name.
    pub(crate) downloaded: fn(&str) -> String,
}
