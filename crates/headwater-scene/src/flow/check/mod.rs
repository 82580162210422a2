//! Checks of a scene's values by themselves; where things stand on the grid is checked by [`fit`].

mod body;
mod carve;
mod event;
mod fit;
pub(crate) mod ground;
mod run;
mod structure;
mod water;

pub(crate) use fit::{fit, places};

use super::FlowScene;
use crate::scene::Checker;

/// Checks a scene's values by themselves.
pub(crate) fn values(scene: &FlowScene, check: &mut Checker) {
    run::check(check, scene);
    ground::check(check, scene);
    carve::check(check, scene);
    water::check(check, scene);
    structure::check(check, scene);
    event::check(check, scene);
    body::check(check, scene);
}
