//! [`WaterEdit`]: message that edits a water entity. Systems that write it need no access to the
//! water, and all edits of a step are applied in a fixed order.

use crate::any::AnyWater;
use crate::any_edit::AnyEdit;
use crate::messages::WaterRefused;
use bevy::ecs::prelude::*;
use headwater::Brush;

/// Message that requests an edit of a water entity. Edits are applied at the start of the next step
/// in the order in which they were written, even while the water is paused. [`WaterRefused`]
/// reports edits that the model refuses, and edits of entities that are not water entities.
/// ```
/// use bevy::prelude::*;
/// use bevy_headwater::headwater::{Brush, flow::{Change, Edit}};
/// use bevy_headwater::prelude::*;
/// fn dig(mut edits: MessageWriter<WaterEdit>, water: Single<Entity, With<Water>>) {
///     let dam = Brush::smooth_disc([60.0, 40.0], 5.0);
///     edits.write(WaterEdit::new(*water, dam, Edit::Lower(Change::By(2.0))));
///     let pond = Brush::smooth_disc([20.0, 40.0], 5.0);
///     edits.write(WaterEdit::from_name(*water, pond, "pour", 1.0));
/// }
/// ```
#[derive(Message, Clone, Debug, PartialEq)]
pub struct WaterEdit {
    /// Entity that holds the water world.
    pub water: Entity,
    /// Area and strength of the edit, in model coordinates.
    /// [`WaterQuery::to_model_point`](crate::WaterQuery::to_model_point) converts positions.
    pub brush: Brush,
    /// Edit to apply.
    pub edit: AnyEdit,
}

impl WaterEdit {
    /// Creates an edit for the water world of an entity. The world may be of any model.
    pub fn new(water: Entity, brush: Brush, edit: impl Into<AnyEdit>) -> Self {
        Self { water, brush, edit: edit.into() }
    }

    /// Creates an edit from its name and amount, as described at [`AnyEdit::Named`].
    pub fn from_name(water: Entity, brush: Brush, name: &'static str, amount: f64) -> Self {
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
