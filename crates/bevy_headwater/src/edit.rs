//! Working on a water by messages, so that whoever edits need not wait for the water, and all edits of a tick are done in one
//! order.

use crate::any::AnyWater;
use crate::any_edit::AnyEdit;
use crate::messages::WaterRefused;
use bevy::ecs::prelude::*;
use headwater::Brush;

/// Asks for work on a water. It is done at the beginning of the next step, in the order in which messages were written, also
/// while the water is paused. What cannot be done comes back as [`WaterRefused`], also if there is no such water (any more, or yet).
///
/// ```
/// use bevy::prelude::*;
/// use bevy_headwater::headwater::{Brush, flow::{Change, Edit}};
/// use bevy_headwater::prelude::*;
///
/// fn dig(mut edits: MessageWriter<WaterEdit>, water: Single<Entity, With<Water>>) {
///     edits.write(WaterEdit::new(*water, Brush::soft([60.0, 40.0], 5.0), Edit::Lower(Change::By(2.0))));
///     edits.write(WaterEdit::named(*water, Brush::soft([20.0, 40.0], 5.0), "pour", 1.0));
/// }
/// ```
#[derive(Message, Clone, Debug, PartialEq)]
pub struct WaterEdit {
    /// Which water.
    pub water: Entity,
    /// Where, in the model's own positions; [`WaterQuery::point`](crate::WaterQuery::point) tells them from Bevy's.
    pub brush: Brush,
    /// What.
    pub edit: AnyEdit,
}

impl WaterEdit {
    /// One of a model's own edits.
    pub fn new(water: Entity, brush: Brush, edit: impl Into<AnyEdit>) -> Self {
        Self { water, brush, edit: edit.into() }
    }

    /// An edit by name, see [`AnyEdit::Named`].
    pub fn named(water: Entity, brush: Brush, name: &'static str, amount: f64) -> Self {
        Self::new(water, brush, (name, amount))
    }
}

pub(crate) fn apply_edits(
    mut edits: MessageReader<WaterEdit>,
    mut waters: Query<AnyWater>,
    mut refused: MessageWriter<WaterRefused>,
) {
    for WaterEdit { water, brush, edit } in edits.read() {
        let done = waters.get_mut(*water).ok().and_then(|mut found| found.edit(brush, edit));
        let missing = || Err(format!("an edit: found {water}, allowed is an entity with a water"));
        if let Err(error) = done.unwrap_or_else(missing) {
            refused.write(WaterRefused { water: *water, error });
        }
    }
}
