//! Checks of a scene's values by themselves; where things stand on the grid is checked by [`fit`].

mod body;
mod carve;
mod event;
pub(crate) mod fit;
pub(crate) mod ground;
mod run;
mod structure;
mod water;

use super::FlowScene;
use crate::scene::check::Checker;

/// All problems of a scene's values by themselves, as `(key, message)`.
pub(crate) fn problems(scene: &FlowScene) -> Vec<(String, String)> {
    let mut check = Checker::default();
    run::check(&mut check, scene);
    ground::check(&mut check, scene);
    carve::check(&mut check, scene);
    water::check(&mut check, scene);
    structure::check(&mut check, scene);
    event::check(&mut check, scene);
    body::check(&mut check, scene);
    check.problems
}
