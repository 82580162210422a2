//! [`Spare`]: room that a step needs and gives back, so that a world that has been stepped for a while allocates nothing more.

use std::any::{Any, TypeId};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Vectors that a world lends to its own steps. With other ones the outcome is the same: they are lent empty.
#[derive(Default)]
pub(crate) struct Spare(Mutex<Vec<Shelf>>);

/// The vectors of one type that nobody has at the moment.
struct Shelf {
    kind: TypeId,
    rooms: Vec<Box<dyn Any + Send>>,
}

/// What is lent: boxed once, so that it is given back without a new box.
struct Room<T>(Vec<T>);

/// A vector that goes back to where it was lent from when it is dropped.
pub(crate) struct Lent<'a, T: Send + 'static> {
    room: Option<Box<Room<T>>>,
    of: &'a Spare,
}

impl Spare {
    /// An empty vector.
    pub(crate) fn vec<T: Send + 'static>(&self) -> Lent<'_, T> {
        let kind = TypeId::of::<T>();
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shelf = shelves.iter_mut().find(|shelf| shelf.kind == kind);
        let room = shelf.and_then(|shelf| shelf.rooms.pop());
        let room = room.and_then(|room| room.downcast().ok());
        Lent { room: Some(room.unwrap_or_else(|| Box::new(Room(Vec::new())))), of: self }
    }

    /// A vector of so many equal values.
    pub(crate) fn filled<T: Clone + Send + 'static>(&self, count: usize, value: T) -> Lent<'_, T> {
        let mut all = self.vec();
        all.resize(count, value);
        all
    }

    /// A vector of what an iterator gives.
    pub(crate) fn collect<T: Send + 'static>(
        &self,
        all: impl IntoIterator<Item = T>,
    ) -> Lent<'_, T> {
        let mut vec = self.vec();
        vec.extend(all);
        vec
    }

    /// Takes a vector back.
    fn keep<T: Send + 'static>(&self, mut room: Box<Room<T>>) {
        room.0.clear();
        let kind = TypeId::of::<T>();
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match shelves.iter_mut().find(|shelf| shelf.kind == kind) {
            Some(shelf) => shelf.rooms.push(room),
            None => shelves.push(Shelf { kind, rooms: vec![room] }),
        }
    }
}

impl Clone for Spare {
    /// A world's clone has room of its own.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Spare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spare")
    }
}

impl<T: Send> Deref for Lent<'_, T> {
    type Target = Vec<T>;
    fn deref(&self) -> &Vec<T> {
        match &self.room {
            Some(room) => &room.0,
            None => unreachable!("it is given back when it is dropped"),
        }
    }
}

impl<T: Send> DerefMut for Lent<'_, T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        match &mut self.room {
            Some(room) => &mut room.0,
            None => unreachable!("it is given back when it is dropped"),
        }
    }
}

impl<T: Send> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        if let Some(room) = self.room.take() {
            self.of.keep(room);
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
}
