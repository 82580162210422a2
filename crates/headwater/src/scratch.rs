//! [`ScratchPool`]: a pool of temporary buffers. Buffers are reused, so that no memory is allocated
//! after the first few time steps.

use std::any::{Any, TypeId};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Pool of a world's temporary buffers, grouped by type. The contents of the buffers never affect
/// results.
#[derive(Default)]
pub(crate) struct ScratchPool(Mutex<Vec<FreeList>>);

/// Buffers of one type that are currently not in use.
struct FreeList {
    kind: TypeId,
    values: Vec<Box<dyn Any + Send>>,
}

/// Temporary buffer that returns to its pool when it is dropped.
pub(crate) struct PooledValue<'a, T: Send + 'static> {
    value: Option<Box<T>>,
    pool: &'a ScratchPool,
}

/// Vector that returns to its pool when it is dropped.
pub(crate) type PooledVec<'a, T> = PooledValue<'a, Vec<T>>;

impl ScratchPool {
    /// Takes a value of type `T` from the pool, or creates a default value if there is none. A
    /// pooled value keeps the contents of its last use.
    pub(crate) fn take<T: Default + Send + 'static>(&self) -> PooledValue<'_, T> {
        let value = self.pop(TypeId::of::<T>()).and_then(|value| value.downcast().ok());
        PooledValue { value: Some(value.unwrap_or_default()), pool: self }
    }

    /// Takes a vector from the pool and extends it to at least `count` values. Existing values keep
    /// the contents of their last use; added values are default values.
    pub(crate) fn take_at_least<T: Default + Send + 'static>(
        &self,
        count: usize,
    ) -> PooledVec<'_, T> {
        let mut all = self.take::<Vec<T>>();
        if all.len() < count {
            all.resize_with(count, T::default);
        }
        all
    }

    /// Takes an empty vector from the pool. The vector may have capacity left from its last use.
    pub(crate) fn take_vec<T: Send + 'static>(&self) -> PooledVec<'_, T> {
        let mut all = self.take::<Vec<T>>();
        all.clear();
        all
    }

    /// Takes a vector from the pool and fills it with `count` copies of `value`.
    pub(crate) fn take_filled<T: Clone + Send + 'static>(
        &self,
        count: usize,
        value: T,
    ) -> PooledVec<'_, T> {
        let mut all = self.take_vec();
        all.resize(count, value);
        all
    }

    /// Takes a vector from the pool and fills it with the items of an iterator.
    pub(crate) fn take_collected<T: Send + 'static>(
        &self,
        all: impl IntoIterator<Item = T>,
    ) -> PooledVec<'_, T> {
        let mut vec = self.take_vec();
        vec.extend(all);
        vec
    }

    fn pop(&self, kind: TypeId) -> Option<Box<dyn Any + Send>> {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.iter_mut().find(|list| list.kind == kind)?.values.pop()
    }

    fn push(&self, kind: TypeId, value: Box<dyn Any + Send>) {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match lists.iter_mut().find(|list| list.kind == kind) {
            Some(list) => list.values.push(value),
            None => lists.push(FreeList { kind, values: vec![value] }),
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

impl<T: Send> Deref for PooledValue<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.value {
            Some(value) => value,
            None => unreachable!("the value is taken only on drop"),
        }
    }
}

impl<T: Send> DerefMut for PooledValue<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.value {
            Some(value) => value,
            None => unreachable!("the value is taken only on drop"),
        }
    }
}

impl<T: Send> Drop for PooledValue<'_, T> {
    fn drop(&mut self) {
        if let Some(value) = self.value.take() {
            self.pool.push(TypeId::of::<T>(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returned_vectors_are_reused_empty() {
        let scratch = ScratchPool::default();
        let mut numbers = scratch.take_filled(100, 7_u32);
        numbers.push(8);
        let (pointer, capacity) = (numbers.as_ptr(), numbers.capacity());
        let others = scratch.take_vec::<u32>();
        assert_eq!(others.capacity(), 0, "the first vector is in use");
        drop((others, numbers));
        let again = scratch.take_collected([1_u32, 2]);
        assert_eq!(
            (again.as_ptr(), again.capacity(), &again[..]),
            (pointer, capacity, &[1, 2][..])
        );
        assert_eq!(scratch.take_vec::<i32>().capacity(), 0, "types do not share vectors");
    }

    #[test]
    fn taken_values_retain_their_contents() {
        let scratch = ScratchPool::default();
        scratch.take::<[Vec<u8>; 2]>()[1].push(7);
        assert_eq!(*scratch.take::<[Vec<u8>; 2]>(), [vec![], vec![7]]);
    }
}
