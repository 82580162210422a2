//! [`Id`], the identifier of a spring, drain, structure or body in a world, and [`IdList`], a list
//! of items that are accessed by identifier.

use crate::error::InputError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Deref, DerefMut};

/// Identifier of an item, unique within its kind (springs, drains, structures or bodies). Ids are
/// assigned from 0 upwards and never reused. An id stays valid when other items are removed, and
/// when the state of the world is saved and loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id(u32);

impl Id {
    /// Creates an id from its [number](Self::number).
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the number of the id, for serialization.
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Defines the public methods of a world that add, replace and remove springs or drains:
///
/// - `$add`, `$set` and `$remove` are the names of the methods. The doc attributes belong to
///   `$add`.
/// - `$what` is the kind of item in error messages, and `$source` is the argument type.
/// - `exchange.$list` is the list that stores the items. `$make` converts a source to an item, and
///   `$part` is the field of an item that contains the source.
macro_rules! source_methods {
    (
        $(#[$docs:meta])*
        $add:ident, $set:ident, $remove:ident: $what:literal, $source:ty, $list:ident, $make:expr, $part:tt
    ) => {
        $(#[$docs])*
        pub fn $add(&mut self, source: $source) -> Result<$crate::ids::Id, InputError> {
            let item = ($make)(self, source)?;
            Ok(self.exchange.$list.add(item))
        }

        #[doc = concat!("Replaces ", $what, ".")]
        ///
        /// # Errors
        #[doc = concat!("[`InputError`] if the id is unknown, or as for [`", stringify!($add), "`](Self::", stringify!($add), ").")]
        pub fn $set(&mut self, id: $crate::ids::Id, source: $source) -> Result<(), InputError> {
            let i = self.exchange.$list.find_index($what, id)?;
            self.exchange.$list[i] = ($make)(self, source)?;
            Ok(())
        }

        #[doc = concat!("Removes and returns ", $what, ".")]
        ///
        /// # Errors
        /// Returns [`InputError`] if the id is unknown.
        pub fn $remove(&mut self, id: $crate::ids::Id) -> Result<$source, InputError> {
            Ok(self.exchange.$list.remove($what, id)?.$part)
        }
    };
}
pub(crate) use source_methods;

/// List of items of one kind (springs, drains, structures or bodies) with their ids, in insertion
/// order. The list dereferences to a slice of the items.
///
/// ```
/// use headwater::waves::{Body, Params, Shape, Waves};
/// use headwater::Square;
/// let mut pond = Waves::new(Square::new(40, 30, 1.0, 1.0)?, Params::default())?;
/// let duck = pond.add_body(Body::new(Shape::Disc { radius: 1.0 }, [10.0, 10.0], 0.1))?;
/// let boat = pond.add_body(Body::new(Shape::Disc { radius: 3.0 }, [20.0, 15.0], 0.2))?;
/// pond.remove_body(duck)?;
/// assert_eq!(pond.bodies().get(boat).map(|body| body.position), Some([20.0, 15.0]));
/// assert_eq!((pond.bodies().len(), pond.bodies().get(duck)), (1, None));
/// # Ok::<(), headwater::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedIdList<T>")]
pub struct IdList<T> {
    /// Id of each item, in ascending order.
    ids: Vec<Id>,
    items: Vec<T>,
    #[serde(rename = "next")]
    next_id: u32,
}

#[derive(Deserialize)]
struct UncheckedIdList<T> {
    ids: Vec<Id>,
    items: Vec<T>,
    #[serde(rename = "next")]
    next_id: u32,
}

impl<T> TryFrom<UncheckedIdList<T>> for IdList<T> {
    type Error = &'static str;
    fn try_from(
        UncheckedIdList { ids, items, next_id }: UncheckedIdList<T>,
    ) -> Result<Self, Self::Error> {
        let ascending =
            ids.is_sorted_by(|a, b| a < b) && ids.last().is_none_or(|id| id.0 < next_id);
        if ascending && ids.len() == items.len() {
            Ok(Self { ids, items, next_id })
        } else {
            Err("the ids of a list do not match its items")
        }
    }
}

impl<T> Default for IdList<T> {
    fn default() -> Self {
        Self { ids: Vec::new(), items: Vec::new(), next_id: 0 }
    }
}

impl<T> FromIterator<T> for IdList<T> {
    /// Creates a list whose items have the ids 0, 1, 2 … in the order of iteration.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let items: Vec<T> = items.into_iter().collect();
        let next_id = items.len() as u32;
        Self { ids: (0..next_id).map(Id).collect(), items, next_id }
    }
}

impl<T> IdList<T> {
    /// Returns the item with the given id; `None` if the id is unknown or its item was removed.
    pub fn get(&self, id: Id) -> Option<&T> {
        self.position(id).map(|i| &self.items[i])
    }

    /// Returns the ids of all items in ascending order: `ids()[i]` belongs to item `i`.
    pub fn ids(&self) -> &[Id] {
        &self.ids
    }

    /// Returns the id that the next added item will receive.
    pub const fn next_id(&self) -> Id {
        Id(self.next_id)
    }

    /// Iterates over the items together with their ids.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (Id, &T)> {
        self.ids.iter().copied().zip(&self.items)
    }

    pub(crate) fn entries_mut(&mut self) -> impl ExactSizeIterator<Item = (Id, &mut T)> {
        self.ids.iter().copied().zip(&mut self.items)
    }

    pub(crate) fn position(&self, id: Id) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Returns the index of the item with the given id. `item_kind` names the kind of item in the
    /// error message.
    ///
    /// # Errors
    /// Returns [`InputError`] if the id is unknown.
    pub(crate) fn find_index(&self, item_kind: &'static str, id: Id) -> Result<usize, InputError> {
        self.position(id).ok_or_else(|| {
            let allowed = match &self.ids[..] {
                [] => "no id: there is none".to_owned(),
                [only] => format!("{only}"),
                [first, .., last] => format!("one of {} from {first} to {last}", self.len()),
            };
            let fate = if id.0 < self.next_id { ", which was removed" } else { "" };
            InputError::new(item_kind, format_args!("the id {id}{fate}"), allowed)
        })
    }

    pub(crate) fn add(&mut self, item: T) -> Id {
        let id = Id(self.next_id);
        self.next_id += 1;
        self.ids.push(id);
        self.items.push(item);
        id
    }

    pub(crate) fn remove(&mut self, item_kind: &'static str, id: Id) -> Result<T, InputError> {
        self.find_index(item_kind, id).map(|position| self.remove_at(position))
    }

    pub(crate) fn remove_at(&mut self, position: usize) -> T {
        self.ids.remove(position);
        self.items.remove(position)
    }

    /// Returns a list with the same ids, in which each item is the result of `f` for the original
    /// item.
    pub(crate) fn map<'a, U>(&'a self, f: impl FnMut(&'a T) -> U) -> IdList<U> {
        let items = self.items.iter().map(f).collect();
        IdList { ids: self.ids.clone(), items, next_id: self.next_id }
    }

    /// Returns a list with the same ids, in which each item is the result of `f` for the original
    /// item.
    ///
    /// # Errors
    /// Returns the first error that `f` returns.
    pub(crate) fn try_map<U, E>(&self, f: impl FnMut(&T) -> Result<U, E>) -> Result<IdList<U>, E> {
        let items = self.items.iter().map(f).collect::<Result<_, _>>()?;
        Ok(IdList { ids: self.ids.clone(), items, next_id: self.next_id })
    }
}

impl<T> Deref for IdList<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for IdList<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<'a, T> IntoIterator for &'a IdList<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut IdList<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_never_reused() {
        let mut list: IdList<char> = "abc".chars().collect();
        let position = list.find_index("a letter", Id(1)).unwrap();
        assert_eq!(list.remove_at(position), 'b');
        assert_eq!((list.get(Id(2)), list.get(Id(1))), (Some(&'c'), None));
        let removed = list.find_index("a letter", Id(1)).unwrap_err().to_string();
        assert_eq!(
            removed,
            "a letter: found the id 1, which was removed, allowed is one of 2 from 0 to 2"
        );
        let unknown = list.find_index("a letter", Id(3)).unwrap_err().to_string();
        assert_eq!(unknown, "a letter: found the id 3, allowed is one of 2 from 0 to 2");
        assert_eq!(list.add('d'), Id(3));
        let position = list.find_index("a letter", Id(3)).unwrap();
        list.remove_at(position);
        assert_eq!(list.next_id(), Id(4));
        assert_eq!(list.add('e'), Id(4), "ids are not reused");
        assert_eq!(
            list.entries().collect::<Vec<_>>(),
            [(Id(0), &'a'), (Id(2), &'c'), (Id(4), &'e')]
        );
    }

    #[test]
    fn a_damaged_list_is_rejected() {
        let text =
            |ids: &str, next_id| format!(r#"{{"ids": {ids}, "items": [5, 6], "next": {next_id}}}"#);
        let read = |text: String| serde_json::from_str::<IdList<u8>>(&text);
        assert_eq!(&*read(text("[0, 3]", 4)).unwrap(), [5, 6]);
        for (ids, next_id) in [("[3, 0]", 4), ("[0, 0]", 4), ("[0, 3]", 3), ("[0]", 4)] {
            assert!(read(text(ids, next_id)).is_err(), "{ids} {next_id}");
        }
    }
}
