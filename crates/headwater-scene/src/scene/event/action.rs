//! [`AnyAction`]: the action of an event, of any model.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use toml::Table;

/// Action of an event, of any model. Contains a value of the action type of a model, such as
/// [`flow::Action`](crate::flow::Action). Cheap to clone.
#[derive(Clone)]
pub struct AnyAction(Arc<dyn ErasedAction>);

/// Object-safe trait that the action types of all models implement.
trait ErasedAction: Any + fmt::Debug + Send + Sync {
    fn to_table(&self) -> Table;
}

impl<A: serde::Serialize + fmt::Debug + Send + Sync + 'static> ErasedAction for A {
    fn to_table(&self) -> Table {
        // Cannot fail: all keys are strings, and all values are valid in TOML.
        Table::try_from(self).unwrap_or_default()
    }
}

impl AnyAction {
    /// Creates an action from a value of the action type of a model.
    pub fn new(action: impl serde::Serialize + fmt::Debug + Send + Sync + 'static) -> Self {
        Self(Arc::new(action))
    }

    /// Returns the action as the type `A`, or `None` if the action belongs to another model.
    pub fn get<A: 'static>(&self) -> Option<&A> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// Returns the action as an entry of the scene's list `event`, without the times of the event.
    pub fn to_table(&self) -> Table {
        self.0.to_table()
    }
}

impl fmt::Debug for AnyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
