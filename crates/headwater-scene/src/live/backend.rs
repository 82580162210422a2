//! What computes a live world, which can change at any time.
//!
//! A world that is stepped on a GPU is here as it was brought back last. Brushes of `flow` and what disturbs the surface of
//! `waves` work on it where it is (and on the world here too, in case the device is lost). Whatever else is done to it
//! brings it back first: other edits, parameters, events, gauges, undo, snapshots. What only looks ([`Live::world`], [`Live::probe`], [`Live::ledger`],
//! [`Live::state_hash`]) sees it as it was brought back last; who wants it as it is now calls [`Live::read_back`]. The clock
//! is always the world's own.

use super::error::LiveError;
use super::live::Live;
use super::read_back::ReadBack;
use crate::run::move_to;
use crate::run::{Backend, ModelError};

impl Live {
    /// What computes the world.
    pub fn backend(&self) -> &Backend {
        &self.backend
    }

    /// Has the world computed by a backend from now on: the same state, the same physics. Of `flow` with pipes and of `waves`
    /// the steps are the same too, bit for bit where the device divides as exactly as the CPU; with other physics of `flow`
    /// they are about 5 % shorter, and depend on how many are taken at once.
    ///
    /// # Errors
    /// [`LiveError::Model`] with the reason if the backend cannot step this world, or not yet; it then stays where it is.
    pub fn set_backend(&mut self, backend: &Backend) -> Result<(), LiveError> {
        if self.settling && backend.is_device() {
            let problem =
                "the world is coming to a steady state first, which is done on the CPU alone";
            return Err(LiveError::Model(problem.into()));
        }
        self.be_here()?;
        move_to(&mut *self.simulation, &self.scene, backend).map_err(LiveError::model)?;
        self.backend = backend.clone();
        self.forget_found();
        self.note_read_back();
        Ok(())
    }

    /// Brings the world back as it is now, if it is stepped elsewhere. If that fails, as it does when the device is lost, it
    /// goes on on the CPU as it was brought back last, and [`fallen`](Self::fallen) says why.
    ///
    /// True if it is here now. In browsers, where nobody can wait, it may be on its way: then it stands, and is asked for again in
    /// a later frame. Whatever needs it here, such as undo, snapshots and parameters, is refused until it is.
    pub fn read_back(&mut self) -> bool {
        if !self.backend.is_device() {
            return true;
        }
        match self.simulation.read_back() {
            Ok(false) => return false,
            Ok(true) => {
                self.take_answers();
                self.note_read_back();
            }
            Err(error) => self.fall(&error),
        }
        true
    }

    /// Whether the world can be stepped and worked on now. Only in browsers, where nobody can wait, one on a GPU may not be for a few
    /// frames; [`advance`](Self::advance) then does nothing.
    pub fn is_ready(&self) -> bool {
        self.simulation.is_ready()
    }

    /// Fails if the world is needed here and is not.
    pub(super) fn be_here(&mut self) -> Result<(), LiveError> {
        if self.read_back() { Ok(()) } else { Err(LiveError::away()) }
    }

    /// Why the world went on on the CPU without having been told to, since this was asked last. Nothing of what was done to
    /// it is lost then; of its steps, those are that were done since it was brought back last.
    pub fn fallen(&mut self) -> Option<String> {
        self.fallen.take()
    }

    /// Draws a world that is stepped on a GPU, as it is there, into a texture of that GPU
    /// ([`CANVAS`](headwater_gpu::CANVAS)), without waiting and without bringing anything back; waves over `ground`
    /// (heights, m), if one is given. False for a world that is stepped here.
    #[cfg(feature = "gpu")]
    pub fn draw_into(
        &mut self,
        view: &headwater_gpu::wgpu::TextureView,
        ground: Option<&headwater::Field<f32>>,
    ) -> bool {
        let drawn = self.simulation.draw_into(view, ground);
        self.unless_it_fails(drawn)
    }

    /// Writes the tracers of a world that is stepped on a GPU into a buffer there, as
    /// [`GpuFlow::draw_tracers`](headwater_gpu::flow::GpuFlow::draw_tracers) does. False for a world that is stepped here, or has none.
    #[cfg(feature = "gpu")]
    pub fn draw_tracers(&mut self, target: &headwater_gpu::wgpu::Buffer) -> bool {
        let drawn = self.simulation.draw_tracers(target);
        self.unless_it_fails(drawn)
    }

    /// What a device has said; false, with the world on the CPU, if it has failed.
    pub(super) fn unless_it_fails(&mut self, done: Result<bool, ModelError>) -> bool {
        done.unwrap_or_else(|error| {
            self.fall(&error);
            false
        })
    }

    /// The world is here as it is everywhere.
    pub(super) fn note_read_back(&mut self) {
        let (stop, done) = (self.stop, self.done.clone());
        let changes = self.journal.changes.len();
        self.last_read_back = Some(ReadBack { stop, done, changes });
    }

    /// The world goes on on the CPU as it was brought back last.
    pub(super) fn fall(&mut self, error: &ModelError) {
        self.simulation.discard_device_copy();
        self.is_late = false;
        self.forget_found();
        self.backend = Backend::Cpu;
        if let Some(ReadBack { stop, done, changes }) = self.last_read_back.take() {
            (self.stop, self.done) = (stop, done);
            // What was done by hand since was done to the world here too: to water of that moment.
            self.journal.date_back(changes, self.clock(), self.simulation.steps());
        }
        self.fallen = Some(error.to_string());
    }
}
