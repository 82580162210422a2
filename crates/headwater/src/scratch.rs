//! [`ScratchPool`]: room that a step needs and gives back, so that a world that has been stepped for a while allocates nothing more.

use std::any::{Any, TypeId};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// What a world lends to its own steps: with other things the outcome is the same.
#[derive(Default)]
pub(crate) struct ScratchPool(Mutex<Vec<Shelf>>);

struct Shelf {
    kind: TypeId,
    things: Vec<Box<dyn Any + Send>>,
}

/// A thing that goes back to where it was lent from when it is dropped.
pub(crate) struct Pooled<'a, T: Send + 'static> {
    thing: Option<Box<T>>,
    of: &'a ScratchPool,
}

pub(crate) type PooledVec<'a, T> = Pooled<'a, Vec<T>>;

impl ScratchPool {
    /// A thing as somebody gave it back, or a new one: for what has vectors of its own.
    pub(crate) fn take<T: Default + Send + 'static>(&self) -> Pooled<'_, T> {
        let thing = self.lend(TypeId::of::<T>()).and_then(|thing| thing.downcast().ok());
        Pooled { thing: Some(thing.unwrap_or_default()), of: self }
    }

    /// So many such things, or more.
    pub(crate) fn take_many<T: Default + Send + 'static>(&self, count: usize) -> PooledVec<'_, T> {
        let mut all = self.take::<Vec<T>>();
        if all.len() < count {
            all.resize_with(count, T::default);
        }
        all
    }

    pub(crate) fn vec<T: Send + 'static>(&self) -> PooledVec<'_, T> {
        let mut all = self.take::<Vec<T>>();
        all.clear();
        all
    }

    pub(crate) fn filled<T: Clone + Send + 'static>(
        &self,
        count: usize,
        value: T,
    ) -> PooledVec<'_, T> {
        let mut all = self.vec();
        all.resize(count, value);
        all
    }

    pub(crate) fn collect<T: Send + 'static>(
        &self,
        all: impl IntoIterator<Item = T>,
    ) -> PooledVec<'_, T> {
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

impl Clone for ScratchPool {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for ScratchPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScratchPool")
    }
}

impl<T: Send> Deref for Pooled<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.thing {
            Some(thing) => thing,
            None => unreachable!("it is given back when it is dropped"),
        }
    }
}

impl<T: Send> DerefMut for Pooled<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.thing {
            Some(thing) => thing,
            None => unreachable!("it is given back when it is dropped"),
        }
    }
}

impl<T: Send> Drop for Pooled<'_, T> {
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
        let scratch = ScratchPool::default();
        let mut numbers = scratch.filled(100, 7_u32);
        numbers.push(8);
        let (place, room) = (numbers.as_ptr(), numbers.capacity());
        let others = scratch.vec::<u32>();
        assert_eq!(others.capacity(), 0, "it is lent already");
        drop((others, numbers));
        let again = scratch.collect([1_u32, 2]);
        assert_eq!((again.as_ptr(), again.capacity(), &again[..]), (place, room, &[1, 2][..]));
        assert_eq!(scratch.vec::<i32>().capacity(), 0, "each type has its own");
    }

    #[test]
    fn scratch_is_lent_as_it_was() {
        let scratch = ScratchPool::default();
        scratch.take::<[Vec<u8>; 2]>()[1].push(7);
        assert_eq!(*scratch.take::<[Vec<u8>; 2]>(), [vec![], vec![7]]);
    }
}
