//! Working on a water by messages, so that whoever edits need not wait for the water, and all edits of a tick are done in one
//! order.

use crate::any::AnyWater;
use crate::messages::WaterRefused;
use bevy::ecs::prelude::*;
use headwater::{Brush, blocks, columns, flow, hydrology, waves};
use std::borrow::Cow;

/// What a brush does to whichever world: the models' own edits, or one by name.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnyEdit {
    /// To a [`Water`](crate::Water).
    Flow(flow::Edit),
    /// To a [`Pond`](crate::Pond).
    Waves(waves::Edit),
    /// To a [`BlockWorld`](crate::BlockWorld): all cells of the brush's region alike.
    Blocks(blocks::Edit),
    /// To [`Pools`](crate::Pools): all of the brush's region alike.
    Columns(columns::Edit),
    /// To a [`CarvedLand`](crate::CarvedLand).
    Hydrology(hydrology::Edit),
    /// To any of them: one of its [`edits`](headwater::Model::edits), such as `"pour"` or `"dig"`, and its amount.
    Named(Cow<'static, str>, f64),
}

impl AnyEdit {
    /// The model that it is for.
    pub fn model(&self) -> &'static str {
        match self {
            Self::Flow(_) => "flow",
            Self::Waves(_) => "waves",
            Self::Blocks(_) => "blocks",
            Self::Columns(_) => "columns",
            Self::Hydrology(_) => "hydrology",
            Self::Named(..) => "any",
        }
    }
}

macro_rules! from_edits {
    ($($variant:ident: $edit:ty;)*) => {$(
        impl From<$edit> for AnyEdit {
            fn from(edit: $edit) -> Self {
                Self::$variant(edit)
            }
        }
    )*};
}

from_edits! {
    Flow: flow::Edit;
    Waves: waves::Edit;
    Blocks: blocks::Edit;
    Columns: columns::Edit;
    Hydrology: hydrology::Edit;
}

impl From<(&'static str, f64)> for AnyEdit {
    fn from((name, amount): (&'static str, f64)) -> Self {
        Self::Named(name.into(), amount)
    }
}

/// Asks for work on a water. It is done at the beginning of the next step, in the order in which messages were written, also
/// while the water is paused.
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

/// Does the edits that have come.
pub(crate) fn apply_edits(
    mut edits: MessageReader<WaterEdit>,
    mut waters: Query<AnyWater>,
    mut refused: MessageWriter<WaterRefused>,
) {
    for WaterEdit { water, brush, edit } in edits.read() {
        let Ok(mut found) = waters.get_mut(*water) else { continue };
        let Some(model) = found.model_mut() else { continue };
        if let Err(error) = model.apply(brush, edit) {
            refused.write(WaterRefused { water: *water, error: error.to_string() });
        }
    }
}
