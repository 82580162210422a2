//! Tests that play each challenge to its end as a player would: with the player's tools, at the
//! speed of a pointer, while the world runs at the challenge's speed. They also check that no
//! challenge is won without playing.

use super::challenge::{ALL, ChallengeState};
use crate::app::canvas::CanvasInput;
use crate::app::input::tool_selection::BrushSettings;
use crate::app::world::world_view::WorldView;

/// Frame rate of the simulated play (frames per second).
const RATE: f64 = 30.0;

struct SimulatedPlayer {
    world_view: WorldView,
    speed: f64,
    /// Simulated time to which the world should advance.
    goal: f64,
}

impl SimulatedPlayer {
    fn start_challenge(name: &str) -> Self {
        let challenge = ALL.iter().find(|one| one.name == name).unwrap();
        let world_view = WorldView::from_challenge(challenge).unwrap();
        Self { world_view, speed: challenge.speed, goal: 0.0 }
    }

    fn state(&self) -> ChallengeState {
        self.world_view.challenge.as_ref().unwrap().state
    }

    fn progress(&self) -> f64 {
        self.world_view.challenge.as_ref().unwrap().progress
    }

    fn run_frame(&mut self) {
        self.goal += self.speed / RATE;
        self.world_view.live.advance(self.goal, &mut || false).unwrap();
        self.world_view.update_challenge();
    }

    /// Runs the world for `seconds` of play, or until the challenge is decided.
    fn play_for(&mut self, seconds: f64) {
        for _ in 0..(seconds * RATE) as usize {
            if self.state() != ChallengeState::On {
                return;
            }
            self.run_frame();
        }
    }

    /// Uses a tool along a path for `seconds` of play, with a brush of the given radius (cells) and
    /// strength (in the tool's unit).
    fn use_tool(
        &mut self,
        tool: &str,
        [radius, strength]: [f64; 2],
        path: &[[f64; 2]],
        seconds: f64,
    ) {
        assert!(self.world_view.allows_tool(tool), "{tool}");
        let tool = self.world_view.live.tools().iter().find(|one| one.name == tool).unwrap();
        if let Some([min, max, _]) = tool.radius {
            assert!((min..=max).contains(&radius), "{radius}");
        }
        if let Some(known) = tool.strength {
            assert!((known.range[0]..=known.range[1]).contains(&strength), "{strength}");
        }
        let brush = BrushSettings { radius, strength, kind: 0 };
        let frames = (seconds * RATE).ceil().max(1.0) as usize;
        for frame in 0..=frames {
            let at = point_along_path(path, frame as f64 / frames as f64);
            let canvas_input = CanvasInput::from_tool_path(vec![at], frame == frames, 1.0 / RATE);
            self.world_view.apply_input(Some((tool, brush)), &canvas_input);
            assert_eq!(self.world_view.refusal, None);
            self.run_frame();
        }
    }
}

/// Returns the point of the path `path` at the given fraction (0 to 1) of its length.
fn point_along_path(path: &[[f64; 2]], fraction: f64) -> [f64; 2] {
    let length = |pair: &[[f64; 2]]| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
    let mut left = fraction * path.windows(2).map(length).sum::<f64>();
    for pair in path.windows(2) {
        let piece = length(pair);
        if left <= piece && piece > 0.0 {
            return [0, 1].map(|i| pair[0][i] + left / piece * (pair[1][i] - pair[0][i]));
        }
        left -= piece;
    }
    path[path.len() - 1]
}

#[test]
fn no_challenge_is_won_without_playing() {
    for challenge in ALL.iter().filter(|one| one.time_limit.is_finite()) {
        let mut player = SimulatedPlayer::start_challenge(challenge.name);
        player.play_for(1.1 * challenge.time_limit / challenge.speed);
        assert_eq!(player.state(), ChallengeState::Lost, "{}", challenge.name);
        assert!(
            challenge.must_avoid || player.progress() < 0.7,
            "{}: {}",
            challenge.name,
            player.progress()
        );
    }
    // The challenge without a time limit runs as long as the others.
    let mut player = SimulatedPlayer::start_challenge("moat");
    player.play_for(60.0);
    assert_eq!((player.state(), player.progress()), (ChallengeState::On, 0.0));
}

#[test]
fn the_dam_breach_challenge_can_be_won() {
    let mut player = SimulatedPlayer::start_challenge("breach");
    for trench in [
        [[390.0, 448.0], [490.0, 433.0]],
        [[400.0, 400.0], [480.0, 400.0]],
        [[400.0, 490.0], [480.0, 490.0]],
    ] {
        player.use_tool("dig", [12.0, 20.0], &trench, 3.0);
    }
    player.play_for(60.0);
    assert_eq!(player.state(), ChallengeState::Done, "{}", player.progress());
}

#[test]
fn the_irrigation_challenge_can_be_won() {
    let mut player = SimulatedPlayer::start_challenge("fields");
    // Dig a ditch from the river's bend through all three fields.
    let ditch = [[300.0, 124.0], [305.0, 60.0], [440.0, 55.0]];
    for _ in 0..3 {
        player.use_tool("dig", [4.0, 4.0], &ditch, 4.0);
    }
    player.play_for(90.0);
    assert_eq!(player.state(), ChallengeState::Done, "{}", player.progress());
}

#[test]
fn the_village_challenge_can_be_won() {
    let mut player = SimulatedPlayer::start_challenge("village");
    // Raise the river's bank at the trench each time the diggers arrive.
    for clock in [112.0, 135.0, 160.0, 185.0, 210.0, 235.0] {
        player.play_for((clock - player.goal) / player.speed);
        player.use_tool("raise", [10.0, 30.0], &[[340.0, 120.0], [346.0, 150.0]], 3.0);
    }
    player.play_for(60.0);
    assert_eq!(player.state(), ChallengeState::Done, "{}", player.progress());
}

#[test]
fn the_moat_challenge_can_be_won() {
    let mut player = SimulatedPlayer::start_challenge("moat");
    // Dig through the lake's shore, then under the castle.
    player.use_tool("dig", [1.5, 1.0], &[[7.0, 8.0], [12.0, 10.0], [17.5, 14.0]], 2.0);
    player.use_tool("dig", [1.5, 1.0], &[[21.0, 14.8], [31.0, 14.8]], 2.0);
    player.play_for(60.0);
    assert_eq!(player.state(), ChallengeState::Done, "{}", player.progress());
}

#[test]
fn the_delta_challenge_can_be_won() {
    let mut player = SimulatedPlayer::start_challenge("delta");
    for y in [600.0, 1500.0, 2400.0] {
        player.use_tool("river", [1.0, 1e7], &[[100.0, y]], 0.1);
    }
    player.play_for(60.0);
    assert_eq!(player.state(), ChallengeState::Done, "{}", player.progress());
}
