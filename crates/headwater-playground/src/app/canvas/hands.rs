//! [`Hands`]: what hands do on a canvas; and what is drawn onto its world.

use super::view::Pointed;

#[derive(Clone, Debug, Default)]
pub(in crate::app) struct Hands {
    /// Places that the tool in hand works at, in their order.
    pub(in crate::app) path: Vec<[f64; 2]>,
    /// Whether the pointer draws, on the world or beside it.
    pub(in crate::app) draws: bool,
    pub(in crate::app) ends: bool,
    pub(in crate::app) cancels: bool,
    pub(in crate::app) seconds: f64,
    /// The place that was clicked with nothing in hand.
    pub(in crate::app) clicked: Option<[f64; 2]>,
    pub(super) pointed: Option<Pointed>,
    /// Whether the view was moved, or flies.
    pub(in crate::app) leads: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::app) struct Marks {
    /// Where the brush is, and its radius (m, or cells).
    pub(super) ring: Option<(Pointed, f64)>,
    /// The place whose values are told.
    pub(in crate::app) pinned: Option<[f64; 2]>,
}

impl Hands {
    pub(in crate::app) fn drawing(path: Vec<[f64; 2]>, ends: bool, seconds: f64) -> Self {
        Self { path, draws: true, ends, seconds, ..Self::default() }
    }

    /// What hands do on either of two canvases: there is one pointer.
    pub(in crate::app) fn or(self, other: Self) -> Self {
        let is_there = other.draws || other.ends || other.cancels;
        let (clicked, pointed) = (self.clicked.or(other.clicked), self.pointed.or(other.pointed));
        Self { clicked, pointed, ..if is_there { other } else { self } }
    }

    /// The brush where the pointer is, of so many metres (or cells).
    pub(in crate::app) fn marks(&self, radius: Option<f64>, pinned: Option<[f64; 2]>) -> Marks {
        Marks { ring: self.pointed.zip(radius), pinned }
    }
}
