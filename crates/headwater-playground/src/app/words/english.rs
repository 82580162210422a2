//! English: all that the playground says, but for what the models say of themselves.

use super::groups::*;

pub(super) static ENGLISH: Words = Words {
    // The bar at the top, and the switches of a phone.
    bar: BarWords {
        file: "File",
        menu: "Menu",
        tab_tip: |about, key| format!("{about} (key {key})"),
        undo: tipped("Undo", "Undo the last stroke, or go back to the world before (Ctrl+Z)"),
        redo: tipped("Redo", "Do it again (Ctrl+Y)"),
        shelf: tipped("Shelf", "Scenes and tools"),
        inspector: tipped("Inspector", "Parameters, gauges, values"),
        help: tipped("Help", "Keys and gestures (F1)"),
        light: tipped("Light", "Light colours"),
        dark: tipped("Dark", "Dark colours"),
        world: "World",
        close: "Close",
    },
    // The file menu; then kinds of files as dialogs name them; then what goes wrong.
    files: FilesWords {
        no_such_scene: |name| {
            format!("There is no scene `{name}` in the library: this is another.")
        },
        open_scene: tipped("Open a scene …", "A scene file (TOML)"),
        save_scene: tipped(
            "Save the scene …",
            "As TOML, with your parameters and with all you did as events",
        ),
        open_heightmap: tipped(
            "Open a heightmap …",
            "PNG (16 bit), GeoTIFF, ASC, NPY or R16: water on your own land",
        ),
        open_state: tipped("Open a state …", "Goes on from a state of this scene"),
        save_state: tipped("Save the state …", "The world as it is, to the bit"),
        screenshot: tipped("Save a picture …", "The window as a PNG (P)"),
        flood: tipped(
            "Let it rain on this land",
            "Rain and springs on the ground of this world: carve it, then flood it",
        ),
        save_heightmap: tipped(
            "Save the heightmap …",
            "The ground as a PNG of 16 bit, which knows its metres",
        ),
        save_mesh: tipped(
            "Save the mesh …",
            "Ground and water as triangles (glTF), for modelling tools and engines",
        ),
        save_layer: tipped("Save a layer …", "Depth, velocity and the like as numbers (NPY)"),
        record: tipped(
            "Record the last six seconds",
            "What was to be seen in the last six seconds of play, as an animation",
        ),
        save_gauges: tipped("Save the gauges …", "All that they have measured, as CSV"),
        share: tipped(
            "Share as a link",
            "A link that opens this very world, with all you did to it, anywhere",
        ),
        scenes: "scenes",
        heightmaps: "heightmaps",
        states: "states",
        pictures: "pictures",
        meshes: "meshes",
        layers: "layers",
        animations: "animations",
        tables: "tables",
        no_text: |file| format!("{file}: a scene is a TOML text in UTF-8"),
        no_surface: "This world has no surface to make triangles of.",
        no_layer: |layer| format!("There is no layer {layer} here."),
        no_ground: "This world has no ground seen from above.",
        squares_only: "This works for worlds of squares, and this one is of hexagons.",
    },
    // What is said once something is saved, or is not.
    saving: SavingWords {
        with_file: |saved, file| format!("{saved}, and {file}, which it needs, beside it"),
        no_picture: |why| format!("no picture: {why}"),
    },
    // Animations of the last seconds.
    recording: RecordingWords {
        progress: |percent| format!("Recording … {percent:.0} %"),
        cancel_tip: "No animation; all goes on from where it was",
        one_world: "An animation shows one world: end the comparison first.",
        nothing_yet: "There is nothing to record yet: let the world run for some seconds first.",
    },
    // Worlds that are sent as links, and those that come again.
    sending: SendingWords {
        no_files: "A link cannot hold files or states: save the state instead.",
        too_long: "So much was done to this world that no link can hold it: save the scene instead, and send that.",
        ready: "A link to this world, as it is now, is ready to be pasted.",
        again: |percent| format!("Doing again what was done to this world: {percent} %"),
        cannot: |why| format!("It cannot be done again on this machine: {why}"),
        damaged: "The link is cut off or damaged.",
        other_version: "The link was made by another version of Headwater.",
        last_time: "Here is your world of last time.",
    },
    // The bar at the foot.
    playback: PlaybackWords {
        run: tipped("Run", "Run (Space)"),
        pause: tipped("Pause", "Pause (Space)"),
        again: tipped("Begin again", "Begin again (R); can be undone"),
        step: tipped("Step", "One step (.)"),
        speed: |unit| format!("{unit} a second"),
        speed_tip: "Simulated time in a second: drag, or click and type",
        slower: tipped("Slower", "Half as fast (−)"),
        faster: tipped("Faster", "Twice as fast (+)"),
        seed: "seed ",
        seed_tip: "Another seed makes another world, and begins again",
        now: "now",
        ago: |seconds| format!("−{seconds:.0} s"),
        back_tip: "Back in time, up to a minute of play. Going on from there takes another way",
        steps_done: |count| format!("{count} steps done"),
        cost: |frames, steps| format!("{frames:.0} fps · step {steps:.1} ms"),
        cost_tip: "Frames a second, and time spent on steps in each",
        reached: |percent| format!("{percent:.0} % of the speed"),
        reached_tip: "This machine steps the world slower than the speed asks for",
    },
    // How much water there is, and whether all of it is there.
    books: BooksWords {
        waves: |height| format!("waves up to {height}"),
        waves_tip: "How far the surface is from rest, where it is farthest",
        liquid_tip: "What liquid there is in the world",
        tip: |part| {
            format!(
                "The books: what came, less what went, less what is there. As a part of all that was ever there: {part}"
            )
        },
        sound: "no drop lost",
        missing: |amount| format!("{amount} missing"),
    },
    // The panel to the left: tools and scenes.
    shelf: ShelfWords {
        tools: "Tools",
        scenes: "Scenes",
        to_play_with: "To play with",
        look: tipped("Look", "Turn and move the view; a click tells what is there (Esc)"),
        radius: "Radius",
        cells: " cells",
        sides: tipped(
            "Cells along a side",
            "The same land in finer or coarser cells, from its beginning; can be undone",
        ),
    },
    // From one model to the next, by a button above the scenes.
    onward: OnwardWords {
        flood: tipped("Flood this land", "Rain and springs on the ground that was carved"),
        ripple: tipped(
            "Ripple a lake of it",
            "A model of a lake, 16 m long, whose surface ripples: of the one that was clicked, or the largest",
        ),
        pools: tipped(
            "Make pools of it",
            "The same board with its water, as pools that swing and splash",
        ),
        no_blocks: "There are no blocks.",
        no_water: "There is no water over land.",
        no_lake: "There is no lake large enough to ripple.",
    },
    // Skies to choose from.
    weather: WeatherWords {
        title: "Weather",
        clear: tipped("Clear", "Neither rain nor drying nor wind"),
        drizzle: tipped("Drizzle", "A little rain, everywhere"),
        cloudburst: tipped("Cloudburst", "As much rain as in the hardest hours ever measured"),
        drought: tipped("Drought", "No rain; water dries up, and no wind blows"),
        storm: tipped("Storm", "Much rain, and wind where there is some"),
        winter: tipped("Winter", "Neither rain nor drying; frost where the world has heat"),
        melt: tipped("Spring melt", "Snow melts: much water, and mild air"),
        no_heat: "This world knows no heat",
    },
    // Challenges: how they stand, then each of them.
    challenges: ChallengesWords {
        menu: tipped("Challenges", "Something to do, which the world's own gauges measure"),
        leave: tipped("Leave it", "Plays on without a goal"),
        not_allowed: "Not in this challenge",
        left: |seconds| format!("{seconds:.0} s left"),
        done: "Done!",
        lost: "Lost",
        well_done: "That is it. Go on playing, or take on another.",
        not_this_time: "Not this time. Begin again, or go back in time.",
        village: Task {
            title: "Save the village",
            goal: "Diggers are going to open the river's bank at 110 s. Keep the village dry until 500 s: raise banks, or fill their trench.",
        },
        fields: Task {
            title: "Irrigate the fields",
            goal: "Lead water of the river to the fields in the north-east: 3 cm on each of the three, before 900 s. Dig.",
        },
        breach: Task {
            title: "Breach by noon",
            goal: "Noon is at 240 s. By then the lake has to stand 8 m lower: dig through its dam.",
        },
        moat: Task {
            title: "Fill the moat",
            goal: "Fill both of the castle's moats from the lake on the hill. The one in the east needs a tunnel.",
        },
        bridge: Task {
            title: "Freeze a bridge",
            goal: "A bridge of ice from bank to bank of the pond, 20 cm thick, before 60 s. The weather is yours.",
        },
        delta: Task {
            title: "Make a delta",
            goal: "Have rivers build 550 cells of new land in the sea before 2.2 drops have fallen on each cell. These hills alone bring too little: let rivers in from outside.",
        },
    },
    // Two worlds beside each other.
    compare: CompareWords {
        begin: tipped(
            "Compare",
            "The same world beside it with one value changed: both go through the same, seen from the same place",
        ),
        end: "End the comparison",
        differs_in: "The world beside differs in",
        differs_tip: "From now on, as both are now",
        physics: "physics",
        nothing_differs: "This world has no value that could be another beside it.",
        no_rewind: "Not while two worlds are compared",
        ended: "The comparison has ended: its two worlds were those before this one.",
    },
    // The panel to the right.
    inspector: InspectorWords {
        view: "View",
        place: "At the place",
        gauges: "Gauges",
        parameters: "Parameters",
        no_place: "Click into the world with no tool in hand.",
        at: |east, south| format!("{east}, {south} from the top left corner"),
        parameter_tip: |doc, [least, most]| format!("{doc}\nFrom {least} to {most}."),
        in_file: |key| format!("`{key}` in the scene file"),
        value_at: |value, time| format!("{value} at {time}"),
    },
    // What is shown of a world, then from where, then how it is drawn.
    view: ViewWords {
        world: "World",
        bodies: "Bodies",
        pressure: "Pressure",
        fill: "Fill",
        temperature: "Temperature",
        velocity: "Velocity",
        mesh: "Mesh",
        depth: "Depth",
        surface: "Surface",
        ground: "Ground",
        depths: |low, high, unit| format!("depth from {low:.2} to {high:.2} {unit}"),
        speeds: |low, high, unit| format!("speed from {low:.2} to {high:.2} {unit}"),
        surfaces: |low, high, unit| format!("surface from {low:.2} to {high:.2} {unit}"),
        grounds: |low, high, unit| format!("ground from {low:.2} to {high:.2} {unit}"),
        orbit: tipped("3-D", "In three dimensions (M)"),
        map: tipped("Map", "From straight above (M)"),
        walk: tipped("Walk", "Down on the land: drag to look around, arrows to walk (W)"),
        nearer: tipped("+", "Nearer (wheel)"),
        farther: tipped("−", "Farther (wheel)"),
        all: tipped("All", "Show all of the world (F)"),
        contours: "Contours",
        arrows: "Arrows",
        tracers: "Tracers",
        trees: "Trees",
        fine: tipped(
            "Fine",
            "More triangles, samples and details: for GPUs. Without, for machines that have none",
        ),
        heights: "Heights",
        sun: "Sun",
        sun_azimuth_tip: "Where it stands, clockwise from north",
        sun_altitude_tip: "How high it stands",
        no_device: "there is no device to draw with",
        nothing: "nothing to show",
    },
    // Whether worlds are computed by the CPU or by the GPU.
    compute: ComputeWords {
        cpu: tipped("CPU", "Step the world on the CPU"),
        gpu: tipped("GPU", "Step the world on the GPU, and draw it from there"),
        getting_ready: "Getting the GPU ready: on a slow one this takes some seconds …",
        no_device: "There is no device",
        on_the_cpu: |why| format!("on the CPU: {why}"),
        draws_only: |why| format!("This device can only draw: {why}"),
        cpu_alone: |model| format!("The model `{model}` runs on the CPU alone"),
        refused: |why| format!("It was refused: {why}\nClick to try again."),
    },
    // What to try first.
    hints: HintsWords {
        dig_by_finger: "Dig here: hold a finger on the dam",
        dig_by_mouse: "Dig here: hold the left button on the dam",
        try_tool: |tool, doc| format!("Try “{tool}”: {doc}"),
    },
    // What is asked of a heightmap, then of a large world, before that is made.
    questions: QuestionsWords {
        cancel: "Cancel",
        land: "Your land",
        make: "Let it rain",
        heights: |file, [columns, rows]| format!("{file}: {columns} × {rows} heights"),
        columns: "Columns in the file",
        width: tipped("Width of the land", "From its west edge to its east edge"),
        range: "Lowest and highest ground",
        size: tipped("Size of the world", "More cells show more and step slower"),
        becomes: |[nx, ny], cell, [wide, deep, relief]| {
            format!(
                "{nx} × {ny} cells of {cell}: {wide} by {deep}, {relief} from lowest to highest"
            )
        },
        missing: |count| format!("{count} heights are missing in the file: there the land ends."),
        too_few: |file| {
            format!("{file}: a land needs at least two rows and two columns of heights")
        },
        all_missing: |file| format!("{file} has no heights: all of it is marked as missing"),
        large: "A large world",
        has_many: |name, cells, gigabytes| {
            format!(
                "{name} has {cells}. It takes about {gigabytes} GB of memory, a while to open, and goes slowly."
            )
        },
        open: "Open it all the same",
    },
    // The window with keys and gestures.
    help: HelpWords {
        title: "Keys and gestures",
        keys: [
            ("Space", "run or pause"),
            (".", "one step"),
            ("R", "begin again"),
            ("− / +", "half or twice as fast"),
            ("1 … 5", "the tabs"),
            ("[ / ]", "a smaller or larger brush"),
            ("Esc", "put the tool away: look around"),
            ("F", "show all of the world"),
            ("T", "follow what floats in a pool, or no longer"),
            ("M", "from above, or in 3-D"),
            ("W", "down on the land, to look along it"),
            ("Arrows", "move what is seen"),
            ("V", "the next view"),
            ("Ctrl+Z", "undo the last stroke"),
            ("Ctrl+Y", "do it again"),
            ("Ctrl+O / Ctrl+S", "open or save a scene"),
            ("P", "save a picture of the window"),
            ("F1", "this help"),
        ],
        gestures: [
            (
                "Left button",
                "use the tool; without one, turn or move the view; a click tells what is there",
            ),
            ("Right button", "turn the view"),
            ("Middle button, Shift+right", "move the view"),
            ("Wheel", "nearer or farther; with Ctrl, a larger or smaller brush"),
            ("One finger", "as the left button"),
            ("Two fingers", "pinch to come nearer, drag to move, twist to turn"),
        ],
        pad: "Gamepad: sticks move and turn, triggers zoom; A uses the tool in the middle of the view, X and Y change it, B puts it away, the shoulders size the brush; Start runs, Select undoes, up shows all.",
        files: "Heightmaps (PNG16, GeoTIFF, ASC, NPY, R16), scenes and states can be dropped onto the window.",
    },
    // What stands with numbers.
    numbers: NumbersWords {
        millions: |count, unit| format!("{count} million {unit}"),
        billions: |count, unit| format!("{count} billion {unit}"),
        cells: "cells",
        of_cell: "% of a cell",
        on: "on",
        off: "off",
    },
    // What windows alone say.
    window: WindowWords {
        no_window: |why| format!("no window can be opened: {why}"),
        no_dialog: "There is no file dialog here: it takes a desktop portal or zenity. Drop the file onto the window, or name it when you start the playground.",
        saved: |file| format!("{file} is saved"),
        saved_unasked: |path| format!("{path} is saved: there is no file dialog here to ask where"),
        cannot_write: |why| format!("cannot be written: {why}"),
        another_file: |file, folder| {
            format!(
                "Not saved: the scene needs its file {file} beside it, and another file of that name lies in {folder}."
            )
        },
        does_not_open: |file, why| format!("{file} is saved, but does not open where it is: {why}"),
        absent: |key, path| format!("{key} names {path}, which is not there"),
        no_animation: |why| format!("no animation: {why}"),
        no_pictures: "No animation: this window gives no pictures of itself.",
    },
    // What pages alone say.
    page: PageWords { downloaded: |file| format!("{file} is among your downloads") },
    // The models' own words are English.
    of_models: &[],
};
