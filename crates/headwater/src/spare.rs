//! [`Spare`]: room that a step needs and gives back, so that a world that has been stepped for a while allocates nothing more.

use std::any::{Any, TypeId};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// What a world lends to its own steps: with other things the outcome is the same.
#[derive(Default)]
pub(crate) struct Spare(Mutex<Vec<Shelf>>);

struct Shelf {
    kind: TypeId,
    things: Vec<Box<dyn Any + Send>>,
}

/// A thing that goes back to where it was lent from when it is dropped.
pub(crate) struct Loan<'a, T: Send + 'static> {
    thing: Option<Box<T>>,
    of: &'a Spare,
}

pub(crate) type Lent<'a, T> = Loan<'a, Vec<T>>;

impl Spare {
    /// A thing as somebody gave it back, or a new one: for what has vectors of its own.
    pub(crate) fn scratch<T: Default + Send + 'static>(&self) -> Loan<'_, T> {
        let thing = self.lend(TypeId::of::<T>()).and_then(|thing| thing.downcast().ok());
        Loan { thing: Some(thing.unwrap_or_default()), of: self }
    }

    /// So many such things, or more.
    pub(crate) fn several<T: Default + Send + 'static>(&self, count: usize) -> Lent<'_, T> {
        let mut all = self.scratch::<Vec<T>>();
        if all.len() < count {
            all.resize_with(count, T::default);
        }
        all
    }

    pub(crate) fn vec<T: Send + 'static>(&self) -> Lent<'_, T> {
        let mut all = self.scratch::<Vec<T>>();
        all.clear();
        all
    }

    pub(crate) fn filled<T: Clone + Send + 'static>(&self, count: usize, value: T) -> Lent<'_, T> {
        let mut all = self.vec();
        all.resize(count, value);
        all
    }

    pub(crate) fn collect<T: Send + 'static>(
        &self,
        all: impl IntoIterator<Item = T>,
    ) -> Lent<'_, T> {
        let mut vec = self.vec();
        vec.extend(all);
        vec
    }

    fn lend(&self, kind: TypeId) -> Option<Box<dyn Any + Send>> {
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelves.iter_mut().find(|shelf| shelf.kind == kind)?.things.pop()
    }

    fn keep(&self, kind: TypeId, thing: Box<dyn Any + Send>) {
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match shelves.iter_mut().find(|shelf| shelf.kind == kind) {
            Some(shelf) => shelf.things.push(thing),
            None => shelves.push(Shelf { kind, things: vec![thing] }),
        }
    }
}

impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Spare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spare")
    }
}

impl<T: Send> Deref for Loan<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.thing {
            Some(thing) => thing,
            None => unreachable!("it is given back when it is dropped"),
        }
    }
}

impl<T: Send> DerefMut for Loan<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.thing {
            Some(thing) => thing,
            None => unreachable!("it is given back when it is dropped"),
        }
    }
}

impl<T: Send> Drop for Loan<'_, T> {
    fn drop(&mut self) {
        if let Some(thing) = self.thing.take() {
            self.of.keep(TypeId::of::<T>(), thing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_back_is_lent_again_and_empty() {
        let spare = Spare::default();
        let mut numbers = spare.filled(100, 7_u32);
        numbers.push(8);
        let (place, room) = (numbers.as_ptr(), numbers.capacity());
        let others = spare.vec::<u32>();
        assert_eq!(others.capacity(), 0, "it is lent already");
        drop((others, numbers));
        let again = spare.collect([1_u32, 2]);
        assert_eq!((again.as_ptr(), again.capacity(), &again[..]), (place, room, &[1, 2][..]));
        assert_eq!(spare.vec::<i32>().capacity(), 0, "each type has its own");
    }

    #[test]
    fn scratch_is_lent_as_it_was() {
        let spare = Spare::default();
        spare.scratch::<[Vec<u8>; 2]>()[1].push(7);
        assert_eq!(*spare.scratch::<[Vec<u8>; 2]>(), [vec![], vec![7]]);
    }
}
