//! Layers seen without a copy, as long as the world stands still.
//!
//! A view is an array over the world's own numbers. What could go wrong is that it is read while a step writes them, or after they are gone.
//! So the world counts its loans: as long as one is open, whatever would change it is refused. When the block ends, the array that was
//! handed out is emptied (whoever kept it finds no cells in it), so that it is no loan any more; arrays that were cut out of it still see
//! the numbers, and the loan lasts until they are gone. They can be told apart because NumPy lets an array that is cut out of another one
//! point at the one at the root: of that, each is an owner. What sees the numbers by other means (a masked array, an iterator, a buffer, a tensor)
//! holds the array that was handed out: where that has other owners than variables of functions at work when the block ends, the loan lasts
//! until they all are gone.
#![allow(unsafe_code, reason = "views of layers without a copy are made here alone")]

use crate::held::{Loan, World};
use numpy::ndarray::ArrayView2;
use numpy::{PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::borrow::Cow;

/// A layer that is seen without a copy, as long as the block `with` lasts.
#[pyclass(frozen, module = "headwater._headwater")]
pub struct Borrowed {
    world: Py<World>,
    layer: String,
}

/// Keeps a layer that was made for the view, or the world whose own numbers are viewed.
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
        let facade = world.look(py)?;
        let layer = facade.layer(&self.layer).map_err(|error| crate::error::raise(py, error))?;
        let shape = (layer.ny(), layer.nx());
        // The world's own numbers stay where they are as long as it is not changed; those that were made go to the owner, where their
        // room stays the same.
        let (pointer, made) = match layer {
            Cow::Borrowed(field) => (field.as_slice().as_ptr(), None),
            Cow::Owned(field) => {
                let made = field.into_vec();
                (made.as_ptr(), Some(made))
            }
        };
        let owner = Owner { _world: self.world.clone_ref(py), _made: made };
        let owner = Bound::new(py, owner)?.into_any();
        // SAFETY: the numbers are there, in rows one after the other, as long as the owner is and the world is not changed, which the
        // loan sees to.
        let root = unsafe {
            let view = ArrayView2::from_shape_ptr(shape, pointer);
            PyArray2::borrow_from_array(&view, owner.clone())
        };
        root.getattr("flags")?.setattr("writeable", false)?;
        let given = root.call_method0("view")?.cast_into::<PyArray2<f32>>()?;
        let loan = Loan {
            layer: self.layer.clone(),
            root: root.unbind(),
            owner: owner.unbind(),
            given: Some(given.clone().unbind()),
            has_ended: false,
        };
        // Those that ended long ago would be kept until the world is changed.
        world.loans.settle(py);
        world.loans.all().push(loan);
        Ok(given)
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut loans = self.world.get().loans.all();
        let own = |loan: &&mut Loan| loan.layer == self.layer && !loan.has_ended;
        let Some(loan) = loans.iter_mut().rev().find(own) else { return Ok(()) };
        loan.has_ended = true;
        let Some(given) = loan.given.as_ref().map(|given| given.clone_ref(py)) else {
            return Ok(());
        };
        let owner = loan.owner.clone_ref(py);
        drop(loans);
        let array = given.bind(py).as_array_ptr();
        // SAFETY: it is an array of two dimensions whose base it owns, and Python is attached. One without cells is read nowhere.
        unsafe {
            *(*array).fields.dimensions = 0;
            *(*array).fields.dimensions.add(1) = 0;
            let root = std::mem::replace(&mut (*array).fields.base, owner.into_ptr());
            pyo3::ffi::Py_DECREF(root);
        }
        // Nothing is to be seen through it any more, unless something has its place.
        drop(given);
        self.world.get().loans.settle(py);
        Ok(())
    }
}
