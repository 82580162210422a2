//! [`AnyEdit`]: an edit for a world of any model.

use headwater::{blocks, columns, flow, hydrology, waves};
use std::borrow::Cow;

/// Edit for a world of any model. It is either an edit of one particular model, or a name with an
/// amount. A named edit can be applied to every model that supports an edit of this name.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnyEdit {
    /// Edit of a [`Water`](crate::Water).
    Flow(flow::Edit),
    /// Edit of a [`Pond`](crate::Pond).
    Waves(waves::Edit),
    /// Edit of a [`BlockWorld`](crate::BlockWorld). The edit applies to all cells in the brush,
    /// without falloff.
    Blocks(blocks::Edit),
    /// Edit of [`Pools`](crate::Pools). The edit applies to the whole region of the brush, without
    /// falloff.
    Columns(columns::Edit),
    /// Edit of a [`CarvedLand`](crate::CarvedLand).
    Hydrology(hydrology::Edit),
    /// Edit given by name and amount. The name is one of the edits that the model
    /// [supports](headwater::Model::edits), such as `"pour"` or `"dig"`. The unit of the amount
    /// depends on the edit.
    Named(Cow<'static, str>, f64),
}

impl AnyEdit {
    /// Returns the name of the model that the edit applies to.
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
