//! Tests of the playground in a window of an X server: `xvfb-run -s '-screen 0 1280x800x24' cargo
//! test -p headwater-playground --features test-in-window --test window`.

mod pictures;
mod screen;

use pictures::TileColors;
use screen::{Screen, WindowTest};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const TABS: [&str; 5] = ["flow", "waves", "blocks", "columns", "hydrology"];

const TESTS: &[WindowTest] = &[
    ("every tab opens, moves, and looks as it should", every_tab_matches_its_reference_picture),
    ("every tool changes the world under the mouse", every_tool_changes_the_world),
    ("undo brings back what a stroke changed", undo_reverts_a_stroke),
    ("random play breaks nothing", random_input_causes_no_errors),
];

// A window needs the main thread.
fn main() -> ExitCode {
    let failed = screen::run_tests(TESTS);
    println!("{} tests, {failed} failed", TESTS.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn assert_no_errors(screen: &Screen) {
    assert_eq!(screen.next_status()["errors"], serde_json::json!([]));
}

/// Restarts and pauses the world, performs some steps, and returns the state hash.
fn restart_and_step(screen: &Screen, steps: usize) -> String {
    screen.set_running(false);
    screen.click("button.reset");
    for _ in 0..steps {
        screen.click("button.step");
    }
    screen.hash()
}

fn every_tab_matches_its_reference_picture(screen: &Screen) {
    let mut seen: Vec<TileColors> = Vec::new();
    for tab in TABS {
        let opened = screen.switch_tab(tab);
        screen.set_running(true);
        let steps = opened["steps"].as_u64();
        screen.wait_until("time passes", |status| status["steps"].as_u64() > steps);
        restart_and_step(screen, 3);
        screen.move_mouse([1.0, 1.0]);
        screen.next_status();
        let tiles = TileColors::from_picture(&screen.take_screenshot());
        tiles.assert_matches_stored_picture(tab);
        assert!(seen.iter().all(|other| !other.looks_like(&tiles)), "{tab} looks like another");
        seen.push(tiles);
        assert_no_errors(screen);
    }
}

/// Strokes over the canvas, as pairs of positions (fractions of the canvas size). There are several
/// strokes, because a tool may have no effect at one position.
const STROKES: [[[f64; 2]; 2]; 10] = [
    [[0.5, 0.5], [0.6, 0.55]],
    [[0.3, 0.4], [0.4, 0.3]],
    [[0.7, 0.6], [0.6, 0.7]],
    [[0.4, 0.7], [0.5, 0.8]],
    [[0.65, 0.3], [0.55, 0.25]],
    [[0.5, 0.15], [0.5, 0.95]],
    [[0.1, 0.7], [0.9, 0.7]],
    [[0.1, 0.27], [0.9, 0.27]],
    [[0.2, 0.9], [0.8, 0.85]],
    // This stroke crosses the village.
    [[0.7, 0.46], [0.8, 0.5]],
];

/// Number of steps within which a tool must have an effect on the world.
const STEPS: usize = 2;

/// Names of tools that this test leaves out: the tool for looking does not change the world,
/// hearths are refused in a world without heat (such as the first pool scene), and clearing has no
/// effect on new terrain without plants. They are tested elsewhere.
const EXCLUDED_TOOLS: [&str; 3] = ["tool.look", "tool.hearth", "tool.clear"];

/// Name of the environment variable that limits the number of tools tested per tab.
const TOOL_LIMIT_VARIABLE: &str = "HEADWATER_TOOLS";

fn every_tool_changes_the_world(screen: &Screen) {
    let some = std::env::var(TOOL_LIMIT_VARIABLE)
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(usize::MAX);
    screen.reduce_pixel_density();
    for tab in TABS {
        screen.switch_tab(tab);
        let untouched = restart_and_step(screen, STEPS);
        assert_eq!(
            restart_and_step(screen, STEPS),
            untouched,
            "{tab} begins the same way each time"
        );
        let tools = screen.names("tool.");
        assert!(tools.len() > 3, "{tools:?}");
        let busy = tools.iter().filter(|tool| !EXCLUDED_TOOLS.contains(&tool.as_str()));
        for tool in busy.take(some) {
            restart_and_step(screen, 0);
            screen.click(tool);
            let changed = STROKES.iter().any(|&[from, to]| {
                screen.draw_stroke(from, to);
                let at_once = screen.hash();
                // Springs and hearths take effect over time.
                for _ in 0..STEPS {
                    screen.click("button.step");
                }
                let later = screen.hash();
                let other = later != untouched;
                if !other {
                    assert_ne!(at_once, later, "{tab}: steps are done");
                    restart_and_step(screen, 0);
                }
                other
            });
            assert!(changed, "{tab}: {tool} changes nothing");
        }
        screen.click("tool.look");
        println!("  {tab}: {} tools", tools.len());
        assert_no_errors(screen);
    }
}

fn undo_reverts_a_stroke(screen: &Screen) {
    screen.reduce_pixel_density();
    screen.switch_tab("flow");
    let before = restart_and_step(screen, 2);
    screen.click("tool.dig");
    screen.draw_stroke([0.4, 0.5], [0.6, 0.5]);
    let dug = screen.hash();
    assert_ne!(dug, before);
    screen.click("button.undo");
    assert_eq!(screen.hash(), before);
    screen.click("button.redo");
    assert_eq!(screen.hash(), dug);
    screen.press_key("ctrl+z");
    screen.wait_until("a key undoes it again", |status| status["hash"] == before);
    screen.click("tool.look");
    assert_no_errors(screen);
}

/// Names of the keys that the test presses: all keys of the playground except those that open
/// dialogs, and some keys without a function.
const KEYS: [&str; 22] = [
    "space",
    "period",
    "r",
    "1",
    "2",
    "3",
    "4",
    "5",
    "minus",
    "plus",
    "bracketleft",
    "bracketright",
    "f",
    "m",
    "v",
    "ctrl+z",
    "ctrl+y",
    "Escape",
    "Tab",
    "Left",
    "q",
    "Delete",
];

/// Deterministic random number generator (SplitMix64: Steele, Lea & Flood 2014).
struct TestRng(u64);

impl TestRng {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn random_item<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[(self.next() * items.len() as f64) as usize]
    }

    /// Returns a random pixel of the window below the top bar, because the menu of that bar opens
    /// dialogs.
    fn random_pixel(&mut self, screen: &Screen) -> [f64; 2] {
        [2.0 + self.next() * 1276.0, 60.0 + self.next() * 738.0]
            .map(|at| at * screen.pixels_per_point())
    }
}

fn random_input_causes_no_errors(screen: &Screen) {
    screen.reduce_pixel_density();
    let seconds = std::env::var("HEADWATER_RANDOM").ok().and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(120));
    let mut chance = TestRng(20161);
    let mut acts = 0;
    while Instant::now() < end {
        let kind = chance.next();
        if kind < 0.4 {
            let leaves = |name: &String| name.starts_with("file.") || name == "menu.file";
            let mut names = screen.names("");
            names.retain(|name| !leaves(name));
            screen.click(chance.random_item::<String>(&names));
        } else if kind < 0.8 {
            let button = *chance.random_item::<u32>(&[1, 1, 1, 2, 3]);
            screen.move_mouse(chance.random_pixel(screen));
            screen.send_mouse_button("mousedown", button);
            screen.move_mouse(chance.random_pixel(screen));
            screen.next_status();
            screen.send_mouse_button("mouseup", button);
        } else if kind < 0.85 {
            screen.move_mouse(chance.random_pixel(screen));
            screen.send_mouse_button("click", *chance.random_item(&[4, 5]));
        } else {
            let key = chance.random_item::<&str>(&KEYS);
            screen.press_key(key);
        }
        acts += 1;
        assert!(screen.next_status()["volume"].is_number());
    }
    let status = screen.next_status();
    println!(
        "  {acts} acts; ends in {}, {}, after {} frames",
        status["tab"], status["scene"], status["frames"]
    );
    assert!(status["residual"].is_number(), "the residual is a number: {status}");
    // The message that a world stays on the CPU is allowed.
    let errors = status["errors"].as_array().expect("a list").iter();
    let errors: Vec<_> = errors.filter_map(|e| e.as_str()).collect();
    assert!(errors.iter().all(|error| error.starts_with("on the CPU: ")), "{errors:?}");
}
