//! [`AnyEdit`]: what a brush does to whichever world.

use headwater::{blocks, columns, flow, hydrology, waves};
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
