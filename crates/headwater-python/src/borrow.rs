//! Zero-copy views of layers, valid while the world does not change.
//!
//! A view is a NumPy array over the memory of the world. The array must not be read while a step
//! writes this memory or after the memory has been freed. The world therefore keeps a list of open
//! views, and refuses calls that would change the world while the list is not empty.
//!
//! At the end of the `with` block, the array that the block received is emptied (set to length 0).
//! Other objects may still use the memory, and the view stays open as long as they exist. There are
//! two kinds. Slices reference the root array, so the root's reference count includes them. All
//! others (a masked array, an iterator, a buffer, a tensor) reference the array that the block
//! received. They are assumed to exist if this array has more references than the local variables
//! of running functions explain.
#![allow(unsafe_code, reason = "views of layers without a copy are made here alone")]

use crate::views::{View, World};
use numpy::ndarray::ArrayView2;
use numpy::{PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::borrow::Cow;

/// Context manager that provides a layer as a NumPy array without a copy during a `with` block.
#[pyclass(frozen, module = "headwater._headwater")]
pub struct Borrowed {
    world: Py<World>,
    layer: String,
}

/// Owner of the memory that a NumPy view refers to: the world, or a layer that was computed for the
/// view.
#[pyclass(frozen)]
struct Owner {
    _world: Py<World>,
    _made: Option<Vec<f32>>,
}

impl Borrowed {
    pub(crate) fn new(world: Py<World>, layer: &str) -> Self {
        Self { world, layer: layer.into() }
    }
}

#[pymethods]
impl Borrowed {
    fn __enter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let world = self.world.get();
        let facade = world.lock(py)?;
        let layer =
            facade.layer(&self.layer).map_err(|error| crate::error::to_py_err(py, error))?;
        let shape = (layer.ny(), layer.nx());
        // Borrowed memory stays in place while the world does not change; computed layers are moved
        // to the owner.
        let (pointer, made) = match layer {
            Cow::Borrowed(field) => (field.as_slice().as_ptr(), None),
            Cow::Owned(field) => {
                let made = field.into_vec();
                (made.as_ptr(), Some(made))
            }
        };
        let owner = Owner { _world: self.world.clone_ref(py), _made: made };
        let owner = Bound::new(py, owner)?.into_any();
        // SAFETY: the memory is contiguous in row order, and valid while the owner exists and the
        // world does not change, which the open view ensures.
        let root = unsafe {
            let view = ArrayView2::from_shape_ptr(shape, pointer);
            PyArray2::borrow_from_array(&view, owner.clone())
        };
        root.getattr("flags")?.setattr("writeable", false)?;
        let given = root.call_method0("view")?.cast_into::<PyArray2<f32>>()?;
        let view = View {
            layer: self.layer.clone(),
            root: root.unbind(),
            owner: owner.unbind(),
            given: Some(given.clone().unbind()),
            has_ended: false,
        };
        // Collect ended views now; otherwise they would be kept until the next change of the world.
        world.views.remove_ended_views(py);
        world.views.lock_views().push(view);
        Ok(given)
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut views = self.world.get().views.lock_views();
        let own = |view: &&mut View| view.layer == self.layer && !view.has_ended;
        let Some(view) = views.iter_mut().rev().find(own) else { return Ok(()) };
        view.has_ended = true;
        let Some(given) = view.given.as_ref().map(|given| given.clone_ref(py)) else {
            return Ok(());
        };
        let owner = view.owner.clone_ref(py);
        drop(views);
        let array = given.bind(py).as_array_ptr();
        // SAFETY: the array has two dimensions and owns a reference to its base, and the GIL is
        // held. An array without cells is never read.
        unsafe {
            *(*array).fields.dimensions = 0;
            *(*array).fields.dimensions.add(1) = 0;
            let root = std::mem::replace(&mut (*array).fields.base, owner.into_ptr());
            pyo3::ffi::Py_DECREF(root);
        }
        // The array is empty now, unless another object refers to it.
        drop(given);
        self.world.get().views.remove_ended_views(py);
        Ok(())
    }
}
